// The verifier's loop: rests most of the time, follows the chain while a round goes on, and goes on
// after a read that failed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { DatabaseError } from '@lothub/kit/database';
import { runVerifier } from './verifier-thread-loop.ts';
import type { SlicedVerification, VerifierNews, VerifierOrder } from './verifier-thread-loop.ts';
import type { LedgerSlice } from './verify-ledger.ts';

/** The most the verifier may work, of all the time that passes; its own bound is a tenth. */
const SHARE_MAX = 0.12;

/** Far longer than anything here takes. */
const DEADLINE_MS = 10_000;

interface Loop extends AsyncDisposable {
  readonly news: VerifierNews[];
  /** Waits for a piece of news. */
  until(accept: (news: VerifierNews) => boolean): Promise<void>;
}

function start(newVerification: () => SlicedVerification): Loop {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const ended = runVerifier({ port: theirs, newVerification, begin: 'running' });
  const news: VerifierNews[] = [];
  ours.on('message', (piece: VerifierNews) => news.push(piece));
  return {
    news,
    until: async (accept) => {
      const signal = AbortSignal.timeout(DEADLINE_MS);
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

test('the verifier rests most of the time', async () => {
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

  for (const news of loop.news) {
    if (news.kind === 'progress') assert.equal(news.verifiedThrough, 6);
  }
});

test('a read that fails for a passing reason is told once and tried again', async () => {
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
