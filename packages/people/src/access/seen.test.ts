// Notes of last use: beside the requests, once at a time, and never in their way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { SeenNotes } from './seen.ts';

const NOTE = sql`select 1`;

test('while a note is being written, the same credentials make no other', async () => {
  const writing = Promise.withResolvers<void>();
  let writes = 0;
  const seen = new SeenNotes({
    write: () => {
      writes += 1;
      return writing.promise;
    },
    onError: (error) => assert.fail(String(error)),
  });

  seen.note('a', NOTE);
  seen.note('a', NOTE);
  seen.note('b', NOTE);

  assert.equal(writes, 2);
  writing.resolve();
  await seen[Symbol.asyncDispose]();
  seen.note('a', NOTE);
  assert.equal(writes, 3);
});

test('at most 64 notes are under way', () => {
  let writes = 0;
  const seen = new SeenNotes({
    write: () => {
      writes += 1;
      return new Promise<void>(() => undefined);
    },
    onError: (error) => assert.fail(String(error)),
  });

  for (let i = 0; i < 70; i += 1) seen.note(`token ${i}`, NOTE);

  assert.equal(writes, 64);
});

test('a note that cannot be written is reported, and the next one is tried', async () => {
  const errors: unknown[] = [];
  const failure = new Error('disk full');
  const seen = new SeenNotes({
    write: () => Promise.reject(failure),
    onError: (error) => errors.push(error),
  });

  seen.note('a', NOTE);
  await seen[Symbol.asyncDispose]();
  seen.note('a', NOTE);
  await seen[Symbol.asyncDispose]();

  assert.deepEqual(errors, [failure, failure]);
});
