// The public class of a channel text: always one of a closed list, whatever the text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHANNEL_CLASSES } from '../terms.ts';
import { channelClass } from './channel-class.ts';

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
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.ok(CHANNEL_CLASSES.includes(channelClass(text)));
    }),
  );
});
