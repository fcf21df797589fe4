// What the keeper signs, and what it does not, when groups and looks come in any order.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  EMPTY_FRONTIER,
  appendLeaves,
  parseCheckpoint,
  rootOf,
  sameBytes,
} from '@lothub/chain/log';
import type { Frontier } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { testFolder } from '../../../test/cli/run.ts';
import type { GrownTree } from '../append/appender.ts';
import type { LedgerMismatch } from '../verify/mismatch.ts';
import { leafOf } from './leaf.ts';
import { LogKey } from './log-key.ts';
import { LogKeeper } from './log-keeper.ts';
import type { LogDatabase, LogNews, SignedGroup, TreeAtTip } from './log-keeper.ts';
import { logRecordFile } from './log-record.ts';

const ORIGIN = 'hub/1';
const LEAVES = Array.from({ length: 40 }, (_, height) =>
  leafOf(height.toString(16).padStart(64, '0')),
);

function frontierAt(size: number): Frontier {
  return appendLeaves(EMPTY_FRONTIER, LEAVES.slice(0, size), sha256Bytes);
}

function grown(from: number, below: number): GrownTree {
  const leaves = LEAVES.slice(from, below);
  return { before: frontierAt(from), leaves, after: frontierAt(below) };
}

/** A chain in memory that a test changes as it likes. */
class Chain implements LogDatabase {
  size = 5;
  isAlarmed = false;
  hasFrontier = true;
  readonly raised: string[] = [];
  /** Asked between the two readings of a look. */
  between: () => void = () => undefined;
  rootOf: (size: number) => Uint8Array = (size) => rootOf(frontierAt(size), sha256Bytes);

  readTree(): Promise<TreeAtTip> {
    const { size, isAlarmed } = this;
    const frontier = this.hasFrontier ? frontierAt(size) : undefined;
    return Promise.resolve({ tip: { height: size - 1, hash: '' }, frontier, isAlarmed });
  }

  rootAt(size: number): Promise<Uint8Array> {
    this.between();
    this.between = () => undefined;
    return Promise.resolve(this.rootOf(size));
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
}

async function keep(chain = new Chain(), dataDir?: string): Promise<Kept> {
  const folder = await testFolder();
  const key = new LogKey(ORIGIN, new Uint8Array(32));
  const news: LogNews[] = [];
  const keeper = await LogKeeper.open({
    owner: { identity: { epoch: 1, origin: ORIGIN, vkeys: [key.vkey] }, key },
    dataDir: dataDir ?? folder.path,
    database: chain,
    onNews: (one) => news.push(one),
    onClosed: () => undefined,
    onFailure: (error) => {
      throw error;
    },
  });
  return {
    chain,
    keeper,
    news,
    recordFile: logRecordFile(dataDir ?? folder.path),
    [Symbol.asyncDispose]: async () => {
      await keeper.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const GROUP = { isAlarmed: false } as const;

/** The group that begins where the keeper has signed, when nobody else writes. */
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
  assert.ok(sameBytes(head.root, rootOf(frontierAt(8), sha256Bytes)));
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
  assert.ok(sameBytes(head.root, rootOf(frontierAt(8), sha256Bytes)));
  // What is recorded, and shown, is the newest.
  const record = JSON.parse(await readFile(kept.recordFile, 'utf8')) as { readonly size: number };
  assert.equal(record.size, 9);
  assert.deepEqual([kept.news.at(-1)?.state, kept.news.at(-1)?.checkpoint?.size], ['signing', 9]);
});

test('a group on another tree than the one that was signed is not, nor is what follows it', async () => {
  await using kept = await keep();
  const other = appendLeaves(EMPTY_FRONTIER, LEAVES.slice(10, 15), sha256Bytes);
  const after = appendLeaves(other, LEAVES.slice(15, 16), sha256Bytes);

  const signed = kept.keeper.committed({
    ...GROUP,
    since: { signed: frontierAt(5), leaves: [] },
    grown: { before: other, leaves: LEAVES.slice(15, 16), after },
  });

  assert.equal(signed, undefined);
  assert.equal(follow(kept, 5, 6), undefined);
  assert.equal(kept.news.at(-1)?.state, 'held');
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
  ['other blocks', (chain: Chain) => (chain.rootOf = () => new Uint8Array(32)), 'log_forked'],
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

test('an operator who accepts the chain gives up what was signed, and blocks that come back are signed', async () => {
  await using kept = await keep();
  kept.chain.size = 4;
  await kept.keeper.look();
  kept.chain.isAlarmed = false;
  await kept.keeper.look();
  await kept.keeper.look();

  assert.deepEqual(kept.chain.raised, ['log_rolled_back']);
  assert.equal(kept.news.at(-1)?.state, 'held');
  kept.chain.size = 6;
  await kept.keeper.look();
  assert.deepEqual([kept.news.at(-1)?.state, kept.news.at(-1)?.checkpoint?.size], ['signing', 6]);
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
  chain.rootOf = () => new Uint8Array(32);

  await using kept = await keep(chain);

  assert.deepEqual(chain.raised, ['frontier_differs']);
  assert.equal(kept.news.at(-1)?.state, 'held');
});
