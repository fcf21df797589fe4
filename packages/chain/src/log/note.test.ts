// Notes, checkpoints, keys and proof files: one text for each, and what is none is refused.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import fc from 'fast-check';

import {
  toBase64,
  checkpointBody,
  LogError,
  noteText,
  parseCheckpoint,
  parseCosignature,
  parseNote,
  parseTlogProof,
  parseVkey,
  signatureLine,
  strictBase64,
  tlogProofText,
  utf8,
  formatVkey,
  type LogErrorCode,
} from './index.ts';
import { signedCheckpoint, testKey, verifySignature } from '../../test/log/test-keys.ts';

const ROOT = Uint8Array.from({ length: 32 }, (_, index) => index);
const KEY = testKey(1);
const HEAD = { origin: 'example.com/log/1', size: 82, root: ROOT };
const GOOD = signedCheckpoint(HEAD, {
  log: KEY,
  witnesses: [{ name: 'w.example/1', key: testKey(2), time: 1_700_000_000 }],
});

/** The note of c2sp.org/signed-note, "Example". */
const PUBLISHED_VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const PUBLISHED_NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

function isCode(...codes: readonly LogErrorCode[]): (error: unknown) => boolean {
  return (error) => error instanceof LogError && codes.includes(error.code);
}

test('the published example of a signed note verifies with its published key', async () => {
  const { name, keyId, publicKey } = parseVkey(PUBLISHED_VKEY);
  const { text, signatures } = parseNote(PUBLISHED_NOTE);
  const [line] = signatures;

  assert.deepEqual([line?.name, line?.keyId], [name, keyId]);
  assert.ok(await verifySignature({ publicKey, message: utf8(text), signature: line!.signature }));
  assert.equal(noteText(text, signatures.map(signatureLine)), PUBLISHED_NOTE);
});

test('base64 of any bytes is read back, and is that of the platform', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = toBase64(bytes);

      assert.equal(text, Buffer.from(bytes).toString('base64'));
      assert.deepEqual(strictBase64(text), bytes);
    }),
  );
});

test('base64 by hand, where the runtime has no way of its own, is the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const ofOldRuntime = Object.defineProperty(Uint8Array.from(bytes), 'toBase64', {
        value: undefined,
      });

      assert.equal(toBase64(ofOldRuntime), toBase64(bytes));
    }),
  );
});

test('a base64 text that is not the one of its bytes is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 12 }), (text) => {
      const isStrict = Buffer.from(text, 'base64').toString('base64') === text;

      if (isStrict) assert.equal(toBase64(strictBase64(text)), text);
      else assert.throws(() => strictBase64(text), isCode('base64_invalid'));
    }),
    {
      numRuns: 2_000,
      examples: [['QQ=='], ['QR=='], ['QUE='], ['QUF='], ['QQ'], ['='], ['QQ==\n']],
    },
  );
});

suite('what is no signed note', () => {
  const many = '\u2014 a AAAAAAA=\n';
  const notes: readonly (readonly [string, string])[] = [
    ['no empty line', 'text\n\u2014 a AAAAAAA=\n'],
    ['no text', '\n\u2014 a AAAAAAA=\n'],
    ['no signature', 'text\n\n'],
    ['no line feed at the end', PUBLISHED_NOTE.slice(0, -1)],
    ['a hyphen for the dash', PUBLISHED_NOTE.replace('\u2014', '-')],
    ['two spaces', PUBLISHED_NOTE.replace('\u2014 ', '\u2014  ')],
    ['a carriage return', PUBLISHED_NOTE.replace('message.\n', 'message.\r\n')],
    ['a tab', PUBLISHED_NOTE.replace('This is', 'This\tis')],
    ['a name with a plus', PUBLISHED_NOTE.replace('com/foo', 'com+foo')],
    ['a name with a no-break space', PUBLISHED_NOTE.replace('com/foo', 'com\u00a0foo')],
    ['a lone surrogate', `\ud800${PUBLISHED_NOTE}`],
    ['a key id without a signature', 'text\n\n\u2014 a AAAAAA==\n'],
    ['17 signature lines', `text\n\n${many.repeat(17)}`],
    ['more bytes than the limit', `${'a'.repeat(131_072)}\n\n${many}`],
  ];
  for (const [name, note] of notes) {
    test(name, () => {
      assert.throws(() => parseNote(note), isCode('note_invalid'));
    });
  }

  test('but 16 signature lines are read', () => {
    assert.equal(parseNote(`text\n\n${many.repeat(16)}`).signatures.length, 16);
  });
});

test('a checkpoint is read back as it was signed', () => {
  const read = parseCheckpoint(GOOD);

  assert.partialDeepStrictEqual(read, HEAD);
  assert.equal(read.body, checkpointBody(HEAD));
  assert.equal(parseCosignature(read.signatures[1]!)?.time, 1_700_000_000);
  assert.equal(parseCosignature(read.signatures[0]!), undefined);
});

suite('what is no checkpoint', () => {
  const root = toBase64(ROOT);
  const texts: readonly (readonly [string, string])[] = [
    ['an extension line', GOOD.replace(`${root}\n`, `${root}\nmore\n`)],
    ['a leading zero', GOOD.replace('\n82\n', '\n082\n')],
    ['a sign', GOOD.replace('\n82\n', '\n+82\n')],
    ['a size beyond 2^53', GOOD.replace('\n82\n', '\n9007199254740992\n')],
    ['a size of 17 digits', GOOD.replace('\n82\n', '\n10000000000000000\n')],
    ['a root of 31 bytes', GOOD.replace(root, toBase64(ROOT.subarray(1)))],
    ['a root with unused bits', GOOD.replace(root, root.replace('8=', '9='))],
    ['an origin with a space', GOOD.replace('example.com/log/1\n', 'example.com log\n')],
    ['no origin', GOOD.replace('example.com/log/1\n82', '\n82')],
    ['two lines', GOOD.replace('example.com/log/1\n82', '82')],
  ];
  for (const [name, text] of texts) {
    test(name, () => {
      assert.notEqual(text, GOOD);
      assert.throws(
        () => parseCheckpoint(text),
        isCode('checkpoint_invalid', 'base64_invalid', 'note_invalid'),
      );
    });
  }
});

test('no checkpoint is made with a name, a size or a root that cannot be read back', () => {
  for (const change of [
    { origin: 'a b' },
    { origin: 'a+b' },
    { origin: '' },
    { origin: 'a'.repeat(256) },
    { size: -1 },
    { size: 2 ** 53 },
    { root: ROOT.subarray(1) },
  ]) {
    assert.throws(() => checkpointBody({ ...HEAD, ...change }), isCode('checkpoint_invalid'));
  }
});

test('a verifier key is read back', () => {
  const vkey = formatVkey('example.com/log/1', KEY.publicKey);

  assert.deepEqual(parseVkey(vkey).publicKey, KEY.publicKey);
  assert.equal(parseVkey(PUBLISHED_VKEY).name, 'example.com/foo');
});

suite('what is no verifier key', () => {
  const good = formatVkey('example.com/log/1', KEY.publicKey);
  const [name, id, key] = good.split('+', 3) as [string, string, string];
  for (const [what, text] of [
    ['another id', `${name}+00000000+${key}`],
    ['an id in upper case', `${name}+${id.toUpperCase()}+${key}`],
    ['another name', good.replace('log/1', 'log/2')],
    ['a name with a space', good.replace('example', 'exam ple')],
    ['a key of 31 bytes', `${name}+${id}+${toBase64(KEY.publicKey)}`],
    ['an unknown type', `${name}+${id}+${toBase64(Uint8Array.of(2, ...KEY.publicKey))}`],
    ['base64 with unused bits', `${name}+${id}+${key.slice(0, -4)}AB==`],
    ['two parts', `${name}+${id}`],
  ] as const) {
    test(what, () => {
      assert.notEqual(text, good);
      assert.throws(() => parseVkey(text), isCode('vkey_invalid', 'base64_invalid'));
    });
  }
});

suite('proof files', () => {
  const parts = { index: 5, proof: [ROOT, ROOT], checkpoint: GOOD };
  const good = tlogProofText(parts);
  const hash = toBase64(ROOT);

  test('one is read back, with an extra and without', () => {
    for (const written of [parts, { ...parts, extra: utf8('{"height":5}') }]) {
      const { head, ...read } = parseTlogProof(tlogProofText(written));

      assert.deepEqual(read, written);
      assert.equal(head.size, 82);
    }
  });

  for (const [what, text] of [
    ['another first line', good.replace('@v1', '@v2')],
    ['a space after the first line', good.replace('@v1\n', '@v1 \n')],
    ['no index', good.replace('index 5\n', '')],
    ['an index with a leading zero', good.replace('index 5', 'index 05')],
    ['an index beyond 2^53', good.replace('index 5', 'index 9007199254740993')],
    ['an extra after the index', good.replace('index 5\n', 'index 5\nextra QQ==\n')],
    ['two extras', good.replace('index 5\n', 'extra QQ==\nextra QQ==\nindex 5\n')],
    ['an extra that is not base64', good.replace('index 5\n', 'extra Q\nindex 5\n')],
    ['a hash of 31 bytes', good.replace(hash, toBase64(ROOT.subarray(1)))],
    ['64 hashes', good.replace('index 5\n', `index 5\n${`${hash}\n`.repeat(62)}`)],
    ['an empty line in the proof', good.replace(`${hash}\n`, `${hash}\n\n`)],
    ['carriage returns', good.replaceAll('\n', '\r\n')],
    ['no checkpoint', good.slice(0, good.indexOf('\n\n') + 2)],
    ['something after the checkpoint', `${good}more`],
  ] as const) {
    test(`${what}: refused`, () => {
      assert.throws(
        () => parseTlogProof(text),
        isCode('proof_invalid', 'base64_invalid', 'note_invalid', 'checkpoint_invalid'),
      );
    });
  }

  test('an extra that readers with short lines cannot take is not written', () => {
    const extra = new Uint8Array(48_001);

    assert.throws(() => tlogProofText({ ...parts, extra }), isCode('proof_invalid'));
    assert.ok(tlogProofText({ ...parts, extra: extra.subarray(1) }).length > 64_000);
  });
});
