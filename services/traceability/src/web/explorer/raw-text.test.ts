// Tests that the indented text of a block keeps every character.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indented } from './raw-text.ts';

test('members are below each other, each level further in', () => {
  const text = '{"height":1,"payload":{"lines":[{"lot_code":"A"},{}],"none":[]}}';

  assert.equal(
    indented(text),
    [
      '{',
      '  "height": 1,',
      '  "payload": {',
      '    "lines": [',
      '      {',
      '        "lot_code": "A"',
      '      },',
      '      {}',
      '    ],',
      '    "none": []',
      '  }',
      '}',
    ].join('\n'),
  );
});

test('what is in a text of a brand breaks no line', () => {
  const text = String.raw`{"title":"a, {b}: [c] \" , \\","v":2}`;

  assert.equal(
    indented(text),
    `{\n  ${text.slice(1, -1).replace('":"', '": "').replace(',"v":2', ',\n  "v": 2')}\n}`,
  );
});

test('a text that is no JSON keeps all its characters', () => {
  for (const text of ['', '}}}]', '{"a":"b', '{"a":1,"a":2}', '"\\', '[[[[', 'no JSON,at all']) {
    assert.equal(indented(text).replace(/\n */g, '').replaceAll(': ', ':'), text);
  }
});
