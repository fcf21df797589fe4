// Terms on pages say what the glossary says, in English word by word.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LANGUAGES } from '@lothub/languages';
import { WORDS, readerIn } from '../../web/words/reader.ts';
import { CHAPTERS, listTerms, term, type Chapter } from './terms.ts';

const GLOSSARY = readFileSync(new URL('../../../../../docs/glossary.md', import.meta.url), 'utf8');
const HEADINGS: Readonly<Record<Chapter, string>> = {
  goods: 'Goods',
  recall: 'Recall',
  chain: 'Chain',
  notifications: 'Notifications',
  log: 'The log',
  people: 'People and keys',
};
/** Chapters that say how the services work inside: most of their words are left to the document. */
const INSIDE: ReadonlySet<Chapter> = new Set(['chain', 'notifications', 'log', 'people']);
/** Words of the other chapters that are on no page of the console. */
const ON_NO_PAGE = ['linkset', 'milestone', 'way'];

/** The rows of a chapter; the first meaning of a word that has two. */
function mapRows(chapter: Chapter): ReadonlyMap<string, string> {
  const heading = `\n## ${HEADINGS[chapter]}\n`;
  const [, text = ''] = GLOSSARY.split(heading);
  const [part = ''] = text.split('\n## ');
  const rows = [...part.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].slice(2);
  assert.ok(rows.length > 10, chapter);
  return new Map(rows.reverse().map(([, word = '', meaning = '']) => [word, meaning]));
}

for (const chapter of CHAPTERS) {
  test(`the words of ${chapter} are those of the glossary, with its sentences`, () => {
    const rows = mapRows(chapter);
    const { words, sentences } = WORDS.en.console.help.terms[chapter];

    const sentenceOf = new Map(Object.entries<string>(sentences));
    const shown = Object.entries<string>(words).map(([id, word]) => ({
      word,
      sentence: sentenceOf.get(id),
    }));

    for (const { word, sentence } of shown) {
      const meaning = rows.get(word)?.replace(/ \(\[.*?\]\(.*?\)\)/, '');
      assert.equal(sentence, meaning, word);
    }
    if (!INSIDE.has(chapter)) {
      const all = [...rows.keys()].filter((word) => !ON_NO_PAGE.includes(word));
      assert.deepEqual(shown.map(({ word }) => word).sort(), all.sort());
    }
  });
}

test('each language has the same terms, in the order of its own words', () => {
  for (const language of LANGUAGES) {
    const reader = readerIn(language);
    for (const chapter of CHAPTERS) {
      const terms = listTerms(chapter, reader);
      const words = terms.map(({ word }) => word);

      assert.equal(new Set(words).size, words.length, `${language} ${chapter}`);
      assert.deepEqual(words, words.toSorted(new Intl.Collator(language).compare));
      assert.deepEqual(
        new Set(terms.map(({ id }) => id)),
        new Set(listTerms(chapter, readerIn('en')).map(({ id }) => id)),
      );
    }
  }
});

test('a term opens its sentence without a script, and leads to the help of the brand or of the hub', () => {
  const ofBrand = term('hold', readerIn('de', { path: '/console/b/bakery/lots?q=x' }));
  const ofHub = term('held', readerIn('en', { path: '/console/hub/state' }), 'is held');

  assert.match(ofBrand.text, /<button [^>]*popovertarget="term-hold">Sperre<\/button/);
  assert.match(ofBrand.text, /id="term-hold" popover/);
  assert.match(ofBrand.text, /Eine Charge darf bis zur Freigabe nicht verwendet werden/);
  assert.match(ofBrand.text, /href="\/console\/b\/bakery\/help#term-hold"/);
  assert.match(ofHub.text, />is held<\/button/);
  assert.match(ofHub.text, /href="\/console\/hub\/help#term-held"/);
});

test('words between backticks are codes, and nothing else of a sentence is markup', () => {
  const sku = listTerms('goods', readerIn('en')).find(({ id }) => id === 'sku');

  assert.equal(
    sku?.sentence.text,
    'Stock keeping unit: the code of a product, as <code>product_sku</code>. A lot code may carry several.',
  );
});
