// The key of the log: the form of Go's notes, one key for all who begin at the same time, and no other text.
import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseVkey } from '@lothub/chain/log';
import { DatabaseError } from '@lothub/kit/database';
import { testFolder } from '../../../test/cli/run.ts';
import { LogKey, logKeyFile, makeLogKey, parseLogKey, readLogKey } from './log-key.ts';

const SEED = Uint8Array.from({ length: 32 }, (_, index) => index);

test('the key of the worked example has its name, its id and its signature', () => {
  const key = new LogKey('example.com/hub/1', SEED);

  assert.equal(key.vkey, 'example.com/hub/1+0fe55aaa+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4');
  const body = 'example.com/hub/1\n2\nMNuyvTc8oHDxxbgeH2Xs/a8h++cF/FtseTjYEr2vZiE=\n';
  assert.equal(
    Buffer.from(key.sign(body)).toString('base64'),
    'l7Snn2nspgaOQ6dzM1b7uZ0MKTzLr7x5LIOkjsjmu8FcWBWkXFLHveeUpbYTklYDrkouB1iS7yjNUqgiXq3GAg==',
  );
  assert.ok(key.verifies(body, key.sign(body)));
  assert.ok(!key.verifies(`${body}\n`, key.sign(body)));
});

test('a key that was made is in its file alone, readable by its owner, and is read again', async () => {
  await using folder = await testFolder();
  const file = logKeyFile(folder.path);

  const made = makeLogKey(file, 'trace.example.com/log/1');

  assert.deepEqual(await readdir(folder.path), ['log.key']);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await readFile(file, 'utf8'), made.line);
  assert.equal(readLogKey(file)?.vkey, made.vkey);
  assert.equal(parseVkey(made.vkey).name, 'trace.example.com/log/1');
});

test('whoever makes a key where there is one gets that one', async () => {
  await using folder = await testFolder();
  const file = logKeyFile(folder.path);

  const first = makeLogKey(file, 'hub/1');
  const second = makeLogKey(file, 'hub/1');

  assert.equal(second.vkey, first.vkey);
});

test('without a file there is no key', async () => {
  await using folder = await testFolder();

  assert.equal(readLogKey(logKeyFile(folder.path)), undefined);
});

test('a text that is no key is refused, and never repeated', async () => {
  await using folder = await testFolder();
  const file = logKeyFile(folder.path);
  const { line } = new LogKey('hub/1', SEED);
  const swapped = line.replace('hub/1', 'hub/2');
  for (const text of ['', 'hunter2', `${line}${line}`, line.slice(0, -6), swapped]) {
    await writeFile(file, text);
    assert.throws(
      () => readLogKey(file),
      (error) => error instanceof DatabaseError && !error.message.includes(text.trim() || '\0'),
    );
    assert.throws(() => parseLogKey(text, 'LOG_KEY'), /LOG_KEY/);
  }
});
