// The results of reading the tip record: they depend on the file, and not on missing resources of
// the system.
import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { DatabaseError } from '@lothub/kit/database';
import { testFolder } from '../../test/cli/run.ts';
import { TipRecordWriter, readTipRecord, tipRecordFile } from './tip-record.ts';

const TIP = { height: 8, hash: 'a8' };

/** Reads as a system that refuses with this code. */
function refusing(code: string): () => string {
  return () => {
    throw Object.assign(new Error(`${code}: refused`), { code });
  };
}

test('a folder without a record, or with an empty one, has none', async () => {
  await using folder = await testFolder();

  assert.deepEqual(readTipRecord(folder.path), { kind: 'absent' });
  assert.deepEqual(
    readTipRecord(folder.path, () => ''),
    { kind: 'absent' },
  );
});

test('a record is read as it was written, also after its file was removed', async () => {
  await using folder = await testFolder();
  using record = new TipRecordWriter(folder.path);
  record.write({ height: 7, hash: 'a7' });
  await rm(tipRecordFile(folder.path));

  record.write(TIP);

  assert.deepEqual(readTipRecord(folder.path), { kind: 'read', value: TIP });
});

test('content that is no record cannot be read, nor can a folder in its place', async () => {
  await using folder = await testFolder();
  await mkdir(tipRecordFile(folder.path));

  const contents = ['{"height":8', '{"height":"8","hash":"a8"}', 'null', '{}', '8', 'x', '\0'];

  const readings = contents.map((text) => readTipRecord(folder.path, () => text));

  assert.deepEqual(readings, Array(contents.length).fill({ kind: 'unreadable' }));
  assert.deepEqual(readTipRecord(folder.path), { kind: 'unreadable' });
});

test('what the system lacks says nothing of the record: it is to be read again', () => {
  for (const code of ['EMFILE', 'ENFILE', 'EIO', 'ENOMEM', 'EACCES']) {
    assert.throws(
      () => readTipRecord('/nowhere', refusing(code)),
      (error) =>
        error instanceof DatabaseError &&
        error.code === 'database_busy' &&
        error.message === `reading the record tip.json: ${code}; it is read again`,
    );
  }
});
