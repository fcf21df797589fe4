// The colours of the stylesheets can be told apart by weak eyes (WCAG 2.2, AA), light and dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EDGE_RATIO_MIN, TEXT_RATIO_MIN, coloursOf, contrastOf } from '@lothub/kit/test/contrast';
import { STYLESHEETS } from './assets.ts';

const TEXTS = [
  ['text', 'ground'],
  ['text', 'panel'],
  ['text', 'raised'],
  ['text', 'chosen'],
  ['muted', 'ground'],
  ['muted', 'panel'],
  ['muted', 'raised'],
  ['muted', 'chosen'],
  ['link', 'ground'],
  ['link', 'panel'],
  ['link', 'chosen'],
  ['on-action', 'action'],
  ['good', 'good-ground'],
  ['good', 'panel'],
  ['critical', 'critical-ground'],
  ['critical', 'panel'],
  ['warning', 'warning-ground'],
  ['info', 'info-ground'],
] as const;
const EDGES = [
  ['edge', 'panel'],
  ['edge', 'ground'],
  ['link', 'ground'],
  ['critical', 'panel'],
  ['warning', 'panel'],
  ['info', 'panel'],
] as const;

const [light, dark] = coloursOf(STYLESHEETS.map(({ text }) => text).join('\n'));
const SCHEMES = { light, dark };
const RULES = [
  { pairs: TEXTS, ratioMin: TEXT_RATIO_MIN, what: 'read on' },
  { pairs: EDGES, ratioMin: EDGE_RATIO_MIN, what: 'seen on' },
] as const;

for (const [scheme, colours] of Object.entries(SCHEMES)) {
  for (const { pairs, ratioMin, what } of RULES) {
    for (const [front, back] of pairs) {
      test(`${front} can be ${what} ${back} in the ${scheme} scheme`, () => {
        const frontColour = colours?.get(front) ?? '';
        const backColour = colours?.get(back) ?? '';

        const contrast = contrastOf(frontColour, backColour);

        assert.ok(contrast >= ratioMin, `${frontColour} on ${backColour}: ${contrast.toFixed(2)}`);
      });
    }
  }
}
