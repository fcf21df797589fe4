// The help of a brand and of the hub: the words, what roles may do, and who reads it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LANGUAGES } from '@lothub/languages';
import { readerIn } from '../../../src/web/words/reader.ts';
import { boot } from '../../boot.ts';
import { newVisitor, open, readWords } from '../visitors.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const vera = await newVisitor(booted, { brands: { bakery: 'viewer' } });
const olga = await newVisitor(booted, { isOperator: true });

test('the help has every word of the glossary for people, in five languages, each at an address', async () => {
  for (const language of LANGUAGES) {
    const page = await vera.get(`/console/b/bakery/help?lang=${language}`);
    const said = readWords(page);
    const { terms } = readerIn(language).words.console.help;

    assert.equal(page.status, 200);
    for (const chapter of Object.values(terms)) {
      for (const [id, word] of Object.entries(chapter.words)) {
        assert.ok(page.text.includes(`id="term-${id}"`), `${language} ${id}`);
        assert.ok(said.includes(word), `${language} ${word}`);
      }
    }
  }
});

test('the help says what each role may do, and which one is the reader’s', async () => {
  const page = await vera.get('/console/b/bakery/help');

  const words = readWords(page);
  assert.match(words, /Your role: Viewer/);
  assert.match(words, /read lots, events, recall cases and reports yes yes yes/);
  assert.match(words, /put lots on hold and release them – no yes yes/);
  assert.match(words, /make and revoke keys – no – no yes/);
});

test('whoever operates the hub reads the words without a brand, and every document is there', async () => {
  const page = await olga.get('/console/hub/help');
  const links = [...page.text.matchAll(/href="(\/api-docs[^"]*)"/g)].map(([, href = '']) => href);

  assert.equal((await vera.get('/console/hub/help')).status, 403);
  assert.doesNotMatch(readWords(page), /Your role|first drill/);
  assert.ok(links.length >= 5);
  for (const href of links) assert.equal((await open(booted, href)).status, 200, href);
});
