// The colours of all pages can be distinguished by weak eyes (WCAG 2.2, AA): light, dark and on paper.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  EDGE_RATIO_MIN,
  TEXT_RATIO_MIN,
  computeContrast,
  listColours,
} from '@lothub/kit/test/contrast';

const SAID = ['good', 'bad', 'warn', 'info', 'unknown'];
const GROUNDS = ['ground', 'panel', 'raised', 'chosen'];

/** Text, and what it is read on. */
const TEXTS: readonly (readonly [front: string, back: string])[] = [
  ...GROUNDS.flatMap((ground) =>
    ['text', 'muted', 'link'].map((front) => [front, ground] as const),
  ),
  ['on-action', 'action'],
  ...SAID.flatMap((said) => [
    [said, `${said}-ground`] as const,
    [said, 'panel'] as const,
    [said, 'ground'] as const,
    ['text', `${said}-ground`] as const,
    ['link', `${said}-ground`] as const,
    ['muted', `${said}-ground`] as const,
  ]),
];
const EDGES: readonly (readonly [front: string, back: string])[] = [
  ['edge', 'panel'],
  ['edge', 'ground'],
  ['link', 'ground'],
  ...SAID.map((said) => [said, 'panel'] as const),
];

const [light, dark, paper] = listColours(
  readFileSync(new URL('css/tokens.css', import.meta.url), 'utf8'),
);
const SCHEMES = { light, dark, paper };
const RULES = [
  { pairs: TEXTS, ratioMin: TEXT_RATIO_MIN, what: 'read on' },
  { pairs: EDGES, ratioMin: EDGE_RATIO_MIN, what: 'seen on' },
];

test('black on white has the highest contrast there is', () => {
  assert.equal(Math.round(computeContrast('#000000', '#ffffff')), 21);
});

for (const [scheme, colours] of Object.entries(SCHEMES)) {
  for (const { pairs, ratioMin, what } of RULES) {
    for (const [front, back] of pairs) {
      test(`${front} can be ${what} ${back} in the ${scheme} scheme`, () => {
        const frontColour = colours?.get(front) ?? 'none';
        const backColour = colours?.get(back) ?? 'none';

        const contrast = computeContrast(frontColour, backColour);

        assert.ok(contrast >= ratioMin, `${frontColour} on ${backColour}: ${contrast.toFixed(2)}`);
      });
    }
  }
}
