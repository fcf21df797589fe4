// Texts of others with their addresses as links: what becomes one, what never does, and what is around it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkedText } from './linked-text.ts';

/** Where the links of a text lead, and their words. */
function listLinks(text: string): readonly (readonly [href: string, words: string])[] {
  const found = linkedText(text).text.matchAll(/<a href="([^"]*)"[^>]*><bdi>(.*?)<\/bdi><\/a>/g);
  return [...found].map(([, href = '', words = '']) => [href, words]);
}

/** What a reader sees of a text, without its links. */
function readWords(text: string): string {
  return linkedText(text)
    .text.replace(/<\/?(?:a|bdi)\b[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const LINKED: readonly (readonly [text: string, href: string, words: string])[] = [
  [
    'See https://mill.example/recall.',
    'https://mill.example/recall',
    'https://mill.example/recall',
  ],
  [
    '(http://mill.example/a?b=1&c=2)',
    'http://mill.example/a?b=1&amp;c=2',
    'http://mill.example/a?b=1&amp;c=2',
  ],
  ['Write to ada@mill.example!', 'mailto:ada@mill.example', 'ada@mill.example'],
  ['mailto:ada@mill.example', 'mailto:ada@mill.example', 'mailto:ada@mill.example'],
  ['Call +49 30 123456-78.', 'tel:+493012345678', '+49 30 123456-78'],
  ['+44 (0)20 7946 0958', 'tel:+4402079460958', '+44 (0)20 7946 0958'],
  ['Hotline 0800 123 4567, free', 'tel:08001234567', '0800 123 4567'],
  ['030/1234567', 'tel:0301234567', '030/1234567'],
  ['Tél. 01 23 45 67 89', 'tel:0123456789', '01 23 45 67 89'],
  ['1-800-555-0199', 'tel:18005550199', '1-800-555-0199'],
  ['tel:+15550100199', 'tel:+15550100199', 'tel:+15550100199'],
];

for (const [text, href, words] of LINKED) {
  test(`in “${text}” there is a link to ${href}`, () => {
    assert.deepEqual(listLinks(text), [[href, words]]);
  });
}

const NOT_LINKED: readonly string[] = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'ftp://mill.example/',
  '//mill.example/',
  'mill.example',
  'https://bank.example@elsewhere.example/',
  'https://user:word@elsewhere.example/',
  'Lot 0815-4711-01',
  'LOT-0800 123 4567-B7',
  'GTIN 04012345678901',
  'on 01-02-2026',
  'on 2026-11-23 at 08:30',
  '0.123 456 789 kg',
  'RC-2026-0001',
  '00 000 000',
];

for (const text of NOT_LINKED) {
  test(`in “${text}” there is no link`, () => {
    assert.deepEqual(listLinks(text), []);
    assert.equal(readWords(text), text);
  });
}

const HOSTILE: readonly string[] = [
  `https://mill.example/"onmouseover="alert(1)`,
  `https://mill.example/'><script>alert(1)</script>`,
  `<a href="javascript:alert(1)">https://mill.example/</a>`,
  `https://mill.example/\u202egnp.exe`,
  `ada"onclick=alert(1)@mill.example`,
  `+49 30 12345678"><img src=x onerror=alert(1)>`,
  `https://mill.example/&quot;&lt;`,
];

for (const text of HOSTILE) {
  test(`“${text}” makes no markup but links, and is shown as it is written`, () => {
    const { text: markup } = linkedText(text);

    const tags = [...markup.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    for (const tag of tags) {
      assert.match(
        tag,
        /^<(?:a href="(?:https?:|mailto:|tel:)[^"<>']*" rel="noopener noreferrer nofollow"|\/a|bdi|\/bdi)>$/,
      );
    }
    assert.equal(readWords(text), text);
  });
}

test('texts without an end are searched in a moment, and shown whole', () => {
  const long = [
    'a@'.repeat(50_000),
    'http://'.repeat(20_000),
    '+1 '.repeat(40_000),
    '0123 456 '.repeat(15_000),
    `https://mill.example/${'('.repeat(100_000)}`,
    'https://mill.example/ '.repeat(5_000),
  ];
  for (const text of long) {
    const begun = performance.now();

    const shown = readWords(text);

    assert.equal(shown, text);
    assert.ok(performance.now() - begun < 2_000, `${text.slice(0, 20)}… took too long`);
  }
});

test('a text has a hundred links at most', () => {
  assert.equal(listLinks('https://mill.example/ '.repeat(500)).length, 100);
});
