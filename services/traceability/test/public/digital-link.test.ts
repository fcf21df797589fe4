// From the package to the page: GS1 Digital Link as the GS1-Conformant Resolver Standard 1.2 asks for it, and the page
// of a GTIN, which several brands may claim.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { LANGUAGES } from '@lothub/languages';
import { Ajv } from 'ajv';
import { aLine, boot, type Json } from '../boot.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { RecallTenant, readArray } from '../recall/tenant.ts';

const PUBLIC_URL = 'https://trace.example.com';
const VOCABULARY = 'https://gs1.org/voc/';
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const hub = await openForFile(boot({ env: { PUBLIC_URL } }));

let numbers = 950_600_000_000;

/** A GTIN that no other test uses, with its check digit. */
function newGtin(): string {
  const digits = String((numbers += 1));
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

interface Brand {
  readonly tenant: RecallTenant;
  readonly teller: TestBrand;
}

/** A brand that claims a GTIN for its flour, and has received these lots of it. */
async function makeBrand(gtin: string | null, ...lotCodes: readonly string[]): Promise<Brand> {
  const tenant = new RecallTenant(hub);
  if (lotCodes.length > 0) await tenant.receive(...lotCodes);
  const teller = new TestBrand(hub, tenant.id);
  await teller.patch('/v1/brand', { name: `Mill ${tenant.id}` });
  if (gtin !== null) {
    const profile = { names: { de: 'Mehl', en: 'Flour' }, gtin };
    assert.equal((await teller.put('/v1/products/FLOUR-T55', profile)).status, 201);
  }
  return { tenant, teller };
}

interface Followed {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

async function follow(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Followed> {
  const response = await fetch(hub.base + path, { method, headers, redirect: 'manual' });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    location: response.headers.get('location'),
    headers: response.headers,
    text,
    json: (isJson ? JSON.parse(text) : {}) as Json,
  };
}

test('a lot of the one brand that claims the GTIN: its page, with the query of the request', async () => {
  const gtin = newGtin();
  const { tenant } = await makeBrand(gtin, 'LOT/1');

  const link = `/01/0${gtin}/10/LOT%2F1`;
  const led = await follow(link);
  const short = await follow(`/01/${gtin}/10/LOT%2F1/21/S1/?lang=de&17=261231`);

  assert.deepEqual(
    [led.status, led.location],
    [307, `${PUBLIC_URL}/lot/LOT%2F1?brand=${tenant.id}`],
  );
  assert.equal(short.location, `${PUBLIC_URL}/lot/LOT%2F1?brand=${tenant.id}&lang=de&17=261231`);
  assert.equal(led.headers.get('cache-control'), 'no-store');
  const page = await follow(new URL(String(led.location)).href.replace(PUBLIC_URL, ''));
  assert.equal(page.status, 200);
});

test('a redirect names the links in its header, and any origin may read it', async () => {
  const gtin = newGtin();
  const { tenant } = await makeBrand(gtin, 'L1');

  const { headers } = await follow(`/01/${gtin}/10/L1`, { Origin: 'https://shop.example' });

  const link = String(headers.get('link'));
  assert.ok(
    link.includes(
      `<${PUBLIC_URL}/01/0${gtin}/10/L1?linkType=linkset>; rel="linkset"; type="application/linkset+json"`,
    ),
    link,
  );
  assert.ok(
    link.includes(`<${PUBLIC_URL}/lot/L1?brand=${tenant.id}>; rel="${VOCABULARY}pip"`),
    link,
  );
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.match(String(headers.get('access-control-expose-headers')), /Link, Location/);
  const preflight = await follow(
    `/01/${gtin}/10/L1`,
    { Origin: 'https://shop.example' },
    'OPTIONS',
  );
  assert.deepEqual(
    [preflight.status, preflight.headers.get('access-control-allow-methods')],
    [204, 'GET, HEAD, OPTIONS'],
  );
  assert.equal((await follow(`/01/${gtin}/10/L1`, {}, 'HEAD')).status, 307);
});

/** The rules of GS1's schema of linksets (artefacts of the resolver standard, version 1.2.0). */
const ADDRESS = { type: 'string', pattern: '^https?://[a-zA-Z0-9./]+' };
const isLinkset = new Ajv({ strict: false }).compile({
  type: 'object',
  required: ['linkset'],
  properties: {
    linkset: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['anchor', `${VOCABULARY}defaultLink`],
        properties: { anchor: ADDRESS, description: { type: 'string' } },
        patternProperties: {
          '^((?!anchor$|description$)[a-z-]+|https?://[a-zA-Z0-9./]+)$': {
            type: 'array',
            items: {
              type: 'object',
              required: ['href', 'title'],
              properties: {
                href: ADDRESS,
                title: { type: 'string', minLength: 1 },
                type: { type: 'string', pattern: '^\\w+/[-+.\\w]+$' },
                hreflang: {
                  type: 'array',
                  items: { type: 'string', pattern: '^\\w{2}(-\\w{2})?$' },
                },
              },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
  },
});

function assertLinkset(json: Json): void {
  const isValid: unknown = isLinkset(json);
  assert.equal(isValid, true, JSON.stringify(isLinkset.errors));
}

for (const [how, query, accept] of [
  ['by its name', '?linkType=linkset', HTML],
  ['by its name of before', '?linkType=all', HTML],
  ['by its media type', '', 'application/linkset+json'],
  ['as JSON', '', 'application/json'],
] as const) {
  test(`all links are answered when they are asked for ${how}`, async () => {
    const gtin = newGtin();
    const { tenant } = await makeBrand(gtin, 'L1');

    const answer = await follow(`/01/${gtin}/10/L1${query}`, { Accept: accept });

    assert.equal(answer.status, 200, answer.text);
    assert.match(String(answer.headers.get('content-type')), /^application\/linkset\+json/);
    assertLinkset(answer.json);
    const set = answer.json['linkset']!['0']!;
    assert.equal(set['anchor'], `${PUBLIC_URL}/01/0${gtin}/10/L1`);
    const hrefs = (name: string) => readArray(set[VOCABULARY + name]).map((one) => one['href']);
    assert.deepEqual(hrefs('defaultLink'), [`${PUBLIC_URL}/lot/L1?brand=${tenant.id}`]);
    assert.deepEqual(
      readArray(set[`${VOCABULARY}pip`]).map(({ href, title, hreflang }) => [
        href,
        title,
        hreflang,
      ]),
      [
        [
          `${PUBLIC_URL}/lot/L1?brand=${tenant.id}`,
          `Page of lot L1 of ${tenant.id}`,
          [...LANGUAGES],
        ],
        [`${PUBLIC_URL}/lot/L1?brand=${tenant.id}&lang=en`, 'Flour', ['en']],
        [`${PUBLIC_URL}/lot/L1?brand=${tenant.id}&lang=de`, 'Mehl', ['de']],
      ],
    );
    assert.deepEqual(hrefs('recallStatus'), [
      `${PUBLIC_URL}/recalls?brand=${tenant.id}&lot_code=L1`,
      `${PUBLIC_URL}/public/notices?brand=${tenant.id}&lot_code=L1`,
    ]);
    assert.deepEqual(hrefs('traceability'), [
      `${PUBLIC_URL}/lot/L1?brand=${tenant.id}`,
      `${PUBLIC_URL}/public/verify/L1?brand=${tenant.id}`,
    ]);
    assert.match(
      String(answer.headers.get('link')),
      /rel="http:\/\/www\.w3\.org\/ns\/json-ld#context"/,
    );
  });
}

test('every link of a set leads to an answer', async () => {
  const gtin = newGtin();
  await makeBrand(gtin, 'L1');

  for (const path of [`/01/${gtin}/10/L1`, `/01/${gtin}`]) {
    const { json } = await follow(`${path}?linkType=linkset`);
    const targets = Object.entries(json['linkset']!['0']!).flatMap(([name, links]) =>
      name === 'anchor' ? [] : readArray(links),
    );
    assert.ok(targets.length > 3);
    for (const target of targets) {
      const href = String(target['href']);
      const { status, headers } = await follow(href.replace(PUBLIC_URL, ''));
      assert.equal(status, 200, href);
      assert.ok(String(headers.get('content-type')).startsWith(String(target['type'])), href);
    }
  }
});

for (const [linkType, accept, target] of [
  ['gs1:recallStatus', HTML, '/recalls?'],
  ['gs1:recallStatus', 'application/json', '/public/notices?'],
  ['https://gs1.org/voc/traceability', 'application/json', '/public/verify/L1?'],
  ['https://ref.gs1.org/voc/pip', HTML, '/lot/L1?'],
  ['gs1:defaultLink', HTML, '/lot/L1?'],
] as const) {
  test(`${linkType} as ${accept} leads to ${target}`, async () => {
    const gtin = newGtin();
    await makeBrand(gtin, 'L1');

    const query = new URLSearchParams({ linkType }).toString();
    const { status, location } = await follow(`/01/${gtin}/10/L1?${query}`, { Accept: accept });

    assert.equal(status, 307);
    assert.ok(location?.startsWith(PUBLIC_URL + target), String(location));
  });
}

test('a link type that no link has is not found', async () => {
  const gtin = newGtin();
  await makeBrand(gtin, 'L1');

  const { status, json } = await follow(`/01/${gtin}/10/L1?linkType=gs1:instructions`);

  assert.equal(status, 404);
  assert.match(String(json['detail']), /linkType=linkset/);
});

for (const path of [
  '/01/9506000134353',
  '/01/9506000134352/10/A%20B',
  '/01/9506000134352/21/S/10/L',
  '/01/x',
]) {
  test(`${path} is no Digital Link`, async () => {
    const program = await follow(path);
    const person = await follow(path, { Accept: HTML });

    assert.deepEqual([program.status, person.status], [400, 400]);
    assert.equal(typeof program.json['detail'], 'string');
    assert.match(String(person.headers.get('content-type')), /^text\/html/);
  });
}

test('of a GTIN alone: the page of the product, which asks for the lot', async () => {
  const gtin = newGtin();
  const { tenant, teller } = await makeBrand(gtin);
  await teller.patch('/v1/brand', { name: 'Old <b>Mill</b>' });

  const led = await follow(`/01/${gtin}`);
  const page = await follow(`/product/0${gtin}`, { 'Accept-Language': 'de' });

  assert.deepEqual([led.status, led.location], [307, `${PUBLIC_URL}/product/0${gtin}`]);
  assert.equal(page.status, 200);
  assert.match(page.text, /<html lang="de"/);
  assert.match(page.text, /Mehl/);
  assert.match(page.text, /Old &lt;b&gt;Mill/);
  assert.match(page.text, new RegExp(`name="brand" value="${tenant.id}"`));
  // What the form asks for is found, and serial numbers alone lead to the same question.
  assert.equal((await follow(`/01/${gtin}/21/S1`)).location, led.location);
});

test('claimed by several brands: one that has the lot is led to, several are asked for', async () => {
  const gtin = newGtin();
  const [one, other] = [
    await makeBrand(gtin, 'ALONE', 'BOTH'),
    await makeBrand(`0${gtin}`, 'BOTH'),
  ];
  await makeBrand(gtin);

  const alone = await follow(`/01/${gtin}/10/ALONE`);
  const both = await follow(`/01/${gtin}/10/BOTH`);
  const named = await follow(`/01/${gtin}/10/BOTH?brand=${other.tenant.id}`);

  assert.equal(alone.location, `${PUBLIC_URL}/lot/ALONE?brand=${one.tenant.id}`);
  assert.equal(both.location, `${PUBLIC_URL}/product/0${gtin}?lot_code=BOTH`);
  assert.equal(named.location, `${PUBLIC_URL}/lot/BOTH?brand=${other.tenant.id}`);
  const page = await follow(`/product/0${gtin}?lot_code=BOTH`);
  const choices = [...page.text.matchAll(/href="(\/lot\/[^"]+)"/g)].map(([, href]) => href);
  assert.deepEqual(
    choices.toSorted(),
    [one, other].map(({ tenant }) => `/lot/BOTH?brand=${tenant.id}`).toSorted(),
  );
  assert.match(page.text, /Which brand is on your package/);
});

test('a program that asks for one link of several brands gets all of them', async () => {
  const gtin = newGtin();
  const brands = [await makeBrand(gtin, 'L1'), await makeBrand(gtin, 'L1')];

  const { status, json } = await follow(`/01/${gtin}/10/L1?linkType=gs1:pip`);

  assert.equal(status, 300);
  assertLinkset(json);
  const hrefs = readArray(json['linkset']!['0']![`${VOCABULARY}pip`]).map(({ href }) => href);
  const pages = brands.map(({ tenant }) => `${PUBLIC_URL}/lot/L1?brand=${tenant.id}`);
  const each = pages.flatMap((page) => [page, `${page}&lang=en`, `${page}&lang=de`]);
  assert.deepEqual(hrefs.toSorted(), each.toSorted());
});

test('a lot that was recorded with a product of the GTIN comes before one that was not', async () => {
  const gtin = newGtin();
  const exact = await makeBrand(gtin, 'L1');
  const other = await makeBrand(null);
  await other.tenant.post({ lines: [aLine({ lot_code: 'L1', product_sku: 'RYE' })] });
  await other.teller.put('/v1/products/FLOUR-T55', { names: { en: 'Flour' }, gtin });

  const { location } = await follow(`/01/${gtin}/10/L1`);

  assert.equal(location, `${PUBLIC_URL}/lot/L1?brand=${exact.tenant.id}`);
});

test('one brand may give a GTIN to several products: the lot says which', async () => {
  const gtin = newGtin();
  const { tenant, teller } = await makeBrand(gtin, 'L1');
  await teller.put('/v1/products/FLOUR-5KG', { names: { en: 'Flour, large' }, gtin });

  const page = await follow(`/product/${gtin}`);

  assert.equal(
    (await follow(`/01/${gtin}/10/L1`)).location,
    `${PUBLIC_URL}/lot/L1?brand=${tenant.id}`,
  );
  assert.match(page.text, /several products/);
  assert.match(page.text, /Flour, large/);
});

test('claimed by nobody: a lot is found by its code', async () => {
  const { tenant } = await makeBrand(null);
  const lotCode = `ONLY-${tenant.id}`;
  await tenant.receive(lotCode);

  const { status, location } = await follow(`/01/${newGtin()}/10/${lotCode}`);

  assert.deepEqual([status, location], [307, `${PUBLIC_URL}/lot/${lotCode}`]);
});

test('a lot of somebody else is not taken for that of a brand that claims the GTIN', async () => {
  const gtin = newGtin();
  await makeBrand(gtin);
  const { tenant } = await makeBrand(null);
  const lotCode = `OTHER-${tenant.id}`;
  await tenant.receive(lotCode);

  const program = await follow(`/01/${gtin}/10/${lotCode}`);
  const person = await follow(`/01/${gtin}/10/${lotCode}`, { Accept: HTML });

  assert.deepEqual([program.status, person.status], [404, 404]);
  assert.match(person.text, /of this product is known here/);
  assert.ok(person.text.includes(`href="/lot/${lotCode}"`));
});

test('what is not known is said, with codes that are almost the same', async () => {
  const gtin = newGtin();
  const { tenant } = await makeBrand(gtin);
  const known = `LOT ${tenant.id.toUpperCase().replaceAll('-', ' ')}`;
  await tenant.receive(known);

  const path = `/01/${gtin}/10/lot-${tenant.id}`;
  const [program, person] = [await follow(path), await follow(path, { Accept: HTML })];
  const nothing = await follow(`/01/${newGtin()}`, { Accept: HTML });

  assert.deepEqual([program.status, program.json['similar']], [404, [known]]);
  assert.equal(person.status, 404);
  assert.match(person.text, /Did you mean/);
  assert.equal(nothing.status, 404);
  assert.match(nothing.text, /Nothing is known of this number/);
});

test('an open recall of the product is on its page, and at the brand that recalls', async () => {
  const gtin = newGtin();
  const one = await makeBrand(gtin, 'L1', 'L2');
  const other = await makeBrand(null, 'RYE-1');
  await other.tenant.post({ lines: [aLine({ lot_code: 'R1', product_sku: 'RYE' })] });
  await other.teller.put('/v1/products/RYE', { names: { en: 'Rye' }, gtin });
  await other.tenant.open('RYE-1', { title: 'Glass in flour' });
  const ofOne = `/product/${gtin}?brand=${one.tenant.id}`;
  const ofOther = `/product/${gtin}?brand=${other.tenant.id}`;
  const fresh = await follow(ofOne);

  await one.tenant.open('L1', { title: 'Stones' });

  const both = await follow(`/product/${gtin}`);
  assert.doesNotMatch(fresh.text, /Stones|notice bad/);
  assert.match((await follow(ofOne)).text, /Stones/);
  // The recalled product of the other brand is not the one with this GTIN.
  assert.doesNotMatch((await follow(ofOther)).text, /Glass in flour/);
  assert.equal(both.text.match(/class="chip bad"/g)?.length, 1);
});

test('the hub describes what it resolves', async () => {
  const { status, json, headers } = await follow('/.well-known/gs1resolver');

  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(json['resolverRoot'], PUBLIC_URL);
  assert.deepEqual(json['supportedPrimaryKeys'], ['01']);
  assert.deepEqual(json['supportedLinkType'], [{ namespace: VOCABULARY, prefix: 'gs1:' }]);
  assert.equal(json['linkTypeDefaultCanBeLinkset'], false);
  assert.equal(
    json['jsonLdContextLocation'],
    'https://ref.gs1.org/standards/resolver/linkset-context',
  );
});

test('a GTIN leads nowhere once its brand has removed the profile of the product', async () => {
  const gtin = newGtin();
  const { teller } = await makeBrand(gtin);
  assert.equal((await follow(`/01/${gtin}`)).status, 307);

  await teller.remove('/v1/products/FLOUR-T55');

  assert.equal((await follow(`/01/${gtin}`)).status, 404);
});
