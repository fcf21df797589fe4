// That what is promised to be there is asserted, also where it is falsy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, present } from './present.ts';

test('a value that is there is given, also an empty one', () => {
  assert.equal(present(0, 'a number'), 0);
  assert.equal(present('', 'a text'), '');
  assert.equal(at([undefined], 0), undefined);
});

for (const value of [null, undefined]) {
  test(`an absent value (${String(value)}) is an error that names it`, () => {
    assert.throws(() => present(value, 'the number of a lot'), /the number of a lot is absent/);
  });
}

for (const index of [-1, 2]) {
  test(`place ${index} of two values is an error`, () => {
    assert.throws(() => at(['a', 'b'], index), /absent/);
  });
}
