// Cells of a CSV file: what is quoted, what is defused, what stays as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRow, type Cell } from './csv.ts';

for (const [cell, text] of [
  ['BREAD-0302', 'BREAD-0302'],
  ['Süßkram', 'Süßkram'],
  [null, ''],
  ['', ''],
  [-12.5, '-12.5'],
  [0, '0'],
  [true, 'true'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  [' padded', '" padded"'],
  ['=1+1', "'=1+1"],
  ['+49 30 1', "'+49 30 1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t=1"'],
  ['\r=1', '"\'\r=1"'],
  ['\uff1d1', "'\uff1d1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['a=b', 'a=b'],
] as const satisfies readonly (readonly [Cell, string])[]) {
  test(`${JSON.stringify(cell)} is written as ${JSON.stringify(text)}`, () => {
    assert.equal(csvRow([cell]), `${text}\r\n`);
  });
}

test('cells are divided by commas, and a row ends with CRLF', () => {
  assert.equal(csvRow(['a', 1, null, 'b']), 'a,1,,b\r\n');
});
