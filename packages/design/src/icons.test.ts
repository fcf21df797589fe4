// The pictures of the pages: each is drawn with the colour of its text, for eyes alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ICON_NAMES, icon } from './icons.ts';

test('there is no picture whose lines leave its field', () => {
  for (const name of ICON_NAMES) {
    const starts = [...icon(name).text.matchAll(/[MLHV]\s?(-?[\d.]+)(?:[\s,](-?[\d.]+))?/g)];

    for (const [, ...numbers] of starts) {
      for (const number of numbers.filter((one) => one !== undefined)) {
        assert.ok(Number(number) >= 0 && Number(number) <= 20, `${name}: ${number}`);
      }
    }
  }
});

test('no picture is read out or reached by the keyboard, and none brings a colour', () => {
  for (const name of ICON_NAMES) {
    const { text } = icon(name);

    assert.match(text, /aria-hidden="true"\s+focusable="false"/);
    assert.doesNotMatch(text, /fill=|stroke=|style=/);
  }
});
