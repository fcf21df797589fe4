// The page of a lot code that several brands use: recalls of all, no verdict, a way to each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_NOTICE } from '../lots/notices/schema.ts';
import type { SharedCode, Sharer } from '../verification/sharers.ts';
import { sharedCodePage } from './shared-code-page.ts';
import { readerIn } from './words/reader.ts';

function sharer(id: string, openNotices = 0): Sharer {
  return {
    brand: { id, name: `<${id}>` },
    productSku: `${id}-SKU`,
    productNames: undefined,
    openNotices,
  };
}

function textWith(changes: Partial<SharedCode>): string {
  const shared: SharedCode = {
    lotCode: 'A/1',
    sharers: [sharer('mill'), sharer('bakery')],
    hasMore: false,
    notices: [],
    hasMoreNotices: false,
    ...changes,
  };
  return sharedCodePage(shared, readerIn('en')).body.text.replace(/\s+/g, ' ');
}

test('each brand is a choice that leads to its own lot', () => {
  const text = textWith({});

  assert.match(text, /href="\/lot\/A%2F1\?brand=mill"><bdi>&lt;mill&gt;<\/bdi><\/a\s*>/);
  assert.match(text, /href="\/lot\/A%2F1\?brand=bakery"/);
  assert.match(text, /<\/a\s*>, <code>bakery-SKU<\/code>/);
});

test('nothing of it reassures', () => {
  assert.doesNotMatch(textWith({}), /icon-good|Verified|no open recall|class="verdict good"/);
});

test('open recalls come before the brands, and are at the brand that has them', () => {
  const text = textWith({
    notices: [EXAMPLE_NOTICE],
    sharers: [sharer('mill'), sharer('bakery', 1)],
  });

  assert.ok(text.indexOf('Recall: <a') < text.indexOf('Choose the brand'), text);
  assert.match(text, /bakery-SKU<\/code>\s*<strong class="bad"[^]*?<\/svg> open recall<\/strong/);
  assert.doesNotMatch(text, /mill-SKU<\/code>\s*<strong/);
});

test('what is too much for one page is led to', () => {
  const text = textWith({ hasMore: true, notices: [EXAMPLE_NOTICE], hasMoreNotices: true });

  assert.match(text, /href="\/recalls\?lot_code=A%2F1"/);
  assert.match(text, /name="brand"/);
  assert.match(text, /These are the first 2 brands that use the code/);
});
