// The pages for people: what they show, what they escape, and the headers they are sent with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { anEvent, boot, type Booted } from '../boot.ts';
import { makeEvent, makeLine, storeFormerEvents, tamper } from '../ledger.ts';

const LOOK_EVERY_MS = 20;
const HOSTILE = `"><img src=x onerror=alert('1')>&amp;</title><script>alert(2)</script>`;
const RIGHT_TO_LEFT = '\u202Egnorw';
const DOTS = '..';
const SLASH = 'A/B 1%?#ü';

const ENV = { HUB_NAME: 'Hub <b>1</b>', PUBLIC_URL: 'https://trace.example.com/' };

let hub: Booted;

/** One lot made of another, sold in two ways, and lots of codes that want to be something else. */
before(async () => {
  hub = await boot({ env: ENV });
  const line = { product_sku: 'SKU-1', quantity: 10, unit: 'kg' };
  const post = async (
    type: string,
    lines: readonly object[],
    changes: object = {},
    tenantId = 'bakery',
  ): Promise<void> => {
    const event = {
      event_type: type,
      occurred_at: '2026-03-02T07:15:00+01:00',
      location: 'BAKERY-1',
      reference: 'WO-77',
      lines: lines.map((one) => ({ ...line, ...one })),
      ...changes,
    };
    const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenantId });
    assert.equal(answer.status, 201, answer.text);
  };
  await post('RECEIVE', [{ lot_code: 'FLOUR-1', direction: 'in' }], { notes: 'dry & sealed' });
  await post('PRODUCE', [
    { lot_code: 'FLOUR-1', direction: 'in' },
    { lot_code: 'BREAD-1', direction: 'out' },
  ]);
  const sold = { lot_code: 'BREAD-1', direction: 'out', customer_ref: 'CUST-4711' };
  await post('SELL', [{ ...sold, channel: 'Webshop Nord' }], {
    occurred_at: '2026-03-04T09:00:00Z',
    location: 'SHOP-2',
    notes: 'till note',
  });
  await post('RECEIVE', [{ lot_code: 'BREAD-1', direction: 'in' }], {}, 'other-bakery');
  // Codes like these are refused by now, and may be stored since version 0.5.
  await hub.service.close();
  await storeFormerEvents(
    hub.database,
    'bakery',
    [HOSTILE, RIGHT_TO_LEFT, DOTS, SLASH].map((code) =>
      makeEvent('RECEIVE', [makeLine('in', code, { product_sku: code })], {
        location: code,
        reference: code,
        notes: code,
      }),
    ),
  );
  hub = await boot({ env: ENV, database: hub.database });
  // All of the codes above came to be of one tenant: a recall of the one that wants to be markup.
  const recall = await hub.post(
    '/v1/recall/cases',
    { seed_lot_code: HOSTILE, title: HOSTILE, reason: RIGHT_TO_LEFT, opened_by: 'Ada Miller' },
    { 'X-Tenant-Id': 'bakery' },
  );
  assert.equal(recall.status, 201, recall.text);
  const name = { method: 'PATCH', body: JSON.stringify({ name: 'Mill & <i>Sons</i>' }) };
  const headers = { 'X-Tenant-Id': 'bakery', 'Content-Type': 'application/json' };
  assert.equal((await hub.call('/v1/brand', { ...name, headers })).status, 200);
});

after(async () => {
  await hub[Symbol.asyncDispose]();
});

async function page(path: string): Promise<string> {
  const answer = await hub.call(path);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.text;
}

/** Text of a page as a reader sees it, with single spaces. */
function toPlainText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

const PAGES = [
  '/',
  '/api-docs',
  '/api-docs/errors',
  '/api-docs/chain-format',
  '/api-docs/trust',
  '/api-docs/glossary',
  '/lot/BREAD-1',
  '/lot/BREAD-1?brand=bakery',
  `/lot/${encodeURIComponent(HOSTILE)}`,
  '/recalls',
  '/recalls?brand=bakery&lot_code=',
  '/explorer',
  '/explorer/block/2',
  '/explorer/search?q=BREAD',
] as const;

const FAILING = [
  ['/lot/NO-SUCH-LOT', 404],
  ['/lot/BREAD-1?brand=nobody', 404],
  ['/lot/BREAD-1?brand=%3Cscript%3E', 422],
  ['/recalls/RC-2026-4711', 404],
  ['/recalls?before=yesterday', 422],
  ['/explorer/block/4711', 404],
  ['/explorer/block/first', 422],
  ['/explorer/search', 422],
] as const;

for (const path of [...PAGES, ...FAILING.map(([failing]) => failing)]) {
  test(`the page ${path} allows no script and no style but our own`, async () => {
    const answer = await hub.call(path);

    assert.match(answer.headers.get('Content-Type') ?? '', /^text\/html/);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self'; /);
    assert.doesNotMatch(policy, /unsafe|https?:/);
    const scripts = [...answer.text.matchAll(/<script\b[^>]*>[^<]*/g)].map(([script]) => script);
    // A page that can check what it says loads the module that does it, one with hashes or times of its
    // reader what copies and shows them, and one that devices can watch what adds them.
    assert.deepEqual(
      scripts.map((script) => script.replace(/\.\w+\.js">$/, '')),
      [
        ['check', 'id="check-here"'] as const,
        ['copy-buttons', 'data-copy-text="'] as const,
        ['local-times', 'data-local="'] as const,
        ['watch-device', 'data-watch-device'] as const,
      ].flatMap(([stem, mark]) =>
        answer.text.includes(mark) ? [`<script type="module" src="/assets/modules/${stem}`] : [],
      ),
    );
    assert.equal(policy.includes("; script-src 'self'; connect-src 'self'"), scripts.length > 0);
    assert.doesNotMatch(answer.text, /<style|\sstyle=|\son\w+=["']|javascript:/i);
  });

  test(`the page ${path} has one title, one heading above all and no name twice`, async () => {
    const { text } = await hub.call(path);

    assert.equal(text.match(/<title>/g)?.length, 1);
    assert.equal(text.match(/<h1[ >]/g)?.length, 1);
    assert.match(text, /<html lang="en" dir="ltr">/);
    const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
  });
}

for (const [path, status] of FAILING) {
  test(`the page ${path} is sent with ${status} and offers to look up a lot`, async () => {
    const answer = await hub.call(path);

    assert.equal(answer.status, status);
    assert.match(answer.text, /<form [^>]*action="\/lot"/);
  });
}

test('every link of the pages to this hub leads somewhere', async () => {
  const texts = await Promise.all(PAGES.map(page));
  const links = texts.flatMap((text) =>
    // What a form posts to is no page.
    [
      ...text
        .replaceAll(/<form\b[^>]*method="post"[^>]*>/g, '')
        .matchAll(/\s(?:href|action)="(\/[^"]*)/g),
    ].map(([, link = '']) => toPlainText(link).trim().replace(/#.*/, '')),
  );

  for (const path of new Set(links)) {
    const { status } = await hub.call(path === '/lot' ? '/lot?lot_code=BREAD-1' : path);
    assert.equal(status, path === '/explorer/search' ? 422 : 200, path);
  }
});

test('every link within a document leads to a heading of the document it names', async () => {
  const documents = PAGES.filter((path) => path.startsWith('/api-docs'));
  const texts = new Map(
    await Promise.all(documents.map(async (path) => [path as string, await page(path)] as const)),
  );

  const links = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/href="([^"#]*)#([^"]+)"/g)]
      .filter(([, target]) => target === '' || target?.startsWith('/api-docs'))
      .map(([, target = '', anchor = '']) => ({ path: target === '' ? path : target, anchor })),
  );

  assert.ok(links.length > 20);
  for (const { path, anchor } of links) {
    const id = `id="${decodeURIComponent(anchor)}"`;
    assert.ok(texts.get(path)?.includes(id), `${path}#${anchor}`);
  }
});

test('the guide shows the address of its own hub', async () => {
  const text = await page('/api-docs');

  assert.match(text, /HUB=https:\/\/trace\.example\.com\n/);
  assert.doesNotMatch(text, /127\.0\.0\.1/);
});

test('the verifiers in Python are served as they are in the repository', async () => {
  for (const name of ['verify.py', 'verify_proof.py', 'monitor.py']) {
    const answer = await hub.call(`/api-docs/${name}`);

    assert.match(answer.headers.get('Content-Type') ?? '', /^text\/plain/);
    const file = new URL(`../../../../examples/${name}`, import.meta.url);
    assert.equal(answer.text, readFileSync(file, 'utf8'));
  }
});

test('the verifier as one page is served with a policy that allows its own script alone', async () => {
  const answer = await hub.call('/verifier.html');

  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('Content-Type') ?? '', /^text\/html/);
  const policy = answer.headers.get('Content-Security-Policy') ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
  assert.match(policy, /connect-src 'none'/);
  assert.ok(answer.text.includes('Verify a proof'));
});

test('the stylesheet and the icon are named after their content and may be kept for ever', async () => {
  const text = await page('/');
  const paths = [...text.matchAll(/href="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

  assert.equal(paths.length, 2);
  for (const path of paths) {
    const answer = await hub.call(path);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('Cache-Control') ?? '', /immutable/);
    assert.ok(path.includes(sha256Hex(answer.text).slice(0, 16)), path);
  }
});

test('a page is in the language of its reader, and says to caches what that depends on', async () => {
  const headers = { 'Accept-Language': 'pl, fr-CH;q=0.5' };

  const preferred = await hub.call('/lot/BREAD-1?brand=bakery', { headers });
  const kept = await hub.call('/recalls', {
    headers: { ...headers, Cookie: 'lothub_language=es' },
  });

  for (const [answer, language] of [
    [preferred, 'fr'],
    [kept, 'es'],
  ] as const) {
    assert.match(answer.text, new RegExp(`<html lang="${language}" dir="ltr">`));
    assert.equal(answer.headers.get('Content-Language'), language);
    assert.match(answer.headers.get('Vary') ?? '', /Accept-Language, Cookie/);
    assert.equal(answer.headers.get('Set-Cookie'), null);
    assert.equal(answer.headers.get('Cache-Control'), BRIEFLY);
  }
});

test('a language that is chosen is kept for a year, in an answer that no proxy keeps', async () => {
  const answer = await hub.call('/lot/BREAD-1?brand=bakery&lang=it');

  assert.match(answer.text, /<html lang="it" dir="ltr">/);
  const cookie = 'lothub_language=it; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly';
  assert.equal(answer.headers.get('Set-Cookie'), cookie);
  assert.equal(answer.headers.get('Cache-Control'), 'private, no-cache');
  assert.match(answer.text, /href="\?brand=bakery&amp;lang=de"/);
});

test('a document that is written in English says so within a page of another language', async () => {
  const answer = await hub.call('/api-docs/trust?lang=de');

  assert.match(answer.text, /<html lang="de" dir="ltr">/);
  assert.match(answer.text, /<main id="content" lang="en" dir="ltr">/);
});

test('the name of the hub is text, not markup', async () => {
  const text = await page('/');

  assert.match(text, /Hub &lt;b&gt;1&lt;\/b&gt;/);
  assert.doesNotMatch(text, /<b>/);
});

test('the page of a lot says that it is verified, in words', async () => {
  const text = toPlainText(await page('/lot/BREAD-1?brand=bakery'));

  assert.match(text, /Verified\. What Mill & <i>Sons<\/i> recorded about this lot is unchanged\./);
  assert.match(text, /There is no open recall notice/);
  assert.match(text, /Nothing is known against this lot/);
  assert.match(text, /Whether it was true and complete, no computer can prove/);
});

test('an open recall is on the page of all, on its own, and at the top of the page of its lot', async () => {
  const all = await page('/recalls');
  const own = /href="(\/recalls\/RC-[^"]+)"/.exec(all)?.[1] ?? '';

  const texts = [
    all,
    await page(own),
    await page(`/recalls?lot_code=${encodeURIComponent(HOSTILE)}`),
    await page(`/lot/${encodeURIComponent(HOSTILE)}`),
  ].map(toPlainText);

  for (const text of texts) {
    assert.ok(text.includes(HOSTILE), text);
    assert.match(text, /Do not eat or use the products concerned until it is known/);
    assert.doesNotMatch(text, /Ada Miller/);
  }
  assert.match(texts[3] ?? '', /Stop: this lot may be recalled.*Where it comes from.*on hold/);
  assert.match(
    toPlainText(await page('/recalls?brand=other-bakery')),
    /No recall is found for this/,
  );
});

test('the page of a lot shows its journey from its ancestors on, in UTC', async () => {
  const text = toPlainText(await page('/lot/BREAD-1?brand=bakery'));

  const journey = text.slice(text.indexOf('All events'), text.indexOf('Where it was sold'));
  const order = [
    '2 March 2026 at 06:15 UTC Receiving at BAKERY-1 Source lot FLOUR-1',
    'dry & sealed',
    '2 March 2026 at 06:15 UTC Production at BAKERY-1 Source lot FLOUR-1',
    'This lot, product SKU-1',
    '4 March 2026 at 09:00 UTC Sale at SHOP-2 , through online shops',
  ].map((words) => journey.indexOf(words));
  assert.ok(!order.includes(-1), journey);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
});

test('the page of a lot shows no customer, no raw channel, no note of a sale, no quantity', async () => {
  const text = await page('/lot/BREAD-1?brand=bakery');

  assert.doesNotMatch(text, /CUST-4711|Webshop|Nord|till note|\b10 kg|WO-77/);
});

test('the page of a lot names the blocks that prove it, with their hashes', async () => {
  const text = await page('/lot/BREAD-1?brand=bakery');
  const { json } = await hub.call('/public/verify/BREAD-1?brand=bakery');

  for (const proof of json['proof'] as unknown as { height: number; block_hash: string }[]) {
    assert.ok(text.includes(`href="/explorer/block/${proof.height}"`));
    assert.ok(text.includes(proof.block_hash));
  }
});

test('a lot code that two brands use leads to the lot of either', async () => {
  const question = await page('/lot/BREAD-1');
  const first = await page('/lot/BREAD-1?brand=bakery');
  const second = await page('/lot/BREAD-1?brand=other-bakery');

  for (const brand of ['bakery', 'other-bakery']) {
    assert.ok(question.includes(`href="/lot/BREAD-1?brand=${brand}"`), brand);
  }
  assert.match(first, /href="\/lot\/BREAD-1\?brand=other-bakery"/);
  assert.match(toPlainText(second), /SKU-1 other-bakery Lot BREAD-1/);
});

test('the form leads to the page of a lot, whatever its code is made of', async () => {
  for (const code of ['BREAD-1', HOSTILE, RIGHT_TO_LEFT, DOTS, SLASH]) {
    const answer = await hub.call(`/lot?${new URLSearchParams({ lot_code: code }).toString()}`);

    assert.equal(answer.status, 200, code);
    const heading = /<(?:h1|p)>(Lot\s*<code>[\s\S]*?<\/code>)/.exec(answer.text)?.[1] ?? '';
    assert.equal(
      toPlainText(heading)
        .replace(/^\s*Lot\s/, '')
        .trim(),
      code,
    );
  }
});

test('what a tenant wrote never becomes markup, on no page that shows it', async () => {
  const { json } = await hub.call('/public/explorer');
  const height = (json['stats']?.['height'] as unknown as number) - 5;
  const paths = [
    `/lot/${encodeURIComponent(HOSTILE)}`,
    '/explorer',
    `/explorer/block/${height}`,
    `/explorer/search?q=${encodeURIComponent(HOSTILE.slice(0, 8))}`,
    `/explorer/search?q=${encodeURIComponent(HOSTILE)}`,
    '/recalls',
    `/recalls?brand=bakery&lot_code=${encodeURIComponent(HOSTILE)}`,
  ];

  for (const path of paths) {
    const text = await page(path);
    const written = text.replace(/<script type="module" src="\/assets\/[\w./-]+"><\/script>/g, '');
    assert.doesNotMatch(written, /<img|<script|<\/title><|&amp;amp;amp;/i, path);
    assert.match(text, /&lt;script&gt;alert\(2\)|&lt;img src/, path);
  }
});

test('a search that finds nothing says so and repeats what was asked as text', async () => {
  const text = await page(`/explorer/search?q=${encodeURIComponent('<b>nothing</b>')}`);

  assert.match(toPlainText(text), /Nothing begins with <b>nothing<\/b>/);
  assert.doesNotMatch(text, /<b>/);
});

test('the explorer lists the newest blocks first and leads to the older ones', async () => {
  const newest = await page('/explorer');
  const older = await page('/explorer?before=2');

  assert.match(toPlainText(newest), /The chain is valid/);
  const heights = (text: string): readonly number[] =>
    [...text.matchAll(/<p class="number">\s*<a[^>]*>Block (\d+)/g)].map(([, height]) =>
      Number(height),
    );
  assert.deepEqual(heights(newest), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  assert.deepEqual(heights(older), [1, 0]);
});

test('the page of a block shows its text, indented, and the command that hashes it', async () => {
  const shown = await page('/explorer/block/2');
  const text = toPlainText(shown);
  const { json } = await hub.call('/public/explorer/block/2');

  const [, indented = ''] = /<pre class="canonical"[^>]*>([^]*?)<\/pre>/.exec(shown) ?? [];
  assert.deepEqual(JSON.parse(toPlainText(indented)), JSON.parse(String(json['canonical'])));
  assert.match(indented, /\n {6}&quot;event_type&quot;: &quot;/);
  assert.ok(shown.replace(/<[^>]*>/g, '').includes(String(json['block_hash'])));
  const command = "curl -sS 'https://trace.example.com/explorer/block/2/canonical.txt' | sha256sum";
  assert.ok(text.includes(command), text);
});

test('the bare text of a block hashes to its hash as it comes', async () => {
  const { json } = await hub.call('/public/explorer');
  for (const height of [0, 2, json['stats']?.['height']]) {
    const answer = await hub.call(`/explorer/block/${String(height)}/canonical.txt`);
    const block = await hub.call(`/public/explorer/block/${String(height)}`);

    assert.match(answer.headers.get('Content-Type') ?? '', /^text\/plain/);
    assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(sha256Hex(answer.text), block.json['block_hash']);
  }
});

/** A proxy and a browser keep a verdict for 30 seconds together. */
const BRIEFLY = 'public, max-age=15, must-revalidate';

test('pages have ten times the limit of the JSON, of which they are made, by default', async () => {
  await using strict = await boot({ env: { RATE_LIMIT_PUBLIC: '3' } });

  const answer = await strict.call('/explorer');

  assert.equal(answer.headers.get('RateLimit-Limit'), '30');
});

test('the page of the explorer is the same while only the verifier gets further', async () => {
  const verifiedAt = async () =>
    (await hub.call('/public/explorer')).json['stats']?.['verified_at'];
  const before = await verifiedAt();
  const first = await hub.call('/explorer');
  while ((await verifiedAt()) === before) await sleep(LOOK_EVERY_MS);

  const again = await hub.call('/explorer', {
    headers: { 'If-None-Match': first.headers.get('ETag') ?? '' },
  });

  assert.equal(again.status, 304);
});

test('a page that says how things are now is kept for a moment, and costs little if unchanged', async () => {
  const first = await hub.call('/lot/BREAD-1');
  const again = await hub.call('/lot/BREAD-1', {
    headers: { 'If-None-Match': first.headers.get('ETag') ?? '' },
  });

  assert.equal(first.headers.get('Cache-Control'), BRIEFLY);
  assert.match(first.headers.get('ETag') ?? '', /^W\//);
  assert.equal(again.headers.get('Cache-Control'), BRIEFLY);
  assert.equal(again.status, 304);
});

test('pages that read the database are counted for each client, and say so as a page', async () => {
  await using strict = await boot({ env: { RATE_LIMIT_PAGES: '2' } });

  const statuses = [];
  for (const path of ['/explorer', '/explorer', '/explorer', '/', '/public/explorer']) {
    statuses.push((await strict.call(path)).status);
  }
  const refused = await strict.call('/lot/BREAD-1');

  assert.deepEqual(statuses, [200, 200, 429, 200, 200]);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('Cache-Control'), 'no-store');
  assert.match(refused.headers.get('Retry-After') ?? '', /^\d+$/);
  assert.match(toPlainText(refused.text), /Too many requests/);
});

test('pages of a changed block say so in words', async () => {
  await using broken = await boot();
  const { status } = await broken.post('/v1/events', anEvent());
  assert.equal(status, 201);
  await tamper(
    broken.database,
    "update blocks set canonical = replace(canonical, 'BAKERY-1', 'BAKERY-2') where height = ?",
    1,
  );

  const block = await broken.call('/explorer/block/1');
  const lot = await broken.call('/lot/FLOUR-1');
  const explorer = await broken.call('/explorer');

  assert.match(toPlainText(block.text), /Not intact: its text as stored does not give its hash/);
  assert.match(
    toPlainText(lot.text),
    /Not verified\. What is stored does not agree with the chain/,
  );
  assert.match(toPlainText(explorer.text), /The chain is not valid/);
});

test('the page of a lot whose block names another lot now blames no correction and calms nobody', async () => {
  await using broken = await boot();
  const { status } = await broken.post('/v1/events', anEvent());
  assert.equal(status, 201);
  await tamper(
    broken.database,
    "update blocks set canonical = replace(canonical, 'FLOUR-1', 'FLOUR-2') where height = ?",
    1,
  );

  const page = await broken.call('/lot/FLOUR-1');
  const text = toPlainText(page.text);
  const { json } = await broken.call('/public/verify/FLOUR-1');

  assert.match(text, /Not verified\. .* do not verify: Block 1 \./);
  assert.match(text, /Whether this lot is recalled cannot be seen from here/);
  assert.doesNotMatch(text, /[Cc]orrections|no open recall notice|in circulation/);
  assert.doesNotMatch(page.text, /icon-good|✓/);
  assert.match(String(json['journey_title']), /^Blocks of this journey do not verify/);
  assert.deepEqual(json['steps'], []);
});

test('a recall that is known is on the page of a lot whose block was changed', async () => {
  await using broken = await boot();
  await broken.post('/v1/events', anEvent());
  const recall = await broken.post('/v1/recall/cases', {
    seed_lot_code: 'FLOUR-1',
    title: 'Glass in flour',
    reason: 'A lamp broke',
    opened_by: 'Ada Miller',
  });
  assert.equal(recall.status, 201, recall.text);
  await tamper(
    broken.database,
    "update blocks set canonical = replace(canonical, 'BAKERY-1', 'BAKERY-2') where height = ?",
    1,
  );

  const text = toPlainText((await broken.call('/lot/FLOUR-1')).text);

  assert.match(text, /Recall: Glass in flour/);
  assert.match(text, /Whether there are further recalls of this lot cannot be seen/);
});
