// How each language writes dates, numbers and lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Formats, isTimeZone } from './formats.ts';
import { LANGUAGES, getDirection, type Language } from './language.ts';

const AT = '2026-03-02T23:30:00Z';

/** Whatever spaces a language puts between words, breaking or not. */
function plain(text: string): string {
  return text.replace(/\s/g, ' ');
}

for (const [language, instant, days, number, list] of [
  ['en', '3 March 2026 at 00:30 CET', '2–4 Mar 2026', '1,234,567.5', 'a, b and c'],
  ['de', '3. März 2026 um 00:30 MEZ', '2.–4. März 2026', '1.234.567,5', 'a, b und c'],
  ['fr', '3 mars 2026 à 00:30 UTC+1', '2–4 mars 2026', '1 234 567,5', 'a, b et c'],
  ['es', '3 de marzo de 2026 a las 00:30 CET', '2–4 mar 2026', '1.234.567,5', 'a, b y c'],
  ['it', '3 marzo 2026 alle ore 00:30 CET', '02–04 mar 2026', '1.234.567,5', 'a, b e c'],
] as const) {
  test(`${language} writes times, days, numbers and lists in its own way`, () => {
    const formats = new Formats(language);

    assert.equal(plain(formats.instant(AT, 'Europe/Berlin')), instant);
    const shown = plain(formats.dates('2026-03-02T08:00:00Z', '2026-03-04T08:00:00Z'));
    assert.equal(shown.replace(/ – /, '–'), days);
    assert.equal(plain(formats.number(1_234_567.5)), number);
    assert.equal(formats.list(['a', 'b', 'c']), list);
  });
}

test('a time whose place has no time zone, or none that is known, is in UTC and says so', () => {
  const formats = new Formats('de');

  for (const timeZone of [undefined, 'Europe/Kiel', '+01:00']) {
    assert.equal(formats.instant(AT, timeZone), '2. März 2026 um 23:30 UTC');
  }
});

for (const [language, day, moment] of [
  ['en', '2 Mar 2026', '2 Mar 2026, 23:30 UTC'],
  ['de', '2. März 2026', '2. März 2026, 23:30 UTC'],
  ['fr', '2 mars 2026', '2 mars 2026, 23:30 UTC'],
  ['es', '2 mar 2026', '2 mar 2026, 23:30 UTC'],
  ['it', '2 mar 2026', '2 mar 2026, 23:30 UTC'],
] as const) {
  test(`${language} writes a day and a moment short, in UTC, for columns of tables`, () => {
    const formats = new Formats(language);

    assert.equal(plain(formats.shortDate(AT)), day);
    assert.equal(plain(formats.shortInstant(AT)), moment);
  });
}

test('what is no time is shown as it is', () => {
  for (const text of ['yesterday', '', '2026-13-01T00:00:00Z']) {
    assert.equal(new Formats('en').instant(text), text);
    assert.equal(new Formats('en').date(text), text);
  }
});

test('an amount loses none of its digits', () => {
  const formats = new Formats('de');

  assert.equal(
    plain(formats.quantity('12345678901234567890.12345', 'kg')),
    '12.345.678.901.234.567.890,12345 kg',
  );
  assert.equal(plain(formats.quantity('12', 'pcs')), '12 pcs');
  assert.equal(formats.quantity('many', 'kg'), 'many kg');
});

test('items that are no text keep their places in a list', () => {
  const items = [{ of: 'a' }, { of: ' and ' }, { of: 'c' }];

  assert.deepEqual(new Formats('en').listParts(items), [
    items[0],
    ', ',
    items[1],
    ' and ',
    items[2],
  ]);
});

for (const [name, isOne] of [
  ['Europe/Berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Kiel', false],
  ['+01:00', false],
  ['', false],
  ['../etc/passwd', false],
] as const) {
  test(`${name} is ${isOne ? 'a' : 'no'} time zone`, () => {
    assert.equal(isTimeZone(name), isOne);
  });
}

test('a language is written in its direction', () => {
  const directions = new Set(LANGUAGES.map((language: Language) => getDirection(language)));

  assert.deepEqual([...directions], ['ltr']);
  assert.deepEqual(['ar', 'he', 'fa', 'ar-EG', 'ur'].map(getDirection), Array(5).fill('rtl'));
});
