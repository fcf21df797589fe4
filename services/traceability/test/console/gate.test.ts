// Who gets into the console: each route names a right, and each role, other brands and nobody at all are held
// against every route.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BRAND_RIGHTS, HUB_RIGHTS, isBrandRight, isHubRight } from '@lothub/people/brands/rights';
import type { BrandRole } from '@lothub/people/brands/rights';
import { FOREIGN_SENDERS, foreignHeaders } from '@lothub/people/test/foreign-senders';
import type { ConsoleRight } from '../../src/console/access.ts';
import { ADMIN_KEY, TENANT_KEY, boot } from '../boot.ts';
import { OWN_SITE, newVisitor, open, readWords, submit, type TestVisitor } from './visitors.ts';

const BRAND = 'bakery';
const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

interface Route {
  readonly method: string;
  readonly url: string;
  readonly right: ConsoleRight;
}

/** All routes of the console, as the service itself has them. */
const ROUTES: readonly Route[] = (await booted.service.openConsole()).routes;
const GATED = ROUTES.filter(({ right }) => right !== 'open');

/** The route with ids that nothing has, so that whoever may come in gets no further than a page. */
function buildAddress({ url }: Route, brand = BRAND): string {
  return url
    .replace(':brand', brand)
    .replace(':token', 'x'.repeat(43))
    .replace('*', 'no-such-page')
    .replace(/:\w+/g, 'none');
}

async function ask(route: Route, who: TestVisitor | undefined, brand?: string) {
  const path = buildAddress(route, brand);
  const headers = who?.headers ?? OWN_SITE;
  return route.method === 'POST'
    ? await submit(booted, path, { headers })
    : await open(booted, path, { headers });
}

test('the console has pages and forms, and each names what it asks for', () => {
  assert.ok(ROUTES.length > 30, String(ROUTES.length));
  assert.deepEqual(new Set(ROUTES.map(({ method }) => method)), new Set(['GET', 'POST']));
  for (const { url, right } of ROUTES) {
    const isKnown = right === 'open' || right === 'own' || isBrandRight(right) || isHubRight(right);
    assert.ok(isKnown, `${url} ${right}`);
    assert.equal(isBrandRight(right), url.includes(':brand'), url);
  }
});

test('the table of rights has no right that nothing asks for', () => {
  const asked = new Set<string>(ROUTES.map(({ right }) => right));

  const unasked = [...Object.keys(BRAND_RIGHTS), ...Object.keys(HUB_RIGHTS)].filter(
    (right) => !asked.has(right),
  );

  assert.deepEqual(unasked, []);
});

test('what is open to everybody is what lets people in and out', () => {
  const opened = ROUTES.filter(({ right }) => right === 'open').map(({ url }) => url);

  assert.deepEqual(
    [...new Set(opened)].sort(),
    ['invitation/:token', 'login', 'logout', 'setup/:token'].map((path) => `/console/${path}`),
  );
});

const ROLES: readonly BrandRole[] = ['viewer', 'quality', 'manager'];

for (const role of ROLES) {
  test(`a ${role} gets into what the right says, and gets a page that names the role for the rest`, async () => {
    for (const route of GATED) {
      const ada = await newVisitor(booted, { brands: { [BRAND]: role } });
      const { status, text } = await ask(route, ada);
      const { right } = route;
      const where = `${route.method} ${route.url}: ${status}`;
      if (right === 'own') assert.notEqual(status, 403, where);
      else if (isBrandRight(right)) {
        const roles: readonly string[] = BRAND_RIGHTS[right];
        assert.equal(status === 403, !roles.includes(role), where);
        if (status === 403) assert.match(text, /needs the role (?:Quality|Manager)/, where);
      } else {
        assert.ok(right !== 'open' && HUB_RIGHTS[right].includes('operator'));
        assert.equal(status, 403, where);
        assert.match(text, /needs the role Operator/, where);
      }
    }
  });
}

test('an operator is in no brand, and a manager of another brand is not in this one: there is no such brand', async () => {
  const operator = await newVisitor(booted, { isOperator: true });
  const other = await newVisitor(booted, { brands: { mill: 'manager' } });
  const ofBrands = GATED.filter(({ right }) => right !== 'own' && isBrandRight(right));

  assert.ok(ofBrands.length > 8);
  for (const route of ofBrands) {
    for (const who of [operator, other]) {
      const [theirs, none] = [await ask(route, who), await ask(route, who, 'nobody')];

      assert.deepEqual([theirs.status, none.status], [404, 404], route.url);
      const words = (page: typeof theirs) => readWords(page).replace(/Request \S+/, '');
      assert.equal(words(theirs), words(none).replaceAll('nobody', BRAND), route.url);
    }
  }
});

test('an operator gets into everything of the hub', async () => {
  const operator = await newVisitor(booted, { isOperator: true });
  const ofHub = GATED.filter(({ right }) => right !== 'own' && isHubRight(right));

  assert.ok(ofHub.length > 4);
  for (const route of ofHub) {
    const { status } = await ask(route, operator);
    assert.ok([200, 404, 422].includes(status), `${route.url}: ${status}`);
  }
});

test('without a session every page leads to the log-in and back, and no form does anything', async () => {
  for (const route of GATED) {
    const { status, location, text } = await ask(route, undefined);
    const path = buildAddress(route);
    if (route.method === 'GET') {
      assert.equal(status, 303, path);
      const next = new URL(location ?? '', booted.base);
      assert.equal(next.pathname, '/console/login');
      assert.equal(next.searchParams.get('next') ?? '/console', path);
    } else {
      assert.equal(status, 401, path);
      assert.match(text, /Your session has ended/, path);
    }
  }
});

for (const sender of FOREIGN_SENDERS) {
  test(`no form of the console is done, and none shows anything, with ${sender.says}`, async () => {
    const ada = await newVisitor(booted, { brands: { [BRAND]: 'manager' }, isOperator: true });
    const { Cookie: cookie = '' } = ada.headers;
    const sent = foreignHeaders(sender, booted.base);

    for (const route of ROUTES.filter(({ method }) => method === 'POST')) {
      for (const who of [{ Cookie: cookie }, {}]) {
        const page = await submit(booted, buildAddress(route), {
          headers: { ...who, ...sent },
          values: { name: 'Grace', email: 'a@example.com', password: 'x' },
        });
        assert.equal(page.status, 403, route.url);
        assert.doesNotMatch(page.text, /Grace/, route.url);
        assert.equal(page.headers.get('set-cookie'), null, route.url);
      }
    }
  });
}

test('a form with the origin of this hub is done, for browsers that say no more', async () => {
  const ada = await newVisitor(booted);
  const { Cookie: cookie = '' } = ada.headers;

  const page = await submit(booted, '/console/me', {
    headers: { Cookie: cookie, Origin: booted.base },
    values: { name: 'Grace' },
  });

  assert.equal(page.location, '/console/me?done=name-saved');
});

test('no route of /v1 accepts a session, and no page of the console a key', async () => {
  const ada = await newVisitor(booted, { brands: { acme: 'manager' }, isOperator: true });
  const { Cookie: cookie = '' } = ada.headers;

  for (const path of ['/v1/lots', '/v1/dashboard/audit', '/v1/admin/overview', '/v1/events']) {
    const headers = { Cookie: cookie, 'X-Tenant-Id': 'acme', ...OWN_SITE, Accept: '*/*' };
    const answers = [
      await open(booted, path, { headers }),
      await submit(booted, path, { headers }),
    ];
    for (const { status } of answers) assert.ok([401, 405].includes(status), `${path}: ${status}`);
  }
  for (const key of [TENANT_KEY, ADMIN_KEY]) {
    const headers = { 'X-Api-Key': key, 'X-Tenant-Id': BRAND };
    const page = await open(booted, `/console/b/${BRAND}`, { headers });
    assert.equal(page.status, 303);
  }
});

test('pages of the console are nobody else’s: not kept, not framed, without scripts but our own', async () => {
  const ada = await newVisitor(booted, { brands: { [BRAND]: 'manager' }, isOperator: true });

  const pages = [
    await open(booted, '/console/login'),
    await open(booted, `/console/setup/${'x'.repeat(43)}`),
    await ada.get(`/console/b/${BRAND}`),
    await ada.get(`/console/b/${BRAND}/keys?lang=de`),
    await ada.get('/console/me'),
    await ada.get('/console/b/nobody'),
    await ada.post(`/console/b/${BRAND}/people/invitations`, { role: 'viewer' }),
  ];

  for (const { headers, status } of pages) {
    assert.equal(headers.get('cache-control'), 'no-store', String(status));
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|data:|https?:/);
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-robots-tag'), 'noindex');
  }
});
