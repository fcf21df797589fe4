// Private keys of notes: the form of Go's, one key for all who make it at the same time, and no other text.
import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LOG_KEY_TYPE, WITNESS_KEY_TYPE, parseVkey, utf8 } from '@lothub/chain/log';
import {
  NoteKey,
  NoteKeyError,
  makeNoteKey,
  parseNoteKey,
  readNoteKey,
  signatureVerifier,
} from '@lothub/note-key';

const SEED = Uint8Array.from({ length: 32 }, (_, index) => index);
const LOG = { name: 'example.com/hub/1', type: LOG_KEY_TYPE } as const;
const WITNESS = { name: 'witness.example.org/1', type: WITNESS_KEY_TYPE } as const;

function testFolder(): ReturnType<typeof mkdtempDisposable> {
  return mkdtempDisposable(join(tmpdir(), 'lothub-note-key-'));
}

test('the keys of the worked example have their names, their ids and their signatures', () => {
  const key = new NoteKey({ ...LOG, seed: SEED });
  const witness = new NoteKey({ ...WITNESS, seed: SEED.map((byte) => byte + 32) });

  assert.equal(key.vkey, 'example.com/hub/1+0fe55aaa+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4');
  assert.equal(
    witness.vkey,
    'witness.example.org/1+84db4898+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X',
  );
  const body = 'example.com/hub/1\n2\nMNuyvTc8oHDxxbgeH2Xs/a8h++cF/FtseTjYEr2vZiE=\n';
  assert.equal(
    Buffer.from(key.sign(body)).toString('base64'),
    'l7Snn2nspgaOQ6dzM1b7uZ0MKTzLr7x5LIOkjsjmu8FcWBWkXFLHveeUpbYTklYDrkouB1iS7yjNUqgiXq3GAg==',
  );
  assert.ok(key.verifies(body, key.sign(body)));
  assert.ok(!key.verifies(`${body}\n`, key.sign(body)));
  assert.ok(signatureVerifier(key.publicKey)(utf8(body), key.sign(body)));
  assert.ok(!signatureVerifier(witness.publicKey)(utf8(body), key.sign(body)));
});

for (const wanted of [LOG, WITNESS]) {
  test(`a key that was made for ${wanted.name} is in its file alone, for its owner`, async () => {
    await using folder = await testFolder();
    const file = join(folder.path, 'note.key');

    const made = makeNoteKey(file, wanted);

    assert.deepEqual(await readdir(folder.path), ['note.key']);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal(await readFile(file, 'utf8'), made.line);
    assert.equal(readNoteKey(file, wanted.type)?.vkey, made.vkey);
    const { name, type } = parseVkey(made.vkey);
    assert.deepEqual({ name, type }, wanted);
  });
}

test('a process that makes a key where there is one gets that one', async () => {
  await using folder = await testFolder();
  const file = join(folder.path, 'note.key');

  const first = makeNoteKey(file, LOG);
  const second = makeNoteKey(file, LOG);

  assert.equal(second.vkey, first.vkey);
  assert.deepEqual(await readdir(folder.path), ['note.key']);
});

test('without a file there is no key', async () => {
  await using folder = await testFolder();

  assert.equal(readNoteKey(join(folder.path, 'note.key'), LOG_KEY_TYPE), undefined);
});

test('a text that is no key is refused, and never repeated', async () => {
  await using folder = await testFolder();
  const file = join(folder.path, 'note.key');
  const { line } = new NoteKey({ ...LOG, seed: SEED });
  const swapped = line.replace('hub/1', 'hub/2');
  const ofWitness = new NoteKey({ ...LOG, type: WITNESS_KEY_TYPE, seed: SEED }).line;
  for (const text of ['', 'hunter2', `${line}${line}`, line.slice(0, -6), swapped, ofWitness]) {
    await writeFile(file, text);

    assert.throws(
      () => readNoteKey(file, LOG_KEY_TYPE),
      (error) =>
        error instanceof NoteKeyError &&
        error.code === 'key_malformed' &&
        !error.message.includes(text.trim() || '\0'),
    );
    assert.throws(() => parseNoteKey(text, { type: LOG_KEY_TYPE, where: 'LOG_KEY' }), /LOG_KEY/);
    assert.throws(() => makeNoteKey(file, LOG), { code: 'key_malformed' });
  }
});

test('a folder that is not there, or a file that cannot be read, is said to be so', async () => {
  await using folder = await testFolder();
  const nowhere = join(folder.path, 'nowhere', 'note.key');

  assert.throws(() => makeNoteKey(nowhere, WITNESS), {
    code: 'key_unwritable',
    message: /^making the key of the witness: ENOENT/,
  });
  assert.throws(() => readNoteKey(folder.path, WITNESS_KEY_TYPE), {
    code: 'key_unreadable',
    message: /^reading the key of the witness: EISDIR/,
  });
});
