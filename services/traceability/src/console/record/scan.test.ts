// What scanners write: GS1 element strings in both forms, Digital Links, and codes that are neither.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScan } from './scan.ts';

const GTIN = '09506000134352';
const SEPARATOR = '\u001D';

const READ: readonly (readonly [string, string])[] = [
  ['as people read it', `(01)${GTIN}(10)ABC-1(17)261231`],
  ['with symbology and separator', `]d2${'01'}${GTIN}10ABC-1${SEPARATOR}21777`],
  ['with a fixed element before the lot', `01${GTIN}1726123110ABC-1`],
  ['with a weight between', `]C101${GTIN}310300150010ABC-1`],
  ['with a separator at the start', `${SEPARATOR}01${GTIN}10ABC-1`],
  ['as a Digital Link', `https://id.example.com/01/${GTIN}/10/ABC-1?17=261231`],
  ['as a Digital Link below a path', `https://example.com/gs1/01/${GTIN}/10/ABC-1`],
];

for (const [how, text] of READ) {
  test(`a symbol ${how} is read into GTIN and lot`, () => {
    assert.deepEqual(readScan(text), { gtin: GTIN, lotCode: 'ABC-1' });
  });
}

const NOT_READ: readonly (readonly [string, string])[] = [
  ['a code of the brand’s own', 'FLOUR-0711'],
  ['a code that begins like a GTIN', '01-2026'],
  ['long digits with a wrong check digit', `01${GTIN.slice(0, -1)}9`],
  ['an address without a GTIN', 'https://example.com/lot/10/ABC'],
  ['brackets without digits', '(a)b'],
];

for (const [what, text] of NOT_READ) {
  test(`${what} is what it is`, () => {
    assert.equal(readScan(text), undefined);
  });
}

test('a lot alone is read without a GTIN', () => {
  assert.deepEqual(readScan('(10)L-7'), { gtin: undefined, lotCode: 'L-7' });
});
