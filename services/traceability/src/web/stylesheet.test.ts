// The colours of the stylesheet can be told apart by weak eyes (WCAG 2.2, AA), light and dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXT_RATIO_MIN, coloursOf, contrastOf } from '@lothub/kit/test/contrast';
import { STYLESHEET } from './assets.ts';

const PAIRS = [
  ['text', 'ground'],
  ['text', 'panel'],
  ['muted', 'ground'],
  ['muted', 'panel'],
  ['link', 'ground'],
  ['link', 'panel'],
  ['good', 'ground'],
  ['bad', 'ground'],
  ['on-action', 'action'],
] as const;

test('black on white has the highest contrast there is', () => {
  assert.equal(Math.round(contrastOf('#000000', '#ffffff')), 21);
});

const [light, dark, paper] = coloursOf(STYLESHEET.text);
const SCHEMES = { light, dark, paper };

for (const [scheme, colours] of Object.entries(SCHEMES)) {
  for (const [front, back] of PAIRS) {
    test(`${front} on ${back} can be read in the ${scheme} scheme`, () => {
      const frontColour = colours?.get(front) ?? light?.get(front) ?? '';
      const backColour = colours?.get(back) ?? light?.get(back) ?? '';

      const contrast = contrastOf(frontColour, backColour);

      assert.ok(
        contrast >= TEXT_RATIO_MIN,
        `${frontColour} on ${backColour}: ${contrast.toFixed(2)}`,
      );
    });
  }
}
