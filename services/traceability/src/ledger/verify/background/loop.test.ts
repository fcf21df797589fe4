// The verifier's loop: it rests most of the time, follows the chain during a round, continues after
// a failed read, and leaves the work to another process that has the turn.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { DatabaseError } from '@lothub/kit/database';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { aloneTurns, type VerifiedProgress, type VerifierTurns } from './turns.ts';
import { runVerifier } from './loop.ts';
import type { SlicedVerification, VerifierNews, VerifierOrder } from './loop.ts';
import type { LedgerSlice } from '../ledger.ts';

/**
 * Maximum share of time that the verifier may work while the chain grows; its own bound is a tenth.
 */
const SHARE_MAX = 0.12;

/** As in the embedded engine. */
const SLICE_MS = 2;

interface Loop extends AsyncDisposable {
  readonly news: VerifierNews[];
  readonly port: MessagePort;
  /** Waits for a piece of news. */
  until(accept: (news: VerifierNews) => boolean): Promise<void>;
}

function start(
  newVerification: () => SlicedVerification,
  turns: VerifierTurns = aloneTurns({ nowMs: () => 0 }),
): Loop {
  const { port1: ours, port2: theirs } = new MessageChannel();
  let tip = 0;
  const ended = runVerifier({
    port: theirs,
    newVerification,
    turns,
    readTip: () => Promise.resolve((tip += 1)),
    sliceMs: SLICE_MS,
    begin: 'running',
  });
  const news: VerifierNews[] = [];
  ours.on('message', (piece: VerifierNews) => news.push(piece));
  return {
    news,
    port: ours,
    until: async (accept) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      while (!news.some(accept)) {
        signal.throwIfAborted();
        await once(ours, 'message', { signal });
      }
    },
    [Symbol.asyncDispose]: async () => {
      order(ours, { kind: 'close' });
      await ended;
      theirs.close();
    },
  };
}

function order(port: MessagePort, what: VerifierOrder): void {
  port.postMessage(what);
}

function slice(status: LedgerSlice['status']): LedgerSlice {
  return { status, mismatches: [], mismatchCount: 0 };
}

/** A verification whose slices the test decides on. */
function verification(advance: (rowsMax: number, at: { height: number }) => LedgerSlice) {
  const at = { height: -1 };
  return {
    get position() {
      return { height: at.height, blockHash: '' };
    },
    advance: async (rowsMax: number) => advance(rowsMax, at),
  };
}

function spin(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('the verifier rests most of the time while the chain grows', async () => {
  let workedMs = 0;
  let slices = 0;
  const startedMs = performance.now();
  await using loop = start(() =>
    verification((_rowsMax, at) => {
      const beganMs = performance.now();
      spin(3);
      at.height += 1;
      workedMs += performance.now() - beganMs;
      slices += 1;
      return slice('more');
    }),
  );

  await loop.until((news) => news.kind === 'progress' && news.verifiedThrough >= 10);
  const passedMs = performance.now() - startedMs;

  assert.ok(slices >= 10);
  // The last slice has not been rested from yet.
  assert.ok((workedMs * (slices - 1)) / slices < passedMs * SHARE_MAX, `${workedMs}/${passedMs}`);
});

test('a round that somebody waits for goes on without a rest', async () => {
  let workedMs = 0;
  let slices = 0;
  const startedMs = performance.now();
  await using loop = start(() =>
    verification((_rowsMax, at) => {
      spin(20);
      workedMs += 20;
      slices += 1;
      at.height += 1;
      return slice(slices === 10 ? 'complete' : 'more');
    }),
  );

  order(loop.port, { kind: 'round', mark: 1 });
  await loop.until((news) => news.kind === 'round_ended');

  // With the rests of a first round it would take ten times as long as the work.
  assert.ok(performance.now() - startedMs < 5 * workedMs);
});

test('slices shrink when they take long', async () => {
  const asked: number[] = [];
  await using loop = start(() =>
    verification((rowsMax, at) => {
      asked.push(rowsMax);
      spin(rowsMax / 2);
      at.height += 1;
      return slice(asked.length === 5 ? 'complete' : 'more');
    }),
  );

  await loop.until((news) => news.kind === 'round_ended');

  assert.deepEqual(
    asked,
    [...asked].sort((a, b) => b - a),
  );
  assert.ok(asked[4]! < asked[0]! / 4, asked.join());
});

test('new blocks are verified while a later round goes on', async () => {
  let rounds = 0;
  await using loop = start(() => {
    rounds += 1;
    const isFirst = rounds === 1;
    return verification((_rowsMax, at) => {
      at.height = isFirst ? at.height + 100 : 5;
      return slice(isFirst ? 'complete' : 'more');
    });
  });

  await loop.until((news) => news.kind === 'progress' && news.verifiedThrough >= 299);

  assert.ok(rounds >= 2);
});

test('nothing is called verified from the first bad height on', async () => {
  let advanced = 0;
  await using loop = start(() =>
    verification((_rowsMax, at) => {
      at.height = 50;
      advanced += 1;
      const mismatch = { height: 7, code: 'event_row_differs', message: '' } as const;
      return { status: 'complete', mismatches: advanced === 1 ? [mismatch] : [], mismatchCount: 1 };
    }),
  );

  await loop.until((news) => news.kind === 'round_ended');

  const found = loop.news.filter(({ kind }) => kind === 'found');
  assert.equal(found.length, 1);
  for (const news of loop.news) {
    if (news.kind === 'progress') assert.equal(news.verifiedThrough, 6);
  }
});

test('a read that fails for a passing reason is reported once and tried again', async () => {
  let attempts = 0;
  await using loop = start(() =>
    verification((_rowsMax, at) => {
      attempts += 1;
      if (attempts <= 2) throw new DatabaseError('database_busy', 'another process holds it');
      at.height = 3;
      return slice('complete');
    }),
  );

  await loop.until((news) => news.kind === 'round_ended');

  assert.equal(loop.news.filter(({ kind }) => kind === 'failed').length, 1);
});

/** Turns of two processes, of which the test says whose it is. */
class TestTurns implements VerifierTurns {
  isOurs = false;
  theirs: VerifiedProgress | undefined;
  readonly said: number[] = [];
  released = 0;
  readonly #left = Promise.withResolvers<void>();

  /** Resolves when the loop has left the work to another process. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  take(): Promise<boolean> {
    return Promise.resolve(this.isOurs);
  }

  release(): Promise<void> {
    this.released += 1;
    return Promise.resolve();
  }

  share(verifiedThrough: number): Promise<VerifiedProgress | undefined> {
    this.said.push(verifiedThrough);
    return Promise.resolve({ verifiedThrough, verifiedAt: 'ours' });
  }

  shared(): Promise<VerifiedProgress | undefined> {
    this.#left.resolve();
    return Promise.resolve(this.theirs);
  }
}

const NEVER = (): SlicedVerification =>
  verification(() => {
    throw new Error('it is not the turn of this process');
  });

test('while another process has the turn this one reads nothing and reports what that one says', async () => {
  const turns = new TestTurns();
  turns.theirs = { verifiedThrough: 12, verifiedAt: 'theirs' };
  await using loop = start(NEVER, turns);

  await loop.until((news) => news.kind === 'progress');

  assert.deepEqual(loop.news, [
    { kind: 'progress', verifiedThrough: 12, verifiedAt: 'theirs' },
  ] satisfies VerifierNews[]);
});

test('a process that gets the turn starts from genesis', async () => {
  const turns = new TestTurns();
  const from: number[] = [];
  await using loop = start(
    () =>
      verification((_rowsMax, at) => {
        from.push(at.height);
        at.height = 4;
        return slice('complete');
      }),
    turns,
  );
  await turns.left;

  turns.isOurs = true;
  await loop.until((news) => news.kind === 'round_ended');

  assert.equal(from[0], -1);
  assert.equal(turns.said[0], 4);
});

test('a round that somebody waits for goes on without the turn', async () => {
  const turns = new TestTurns();
  let slices = 0;
  await using loop = start(
    () =>
      verification((_rowsMax, at) => {
        slices += 1;
        at.height += 1;
        return slice(slices === 3 ? 'complete' : 'more');
      }),
    turns,
  );

  order(loop.port, { kind: 'round', mark: 7 });
  await loop.until((news) => news.kind === 'round_ended');

  const { tookMs, ...ended } = { tookMs: -1, ...loop.news.at(-1) };
  assert.deepEqual(ended, { kind: 'round_ended', marks: [7] });
  assert.ok(tookMs >= 0);
  assert.equal(slices, 3);
});

test('a verifier that loses the turn begins anew when it has it again', async () => {
  const turns = new TestTurns();
  turns.isOurs = true;
  const begun: number[] = [];
  await using loop = start(() => {
    const roundNo = begun.push(0) - 1;
    return verification((_rowsMax, at) => {
      begun[roundNo]! += 1;
      at.height += 1;
      if (begun[roundNo] === 2) turns.isOurs = false;
      return slice('more');
    });
  }, turns);

  await turns.left;
  turns.isOurs = true;
  order(loop.port, { kind: 'round', mark: 1 });
  await loop.until(() => begun.filter((slices) => slices > 0).length > 1);

  assert.equal(begun[0], 2);
});

test('a verifier that has to close or to pause gives its turn back', async () => {
  const turns = new TestTurns();
  turns.isOurs = true;
  {
    await using loop = start(() => verification(() => slice('complete')), turns);
    await loop.until((news) => news.kind === 'round_ended');
  }

  assert.equal(turns.released, 1);
});
