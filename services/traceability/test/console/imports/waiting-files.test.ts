// Folders of waiting files: they go after a day, and a name that no import has opens nothing.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { WAITING_MS_MAX, WaitingFiles } from '../../../src/console/imports/waiting-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'waiting-files-'));
after(() => rm(folder, { recursive: true }));

test('a folder is swept when it is older than a file waits, and not before', async () => {
  const files = new WaitingFiles(folder);
  await files.folderId();
  await files.make('imp_old');
  await writeFile(files.buildPath('imp_old'), 'private');

  const early = await files.sweep(Date.now());
  const late = await files.sweep(Date.now() + WAITING_MS_MAX + 60_000);

  assert.deepEqual(early, []);
  assert.deepEqual(late, ['imp_old']);
  assert.equal(await files.hasFile('imp_old'), false);
});

test('the id of a folder stays when a process starts again', async () => {
  const before = await new WaitingFiles(folder).folderId();

  const after = await new WaitingFiles(folder).folderId();

  assert.equal(after, before);
});

test('a name that leads elsewhere is the id of no import', () => {
  const files = new WaitingFiles(folder);

  assert.throws(() => files.buildPath('../imp_a'), /no import has/);
  assert.throws(() => files.buildPath('imp_a/../../b'), /no import has/);
});
