// Places as the database names them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUB, brandPlace, groupPlace, placeText, readPlace } from './place.ts';

for (const place of [HUB, brandPlace('acme.de'), groupPlace('grp_4fJk2mQ8xT1z')]) {
  test(`the place ${placeText(place)} is read as it was written`, () => {
    assert.deepEqual(readPlace(placeText(place)), place);
  });
}

for (const text of ['', 'hub:', 'brand:', 'brand', 'person:usr_1']) {
  test(`${JSON.stringify(text)} is no place`, () => {
    assert.throws(() => readPlace(text), /is none/);
  });
}
