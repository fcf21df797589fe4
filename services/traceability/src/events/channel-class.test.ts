// The public class of a channel text is always one of a closed list, for any text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { CHANNEL_CLASSES } from '../terms.ts';
import { channelClass, knownChannelClass } from './channel-class.ts';

test('the closed list is the documented one', () => {
  assert.deepEqual([...CHANNEL_CLASSES].toSorted(), [
    'direct',
    'export',
    'food_service',
    'online',
    'other',
    'retail',
    'wholesale',
  ]);
});

for (const name of CHANNEL_CLASSES) {
  test(`${name} is its own class, in any case`, () => {
    assert.equal(channelClass(name), name);
    assert.equal(channelClass(name.toUpperCase()), name);
  });
}

for (const [channel, expected] of [
  ['webshop', 'online'],
  ['e-commerce', 'online'],
  ['E Commerce', 'online'],
  ['restaurant', 'food_service'],
  ['catering', 'food_service'],
  ['supermarket', 'retail'],
  ['store', 'retail'],
  ['farm shop', 'direct'],
  ['overseas', 'export'],
  ['distributor', 'wholesale'],
  ['webshop of a supermarket', 'online'],
  ['Supermarkt', 'retail'],
  ['Supermärkte Süd', 'retail'],
  ['Einzelhandel', 'retail'],
  ['Großhandel', 'wholesale'],
  ['GROSSHANDEL', 'wholesale'],
  ['Gastronomie', 'food_service'],
  ['Kantine', 'food_service'],
  ['Hofladen', 'direct'],
  ['Ab-Hof-Verkauf', 'direct'],
  ['Supermarché', 'retail'],
  ['Grande distribution', 'retail'],
  ['Grossiste', 'wholesale'],
  ['Vente directe', 'direct'],
  ['boutique en ligne', 'online'],
  ['Restauration collective', 'food_service'],
  ['Supermercado', 'retail'],
  ['Mayorista', 'wholesale'],
  ['Hostelería', 'food_service'],
  ['Comercio electrónico', 'online'],
  ['Exportación', 'export'],
  ['Supermercato', 'retail'],
  ['GDO', 'retail'],
  ["Commercio all'ingrosso", 'wholesale'],
  ['Ristorazione', 'food_service'],
  ['Vendita diretta', 'direct'],
  ['Café', 'food_service'],
] as const) {
  test(`"${channel}" is ${expected}`, () => {
    assert.equal(channelClass(channel), expected);
  });
}

test('a word is found only as a whole word', () => {
  for (const text of ['restored', 'barley', 'directory', 'hoteliers-x9', 'trader', '']) {
    assert.equal(channelClass(text), 'other', text);
  }
});

test('punctuation around words does not matter', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ .,;:!?()/_-]*$/), (marks) => {
      assert.equal(channelClass(`${marks}supermarket${marks}`), 'retail');
    }),
  );
});

test('any text has a class of the list', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.ok(CHANNEL_CLASSES.includes(channelClass(text)));
    }),
  );
});

test('a channel is unknown when no word of it is known, and `other` is a word', () => {
  const unknown = ['Supermarkt', 'other', ' Other. ', 'Kanal 7', '7'].map(
    (channel) => knownChannelClass(channel) === undefined,
  );

  assert.deepEqual(unknown, [false, false, false, true, true]);
});
