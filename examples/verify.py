#!/usr/bin/env python3
"""Verifies a Lothub chain without any of Lothub's own code (docs/chain-format.md).

    verify.py chain.jsonl              an export file: one canonical text a line, genesis first
    verify.py --url https://hub        the public explorer of a running hub
    verify.py --vectors vectors/       the vectors: does this program judge them as expected?
    --checkpoint HEIGHT:HASH           besides: the chain must hold this block, noted earlier
    --disclosure FILE                  besides, or alone: {"values", "salt", "commitment"} must match,
                                       or every opening of an answer of /v1/events/{id}/disclosure
    --json                             answers as one JSON object

Exit code 0: everything holds. 1: something is broken. 2: wrong usage, or it could not be read.
Needs Python 3.9 or newer and nothing else.
"""

import argparse
import hashlib
import json
import re
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

OK, BROKEN, UNUSABLE = 0, 1, 2

NO_HASH = "0" * 64
SAFE_INTEGER_MAX = 2**53 - 1
SAFE_INTEGER_DIGITS = 16
NESTING_MAX = 64
PAGE = 200  # the most blocks that the explorer gives at once
TRIES_MAX = 5
TIMEOUT_SECONDS = 30

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
HASH = re.compile(r"[0-9a-f]{64}")
FRAME = re.compile(
    r'\{"height":(0|[1-9][0-9]*),"payload":\{.*\},"prev_hash":"([0-9a-f]{64})"\}', re.DOTALL
)
BRAND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
RECORDED_AT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z"
)
MEMBERS = {
    "genesis": {"hub", "nonce", "recorded_at", "type", "v"},
    "event": {"brand", "event", "recorded_at", "type", "v"},
    "correction": {"brand", "correction", "recorded_at", "type", "v"},
}
# What people decided, in version 2.
DECISIONS = ("brand", "drill", "erasure", "hold", "recall", "response")
MEMBERS_OF_2 = {
    "audit": {"audit", "recorded_at", "type", "v"},
    **dict.fromkeys(DECISIONS, {"brand", "decision", "recorded_at", "type", "v"}),
}
# Types of versions after 1 that this verifier knows.
KNOWN_TYPES = {2: ("event", "correction", *MEMBERS_OF_2)}


class Fault(Exception):
    """The chain is broken at a height."""

    def __init__(self, height, code, message):
        super().__init__(message)
        self.height, self.code = height, code


class Refused(Exception):
    """A value that has no canonical text."""


class Unusable(Exception):
    """What was asked for cannot be read, so nothing can be said about it."""


def sha256(text):
    # A lone surrogate has no bytes of its own; like other programs, hash U+FFFD in its place.
    return hashlib.sha256(LONE_SURROGATE.sub("\ufffd", text).encode("utf-8")).hexdigest()


# Canonical JSON: RFC 8785 for strings, safe integers, booleans, null, arrays and objects.


def canonical_text(value, nesting=0):
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        if LONE_SURROGATE.search(value):
            raise Refused("lone_surrogate")
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)):
        if isinstance(value, int) and abs(value) <= SAFE_INTEGER_MAX:
            return str(value)
        raise Refused("number_not_safe_integer")
    if nesting >= NESTING_MAX:
        raise Refused("nesting_too_deep")
    if isinstance(value, list):
        return "[" + ",".join(canonical_text(item, nesting + 1) for item in value) + "]"
    # UTF-16 code units in big-endian bytes sort as the units do.
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    members = (canonical_text(key) + ":" + canonical_text(value[key], nesting + 1) for key in keys)
    return "{" + ",".join(members) + "}"


def parse(text):
    """The value of a JSON text; raises ValueError when it is none."""

    def integer(digits):
        # Python would read any number of digits; a long one is refused later, as a float.
        return int(digits) if len(digits) <= SAFE_INTEGER_DIGITS + 1 else float("inf")

    def constant(name):
        raise ValueError(name + " is not JSON")

    return json.loads(text, parse_int=integer, parse_constant=constant)


# The chain.


def verify(blocks, previous=None):
    """Yields each good block's (height, hash); raises Fault at the first bad one.

    blocks are dicts with height, block_hash and canonical, ascending; previous is the trusted block
    before the first one, with height, block_hash and perhaps recorded_at.
    """
    last = previous or {"height": -1, "block_hash": NO_HASH}
    disclosures = Disclosures(last["height"])
    for block in blocks:
        recorded_at = check_block(block, last)
        disclosures.watch(block)
        last = {
            "height": block["height"],
            "block_hash": block["block_hash"],
            # Nobody here knows where a later version keeps its time: the last one known stays.
            "recorded_at": recorded_at or last.get("recorded_at", ""),
            "is_judged": recorded_at is not None,
        }
        yield last


def check_block(block, previous):
    height, text = previous["height"] + 1, block["canonical"]
    if block["height"] != height:
        raise Fault(height, "height_gap", f"found height {block['height']} instead")
    if sha256(text) != block["block_hash"]:
        raise Fault(height, "hash_mismatch", "SHA-256 of canonical is not block_hash")
    try:
        value = parse(text)
    except RecursionError:
        raise Fault(height, "not_canonical", "nested too deep") from None
    except ValueError:
        raise Fault(height, "not_json", "canonical is not JSON") from None
    frame = FRAME.fullmatch(text)
    if not frame:
        raise Fault(height, "not_canonical", "canonical does not have the frame of a block")
    if frame[1] != str(height):
        raise Fault(height, "height_mismatch", "canonical was sealed with another height")
    if frame[2] != previous["block_hash"]:
        raise Fault(height, "prev_hash_mismatch", "prev_hash is not the hash of the block before")
    try:
        is_canonical = canonical_text(value) == text and len(value) == 3
    except Refused:
        is_canonical = False
    if not is_canonical:
        raise Fault(height, "not_canonical", "canonical is not the canonical JSON of a block")
    if is_of_later_version(value["payload"]):
        return None
    wrong = find_payload_fault(value["payload"], height)
    if wrong:
        raise Fault(height, "payload_invalid" if height else "genesis_invalid", wrong)
    recorded_at = value["payload"]["recorded_at"]
    if recorded_at < previous.get("recorded_at", ""):
        raise Fault(height, "time_backwards", "recorded before the block that precedes it")
    return recorded_at


def is_of_later_version(payload):
    """Of a version, or of a type of version 2, that this verifier does not know."""
    version = payload.get("v")
    if not isinstance(version, int) or isinstance(version, bool) or version <= 1:
        return False
    return payload.get("type") not in KNOWN_TYPES.get(version, ())


def find_payload_fault(payload, height):
    kind = payload.get("type")
    version = payload.get("v")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        return "payload names no version that there is"
    if not is_instant(payload.get("recorded_at")):
        return "recorded_at is not well-formed"
    later = MEMBERS_OF_2 if version > 1 else {}
    if kind not in (("event", "correction", *later) if height else ("genesis",)):
        return "type does not belong here"
    if set(payload) != {**MEMBERS, **later}[kind]:
        return "payload has other members than its type demands"
    if kind == "genesis":
        hub, nonce = payload["hub"], payload["nonce"]
        named = isinstance(hub, str) and hub != ""
        return None if named and matches(HASH, nonce) else "hub or nonce is not well-formed"
    content = "decision" if kind in DECISIONS else kind
    is_named = kind == "audit" or matches(BRAND, payload["brand"])
    good = is_named and isinstance(payload[content], dict)
    return None if good else f"brand or {content} is not well-formed"


# How the canonical text of a block with a recall ends, but for its last hash.
RECALL_CLOSING = '"type":"recall","v":2},"prev_hash":"'


class Disclosures:
    """Each confidential block of a recall is disclosed whole and in order before its case is public."""

    def __init__(self, after):
        # What was sealed before the first block is not judged.
        self.after = after
        self.cases = {}

    def watch(self, block):
        """Takes the next block; raises Fault where it discloses something else than was sealed."""
        height, text = block["height"], block["canonical"]
        if not text[: -len(NO_HASH) - 2].endswith(RECALL_CLOSING):
            return
        payload = parse(text)["payload"]
        decision = payload["decision"]
        case_no = decision.get("case_no")
        if not isinstance(case_no, str):
            return
        key = (payload["brand"], case_no)
        if decision.get("confidential") is True:
            committed = decision.get("committed")
            commitment = committed.get("parts") if isinstance(committed, dict) else None
            if isinstance(commitment, str):
                sealed, _ = self.cases.setdefault(key, ([], []))
                sealed.append((height, commitment))
        elif decision.get("change") == "disclosed":
            self.disclose(height, key, decision)
        elif key in self.cases:
            raise Fault(height, "disclosure_missing", "public before all of its case is disclosed")

    def disclose(self, height, key, decision):
        numbers = [decision.get(name) for name in ("of", "part", "parts")]
        salt = decision.get("salt")
        if not all(type(n) is int for n in numbers) or not isinstance(salt, str):
            return
        sealed_height, part, parts = numbers
        if "contents" not in decision or sealed_height <= self.after:
            return
        if key not in self.cases:
            raise Fault(height, "disclosure_mismatch", f"block {sealed_height} is not confidential")
        sealed, opened = self.cases[key]
        if sealed[0][0] != sealed_height:
            raise Fault(height, "disclosure_missing", "not the first confidential block of its case")
        if part != len(opened) + 1 or part > parts:
            raise Fault(height, "disclosure_missing", "not the part that comes next")
        opened.append((salt, decision["contents"]))
        if part < parts:
            return
        values = {"parts": canonical_text([contents for _, contents in opened])}
        opening = {"values": values, "salt": opened[0][0], "commitment": sealed[0][1]}
        if opened[0][0] != salt or not verify_disclosure(opening):
            raise Fault(height, "disclosure_mismatch", f"does not open block {sealed_height}")
        opened.clear()
        sealed.pop(0)
        if not sealed:
            del self.cases[key]


def matches(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def is_instant(text):
    if not matches(RECORDED_AT, text):
        return False
    year, month, day, hour, minute, second = map(int, RECORDED_AT.fullmatch(text).groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return (
        year >= 1
        and 1 <= month <= 12
        and 1 <= day <= days[month - 1]
        and hour <= 23
        and minute <= 59
        and second <= 59
    )


def verify_disclosure(disclosure):
    values, salt = disclosure["values"], disclosure["salt"]
    if "salt" in values or not matches(HASH, salt):
        return False
    return sha256(canonical_text({**values, "salt": salt})) == disclosure["commitment"]


class Opened:
    """What a disclosure says, to be compared with the blocks that pass."""

    def __init__(self, disclosure):
        try:
            self.of_event = "openings" in disclosure
            openings = disclosure["openings"] if self.of_event else [disclosure]
            self.erased = sum(1 for opening in openings if opening.get("erased"))
            self.openings = [opening for opening in openings if not opening.get("erased")]
            self.height = None
            self.fault = None
            if not self.of_event and self.erased:
                raise KeyError("salt")
            if not all(verify_disclosure(opening) for opening in self.openings):
                self.fault = "commitment_mismatch"
            if self.of_event:
                self.event_id, self.effective = disclosure["event_id"], disclosure["effective"]
                self.lines = {line["line"] for line in self.effective["lines"]}
                self.has_notes = any(opening["field"] == "notes" for opening in openings)
                self.wanted = {(o["block_height"], o["place"]): o for o in openings}
                if not self.fault and not self.tells_what_counts(openings):
                    self.fault = "effective_mismatch"
        except (KeyError, TypeError, AttributeError, Refused):
            raise Unusable("the disclosure needs values, salt and commitment") from None

    def tells_what_counts(self, openings):
        """The values that later openings replaced are the effective ones; erased lines say nothing."""
        for line in self.effective["lines"]:
            found = dict.fromkeys(("customer_ref", "channel", "consignee_ref"))
            own = [opening for opening in openings if opening["line"] == line["line"]]
            for opening in own:
                if opening.get("erased"):
                    continue
                if opening["place"].startswith("event."):
                    found.update(opening["values"])
                else:
                    found[opening["field"].rpartition(".")[2]] = opening["values"].get("to")
            is_erased = any(opening.get("erased") for opening in own)
            if not is_erased and found != {name: line.get(name) for name in found}:
                return False
        return True

    def watch(self, block):
        """Finds commitments in a block; raises Fault where the disclosure says otherwise."""
        if not self.of_event:
            if carries(block["canonical"], self.openings[0]["commitment"]):
                self.height = block["height"]
            return
        payload = parse(block["canonical"])["payload"]
        if is_of_later_version(payload):
            return
        for place, commitment in private_places(payload):
            opening = self.wanted.pop((block["height"], place), None)
            if opening is not None:
                if (opening["commitment"], opening["block_hash"]) != (commitment, block["block_hash"]):
                    raise Fault(block["height"], "commitment_mismatch", f"{place} is another one")
                self.height = block["height"]
            elif self.concerns(payload, place):
                raise Fault(block["height"], "opening_missing", f"{place} was not disclosed")

    def concerns(self, payload, place):
        """Whether a correction changes what the disclosure contains."""
        if payload["type"] != "correction" or not place.startswith("correction.changes"):
            return False
        correction = payload["correction"]
        if correction.get("corrects_event_id") != self.event_id:
            return False
        field = str(correction["changes"][int(re.search(r"[0-9]+", place)[0])].get("field"))
        line = re.match(r"lines\[([0-9]+)\]", field)
        return int(line[1]) in self.lines if line else field == "notes" and self.has_notes

    def end(self):
        if self.wanted if self.of_event else self.height is None:
            raise Fault(None, "commitment_missing", "no block carries the disclosed commitment")


def carries(canonical, commitment):
    """Whether a block commits to something; within a string the quotes would have backslashes."""
    return any(f'"{name}":"{commitment}"' in canonical for name in ("private", "consignee"))


def private_places(payload):
    """Where the payload of a block commits to something, as (place, commitment)."""
    kind = payload["type"]
    content = payload.get(kind)
    if kind not in ("event", "correction") or not isinstance(content, dict):
        return
    if "private" in content:
        yield f"{kind}.private", content["private"]
    name = {"event": "lines", "correction": "changes"}[kind]
    items = content.get(name)
    for index, item in enumerate(items if isinstance(items, list) else []):
        for member in ("private", "consignee"):
            if isinstance(item, dict) and member in item:
                yield f"{kind}.{name}[{index}].{member}", item[member]


# Where blocks come from.


def blocks_of_file(path):
    """Lines of an export. The hash of each is made here, so only the links can show a change."""
    with open(path, "rb") as lines:
        for height, line in enumerate(lines):
            try:
                text = line.removesuffix(b"\n").decode("utf-8")
            except UnicodeDecodeError:
                raise Fault(height, "not_json", "the line is not UTF-8") from None
            yield {"height": height, "block_hash": sha256(text), "canonical": text}


def blocks_of_hub(base):
    """Blocks of a running hub, lowest first. Pages come newest first, so each is turned round."""
    base = base.rstrip("/")
    try:
        tip = fetch(base + "/public/explorer")["stats"]["height"]
        for start in range(0, tip + 1, PAGE):
            for block in reversed(blocks_between(base, start, min(start + PAGE, tip + 1))):
                if "canonical" not in block:
                    block = fetch(f"{base}/public/explorer/block/{int(block['height'])}")
                yield {name: block[name] for name in ("height", "block_hash", "canonical")}
    except (KeyError, TypeError):
        raise Unusable(f"{base} does not answer as the explorer of a hub") from None


def blocks_between(base, start, end):
    """Blocks from start up to, not with, end, newest first. A hub may cut a page of large blocks."""
    blocks = []
    while end > start:
        page = fetch(f"{base}/public/explorer/blocks?limit={end - start}&before={end}")["blocks"]
        if not page or int(page[-1]["height"]) >= end:
            break
        blocks += page
        end = int(page[-1]["height"])
    return blocks


def fetch(url):
    for attempt in range(1, TRIES_MAX + 1):
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == TRIES_MAX:
                raise Unusable(f"{url} answered {error.code}") from None
            seconds = error.headers.get("Retry-After", "")
            time.sleep(int(seconds) if seconds.isdecimal() else 1)
        except (OSError, ValueError) as error:
            raise Unusable(f"{url}: {error}") from None


def read_json(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unusable(f"{path}: {error}") from None


# What was asked for, answered as a dict with "valid".


def judge_chain(blocks, checkpoint=None, opened=None):
    chain_id, tip, count, unjudged, passing = None, None, 0, 0, None

    def watched():
        nonlocal passing
        for passing in blocks:
            yield passing

    try:
        for tip in verify(watched()):
            count += 1
            unjudged += not tip["is_judged"]
            # Only once the block is known to be well-formed.
            if opened:
                opened.watch(passing)
            chain_id = chain_id or tip["block_hash"]
            if checkpoint and tip["height"] == checkpoint[0] and tip["block_hash"] != checkpoint[1]:
                raise Fault(tip["height"], "checkpoint_mismatch", "not the block noted earlier")
        if tip is None:
            raise Fault(0, "height_gap", "there is no block at all")
        if checkpoint and tip["height"] < checkpoint[0]:
            raise Fault(tip["height"] + 1, "checkpoint_missing", "blocks noted earlier are gone")
        if opened:
            opened.end()
    except Fault as fault:
        return {
            "valid": False,
            "first_bad_height": fault.height,
            "code": fault.code,
            "message": str(fault),
        }
    answer = {"valid": True, "chain_id": chain_id, "blocks": count}
    answer.update(height=tip["height"], tip_hash=tip["block_hash"])
    if unjudged:
        answer["contents_not_judged"] = unjudged
    if opened:
        answer["commitment_height"] = opened.height
        if opened.of_event:
            answer.update(openings=len(opened.openings), erased=opened.erased)
    return answer


def judge_vectors(folder):
    answers = []

    def add(kind, vector, expected, found):
        name = vector["name"]
        answers.append({"kind": kind, "name": name, "agrees": expected == found, "found": found})

    for kind in ("good-chains", "broken-chains"):
        for vector in read_json(Path(folder, kind + ".json"))["vectors"]:
            found, expect, tip, unjudged = {"valid": True}, vector["expect"], None, 0
            try:
                for tip in verify(vector["blocks"], vector.get("previous")):
                    unjudged += not tip["is_judged"]
                found.update(height=tip["height"], tip_hash=tip["block_hash"])
                if unjudged:
                    found["contents_not_judged"] = unjudged
            except Fault as fault:
                found = {"valid": False, "first_bad_height": fault.height, "code": fault.code}
            add(kind, vector, {k: v for k, v in expect.items() if k != "found_at"}, found)
    for vector in read_json(Path(folder, "canonical-texts.json"))["vectors"]:
        try:
            found = {"canonical": canonical_text(parse_value(vector["json"]))}
        except Refused as refused:
            found = {"refused": str(refused)}
        add("canonical-texts", vector, {k: vector[k] for k in found if k in vector}, found)
    for vector in read_json(Path(folder, "commitments.json"))["vectors"]:
        add("commitments", vector, vector["valid"], verify_disclosure(vector))
    return {"valid": all(answer["agrees"] for answer in answers), "vectors": answers}


def parse_value(text):
    """As ECMAScript reads numbers: 1.0 and 1e2 are the integers 1 and 100."""
    return json.loads(text, parse_float=lambda t: int(float(t)) if float(t).is_integer() else float(t))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("file", nargs="?")
    source.add_argument("--url")
    source.add_argument("--vectors")
    parser.add_argument("--checkpoint")
    parser.add_argument("--disclosure")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not (options.file or options.url or options.vectors or options.disclosure):
        parser.error("name an export file, --url, --vectors or --disclosure")
    checkpoint = None
    if options.checkpoint:
        match = re.fullmatch(r"([0-9]+):([0-9a-f]{64})", options.checkpoint)
        if not match or not (options.file or options.url):
            parser.error("--checkpoint is HEIGHT:HASH and belongs to an export file or --url")
        checkpoint = (int(match[1]), match[2])
    try:
        answer = judge(options, checkpoint)
    except (Unusable, OSError) as error:
        print(f"verify.py: {error}", file=sys.stderr)
        return UNUSABLE
    print(json.dumps(answer) if options.json else sentence(answer))
    return OK if answer["valid"] else BROKEN


def judge(options, checkpoint):
    if options.vectors:
        return judge_vectors(options.vectors)
    opened = None
    if options.disclosure:
        opened = Opened(read_json(options.disclosure))
        if opened.fault:
            return {"valid": False, "code": opened.fault}
    if options.file:
        return judge_chain(blocks_of_file(options.file), checkpoint, opened)
    if options.url:
        return judge_chain(blocks_of_hub(options.url), checkpoint, opened)
    return {"valid": True, "openings": len(opened.openings), "erased": opened.erased}


def sentence(answer):
    if "vectors" in answer:
        wrong = [f"{a['kind']}: {a['name']}: {a['found']}" for a in answer["vectors"] if not a["agrees"]]
        return "\n".join([*wrong, f"{len(answer['vectors'])} vectors, {len(wrong)} judged otherwise"])
    if not answer["valid"]:
        where = answer.get("first_bad_height")
        text = "" if where is None else f" at height {where}"
        return f"BROKEN{text}: {answer['code']} {answer.get('message', '')}".rstrip()
    erased = f", {answer['erased']} erased" if answer.get("erased") else ""
    unjudged = answer.get("contents_not_judged")
    later = f"; contents not judged of {unjudged} of a later format" if unjudged else ""
    if "blocks" not in answer:
        return f"OK: values and salt open the commitment{erased}"
    opened = answer.get("commitment_height")
    carried = "" if opened is None else f"; block {opened} carries the disclosed commitment{erased}"
    return (
        f"OK: {answer['blocks']} blocks, height {answer['height']}, tip {answer['tip_hash']}, "
        f"chain {answer['chain_id']}{later}{carried}"
    )


if __name__ == "__main__":
    sys.exit(main())
