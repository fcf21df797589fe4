// The colours of the stylesheet can be told apart by weak eyes (WCAG 2.2, AA), light and dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STYLESHEET } from './assets.ts';

/** Contrast that text needs; large text and edges of fields would need 3. */
const RATIO_MIN = 4.5;

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

type Colours = ReadonlyMap<string, string>;

/** Custom properties of the colours, in the order in which `:root` sets them: light, dark, paper. */
function coloursOf(css: string): readonly Colours[] {
  return [...css.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, block = '']) =>
      new Map(
        [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name!, hex!]),
      ),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('black on white has the highest contrast there is', () => {
  assert.equal(Math.round(ratio('#000000', '#ffffff')), 21);
});

const [light, dark, paper] = coloursOf(STYLESHEET.text);
const SCHEMES = { light, dark, paper };

for (const [scheme, colours] of Object.entries(SCHEMES)) {
  for (const [front, back] of PAIRS) {
    test(`${front} on ${back} can be read in the ${scheme} scheme`, () => {
      const frontColour = colours?.get(front) ?? light?.get(front) ?? '';
      const backColour = colours?.get(back) ?? light?.get(back) ?? '';

      const contrast = ratio(frontColour, backColour);

      assert.ok(contrast >= RATIO_MIN, `${frontColour} on ${backColour}: ${contrast.toFixed(2)}`);
    });
  }
}
