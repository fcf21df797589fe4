#!/usr/bin/env python3
"""Verifies what a Lothub hub signed, without the hub and without any of Lothub's own code
(docs/chain-format.md, "Verifying a proof").

    verify_proof.py FILE --policy POLICY     an evidence file of a lot, or the .tlog-proof of a block
    --block-hash HASH, --text TEXTFILE       what a .tlog-proof is about, when it carries no text
    --epochs EPOCHSFILE                      what the hub answers at /log/epochs: which log goes on
    --state STATEFILE                        compare with the checkpoint kept there, and keep this one
    --vectors vectors/                       the vectors: does this program judge them as expected?
    --json                                   answers as one JSON object

POLICY says whose signatures you believe (c2sp.org/tlog-policy), for example:

    log trace.example.com/log/1+0fe55aaa+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4
    quorum none

It must be yours: a forged file would bring a forged key. Exit code 0: proved. 1: refused. 2: wrong
usage, or something of yours cannot be read. Needs Python 3.9 or newer, the package cryptography
(pip install cryptography), and verify.py beside it.
"""

import argparse
import base64
import binascii
import datetime
import hashlib
import json
import re
import sys
from pathlib import Path

# Nothing is left beside the programs.
sys.dont_write_bytecode = True

import verify as chain  # noqa: E402

PROVED, REFUSED, UNUSABLE = 0, 1, 2

EVIDENCE_BYTES_MAX = 64 * 1024 * 1024
EVIDENCE_BLOCKS_MAX = 100_000
ITEMS_MAX = 1_000
PROOF_HASHES_MAX = 63
PROOF_BYTES_MAX = 4 * 1024 * 1024
SIGNATURE_LINES_MAX = 16
NOTE_BYTES_MAX = 128 * 1024
POLICY_BYTES_MAX = 64 * 1024
POLICY_LINES_MAX = 64
KEY_NAME_BYTES_MAX = 255
LOG_KEY, WITNESS_KEY = 0x01, 0x04

NOT_IN_NAMES = re.compile(
    "[\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000+]"
)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f]")
POLICY_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
BEGINNING = re.compile(r'\{"height":(0|[1-9][0-9]{0,15}),"payload":\{')
SIZE = re.compile(r"0|[1-9][0-9]{0,15}")
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
EPOCH_MARK = "(0|[1-9][0-9]{0,15}) ([A-Za-z0-9+/]{43}=)"
EPOCH = re.compile(
    "lothub/epoch/1\nold ([^ \n]+)\nnew ([^ \n]+) ([^ \n]+)\n"
    f"last {EPOCH_MARK}\ncommon {EPOCH_MARK}\n"
    "reason (restore|failover|key_lost|key_stolen|renamed)\n"
    "at ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\n"
)
VKEY = re.compile(r"([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")


class Refusal(Exception):
    """The file does not prove what it says."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Unusable(Exception):
    """Something of the reader's own cannot be read, so nothing can be said about the file."""


def sha256(data):
    return hashlib.sha256(data).digest()


def malformed(message):
    return Refusal("malformed", message)


# The tree: RFC 6962, section 2.1; RFC 9162, sections 2.1.3.2 and 2.1.4.2.


def leaf_hash(entry):
    return sha256(b"\x00" + entry)


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def is_in_tree(index, size, leaf, proof, root):
    if not 0 <= index < size or any(len(h) != 32 for h in [leaf, root, *proof]):
        return False
    at, last, node = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            node = node_hash(sibling, node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and node == root


def is_consistent(older, newer, older_root, newer_root, proof):
    if older > newer or older < 0 or any(len(h) != 32 for h in [older_root, newer_root, *proof]):
        return False
    if older == newer:
        return not proof and older_root == newer_root
    if older == 0:
        return not proof and older_root == sha256(b"")
    if not proof:
        return False
    at, last = older - 1, newer - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    first, *rest = [older_root, *proof] if at == 0 else proof
    old = new = first
    for sibling in rest:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and old == older_root and new == newer_root


# Notes, checkpoints, keys, policies.


def strict_base64(text):
    """The bytes of a base64 text that is the only one of these bytes."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise malformed("a base64 text is none") from None
    if base64.b64encode(data).decode() != text:
        raise malformed("a base64 text is not the one that its bytes have")
    return data


def is_key_name(name):
    if not name or NOT_IN_NAMES.search(name) or chain.LONE_SURROGATE.search(name):
        return False
    return len(name.encode()) <= KEY_NAME_BYTES_MAX


def parse_note(note):
    """Answers the signed text and the lines below it as (name, key id, signature)."""
    if chain.LONE_SURROGATE.search(note) or CONTROL.search(note):
        raise malformed("the note holds control characters, or is not UTF-8")
    if len(note.encode()) > NOTE_BYTES_MAX:
        raise malformed("the note is too long")
    end = note.rfind("\n\n") + 1
    if end < 1 or not note.endswith("\n"):
        raise malformed("the note lacks its empty line or its last line feed")
    lines = note[end + 1 : -1].split("\n")
    if len(lines) > SIGNATURE_LINES_MAX:
        raise malformed("the note has too many signature lines")
    signatures = []
    for line in lines:
        match = re.fullmatch("\u2014 ([^ ]+) ([A-Za-z0-9+/]+={0,2})", line)
        if not match or not is_key_name(match[1]):
            raise malformed("the note has a signature line of another form")
        data = strict_base64(match[2])
        if len(data) <= 4:
            raise malformed("the note has a signature line without a signature")
        signatures.append((match[1], data[:4].hex(), data[4:]))
    return note[:end], signatures


def parse_checkpoint(note):
    text, signatures = parse_note(note)
    match = re.fullmatch(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/=]+)\n", text)
    if not match or not is_key_name(match[1]) or int(match[2]) > chain.SAFE_INTEGER_MAX:
        raise malformed("the checkpoint is not the three lines origin, size and root")
    root = strict_base64(match[3])
    if len(root) != 32:
        raise malformed("the root of the checkpoint is not 32 bytes")
    return {
        "note": note,
        "text": text,
        "origin": match[1],
        "size": int(match[2]),
        "root": root,
        "signatures": signatures,
    }


def parse_vkey(text, kind):
    match = VKEY.fullmatch(text)
    if not match or not is_key_name(match[1]):
        raise Unusable("has no verifier key of the form name+8 hex digits+base64")
    try:
        data = strict_base64(match[3])
    except Refusal:
        raise Unusable("has a verifier key that is not base64") from None
    if len(data) != 33 or data[0] != kind:
        raise Unusable("has a key of another type than Ed25519 for that line")
    if sha256(match[1].encode() + b"\n" + data)[:4].hex() != match[2]:
        raise Unusable("has a verifier key whose id does not belong to it")
    return {"name": match[1], "id": match[2], "public": data[1:]}


def parse_policy(text):
    """{"logs", "witnesses", "quorum"}; a quorum is None, a witness's name, or (k, members)."""
    if len(text.encode()) > POLICY_BYTES_MAX:
        raise Unusable("the policy is too long")
    policy = {"logs": [], "witnesses": {}}
    named, members, publics = {}, set(), set()

    def key(words, kind):
        found = parse_vkey(words, kind)
        if found["public"] in publics:
            raise Unusable("has a public key that another line has")
        publics.add(found["public"])
        return found

    def take(words):
        keyword, *rest = words
        if keyword == "log" and 1 <= len(rest) <= 2 and len(policy["logs"]) < POLICY_LINES_MAX:
            policy["logs"].append(key(rest[0], LOG_KEY))
        elif keyword == "witness" and 2 <= len(rest) <= 3 and len(policy["witnesses"]) < POLICY_LINES_MAX:
            free(rest[0])
            policy["witnesses"][rest[0]] = key(rest[1], WITNESS_KEY)
            named[rest[0]] = rest[0]
        elif keyword == "group" and len(rest) >= 3:
            free(rest[0])
            names = rest[2:]
            k = {"all": str(len(names)), "any": "1"}.get(rest[1], rest[1])
            if not re.fullmatch("[1-9][0-9]{0,3}", k) or int(k) > len(names):
                raise Unusable("asks for another number than 1 to that of its members")
            for name in names:
                if name not in named or name in members:
                    raise Unusable("names a member that is not defined, or is one already")
                members.add(name)
            if sum(isinstance(one, tuple) for one in named.values()) == POLICY_LINES_MAX:
                raise Unusable("is one group too many")
            named[rest[0]] = (int(k), [named[name] for name in names])
        elif keyword == "quorum" and len(rest) == 1 and "quorum" not in policy:
            if rest[0] != "none" and rest[0] not in named:
                raise Unusable("names a quorum that is not defined")
            policy["quorum"] = None if rest[0] == "none" else named[rest[0]]
        else:
            raise Unusable("is not a line of a policy")

    def free(name):
        if name == "none" or name in named:
            raise Unusable("uses a name again")

    for number, line in enumerate(text.split("\n"), 1):
        try:
            if POLICY_CONTROL.search(line):
                raise Unusable("holds a control character")
            words = [word for word in re.split("[ \t]+", line) if word]
            if words and not words[0].startswith("#"):
                take(words)
        except Unusable as fault:
            raise Unusable(f"line {number} of the policy {fault}") from None
    if "quorum" not in policy or not policy["logs"]:
        raise Unusable("the policy needs a log line and a quorum line")
    return policy


def is_signed(public, message, signature):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise Unusable(
            "checking signatures needs the package cryptography: pip install cryptography"
        ) from None
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def judge_head(head, policy):
    """Checks who signed. Answers (cosigned, of, seconds), or None when the policy asks for nobody."""
    logs = [log for log in policy["logs"] if log["name"] == head["origin"]]
    if not logs:
        raise Refusal("unknown_log", f"the policy has no log named {head['origin']}")
    is_believed = False
    for name, key_id, signature in head["signatures"]:
        for log in logs:
            if (name, key_id) == (log["name"], log["id"]):
                if len(signature) != 64 or not is_signed(log["public"], head["text"].encode(), signature):
                    raise Refusal("bad_signature", "the log's key did not sign this checkpoint")
                is_believed = True
    if not is_believed:
        raise Refusal("bad_signature", "no key of the policy for this log signed the checkpoint")
    times = {}
    for name, key_id, signature in head["signatures"]:
        for witness, key in policy["witnesses"].items():
            if (name, key_id) == (key["name"], key["id"]):
                seconds = int.from_bytes(signature[:8], "big")
                message = f"cosignature/v1\ntime {seconds}\n{head['text']}".encode()
                if (
                    len(signature) != 72
                    or seconds > chain.SAFE_INTEGER_MAX
                    or not is_signed(key["public"], message, signature[8:])
                ):
                    raise Refusal("bad_signature", f"witness {witness} signed something else")
                times[witness] = min(seconds, times.get(witness, seconds))
    if policy["quorum"] is None:
        return None
    counting = witnesses_of(policy["quorum"])
    seconds = quorum_time(policy["quorum"], times)
    if seconds is None:
        raise Refusal("no_quorum", "too few of the witnesses of the policy signed")
    return sum(name in times for name in counting), len(counting), seconds


def witnesses_of(quorum):
    if isinstance(quorum, str):
        return [quorum]
    return [name for member in quorum[1] for name in witnesses_of(member)]


def quorum_time(quorum, times):
    if isinstance(quorum, str):
        return times.get(quorum)
    threshold, members = quorum
    reached = sorted(t for t in (quorum_time(m, times) for m in members) if t is not None)
    return reached[threshold - 1] if len(reached) >= threshold else None


# Epochs: statements that a log goes on under another name.


def parse_mark(size, root):
    mark = {"size": int(size), "root": strict_base64(root)}
    if mark["size"] > chain.SAFE_INTEGER_MAX or len(mark["root"]) != 32:
        raise malformed("the epoch statement has no tree heads")
    if mark["size"] == 0 and mark["root"] != sha256(b""):
        raise malformed("the epoch statement has a root for a tree without entries")
    return mark


def parse_statement(note):
    text, signatures = parse_note(note)
    match = EPOCH.fullmatch(text)
    if not match:
        raise malformed("the epoch statement is not its seven lines")
    try:
        key = parse_vkey(match[3], LOG_KEY)
        datetime.datetime.fromisoformat(match[9][:-1])
    except (Unusable, ValueError):
        raise malformed("the epoch statement has no key, or no date") from None
    last, common = parse_mark(match[4], match[5]), parse_mark(match[6], match[7])
    if key["name"] != match[2] or not is_key_name(match[1]) or match[1] == match[2]:
        raise malformed("the epoch statement has no two names of logs")
    if common["size"] > last["size"] or (common["size"] == last["size"] and common != last):
        raise malformed("the epoch statement has more in common than the old log had")
    names = [name for name, _, _ in signatures]
    if names != [match[1], match[2]] and not (match[8] == "key_lost" and names == [match[2]]):
        raise malformed("the epoch statement is not signed by the old key and the new key")
    return {
        "text": text,
        "old": match[1],
        "new": match[2],
        "key": key,
        "last": last,
        "common": common,
        "reason": match[8],
        "signatures": signatures,
    }


def judge_statement(statement, old_keys):
    """None when it is signed as it must be, else why it is not believed."""
    if any(key["public"] == statement["key"]["public"] for key in old_keys):
        return "same_key"
    *olds, new = statement["signatures"]
    if new[1] != statement["key"]["id"]:
        return "unknown_key"
    pairs = [(new, statement["key"])]
    for old in olds:
        known = [key for key in old_keys if (key["name"], key["id"]) == old[:2]]
        if known:
            pairs.append((old, known[0]))
    for (_, _, signature), key in pairs:
        if len(signature) != 64 or not is_signed(key["public"], statement["text"].encode(), signature):
            return "bad_signature"
    return None if len(pairs) == len(statement["signatures"]) else "unknown_key"


def follow_epochs(notes, policy):
    """The policy with the keys that its logs have handed on, and the statements that are believed."""
    logs, statements = list(policy["logs"]), []
    for note in notes:
        statement = parse_statement(note)
        old_keys = [key for key in logs if key["name"] == statement["old"]]
        if not old_keys:
            continue
        refused = judge_statement(statement, old_keys)
        if refused in ("bad_signature", "same_key"):
            raise Refusal("bad_signature", "the two logs did not sign the epoch statement")
        is_pinned = any(key == statement["key"] for key in logs)
        if is_pinned or (refused is None and len(statement["signatures"]) == 2):
            statements.append(statement)
            logs += [] if is_pinned else [statement["key"]]
    return {**policy, "logs": logs}, statements


def parse_epoch_list(text):
    """[(number, statement)] of what a hub answers at /log/epochs."""
    before, *parts = re.split("^=== ", text, flags=re.MULTILINE)
    found = []
    for part in parts[:ITEMS_MAX]:
        number, _, note = part.partition("\n")
        if not re.fullmatch("[1-9][0-9]{0,8}", number) or int(number) <= (found[-1][0] if found else 1):
            raise malformed("the list of epochs has another form")
        parse_statement(note)
        found.append((int(number), note))
    if before or len(parts) > ITEMS_MAX:
        raise malformed("the list of epochs has another form")
    return found


def shared_size(origin, statements):
    """How many entries of a log the one that goes on behind it shares; None when none does."""
    size = None
    for statement in statements:
        if statement["old"] == origin:
            common = statement["common"]["size"]
            size = common if size is None else min(size, common)
            origin = statement["new"]
    return size


# Blocks.


def judge_text(index, canonical, proof, head):
    """Answers (block hash, prev_hash, recorded_at or None when the contents were not judged)."""
    match = BEGINNING.match(canonical)
    if not match:
        raise Refusal("not_canonical", f"the text of entry {index} does not begin as a block does")
    if match[1] != str(index):
        raise Refusal("other_height", f"the text of entry {index} is that of block {match[1]}")
    entry = sha256(chain.LONE_SURROGATE.sub("\ufffd", canonical).encode())
    judge_entry(index, entry, proof, head)
    try:
        value = chain.parse(canonical)
        is_canonical = chain.canonical_text(value) == canonical and len(value) == 3
    except (ValueError, RecursionError, chain.Refused):
        is_canonical = False
    frame = chain.FRAME.fullmatch(canonical)
    if not is_canonical or not frame:
        raise Refusal("not_canonical", f"the text of entry {index} is not the canonical text of a block")
    payload = value["payload"]
    if chain.is_of_later_version(payload):
        return entry.hex(), frame[2], None
    wrong = chain.find_payload_fault(payload, index)
    if wrong:
        raise Refusal("not_canonical", f"block {index}: {wrong}")
    return entry.hex(), frame[2], payload["recorded_at"]


def judge_entry(index, entry, proof, head):
    if not is_in_tree(index, head["size"], leaf_hash(entry), proof, head["root"]):
        raise Refusal("not_in_tree", f"block {index} is not shown to be in the tree of {head['size']} blocks")


def judge_neighbours(earlier, later, index):
    if later[1] != earlier[0]:
        raise Refusal("not_canonical", f"block {index} does not link to the block before")
    if earlier[2] is not None and later[2] is not None and later[2] < earlier[2]:
        raise Refusal("not_canonical", f"block {index} says it was recorded before the one before")


# Evidence files and proof files.

MEMBERS = {"blocks", "chain_id", "checkpoint", "disclosures", "epochs", "format", "lot", "origin"}


def parse_evidence(data):
    if len(data) > EVIDENCE_BYTES_MAX:
        raise malformed("the file is larger than 64 MiB")
    try:
        text = data.decode("utf-8")
        value = chain.parse(text)
        is_canonical = chain.canonical_text(value) == text
    except (ValueError, RecursionError, chain.Refused):
        raise malformed("the file is not UTF-8 JSON of this form") from None
    if not is_canonical:
        raise malformed("the file is not the canonical JSON of what it says")
    if not isinstance(value, dict) or set(value) != MEMBERS or value["format"] != "lothub-evidence/1":
        raise malformed("the file is not lothub-evidence/1")
    lot, blocks = value["lot"], value["blocks"]
    texts = [value["origin"], value["checkpoint"], value["chain_id"]]
    if not isinstance(lot, dict) or set(lot) != {"brand", "lot_code"}:
        raise malformed("the file names no lot")
    if not all(isinstance(text, str) for text in [*texts, *lot.values()]):
        raise malformed("the file has something else where a text belongs")
    if not chain.HASH.fullmatch(value["chain_id"]):
        raise malformed("the chain_id is no hash")
    head = parse_checkpoint(value["checkpoint"])
    if head["origin"] != value["origin"]:
        raise malformed("the file names another log than its checkpoint does")
    if not isinstance(blocks, list) or not 1 <= len(blocks) <= EVIDENCE_BLOCKS_MAX:
        raise malformed("the file has no blocks, or too many")
    last = -1
    for block in blocks:
        if not isinstance(block, dict) or set(block) != {"canonical", "inclusion", "index"}:
            raise malformed("a block has another form")
        index, proof = block["index"], block["inclusion"]
        if not isinstance(index, int) or isinstance(index, bool) or index <= last:
            raise malformed("the blocks are not in the order of the log")
        if not isinstance(block["canonical"], str) or not isinstance(proof, list):
            raise malformed("a block has another form")
        if len(proof) > PROOF_HASHES_MAX or not all(isinstance(h, str) for h in proof):
            raise malformed("a block has no proof of hashes, or too many")
        block["inclusion"] = [strict_base64(h) for h in proof]
        last = index
    for name in ("epochs", "disclosures"):
        if not isinstance(value[name], list) or len(value[name]) > ITEMS_MAX:
            raise malformed(f"the file has no list of {name}, or too many")
    for note in value["epochs"]:
        if not isinstance(note, str):
            raise malformed("an epoch is no signed note")
        parse_note(note)
    return {**value, "head": head}


def judge_evidence(data, policy, answer, epochs):
    evidence = parse_evidence(data)
    head = evidence["head"]
    notes = list(dict.fromkeys([*evidence["epochs"], *epochs]))
    policy, statements = follow_epochs(notes, policy)
    answer["witnessed"] = judge_head(head, policy)
    proven = {}
    for block in evidence["blocks"]:
        index = block["index"]
        proven[index] = judge_text(index, block["canonical"], block["inclusion"], head)
        answer["blocks"] += 1
        answer["contents_not_judged"] += proven[index][2] is None
    for index, found in proven.items():
        if index - 1 in proven:
            judge_neighbours(proven[index - 1], found, index)
    if 0 in proven and proven[0][0] != evidence["chain_id"]:
        raise malformed("the chain_id is not the hash of block 0")
    judge_lot(evidence, proven)
    note_lost(answer, head, max(proven), statements)
    return head, evidence, policy


def note_lost(answer, head, last, statements):
    shared = shared_size(head["origin"], statements)
    if shared is not None and last >= shared:
        answer["lost"] = {"origin": head["origin"], "from": shared, "below": head["size"]}


def judge_lot(evidence, proven):
    """The name of the lot is no part of the tree, so a block must be about it."""
    brand, code = evidence["lot"]["brand"], evidence["lot"]["lot_code"]
    if any(recorded_at is None for _, _, recorded_at in proven.values()):
        return
    for block in evidence["blocks"]:
        payload = chain.parse(block["canonical"])["payload"]
        if payload.get("brand") != brand:
            continue
        lines = items(payload.get("event"), "lines")
        changes = items(payload.get("correction"), "changes")
        if any(line.get("lot_code") == code for line in lines) or any(
            str(change.get("field")).endswith(".lot_code") and code in (change.get("from"), change.get("to"))
            for change in changes
        ):
            return
    raise malformed("none of the blocks is about the lot")


def items(content, name):
    found = content.get(name) if isinstance(content, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def judge_disclosures(evidence):
    try:
        openings = []
        for disclosure in evidence["disclosures"]:
            openings += disclosure.get("openings", [disclosure])
        for opening in openings:
            if opening.get("erased") is True:
                continue
            if not chain.verify_disclosure(opening) or not any(
                opening.get("block_height", block["index"]) == block["index"]
                and chain.carries(block["canonical"], opening["commitment"])
                for block in evidence["blocks"]
            ):
                raise malformed("a disclosure does not open a commitment of the blocks")
    except (KeyError, TypeError, AttributeError, chain.Refused):
        raise malformed("a disclosure has another form") from None


def judge_proof(data, policy, answer, epochs, block_hash, text):
    if len(data) > PROOF_BYTES_MAX:
        raise malformed("the proof is too long")
    try:
        head_text, separator, note = data.decode("utf-8").partition("\n\n")
    except UnicodeDecodeError:
        raise malformed("the proof is not UTF-8") from None
    if not separator:
        raise malformed("the proof lacks the empty line before its checkpoint")
    head = parse_checkpoint(note)
    first, *lines = head_text.split("\n")
    extra = lines.pop(0)[6:] if lines and lines[0].startswith("extra ") else None
    index = re.fullmatch("index (0|[1-9][0-9]{0,15})", lines.pop(0) if lines else "")
    if first != "c2sp.org/tlog-proof@v1" or not index or len(lines) > PROOF_HASHES_MAX:
        raise malformed("the proof has another form")
    proof = [strict_base64(line) for line in lines]
    extra = strict_base64(extra) if extra is not None else None
    if any(len(h) != 32 for h in proof) or int(index[1]) > chain.SAFE_INTEGER_MAX:
        raise malformed("the proof has a hash that is not 32 bytes")
    policy, statements = follow_epochs(epochs, policy)
    answer["witnessed"] = judge_head(head, policy)
    number = int(index[1])
    if block_hash is not None:
        judge_entry(number, bytes.fromhex(block_hash), proof, head)
    else:
        if text is None and extra is None:
            raise malformed("the proof carries no text of a block: give --text or --block-hash")
        try:
            canonical = text if text is not None else extra.decode("utf-8")
        except UnicodeDecodeError:
            raise malformed("the text in the proof is not UTF-8") from None
        found = judge_text(number, canonical, proof, head)
        answer["contents_not_judged"] += found[2] is None
    answer["blocks"] += 1
    note_lost(answer, head, number, statements)
    return head, policy


# Kept checkpoints.


def compare_with_kept(head, kept, policy):
    """Answers what to keep. Proofs between different sizes take the log itself: `lothub verify --url`."""
    note = kept.get(head["origin"])
    if note is None:
        return {**kept, head["origin"]: head["note"]}
    try:
        known = parse_checkpoint(note)
        judge_head(known, {**policy, "quorum": None})
    except Refusal:
        raise Unusable("the kept checkpoint is not one that the log of the policy signed") from None
    if known["size"] == head["size"] and known["root"] != head["root"]:
        raise Refusal(
            "split_view",
            f"the log signed two trees of {head['size']} blocks. Kept:\n\n{note}\nThis one:\n\n{head['note']}",
        )
    return kept


def parse_kept(text):
    try:
        value = json.loads(text)
        kept = value["checkpoints"] if value["format"] == "lothub-kept/1" else None
        if not all(isinstance(note, str) for note in kept.values()):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unusable("the file of kept checkpoints is not lothub-kept/1") from None
    return kept


# What was asked for.


def judge(data, policy_text, block_hash=None, text=None, kept=None, epochs=()):
    """Answers a dict with "sentence"; "kept" in it is what to keep from now on."""
    policy = parse_policy(policy_text)
    answer = {"ok": False, "blocks": 0, "contents_not_judged": 0, "witnessed": None}
    try:
        evidence = None
        if data.startswith(b"c2sp.org/tlog-proof@"):
            head, policy = judge_proof(data, policy, answer, epochs, block_hash, text)
        else:
            head, evidence, policy = judge_evidence(data, policy, answer, epochs)
        if kept is not None:
            answer["kept"] = compare_with_kept(head, kept, policy)
        if evidence is not None:
            judge_disclosures(evidence)
    except Refusal as refusal:
        answer.pop("kept", None)
        answer.update(sentence=f"refused: {refusal.code}", code=refusal.code, reason=str(refusal))
        return answer
    answer["ok"] = True
    if answer["witnessed"] is None:
        answer["sentence"] = "proved, operator's word only"
    else:
        cosigned, of, seconds = answer["witnessed"]
        at = datetime.datetime.fromtimestamp(min(seconds, 253402300799), datetime.timezone.utc)
        answer["sentence"] = f"proved, witnessed {cosigned} of {of} at {at:%Y-%m-%dT%H:%M:%SZ}"
    return answer


def judge_vectors(folder):
    wrong, count = [], 0

    def compare(vector, expected, found):
        nonlocal count
        count += 1
        if expected != found:
            wrong.append(f"{vector['name']}: {found}, expected {expected}")

    def read(name):
        return chain.read_json(Path(folder, name + ".json"))["vectors"]

    def decode(texts):
        return [base64.b64decode(text) for text in texts]

    for v in read("log-inclusion"):
        leaf, root = bytes.fromhex(v["leaf"]), base64.b64decode(v["root"])
        compare(v, v["valid"], is_in_tree(v["index"], v["size"], leaf, decode(v["proof"]), root))
    for v in read("log-consistency"):
        roots = decode([v["from_root"], v["to_root"]])
        compare(v, v["valid"], is_consistent(v["from"], v["to"], *roots, decode(v["proof"])))
    for v in read("log-evidence"):
        data = v.get("evidence", v.get("proof")).encode()
        kept = parse_kept(v["kept"]) if "kept" in v else None
        found = judge(data, v["policy"], v.get("block_hash"), None, kept)
        compare(v, v["expect"], found["sentence"])
        compare(v, v.get("contents_not_judged", 0), found["contents_not_judged"])
    for v in read("log-epochs"):
        try:
            statement = parse_statement(v["statement"])
            keys = [parse_vkey(vkey, LOG_KEY) for vkey in v["old_vkeys"]]
            found = judge_statement(statement, keys) or "believed"
        except Refusal as refusal:
            found = refusal.code
        compare(v, v["expect"], found)
    return wrong, count


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?")
    parser.add_argument("--policy")
    parser.add_argument("--block-hash")
    parser.add_argument("--text")
    parser.add_argument("--epochs")
    parser.add_argument("--state")
    parser.add_argument("--vectors")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.vectors and not (options.file and options.policy):
        parser.error("name a file and --policy, or --vectors")
    if options.block_hash and not chain.HASH.fullmatch(options.block_hash):
        parser.error("--block-hash is 64 lower-case hex digits")
    try:
        if options.vectors:
            wrong, count = judge_vectors(options.vectors)
            print("\n".join([*wrong, f"{count} vectors, {len(wrong)} judged otherwise"]))
            return REFUSED if wrong else PROVED
        state = Path(options.state) if options.state else None
        kept = None
        if state:
            kept = parse_kept(state.read_text(encoding="utf-8")) if state.exists() else {}
        text = Path(options.text).read_bytes().decode("utf-8") if options.text else None
        policy = Path(options.policy).read_bytes().decode("utf-8")
        epochs = read_epochs(options.epochs) if options.epochs else []
        if Path(options.file).stat().st_size > EVIDENCE_BYTES_MAX:
            answer = {"ok": False, "code": "malformed", "sentence": "refused: malformed"}
        else:
            answer = judge(Path(options.file).read_bytes(), policy, options.block_hash, text, kept, epochs)
        if state and "kept" in answer:
            keep(state, answer["kept"])
    except (Unusable, chain.Unusable, OSError, UnicodeDecodeError) as error:
        print(f"verify_proof.py: {error}", file=sys.stderr)
        return UNUSABLE
    answer.pop("kept", None)
    if "lost" in answer and not options.json:
        lost = answer["lost"]
        print(f"LOST: entries of {lost['origin']} from {lost['from']} on: the operator has signed that")
    if options.json:
        print(json.dumps(answer))
    else:
        print("\n".join(filter(None, [answer.get("reason"), answer["sentence"]])))
        if answer.get("contents_not_judged"):
            print(f"contents not judged of {answer['contents_not_judged']} blocks of a later format")
    return PROVED if answer["ok"] else REFUSED


def read_epochs(path):
    try:
        return [note for _, note in parse_epoch_list(Path(path).read_bytes().decode("utf-8"))]
    except Refusal as refusal:
        raise Unusable(f"{path}: {refusal}") from None


def keep(path, kept):
    """Put in place whole, so that a crash leaves what was kept before."""
    passing = path.with_name(path.name + ".partial")
    text = chain.canonical_text({"checkpoints": kept, "format": "lothub-kept/1"})
    passing.write_text(text, encoding="utf-8")
    passing.replace(path)


if __name__ == "__main__":
    sys.exit(main())
