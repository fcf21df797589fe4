// Addresses of GS1 Digital Link: what is read, what is refused, and that what is written is read back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writtenForms } from '../lots/profiles/gs1.ts';
import { digitalLinkPath, listElements, parseDigitalLink } from './uri.ts';

const GTIN = '09506000134352';

for (const [path, link] of [
  [`/01/${GTIN}`, { gtin: GTIN }],
  [`/01/${GTIN}/`, { gtin: GTIN }],
  ['/01/9506000134352', { gtin: GTIN }],
  ['/01/036000291452', { gtin: '00036000291452' }],
  ['/01/96385074', { gtin: '00000096385074' }],
  [`/01/${GTIN}/10/ABC-1`, { gtin: GTIN, lotCode: 'ABC-1' }],
  [`/01/${GTIN}/10/A%2FB%2510`, { gtin: GTIN, lotCode: 'A/B%10' }],
  [`/01/${GTIN}/10/L1/21/S1`, { gtin: GTIN, lotCode: 'L1', serial: 'S1' }],
  [`/01/${GTIN}/21/S1`, { gtin: GTIN, serial: 'S1' }],
  [`/01/${GTIN}/22/2A/10/L1`, { gtin: GTIN, variant: '2A', lotCode: 'L1' }],
  [`/01/${GTIN}/235/TPX5`, { gtin: GTIN, controlledSerial: 'TPX5' }],
] as const) {
  test(`${path} is read`, () => {
    assert.deepEqual(parseDigitalLink(path), link);
  });
}

for (const [path, fault] of [
  ['/01/9506000134353', /mistyped/],
  ['/01/123', /8, 12, 13 or 14/],
  ['/01/12345678901', /8, 12, 13 or 14/],
  ['/01/', /8, 12, 13 or 14/],
  ['/00/106141412345678908', /begin with/],
  [`/01/${GTIN}/10`, /no value/],
  [`/01/${GTIN}/10/`, /no value/],
  [`/01/${GTIN}/21/S1/10/L1`, /in this order/],
  [`/01/${GTIN}/10/L1/10/L2`, /in this order/],
  [`/01/${GTIN}/10/L1/235/T`, /235 alone/],
  [`/01/${GTIN}/235/T/21/S`, /in this order|235 alone/],
  [`/01/${GTIN}/17/261231`, /nothing else/],
  [`/01/${GTIN}/10/${'1'.repeat(21)}`, /at most 20/],
  [`/01/${GTIN}/10/A%20B`, /GS1 allows a lot letters/],
  [`/01/${GTIN}/10/%C3%84`, /GS1 allows a lot letters/],
] as const) {
  test(`${path} is refused`, () => {
    const answer = parseDigitalLink(path);

    assert.ok('fault' in answer, JSON.stringify(answer));
    assert.match(answer.fault, fault);
  });
}

const value = fc.stringMatching(/^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/);

test('what is written is read back, whatever characters GS1 allows', () => {
  fc.assert(
    fc.property(value, value, (lotCode, serial) => {
      const link = { gtin: GTIN, lotCode, serial };

      assert.deepEqual(parseDigitalLink(digitalLinkPath(link)), link);
    }),
  );
});

test('the elements have the order of the path', () => {
  assert.deepEqual(listElements({ gtin: GTIN, serial: 'S', lotCode: 'L' }), [
    ['01', GTIN],
    ['10', 'L'],
    ['21', 'S'],
  ]);
});

test('a GTIN is looked for however a brand wrote it', () => {
  assert.deepEqual(writtenForms('00000096385074'), [
    '96385074',
    '000096385074',
    '0000096385074',
    '00000096385074',
  ]);
  assert.deepEqual(writtenForms('19506000134359'), ['19506000134359']);
});
