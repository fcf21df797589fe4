// However often keys are refused, few entries are made, and they say how often it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from 'sql-template-tag';
import { RefusedKeys, type RefusedKey } from './refused-keys.ts';

const REFUSED: RefusedKey = {
  client: '192.0.2.1',
  path: '/v1',
  reason: 'unknown',
  key: undefined,
  requestId: 'req-1',
};

interface Noted {
  readonly refused: RefusedKeys;
  /** `details` of the entries that were written. */
  readonly details: () => readonly Readonly<Record<string, unknown>>[];
}

function noting(write?: () => Promise<void>): Noted {
  const entries: Sql[] = [];
  const refused = new RefusedKeys({
    write: async (statements) => {
      entries.push(...statements);
      await write?.();
    },
    clock: { nowMs: () => 0 },
    onError: () => undefined,
  });
  const details = () =>
    entries.map(({ values }) => JSON.parse(String(values.at(-1))) as Record<string, unknown>);
  return { refused, details };
}

test('the first refusal of a caller is written at once, the others as one at the end', async () => {
  const { refused, details } = noting();

  for (let count = 0; count < 1_000; count += 1) await refused.note(REFUSED);
  const before = details().length;
  await refused.flush();
  await refused.note(REFUSED);

  assert.equal(before, 1);
  assert.deepEqual(
    details().map(({ count }) => count),
    [1, 999, 1],
  );
});

test('callers and paths are distinguished', async () => {
  const { refused, details } = noting();

  await refused.note(REFUSED);
  await refused.note({ ...REFUSED, client: '192.0.2.2' });
  await refused.note({ ...REFUSED, path: '/v1/admin' });
  await refused.note({ ...REFUSED, key: { key_id: 'key-1', label: 'ERP' } });

  assert.deepEqual(
    details().map(({ client, path }) => `${String(client)} ${String(path)}`),
    ['192.0.2.1 /v1', '192.0.2.2 /v1', '192.0.2.1 /v1/admin', '192.0.2.1 /v1'],
  );
});

test('very many callers have one entry together', async () => {
  const { refused, details } = noting();

  for (let caller = 0; caller < 5_000; caller += 1) {
    await refused.note({ ...REFUSED, client: `client ${caller}` });
  }
  await refused.flush();

  assert.equal(details().length, 21);
  assert.deepEqual(details().at(-1), {
    client: 'others',
    path: '/v1',
    reason: 'unknown',
    count: 4_980,
  });
});

test('an answer does not wait long for an entry that cannot be written', async () => {
  const { refused } = noting(() => new Promise(() => undefined));

  const answered = await refused.note(REFUSED);

  assert.equal(answered, undefined);
});

test('that nothing can be written is reported and harms nobody', async () => {
  const errors: unknown[] = [];
  const refused = new RefusedKeys({
    write: () => Promise.reject(new Error('away')),
    clock: { nowMs: () => 0 },
    onError: (error) => errors.push(error),
  });

  await refused.note(REFUSED);

  assert.equal(errors.length, 1);
});
