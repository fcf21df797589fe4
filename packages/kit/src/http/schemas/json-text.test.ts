// Texts that an answer takes as they are, and what its readers get.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { Type } from '../../json-schema.ts';
import { compileAnswerSchema } from './answer-serializers.ts';
import { escapedString, jsonText } from './json-text.ts';

const TEXTS = [
  '',
  'plain',
  'lines\nof\ttwo\r\n',
  'a "quoted" \\ name',
  '— dash, ü, 漢',
  '\u0000\u007f\u2028',
  'a pair 🧾, and half of one \ud83e',
];

test('what an answer takes as it is reads as the text that it was made of', () => {
  const members = { proof: escapedString({ description: 'A text' }) };
  const schema: object = Type.Object(members);
  const write = compileAnswerSchema({ schema, method: 'GET', url: '/', httpStatus: '200' });

  const answers = TEXTS.map((text) => write({ proof: jsonText(text) }));

  assert.deepEqual(
    answers.map((answer) => JSON.parse(answer) as unknown),
    TEXTS.map((proof) => ({ proof })),
  );
  for (const answer of answers) assert.match(answer, /^[\x20-\x7e]*$/);
});

test('a character of such a text is one byte in memory, whatever it was made of', () => {
  for (const text of TEXTS) {
    const content = jsonText(text.repeat(100));

    // A message between threads copies what is in memory, behind a head of a few bytes.
    assert.ok(serialize(content).length < content.length + 10, text);
  }
});
