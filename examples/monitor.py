#!/usr/bin/env python3
"""Follows the public log of a Lothub hub: reads every block, and reports what only somebody who reads
all of them can know (docs/trust.md). Shares no code with the hub.

    monitor.py URL --policy POLICY --state STATEFILE    follow the log, for ever
    --once                                              catch up once, and end
    --lot CODE, --brand ID                              report each new block that is about one of these,
                                                        events, corrections and decisions alike
    --every SECONDS                                     between two looks, 10 without it

Each look reads the newest checkpoint, judges who signed it by POLICY (c2sp.org/tlog-policy, your own),
reads the texts of all blocks since the last look, compares their hashes with the entries, and builds the
tree: its root must be the one that was signed. STATEFILE keeps the checkpoint and what the tree goes on
from. Reports are lines of JSON. Exit code 0: all is well (--once). 1: what the hub shows contradicts what
it signed; both checkpoints are printed. 2: wrong usage, or the hub cannot be read.

Needs Python 3.9 or newer, the package cryptography, and verify.py and verify_proof.py beside it.
"""

import argparse
import json
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

# Nothing is left beside the programs.
sys.dont_write_bytecode = True

import verify as chain  # noqa: E402
import verify_proof as proofs  # noqa: E402

FINE, CONTRADICTED, UNUSABLE = 0, 1, 2

BUNDLE = 256
ENTRY_BYTES = 34
# 256 blocks of a megabyte and a bit.
ANSWER_BYTES_MAX = 300 * 1024 * 1024
TIMEOUT_S = 60
# A hub of several processes may show an older checkpoint for a moment.
OLDER_TRIES, OLDER_WAIT_S = 10, 2
BUSY = (429, 503)
BUSY_TRIES, BUSY_WAIT_MAX_S = 30, 60


class Contradiction(Exception):
    """The hub shows something else than it signed."""

    def __init__(self, code, message, *notes):
        super().__init__(message)
        self.code = code
        self.notes = notes


def get(base, path):
    for _ in range(BUSY_TRIES):
        try:
            with urllib.request.urlopen(f"{base}{path}", timeout=TIMEOUT_S) as answer:
                body = answer.read(ANSWER_BYTES_MAX + 1)
            if len(body) > ANSWER_BYTES_MAX:
                raise proofs.Unusable(f"{path} is larger than {ANSWER_BYTES_MAX} bytes")
            return body
        except urllib.error.HTTPError as error:
            if error.code not in BUSY:
                raise proofs.Unusable(f"{path}: the hub answered {error.code}") from error
            wait = error.headers.get("Retry-After", "1")
            time.sleep(min(int(wait) if wait.isdigit() else 1, BUSY_WAIT_MAX_S))
        except OSError as error:
            raise proofs.Unusable(f"{path}: {error}") from error
    raise proofs.Unusable(f"{path}: the hub was busy too often")


def tile_path(kind, number, width):
    digits = f"{number:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    path = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
    return f"{kind}/{path}" + ("" if width == BUNDLE else f".p/{width}")


class Tree:
    """What a tree goes on from: the roots of its largest complete subtrees (RFC 6962)."""

    def __init__(self, size=0, roots=()):
        self.size, self.roots = size, list(roots)

    def append(self, entry):
        node, rest = proofs.leaf_hash(entry), self.size
        while rest % 2:
            node, rest = proofs.node_hash(self.roots.pop(), node), rest // 2
        self.roots.append(node)
        self.size += 1

    def root(self):
        if not self.roots:
            return proofs.sha256(b"")
        node = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            node = proofs.node_hash(left, node)
        return node


def newest(base, policy, kept, shared):
    """The newest checkpoint, which is as large as what it must hold: the kept one, or its log's share."""
    least = 0 if kept is None else min(kept["size"], kept["size"] if shared is None else shared)
    for _ in range(OLDER_TRIES):
        note = get(base, "checkpoint/latest").decode("utf-8")
        head = proofs.parse_checkpoint(note)
        proofs.judge_head(head, policy)
        if head["size"] >= least:
            break
        time.sleep(OLDER_WAIT_S)
    else:
        raise Contradiction("rolled_back", "the log has fewer blocks than it signed", kept["note"], note)
    if kept and head["origin"] != kept["origin"] and shared is None:
        raise Contradiction("unknown_log", "the log has another name", kept["note"], note)
    is_same = kept and head["origin"] == kept["origin"] and head["size"] == kept["size"]
    if is_same and head["root"] != kept["root"]:
        raise Contradiction("split_view", "two trees of one size are signed", kept["note"], note)
    return head


def blocks_between(base, start, size):
    """(index, text or None when it is withheld, entry) of each block from start up to below size."""
    for number in range(start // BUNDLE, -(-size // BUNDLE)):
        width = min(BUNDLE, size - number * BUNDLE)
        entries = get(base, tile_path("tile/entries", number, width))
        lines = get(base, tile_path("blocks", number, width)).decode("utf-8").split("\n")
        if len(entries) != width * ENTRY_BYTES or len(lines) != width + 1 or lines[-1]:
            raise proofs.Unusable(f"bundle {number} is not complete")
        for place in range(width):
            index = number * BUNDLE + place
            entry = entries[place * ENTRY_BYTES : (place + 1) * ENTRY_BYTES]
            if entry[:2] != b"\x00\x20":
                raise proofs.Unusable(f"entry {index} is not 32 bytes")
            is_withheld = lines[place] == f'{{"withheld":{index}}}'
            if index >= start:
                yield index, None if is_withheld else lines[place], entry[2:]


def follow(base, head, tree, kept, watched, reported=0):
    """Reads all new blocks into the tree, and compares its root with the one that was signed; blocks
    below reported are known already."""
    shown = [head["note"]] if kept is None else [kept["note"], head["note"]]
    for index, text, entry in blocks_between(base, tree.size, head["size"]):
        if text is None:
            report(kind="text withheld", block=index)
        elif proofs.sha256(chain.LONE_SURROGATE.sub("\ufffd", text).encode()) != entry:
            raise Contradiction("not_in_tree", f"the text of block {index} is not its entry", *shown)
        elif not text.startswith(f'{{"height":{index},"payload":{{'):
            raise Contradiction("other_height", f"the text of entry {index} is another block's", *shown)
        elif index >= reported:
            report_block(index, text, watched)
        tree.append(entry)
    if tree.root() != head["root"]:
        code = "not_in_tree" if kept is None else "split_view"
        raise Contradiction(code, f"the first {tree.size} blocks are not those that were signed", *shown)


def report_block(index, text, watched):
    """Reports a block about a watched lot or brand."""
    try:
        payload = json.loads(text)["payload"]
        brand = payload.get("brand")
        lines = payload.get("event", {}).get("lines", [])
        changes = payload.get("correction", {}).get("changes", [])
        lots = {line.get("lot_code") for line in lines} | decided_lots(payload.get("decision", {}))
        for change in changes:
            if str(change.get("field", "")).endswith(".lot_code"):
                lots |= {change.get("from"), change.get("to")}
    except (ValueError, KeyError, AttributeError, TypeError):
        report(kind="contents not judged", block=index)
        return
    found = sorted(lots & watched["lots"], key=str)
    if found or brand in watched["brands"]:
        report(kind="new block", block=index, brand=brand, lots=found, type=payload.get("type"))


def decided_lots(decision):
    """Lots that a hold, a drill or a step of a recall case names."""
    lots = {decision.get("lot"), decision.get("seed", {}).get("lot_code")}
    for name in ("added", "excluded", "left", "lots", "restored"):
        lots |= set(decision.get(name, []))
    for name in ("changed", "entered"):
        lots |= {row.get("lot") for row in decision.get(name, []) if isinstance(row, dict)}
    # What was confidential stands as a whole in the block that discloses it.
    return lots | decided_lots(decision["contents"]) if "contents" in decision else lots


def report(**facts):
    print(json.dumps(facts), flush=True)


def read_state(path):
    if not path.exists():
        return None, Tree()
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        kept = proofs.parse_checkpoint(value["checkpoint"])
        tree = Tree(kept["size"], [bytes.fromhex(root) for root in value["roots"]])
        if value["format"] != "lothub-monitor/1" or len(tree.roots) != bin(tree.size).count("1"):
            raise ValueError("it is of another form")
        if tree.root() != kept["root"]:
            raise ValueError("its tree is not that of its checkpoint")
    except (ValueError, KeyError, TypeError, proofs.Refusal) as error:
        raise proofs.Unusable(f"{path} is no state of this program: {error}") from error
    return kept, tree


def write_state(path, head, tree):
    """Put in place whole, so that a crash leaves what was kept before."""
    roots = [root.hex() for root in tree.roots]
    state = {"checkpoint": head["note"], "format": "lothub-monitor/1", "roots": roots}
    passing = path.with_name(path.name + ".partial")
    passing.write_text(json.dumps(state), encoding="utf-8")
    passing.replace(path)


def epochs_of(hub):
    """What the hub answers at /log/epochs; nothing of a copy of one log."""
    return proofs.parse_epoch_list(get(hub, "epochs").decode("utf-8"))


def look(hub, policy, state, watched):
    """Answers 1 when the operator has signed that entries which were seen are lost."""
    kept, tree = read_state(state)
    epochs = epochs_of(hub)
    policy, statements = proofs.follow_epochs([note for _, note in epochs], policy)
    number = max((n for n, note in epochs if is_of(note, statements)), default=1)
    base = f"{hub}{number}/"
    shared = proofs.shared_size(kept["origin"], statements) if kept else None
    head = newest(base, policy, kept, shared)
    before, reported, lost = tree.size, 0, 0
    if shared is not None:
        report(kind="epoch", old=kept["origin"], new=head["origin"], common=shared)
        if kept["size"] > shared:
            lost = kept["size"] - shared
            report(kind="lost", origin=kept["origin"], first=shared, below=kept["size"])
            # What is common is read again: a larger tree says nothing about a smaller one.
            before, reported, tree = shared, shared, Tree()
    follow(base, head, tree, kept, watched, reported)
    write_state(state, head, tree)
    report(kind="checked", size=head["size"], new=head["size"] - before)
    return CONTRADICTED if lost else FINE


def is_of(note, statements):
    return proofs.parse_statement(note)["new"] in [statement["new"] for statement in statements]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("url")
    parser.add_argument("--policy", required=True)
    parser.add_argument("--state", required=True)
    parser.add_argument("--lot", action="append", default=[])
    parser.add_argument("--brand", action="append", default=[])
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    hub = f"{options.url.rstrip('/')}/log/"
    watched = {"lots": set(options.lot), "brands": set(options.brand)}
    while True:
        try:
            policy = proofs.parse_policy(Path(options.policy).read_bytes().decode("utf-8"))
            outcome = look(hub, policy, Path(options.state), watched)
        except Contradiction as found:
            report(kind="contradiction", code=found.code, message=str(found), checkpoints=found.notes)
            return CONTRADICTED
        except proofs.Refusal as refused:
            report(kind="contradiction", code=refused.code, message=str(refused), checkpoints=[])
            return CONTRADICTED
        except (proofs.Unusable, chain.Unusable, OSError, UnicodeDecodeError) as error:
            print(f"monitor.py: {error}", file=sys.stderr, flush=True)
            if options.once:
                return UNUSABLE
        else:
            if options.once:
                return outcome
        time.sleep(options.every)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(FINE)
