// What counts as a statement that a log continues under another name, and which list of them is one.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { epochNote, makeEpochs } from '../../test/vectors/log-epochs.ts';
import { LOG_KEY, ORIGIN } from '../../test/log/evidence-maker.ts';
import { verifySignature } from '../../test/log/test-keys.ts';
import {
  epochListText,
  formatVkey,
  judgeEpochStatement,
  LogError,
  parseEpochList,
  parseEpochStatement,
  parseVkey,
  textOfUtf8,
  utf8,
} from './index.ts';

async function judge(note: string | Uint8Array, vkeys: readonly string[]): Promise<string> {
  try {
    const statement = parseEpochStatement(typeof note === 'string' ? note : textOfUtf8(note));
    const by = { oldKeys: vkeys.map(parseVkey), verify: verifySignature };
    return (await judgeEpochStatement(statement, by)) ?? 'believed';
  } catch (error) {
    if (error instanceof LogError || error instanceof TypeError) return 'malformed';
    throw error;
  }
}

suite('epoch statements', () => {
  for (const { name, statement, old_vkeys: vkeys, expect } of makeEpochs()) {
    test(`${name}: ${expect}`, async () => {
      assert.equal(await judge(statement, vkeys), expect);
    });
  }
});

test('what a statement says is read as it was written', () => {
  const statement = parseEpochStatement(epochNote());

  assert.equal(statement.old, ORIGIN);
  assert.equal(statement.new, 'trace.example.com/log/2');
  assert.deepEqual([statement.last.size, statement.common.size], [9, 7]);
  assert.deepEqual([statement.reason, statement.at], ['restore', '2026-11-22T08:00:00Z']);
});

for (const [what, note] of [
  ['both keys', epochNote()],
  ['the new key alone', epochNote({ reason: 'key_lost' }, { old: 'none' })],
] as const) {
  test(`every single-bit change of a statement by ${what} is refused`, async () => {
    const vkeys = [formatVkey(ORIGIN, LOG_KEY.publicKey)];
    const bytes = utf8(note);
    const believed: number[] = [];

    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Uint8Array.from(bytes);
      changed[Math.floor(bit / 8)]! ^= 1 << (bit % 8);
      if ((await judge(changed, vkeys)) === 'believed') believed.push(bit);
    }

    assert.equal(await judge(bytes, vkeys), 'believed');
    assert.deepEqual(believed, []);
  });
}

test('a list of statements is read back, and an empty one is a list', () => {
  const notes = [epochNote(), epochNote({ reason: 'failover' })];
  const list = notes.map((note, index) => ({ epoch: index + 2, note }));

  assert.deepEqual(parseEpochList(epochListText(list)), list);
  assert.deepEqual(parseEpochList(''), []);
});

for (const [what, text] of [
  ['begins with something else', `x\n=== 2\n${epochNote()}`],
  ['repeats a number', `=== 2\n${epochNote()}=== 2\n${epochNote()}`],
  ['has a number with a leading zero', `=== 02\n${epochNote()}`],
  ['holds no note', '=== 2\n'],
  ['is of the first epoch', `=== 1\n${epochNote()}`],
] as const) {
  test(`a list that ${what} is refused`, () => {
    assert.throws(
      () => parseEpochList(text),
      (error) => error instanceof LogError,
    );
  });
}
