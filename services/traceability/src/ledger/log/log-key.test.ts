// The key of the log: its file, and its errors as those of the database.
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseVkey } from '@lothub/chain/log';
import { DatabaseError } from '@lothub/kit/database';
import { testFolder } from '../../../test/cli/run.ts';
import { logKeyFile, makeLogKey, parseLogKey, readLogKey } from './log-key.ts';

test('a key that was made is that of a log, and is read again', async () => {
  await using folder = await testFolder();
  const file = logKeyFile(folder.path);

  const made = makeLogKey(file, 'trace.example.com/log/1');

  assert.deepEqual(await readdir(folder.path), ['log.key']);
  assert.equal(readLogKey(file)?.vkey, made.vkey);
  assert.equal(parseVkey(made.vkey).name, 'trace.example.com/log/1');
});

test('a text that is no key of a log is an error of the database with its place', async () => {
  await using folder = await testFolder();
  const file = logKeyFile(folder.path);
  await writeFile(file, 'hunter2');

  for (const [attempt, place] of [
    [() => readLogKey(file), file],
    [() => parseLogKey('hunter2', 'LOG_KEY'), 'LOG_KEY'],
  ] as const) {
    assert.throws(
      attempt,
      (error) =>
        error instanceof DatabaseError &&
        error.message.startsWith(`reading the key of the log in ${place}: `) &&
        !error.message.includes('hunter2'),
    );
  }
});
