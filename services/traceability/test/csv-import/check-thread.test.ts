// The thread that checks files: it stays for the next file, unless it was stopped or failed.
import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { checkInThread } from '../../src/csv-import/check-thread.ts';
import type { CheckResult } from '../../src/csv-import/check.ts';
import { formOptions } from '../../src/csv-import/form/options.ts';
import { aRow } from './app.ts';
import { aSheet, rowXml } from './workbooks.ts';

/** Threads that were started since. */
function watchThreads(t: TestContext): readonly Worker[] {
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  return started;
}

async function check(options: {
  readonly bytes: Uint8Array;
  readonly signal?: AbortSignal;
  /** Called when the thread asks what is stored. */
  readonly onLookup?: () => void;
}): Promise<CheckResult> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lothub-check-'));
  const file = join(folder.path, 'events.xlsx');
  await writeFile(file, options.bytes);
  return await checkInThread({
    file,
    kind: { type: 'xlsx', sheet: null },
    form: formOptions({}),
    folder: folder.path,
    nowMs: Date.parse('2026-03-02T08:00:00Z'),
    findStored: () => {
      options.onLookup?.();
      return Promise.resolve([]);
    },
    signal: options.signal ?? new AbortController().signal,
  });
}

const WORKBOOK = aSheet(rowXml(2, aRow({})));

test('a file is checked by the thread of the file before', async (t) => {
  const started = watchThreads(t);

  const first = await check({ bytes: WORKBOOK });
  const second = await check({ bytes: WORKBOOK });

  assert.ok(first.kind === 'checked' && second.kind === 'checked');
  assert.deepEqual([first.events, second.events], [1, 1]);
  assert.ok(started.length <= 1, `${started.length} threads`);
});

test('files at the same time are checked by threads of their own', async () => {
  const all = await Promise.all([1, 2, 3].map(() => check({ bytes: WORKBOOK })));

  assert.deepEqual(
    all.map(({ kind }) => kind),
    ['checked', 'checked', 'checked'],
  );
});

test('a thread that was stopped does not stay', async (t) => {
  const stopped = new AbortController();
  const reason = new Error('the client has gone');
  const stop = (): void => stopped.abort(reason);
  const checking = check({ bytes: WORKBOOK, signal: stopped.signal, onLookup: stop });
  await assert.rejects(checking, reason);
  const started = watchThreads(t);

  const next = await check({ bytes: WORKBOOK });

  assert.equal(next.kind, 'checked');
  assert.equal(started.length, 1);
});
