// The feeds of recalls: whole by the rules of their formats, with ids that stay and updates as cases move.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { buildRecord } from '@lothub/kit/build-record';
import { Ajv } from 'ajv';
import { SaxesParser } from 'saxes';
import { aLine, boot, type Answer, type Json } from '../boot.ts';
import { WORDS } from '../../src/web/words/reader.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { RecallTenant, readArray } from './tenant.ts';

const PUBLIC_URL = 'https://trace.example.com';
const HOSTILE = '</title><script>alert(1)</script> & ]]> \u0001\u{1F35E}';

const hub = await openForFile(boot({ env: { PUBLIC_URL, HUB_NAME: 'Hub & <b>Co</b>' } }));

async function brandWith(...lotCodes: readonly string[]): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub);
  for (const lot_code of lotCodes) await tenant.post({ lines: [aLine({ lot_code })] });
  return tenant;
}

/** An element of Atom, as far as its rules need it. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Of the namespace of Atom alone; throws for what is no XML. */
function parseAtom(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    assert.equal(uri, 'http://www.w3.org/2005/Atom');
    const element: Element = {
      name: local,
      attributes: buildRecord(Object.keys(attributes), (name) => String(attributes[name]?.value)),
      children: [],
      text: '',
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  assert.equal(root.children.length, 1);
  return root.children[0]!;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The rules of RFC 4287 for a feed whose entries have authors and contents of their own. */
function assertAtom(feed: Element): readonly Element[] {
  assert.equal(feed.name, 'feed');
  const all = (element: Element, name: string) =>
    element.children.filter((one) => one.name === name);
  const one = (element: Element, name: string): Element => {
    assert.equal(all(element, name).length, 1, `${element.name} has one ${name}`);
    return all(element, name)[0]!;
  };
  const entries = all(feed, 'entry');
  for (const element of [feed, ...entries]) {
    assert.match(
      one(element, 'id').text,
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.notEqual(one(element, 'title').text, '');
    assert.match(one(element, 'updated').text, RFC_3339);
    const links = all(element, 'link').map(({ attributes }) => attributes);
    const alternates = links.filter(({ rel }) => rel === 'alternate');
    assert.equal(alternates.length, 1);
    for (const { href } of links) assert.ok(URL.canParse(href!), String(href));
  }
  assert.equal(
    all(feed, 'link').filter(({ attributes }) => attributes['rel'] === 'self').length,
    1,
  );
  for (const entry of entries) {
    assert.match(one(entry, 'published').text, RFC_3339);
    assert.notEqual(one(one(entry, 'author'), 'name').text, '');
    assert.equal(one(entry, 'summary').children.length, 0);
    assert.equal(one(entry, 'content').attributes['type'], 'html');
    for (const category of all(entry, 'category')) assert.ok(category.attributes['term']);
  }
  const ids = entries.map((entry) => one(entry, 'id').text);
  assert.equal(new Set(ids).size, ids.length);
  return entries;
}

const text = (element: Element, name: string) =>
  element.children.find((child) => child.name === name)?.text ?? '';

/** The rules of jsonfeed.org/version/1.1, for what this feed has of it. */
const url = { type: 'string', pattern: '^https?://' };
const instant = { type: 'string', pattern: RFC_3339.source };
const isJsonFeed = new Ajv({ strict: false }).compile({
  type: 'object',
  required: ['version', 'title', 'items'],
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: { type: 'string', minLength: 1 },
    home_page_url: url,
    feed_url: url,
    next_url: url,
    description: { type: 'string' },
    language: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id'],
        anyOf: [{ required: ['content_html'] }, { required: ['content_text'] }],
        properties: {
          id: { type: 'string', minLength: 1 },
          url,
          title: { type: 'string' },
          content_html: { type: 'string' },
          summary: { type: 'string' },
          image: url,
          date_published: instant,
          date_modified: instant,
          authors: {
            type: 'array',
            items: {
              type: 'object',
              minProperties: 1,
              properties: { name: { type: 'string' }, url },
              additionalProperties: false,
            },
          },
          tags: { type: 'array', items: { type: 'string' } },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
});

async function atom(path = '/recalls.atom'): Promise<readonly Element[]> {
  const answer = await hub.call(path);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  return assertAtom(parseAtom(answer.text));
}

async function jsonFeed(path = '/recalls.json'): Promise<Json> {
  const answer: Answer = await hub.call(path);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/feed+json; charset=utf-8');
  assert.ok(isJsonFeed(answer.json), JSON.stringify(isJsonFeed.errors));
  return answer.json;
}

const buildUrl = (caseNo: unknown) => `${PUBLIC_URL}/recalls/${String(caseNo)}`;
const entryIn = (entries: readonly Element[], caseNo: unknown) =>
  entries.find((entry) =>
    entry.children.some(
      ({ name, attributes }) => name === 'link' && attributes['href'] === buildUrl(caseNo),
    ),
  );

test('a feed without a recall is whole as well', async () => {
  const empty = await boot();
  try {
    const [first, second] = [await empty.call('/recalls.atom'), await empty.call('/recalls.json')];

    assert.deepEqual(assertAtom(parseAtom(first.text)), []);
    assert.ok(isJsonFeed(second.json));
  } finally {
    await empty[Symbol.asyncDispose]();
  }
});

test('both feeds have every recall with what to do, whatever its texts are made of', async () => {
  const tenant = await brandWith('F-1');
  const teller = new TestBrand(hub, tenant.id);
  await teller.patch('/v1/brand', { name: HOSTILE.slice(0, 20), website: 'https://mill.example' });
  await teller.put('/v1/products/FLOUR-T55', { names: { en: 'Flour <i>' } });
  const opened = await tenant.open('F-1', {
    title: HOSTILE,
    reason: HOSTILE,
    severity: 'class_ii',
  });

  const entry = entryIn(await atom(), opened['case_no']);
  const feed = await jsonFeed();

  assert.ok(entry);
  assert.equal(text(entry, 'title'), HOSTILE.replace('\u0001', '\uFFFD'));
  assert.equal(text(entry, 'summary'), WORDS.en.advice.what.class_ii);
  const content = text(entry, 'content');
  assert.match(content, /Flour &lt;i&gt; \(FLOUR-T55\)/);
  assert.match(content, new RegExp(`href="${PUBLIC_URL}/lot/F-1\\?brand=${tenant.id}"`));
  assert.doesNotMatch(content, /<script>/);
  const item = readArray(feed['items']).find(
    (one) => String(one['url']) === buildUrl(opened['case_no']),
  );
  assert.equal(item?.['title'], HOSTILE);
  assert.equal(item['id'], text(entry, 'id'));
  assert.doesNotMatch(String(item['content_html']), /<script>/);
});

test('as a case moves, its entry is updated and comes first, and keeps its id', async () => {
  const tenant = await brandWith('M-1', 'M-2');
  const { case_no: moved } = await tenant.open('M-1');
  const { case_no: newer } = await tenant.open('M-2');
  const before = await atom();
  const ids: string[] = [];
  const titles: string[] = [];
  const updated: string[] = [];

  assert.equal(before[0], entryIn(before, newer));
  for (const status of ['notification', 'containment', 'closed']) {
    await tenant.moveThrough(moved, status);
    const [first] = await atom();
    assert.equal(first && text(first, 'id'), text(entryIn(before, moved)!, 'id'));
    ids.push(text(first!, 'id'));
    titles.push(text(first!, 'title'));
    updated.push(text(first!, 'updated'));
  }

  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(updated, updated.toSorted());
  assert.equal(new Set(updated).size, 3);
  assert.match(titles[2] ?? '', /^Ended: /);
});

test('a cancelled recall says so in the feed, so that readers hear of it', async () => {
  const tenant = await brandWith('X-1');
  const { case_no: caseNo } = await tenant.open('X-1', { title: 'Glass' });
  await tenant.moveThrough(caseNo, 'cancelled');

  const entry = entryIn(await atom(), caseNo);

  assert.ok(entry);
  assert.equal(text(entry, 'title'), 'Cancelled: Glass');
  assert.match(text(entry, 'content'), /The brand cancelled this recall on/);
});

test('a case in confidence is in no feed', async () => {
  const tenant = await brandWith('Y-1');
  const { case_no: caseNo } = await tenant.open('Y-1', { confidential: true });

  assert.equal(entryIn(await atom(), caseNo), undefined);
});

test('a feed is written in the language that its address names', async () => {
  const tenant = await brandWith('Z-1');
  const { case_no: caseNo } = await tenant.open('Z-1', { severity: 'class_i' });

  const entry = entryIn(await atom('/recalls.atom?lang=fr'), caseNo);
  const feed = await jsonFeed('/recalls.json?lang=es');

  assert.equal(text(entry!, 'summary'), WORDS.fr.advice.what.class_i);
  assert.equal(feed['language'], 'es');
  assert.equal(feed['feed_url'], `${PUBLIC_URL}/recalls.json?lang=es`);
  assert.equal((await hub.call('/recalls.atom?lang=xx')).status, 422);
});

test('a feed leads from page to page through all recalls', async () => {
  const codes = Array.from({ length: 55 }, (_, index) => `N-${index}`);
  const tenant = await brandWith(...codes);
  const opened = new Set<string>();
  for (const code of codes) opened.add(buildUrl((await tenant.open(code))['case_no']));

  const first = await jsonFeed();
  const next = String(first['next_url']);
  const second = await jsonFeed(next.replace(PUBLIC_URL, ''));
  const pages = await atom(next.replace(PUBLIC_URL, '').replace('.json', '.atom'));

  assert.equal(readArray(first['items']).length, 50);
  const urls = [first, second].flatMap((feed) =>
    readArray(feed['items']).map((one) => String(one['url'])),
  );
  assert.equal(new Set(urls).size, urls.length);
  for (const one of opened) assert.ok(urls.includes(one), one);
  assert.equal(pages.length, readArray(second['items']).length);
  assert.equal((await hub.call('/recalls.atom?after=yesterday')).status, 422);
});

test('an unchanged feed is not sent again, by tag or by time; any origin may read it', async () => {
  const tenant = await brandWith('U-1');
  const { case_no: caseNo } = await tenant.open('U-1');
  const first = await hub.call('/recalls.atom', { headers: { Origin: 'https://shop.example' } });
  const tag = String(first.headers.get('etag'));
  const time = String(first.headers.get('last-modified'));

  const byTag = await hub.call('/recalls.atom', { headers: { 'If-None-Match': tag } });
  const byTime = await hub.call('/recalls.atom', { headers: { 'If-Modified-Since': time } });
  const before = new Date(Date.parse(time) - 1_000).toUTCString();
  const earlier = await hub.call('/recalls.atom', { headers: { 'If-Modified-Since': before } });
  await tenant.moveThrough(caseNo, 'notification');
  const moved = await hub.call('/recalls.atom', { headers: { 'If-None-Match': tag } });

  assert.deepEqual(
    [byTag.status, byTime.status, earlier.status, moved.status],
    [304, 304, 200, 200],
  );
  assert.equal(first.headers.get('access-control-allow-origin'), '*');
  assert.match(String(first.headers.get('cache-control')), /max-age=15/);
});
