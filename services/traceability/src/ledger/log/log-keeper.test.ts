// The heads that the keeper signs and refuses to sign, when groups and looks come in any order.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  EMPTY_FRONTIER,
  GroupTree,
  LOG_KEY_TYPE,
  appendLeaves,
  computeRoot,
  parseCheckpoint,
  parseVkey,
  sameBytes,
} from '@lothub/chain/log';
import type { Frontier, TreeHead } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { NoteKey } from '@lothub/note-key';
import { testFolder } from '../../../test/cli/run.ts';
import type { LedgerMismatch } from '../verify/mismatch.ts';
import { toLeaf } from './leaf.ts';
import type { LogOwner } from './log-identity.ts';
import type { LogDatabase, TreeAtTip } from './compare-tree.ts';
import { LogKeeper, type LogNews } from './log-keeper.ts';
import { logRecordFile } from './log-record.ts';
import type { SignedGroup } from './signed-group.ts';

const ORIGIN = 'hub/1';
const LEAVES = Array.from({ length: 40 }, (_, height) =>
  toLeaf(height.toString(16).padStart(64, '0')),
);

function testNoteKey(seed: number): NoteKey {
  return new NoteKey({ name: ORIGIN, type: LOG_KEY_TYPE, seed: new Uint8Array(32).fill(seed) });
}
const KEY = testNoteKey(0);
const NEXT_KEY = testNoteKey(1);

function frontierAt(size: number): Frontier {
  return appendLeaves(EMPTY_FRONTIER, LEAVES.slice(0, size), sha256Bytes);
}

function frontierRoot(size: number): Uint8Array {
  return computeRoot(frontierAt(size), sha256Bytes);
}

function grown(
  from: number,
  below: number,
  { before = frontierAt(from), hash = sha256Bytes } = {},
): GroupTree {
  return new GroupTree({ before, leaves: LEAVES.slice(from, below), hash });
}

/** A chain in memory that a test changes as it likes. */
class Chain implements LogDatabase {
  size = 5;
  isAlarmed = false;
  hasFrontier = true;
  /** The keys that this process finds when it looks for them. */
  keys: readonly NoteKey[] = [];
  readonly raised: string[] = [];
  readonly noted: (readonly [epoch: number, size: number])[] = [];
  stored = { epoch: 1, origin: ORIGIN, vkeys: KEY.vkey };
  /** A tree that was signed and that the database keeps. */
  keeps: TreeHead | undefined;
  /** Asked between the two readings of a look. */
  between: () => void = () => undefined;
  computeRoot: (size: number) => Uint8Array = (size) => computeRoot(frontierAt(size), sha256Bytes);

  readTree(): Promise<TreeAtTip> {
    const { size, isAlarmed } = this;
    const frontier = this.hasFrontier ? frontierAt(size) : undefined;
    const { stored } = this;
    const tip = { height: size - 1, hash: '' };
    return Promise.resolve({ tip, frontier, tiled: 0, isAlarmed, stored, noted: this.keeps });
  }

  noteSigned(epoch: number, { size }: { readonly size: number }): Promise<void> {
    this.noted.push([epoch, size]);
    return Promise.resolve();
  }

  rootAt(size: number): Promise<Uint8Array> {
    this.between();
    this.between = () => undefined;
    return Promise.resolve(this.computeRoot(size));
  }

  raiseAlarm({ code }: LedgerMismatch): Promise<void> {
    // Stored once while it is open.
    if (!this.isAlarmed) this.raised.push(code);
    this.isAlarmed = true;
    return Promise.resolve();
  }
}

interface Kept extends AsyncDisposable {
  readonly chain: Chain;
  readonly keeper: LogKeeper;
  readonly news: LogNews[];
  readonly recordFile: string;
  /** The keys of each owner that was reported. */
  readonly owners: readonly (readonly string[])[];
  readonly failures: readonly string[];
}

function makeOwner(keys: readonly NoteKey[]): LogOwner {
  return { identity: { epoch: 1, origin: ORIGIN, vkeys: [...keys].map(({ vkey }) => vkey) }, keys };
}

async function keep(chain = new Chain(), dataDir?: string): Promise<Kept> {
  const folder = await testFolder();
  const news: LogNews[] = [];
  const owners: (readonly string[])[] = [];
  const failures: string[] = [];
  const keeper = await LogKeeper.open({
    owner: makeOwner([KEY]),
    findOwner: () => (chain.keys.length === 0 ? undefined : makeOwner(chain.keys)),
    onOwner: ({ keys }) => void owners.push(keys.map(({ vkey }) => vkey)),
    dataDir: dataDir ?? folder.path,
    isRecordNeeded: false,
    database: chain,
    onNews: (one) => news.push(one),
    onClosed: () => undefined,
    onFailure: (error) => void failures.push(error instanceof Error ? error.message : 'unknown'),
  });
  return {
    chain,
    keeper,
    news,
    recordFile: logRecordFile(dataDir ?? folder.path),
    owners,
    failures,
    [Symbol.asyncDispose]: async () => {
      await keeper.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const GROUP = { isAlarmed: false } as const;

/** Returns a group that begins where the keeper has signed, when no other process writes. */
function follow({ keeper }: Kept, from: number, below: number): SignedGroup | undefined {
  const signed = keeper.signedFrontier;
  const since = signed && { signed, leaves: [] };
  return keeper.committed({ ...GROUP, since, grown: grown(from, below) });
}

test('a group that follows on what was signed is signed, and recorded first', async () => {
  await using kept = await keep();

  const signed = follow(kept, 5, 8);

  const head = parseCheckpoint(signed!.checkpoint.note);
  assert.deepEqual([head.origin, head.size], [ORIGIN, 8]);
  assert.ok(sameBytes(head.root, computeRoot(frontierAt(8), sha256Bytes)));
  const record = JSON.parse(await readFile(kept.recordFile, 'utf8')) as { readonly size: number };
  assert.equal(record.size, 8);
});

test('a group behind those of another process is signed when their leaves are known', async () => {
  await using kept = await keep();

  const signed = kept.keeper.committed({
    isAlarmed: false,
    since: { signed: frontierAt(5), leaves: LEAVES.slice(5, 9) },
    grown: grown(9, 10),
  });

  assert.equal(signed?.checkpoint.size, 10);
});

test('a group behind which a look has signed more already is signed by itself', async () => {
  await using kept = await keep();
  const since = { signed: frontierAt(5), leaves: LEAVES.slice(5, 6) };
  kept.chain.size = 9;
  await kept.keeper.look();

  const signed = kept.keeper.committed({ ...GROUP, since, grown: grown(6, 8) });

  const head = parseCheckpoint(signed!.checkpoint.note);
  assert.equal(head.size, 8);
  assert.ok(sameBytes(head.root, computeRoot(frontierAt(8), sha256Bytes)));
  // The newest head is recorded and reported.
  const record = JSON.parse(await readFile(kept.recordFile, 'utf8')) as { readonly size: number };
  assert.equal(record.size, 9);
  assert.deepEqual([kept.news.at(-1)?.state, kept.news.at(-1)?.checkpoint?.size], ['signing', 9]);
});

test('a group on another tree than the one that was signed is not, nor is what follows it', async () => {
  await using kept = await keep();
  const other = appendLeaves(EMPTY_FRONTIER, LEAVES.slice(10, 15), sha256Bytes);

  const signed = kept.keeper.committed({
    ...GROUP,
    since: { signed: frontierAt(5), leaves: [] },
    grown: grown(15, 16, { before: other }),
  });

  assert.equal(signed, undefined);
  assert.equal(follow(kept, 5, 6), undefined);
  assert.equal(kept.news.at(-1)?.state, 'held');
});

for (const faulty of [1, 2, 3, 4]) {
  test(`a group whose tree has one bit wrong in its hash ${faulty} of 4 is not signed`, async () => {
    await using kept = await keep();
    let hashed = 0;
    const hash = (bytes: Uint8Array): Uint8Array => {
      const digest = sha256Bytes(bytes);
      hashed += 1;
      if (hashed === faulty) digest[7]! ^= 4;
      return digest;
    };
    const since = { signed: frontierAt(5), leaves: [] };

    const signed = kept.keeper.committed({ ...GROUP, since, grown: grown(5, 9, { hash }) });

    assert.equal(hashed, 4);
    assert.equal(signed, undefined);
    assert.equal(kept.news.at(-1)?.state, 'held');
    assert.match(kept.failures.join(), /not in the tree that was to be signed/);
  });
}

for (const { what, size, root, found } of [
  { what: 'other blocks than', size: 4, root: new Uint8Array(32), found: 'log_forked' },
  { what: 'fewer blocks than', size: 6, root: frontierRoot(6), found: 'log_rolled_back' },
]) {
  test(`without its record nothing is signed over ${what} the database keeps as signed`, async () => {
    const chain = new Chain();
    chain.keeps = { origin: ORIGIN, size, root };
    await using kept = await keep(chain);

    assert.equal(kept.news.at(-1)?.state, 'held');
    assert.deepEqual(chain.raised, [found]);
  });
}

test('a tree that the database keeps as signed is signed on without a record', async () => {
  const chain = new Chain();
  chain.keeps = { origin: ORIGIN, size: 4, root: frontierRoot(4) };

  await using kept = await keep(chain);

  assert.deepEqual([kept.news.at(-1)?.state, chain.raised], ['signing', []]);
});

test('a group while an alarm is open is not signed', async () => {
  await using kept = await keep();

  const signed = kept.keeper.committed({
    isAlarmed: true,
    since: { signed: frontierAt(5), leaves: [] },
    grown: grown(5, 6),
  });

  assert.equal(signed, undefined);
  assert.equal(kept.news.at(-1)?.state, 'held');
});

test('an alarm that somebody else has raised holds the log at the next look, and is not raised again', async () => {
  await using kept = await keep();
  kept.chain.isAlarmed = true;

  await kept.keeper.look();

  assert.deepEqual([kept.news.at(-1)?.state, kept.chain.raised], ['held', []]);
});

test('groups that come while the tree is read for the first time are signed with it', async () => {
  const chain = new Chain();
  chain.hasFrontier = false;
  await using kept = await keep(chain);
  chain.hasFrontier = true;
  chain.between = () => {
    follow(kept, 5, 6);
    follow(kept, 6, 9);
  };

  await kept.keeper.look();

  assert.deepEqual(
    kept.news.map(({ state, checkpoint }) => [state, checkpoint?.size]),
    [
      ['building', undefined],
      ['signing', 9],
    ],
  );
  assert.equal(follow(kept, 9, 10)?.checkpoint.size, 10);
});

test('a look does not sign again what a group has signed since', async () => {
  await using kept = await keep();
  kept.chain.between = () => {
    follow(kept, 5, 7);
  };

  await kept.keeper.look();

  assert.equal(kept.news.at(-1)?.checkpoint?.size, 7);
});

for (const [what, change, code] of [
  ['fewer blocks', (chain: Chain) => (chain.size = 4), 'log_rolled_back'],
  ['other blocks', (chain: Chain) => (chain.computeRoot = () => new Uint8Array(32)), 'log_forked'],
] as const) {
  test(`${what} than were signed hold the log, and the last checkpoint stays`, async () => {
    await using kept = await keep();
    const [before] = kept.news;
    change(kept.chain);

    await kept.keeper.look();
    await kept.keeper.look();

    assert.deepEqual(kept.chain.raised, [code]);
    assert.equal(kept.news.at(-1)?.state, 'held');
    assert.equal(kept.news.at(-1)?.checkpoint?.note, before?.checkpoint?.note);
  });
}

test('a process that starts again on fewer blocks shows what it signed before', async () => {
  await using folder = await testFolder();
  const first = await keep(new Chain(), folder.path);
  await first[Symbol.asyncDispose]();
  const chain = new Chain();
  chain.size = 3;

  await using again = await keep(chain, folder.path);

  const last = again.news.at(-1);
  assert.equal(last?.state, 'held');
  assert.equal(last.checkpoint?.note, first.news[0]?.checkpoint?.note);
});

test('a chain that lost signed blocks stays held when the alarm is cleared, until they are back', async () => {
  await using kept = await keep();
  kept.chain.size = 4;
  await kept.keeper.look();
  kept.chain.isAlarmed = false;
  await kept.keeper.look();

  assert.deepEqual(kept.chain.raised, ['log_rolled_back', 'log_rolled_back']);
  assert.equal(kept.news.at(-1)?.state, 'held');
  kept.chain.isAlarmed = false;
  kept.chain.size = 6;
  await kept.keeper.look();
  assert.deepEqual([kept.news.at(-1)?.state, kept.news.at(-1)?.checkpoint?.size], ['signing', 6]);
});

/** Names and ids of the keys below a note. */
function listSigners(note: string | undefined): readonly string[] {
  return parseCheckpoint(note!).signatures.map(({ keyId }) => keyId);
}

function readId({ vkey }: NoteKey): string {
  return parseVkey(vkey).keyId;
}

test('a key that is put beside the other one signs with it, and alone when the other one is gone', async () => {
  await using kept = await keep();
  kept.chain.stored = { ...kept.chain.stored, vkeys: `${NEXT_KEY.vkey}\n${KEY.vkey}` };
  kept.chain.keys = [NEXT_KEY, KEY];

  await kept.keeper.look();

  const overlap = kept.news.at(-1)?.checkpoint;
  assert.deepEqual(listSigners(overlap?.note), [readId(NEXT_KEY), readId(KEY)]);
  assert.equal(overlap?.size, 5);
  assert.deepEqual(listSigners(follow(kept, 5, 6)?.checkpoint.note), [
    readId(NEXT_KEY),
    readId(KEY),
  ]);
  kept.chain.size = 6;
  kept.chain.stored = { ...kept.chain.stored, vkeys: NEXT_KEY.vkey };
  kept.chain.keys = [NEXT_KEY];
  await kept.keeper.look();
  assert.deepEqual(listSigners(kept.news.at(-1)?.checkpoint?.note), [readId(NEXT_KEY)]);
  assert.deepEqual(kept.owners, [[NEXT_KEY.vkey, KEY.vkey], [NEXT_KEY.vkey]]);
});

test('a process without the key that signs now signs nothing, says so once, and goes on when it has it', async () => {
  await using kept = await keep();
  kept.chain.stored = { ...kept.chain.stored, vkeys: NEXT_KEY.vkey };

  await kept.keeper.look();
  await kept.keeper.look();

  assert.equal(kept.news.at(-1)?.state, 'held');
  assert.equal(follow(kept, 5, 6), undefined);
  assert.deepEqual(kept.chain.raised, []);
  assert.match(
    kept.failures.join(),
    /^signing as hub\/1: this process has none of its keys[^,]*,[^,]*$/,
  );
  kept.chain.keys = [NEXT_KEY];
  kept.chain.size = 6;
  await kept.keeper.look();
  assert.deepEqual(listSigners(kept.news.at(-1)?.checkpoint?.note), [readId(NEXT_KEY)]);
});

test('a process that runs while another log is begun signs nothing any more', async () => {
  await using kept = await keep();
  kept.chain.stored = { epoch: 2, origin: 'hub/2', vkeys: NEXT_KEY.vkey };
  kept.chain.keys = [NEXT_KEY];

  await kept.keeper.look();

  assert.equal(kept.news.at(-1)?.state, 'held');
  assert.equal(follow(kept, 5, 6), undefined);
  assert.match(kept.failures.join(), /restart this process/);
});

test('a tree that was signed is noted in the database, and again a minute later', async (t) => {
  let nowMs = 1_000;
  t.mock.method(performance, 'now', () => nowMs);
  await using kept = await keep();
  follow(kept, 5, 8);
  kept.chain.size = 8;
  await kept.keeper.look();
  nowMs += 60_000;
  await kept.keeper.look();
  await kept.keeper.look();

  assert.deepEqual(kept.chain.noted, [
    [1, 5],
    [1, 8],
  ]);
});

test('a record that nobody can read holds the log', async () => {
  await using folder = await testFolder();
  await writeFile(logRecordFile(folder.path), 'x');
  const chain = new Chain();

  await using kept = await keep(chain, folder.path);

  assert.deepEqual(chain.raised, ['log_record_unreadable']);
  assert.equal(kept.news.at(-1)?.state, 'held');
});

test('a stored frontier that is not what the blocks make up holds the log', async () => {
  const chain = new Chain();
  chain.computeRoot = () => new Uint8Array(32);

  await using kept = await keep(chain);

  assert.deepEqual(chain.raised, ['frontier_differs']);
  assert.equal(kept.news.at(-1)?.state, 'held');
});
