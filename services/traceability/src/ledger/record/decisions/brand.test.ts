// The contents of blocks about brands, products and places that pass the check of their shape.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBrandDecision } from './brand.ts';

const AT = '2026-03-02T08:00:00.000Z';
const HASH = 'a'.repeat(64);
const CHANGED = { at: AT, changed: ['name'] };

const GOOD: readonly Readonly<Record<string, unknown>>[] = [
  { ...CHANGED, about: 'brand', state: {} },
  { ...CHANGED, about: 'brand', changed: [], migrated: true, state: { name: 'Mill' } },
  { ...CHANGED, about: 'brand', state: { language: 'en', names: { de: 'Mühle' } } },
  { ...CHANGED, about: 'product', sku: 'RYE', state: { names: { en: 'Rye' }, picture: HASH } },
  { about: 'product', at: AT, removed: true, sku: 'RYE' },
  {
    ...CHANGED,
    about: 'place',
    location: 'D',
    state: { name: 'Dock', gln: '1', time_zone: 'UTC' },
  },
  {
    ...CHANGED,
    about: 'place',
    location: 'D',
    state: { language: 'en', name: 'D', names: { de: 'E' } },
  },
  { about: 'place', at: AT, location: 'D', removed: true },
];

for (const [index, content] of GOOD.entries()) {
  test(`a content about a ${String(content['about'])} is one (${index})`, () => {
    assert.ok(isBrandDecision(content));
  });

  test(`a content about a ${String(content['about'])} lacks no member and has no other (${index})`, () => {
    for (const name of Object.keys(content).filter((one) => one !== 'migrated')) {
      const { [name]: _left, ...others } = content;
      assert.ok(!isBrandDecision(others), `without ${name}`);
      assert.ok(!isBrandDecision({ ...content, [name]: 1 }), `${name} is a number`);
    }
    assert.ok(!isBrandDecision({ ...content, other: 'x' }));
    assert.ok(!isBrandDecision({ ...content, committed: { by: HASH } }));
  });
}

test('what is said of one subject is not said of another', () => {
  for (const content of [
    { ...CHANGED, about: 'brand', state: { names: {} } },
    { ...CHANGED, about: 'brand', state: { names: { en: 1 } } },
    { ...CHANGED, about: 'brand', state: { language: 1 } },
    { ...CHANGED, about: 'place', location: 'D', state: { name: 'D', names: {} } },
    { ...CHANGED, about: 'product', sku: 'RYE', state: { names: { en: 'Rye' }, language: 'en' } },
    { ...CHANGED, about: 'brand', sku: 'RYE', state: {} },
    { about: 'brand', at: AT, removed: true },
    { ...CHANGED, about: 'product', location: 'D', state: { names: {} } },
    { ...CHANGED, about: 'product', sku: 'RYE', state: { names: { en: 1 } } },
    { ...CHANGED, about: 'product', sku: 'RYE', state: { names: {}, picture: 'abc' } },
    { ...CHANGED, about: 'place', location: 'D', state: { address: 'Mill Lane 3' } },
    { ...CHANGED, about: 'place', location: 'D', removed: true, state: { name: 'D' } },
    { ...CHANGED, about: 'toString', state: {} },
    { ...CHANGED, about: 'brand', changed: ['name', 'name'], state: {} },
  ]) {
    assert.ok(!isBrandDecision(content), JSON.stringify(content));
  }
});
