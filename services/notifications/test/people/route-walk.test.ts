// A walk through all routes of the inbox: who gets in is what route-table.ts says, for everybody who might try, with the
// ids of others; and nothing that another site makes a browser send is done.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPushService, type PushService } from '@lothub/delivery/test/push-service';
import { present } from '@lothub/kit/present';
import { listRoutes, type Route } from '@lothub/kit/test/description/list-routes';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { FOREIGN_SENDERS, foreignHeaders } from '@lothub/people/test/foreign-senders';
import { boot, type Booted } from '../boot.ts';
import { ROUTE_TABLE, type WalkedRoute, type Who } from './route-table.ts';
import { newGround, type Ground, type Ids } from './walked-ground.ts';

/** All that adds routes: single sign-on, of a provider that nobody has to reach, and mail. */
const ENV = {
  NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'inbox@example.com',
  OIDC_ISSUER: 'http://127.0.0.1:1',
  OIDC_CLIENT_ID: 'inbox',
};
const FORM_TYPE = 'application/x-www-form-urlencoded';
const OWN_SITE = { 'Sec-Fetch-Site': 'same-origin' };
const PAGE = /^\/inbox(?=[/*]|$)/;
/** The app of the service passes them on to that of the pages, which is walked itself. */
const PASSED_ON = PAGE;

let booted: Booted;
let pushes: PushService;
/** Nothing is changed on it: all who ask are refused. */
let ground: Ground;
let rowsBefore: Rows;
let routes: readonly Route[];

before(async () => {
  pushes = await startPushService();
  booted = await boot({ env: ENV });
  const { app: pages } = await booted.service.openPages();
  routes = [
    ...listRoutes(booted.service.app).filter(({ path }) => !PASSED_ON.test(path)),
    ...listRoutes(pages),
  ];
  ground = await newGround(booted, pushes);
  rowsBefore = await readEverything();
});
after(async () => {
  await booted[Symbol.asyncDispose]();
  await pushes[Symbol.asyncDispose]();
});

type Headers = Readonly<Record<string, string>>;

interface Found extends Route {
  readonly name: string;
  readonly entry: WalkedRoute;
}

/** As the table calls it: the address of an asset has a hash of its text, and what answers GET answers HEAD. */
function nameRoute({ method, path }: Route): string {
  const named = path
    .replace(/^(\/inbox\/assets)\/.*/, '$1/:asset')
    .replace(/^\/inbox\*$/, '/inbox/*');
  return `${method === 'HEAD' ? 'GET' : method} ${named}`;
}

function walked(...who: readonly Who[]): readonly Found[] {
  return routes.flatMap((route) => {
    const name = nameRoute(route);
    const entry = ROUTE_TABLE[name];
    return entry !== undefined && who.includes(entry.who) ? [{ ...route, name, entry }] : [];
  });
}

function buildAddress({ path }: Route, ids: Ids): string {
  const names: Readonly<Record<string, unknown>> = {
    ...ids,
    operation: 'getMe',
    token: tokenAt(path, ids),
  };
  return path
    .replace(/:(\w+)/g, (_, name: string) => String(present(names[name], name)))
    .replace('/inbox*', '/inbox/no-such-page');
}

function tokenAt(path: string, { invitation, unsubscribe, key }: Ids): string {
  if (path.includes('/invitation/')) return invitation;
  if (path.includes('/unsubscribe/')) return unsubscribe;
  return path.includes('/ingest/') ? key : 'x'.repeat(43);
}

interface Reply {
  readonly status: number;
  readonly code: string;
  readonly location: string | null;
  readonly cookies: readonly string[];
}

async function ask(route: Found, ids: Ids, headers: Headers): Promise<Reply> {
  const { method, path, entry } = route;
  const sent: Record<string, string> = { ...headers };
  if (PAGE.test(path)) sent['Accept'] = 'text/html';
  const values = entry.form?.(ids) ?? entry.json?.(ids);
  if (values !== undefined) sent['Content-Type'] = entry.form ? FORM_TYPE : 'application/json';
  const body = entry.form
    ? new URLSearchParams(entry.form(ids)).toString()
    : JSON.stringify(values);
  const isRead = method === 'GET' || method === 'HEAD';
  const leaving = new AbortController();
  const response = await fetch(booted.base + buildAddress(route, ids), {
    ...{ method, headers: sent, redirect: 'manual', signal: leaving.signal },
    ...(isRead || values === undefined ? {} : { body }),
  });
  const { status } = response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? '' : await response.text();
  if (isStream) leaving.abort();
  return {
    status,
    code: /"code":"(\w+)"/.exec(text)?.[1] ?? '',
    location: response.headers.get('location'),
    cookies: response.headers.getSetCookie().filter((one) => !/=;/.test(one)),
  };
}

/** When something was used last, and until when that keeps a session, is written beside answers. */
const NOTED = new Set(['last_used_at', 'last_seen_at', 'expires_at']);

type Rows = Readonly<Record<string, readonly string[]>>;

/** All rows of both databases, by table. */
async function readEverything(): Promise<Rows> {
  const all: Record<string, readonly string[]> = {};
  for (const place of ['main', 'people']) {
    const tables = await booted.database.rows(
      `select name from ${place}.sqlite_master where type = 'table' and name not like 'sqlite_%'`,
    );
    for (const { name } of tables) {
      const table = `${place}.${String(name)}`;
      const rows = await booted.database.rows(`select * from ${table}`);
      all[table] = rows
        .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !NOTED.has(column))))
        .sort();
    }
  }
  return all;
}

/** Each of the routes, asked by somebody who is refused: nothing changes. */
async function assertRefused(
  asked: readonly Found[],
  by: { readonly headers: Headers; readonly ids?: Ids },
  isRefused: (reply: Reply, where: string, route: Found) => void,
): Promise<void> {
  assert.ok(asked.length > 0);
  for (const route of asked) {
    const reply = await ask(route, by.ids ?? ground.ids, by.headers);
    isRefused(reply, `${route.method} ${route.path}: ${reply.status} ${reply.code}`, route);
  }
  assert.deepEqual(await readEverything(), rowsBefore);
}

function isLockedOut({ status, location }: Reply, where: string, { method, path }: Found): void {
  if (!PAGE.test(path)) return assert.equal(status, 401, where);
  assert.equal(status, 303, where);
  const next = new URL(location ?? '', booted.base);
  assert.equal(next.pathname, '/inbox/login', where);
  if (method !== 'GET') assert.equal(next.search, '', where);
}

const isAnswered = (wanted: number) => (reply: Reply, where: string) =>
  assert.equal(reply.status, wanted, where);

test('the table has each route of the service, and no other', () => {
  const names = new Set(routes.map(nameRoute));

  assert.ok(names.size > 150, String(names.size));
  assert.deepEqual([...names].sort(), Object.keys(ROUTE_TABLE).sort());
});

test('whatever is no read has a form or JSON in the table, and no read has one', () => {
  for (const [name, { form, json }] of Object.entries(ROUTE_TABLE)) {
    const isWrite = !name.startsWith('GET ');
    assert.equal(isWrite, form !== undefined || json !== undefined, name);
  }
});

for (const [what, getHeaders] of [
  ['nobody', () => ({})],
  ['a session that has ended', () => ground.loggedOut.headers],
  ['a posting key', () => ({ 'X-Api-Key': ground.ids.key })],
] as const) {
  test(`${what} is let in nowhere but where everybody is`, async () => {
    const headers = { ...OWN_SITE, ...getHeaders() };

    await assertRefused(walked('session', 'own', 'member', 'owner'), { headers }, isLockedOut);
  });
}

test('a member of another group does nothing with the ids of this one, and no removed member does', async () => {
  for (const { headers } of [ground.outsider, ground.removed]) {
    await assertRefused(walked('own', 'member', 'owner'), { headers }, isAnswered(404));
  }
});

test('an owner reaches nothing of another group through the own one', async () => {
  const ids = { ...ground.ids, ...ground.others };
  const inside = walked('member', 'owner').filter(({ path }) => /:group_id.*:(?!seq)/.test(path));

  await assertRefused(inside, { headers: ground.outsider.headers, ids }, isAnswered(404));
});

test('a member who is no owner is refused what owners do', async () => {
  const { headers } = ground.member;

  await assertRefused(walked('owner'), { headers }, isAnswered(403));
});

test('a read token opens what the table says, and nothing is changed with it', async () => {
  const headers = { Authorization: `Bearer ${ground.ids.readToken}`, ...OWN_SITE };

  await assertRefused(
    walked('session', 'own', 'member', 'owner'),
    { headers },
    (reply, where, { entry }) =>
      assert.equal(reply.status, entry.isForTokens ? entry.status : 403, where),
  );
});

test('a session and a read token post nothing, and a posting key nothing in the form of a sender', async () => {
  const { headers } = ground.owner;
  const token = { Authorization: `Bearer ${ground.ids.readToken}` };
  const key = { 'X-Api-Key': ground.ids.key };
  const posting = walked('posting');
  const byHeader = walked('adapter').filter(({ path }) => !path.endsWith('/:token'));
  const isNoToken = ({ status }: Reply, where: string): void => {
    assert.ok([401, 403].includes(status), where);
  };

  await assertRefused([...posting, ...byHeader], { headers }, isAnswered(401));
  await assertRefused([...posting, ...byHeader], { headers: token }, isNoToken);
  await assertRefused(walked('adapter'), { headers: key }, isAnswered(403));
});

/** One for each way in which a request is judged; the others vary it. */
const USUAL = new Set([
  'no word of where it comes from',
  'Sec-Fetch-Site: same-site',
  'the origin null',
]);

for (const sender of FOREIGN_SENDERS) {
  const play = USUAL.has(sender.says) ? test : testInLongRun;
  void play(`nothing is done that another site sends, with ${sender.says}`, async () => {
    const sent = foreignHeaders(sender, booted.base);
    const writes = walked('open', 'session', 'own', 'member', 'owner').filter(
      ({ method, entry }) =>
        method !== 'GET' &&
        method !== 'HEAD' &&
        entry.isForAnySite === undefined &&
        (sender.isKnown || entry.isForPrograms === undefined),
    );
    const forms = writes.filter(({ entry }) => entry.who === 'open' && entry.form !== undefined);
    const refused = (reply: Reply, where: string, { path }: Found): void => {
      assert.equal(reply.status, 403, where);
      if (!PAGE.test(path)) assert.equal(reply.code, 'cross_site_refused', where);
      assert.deepEqual(reply.cookies, [], where);
    };

    for (const who of [ground.member, ground.owner]) {
      const isTheirs = ({ entry }: Found): boolean =>
        (entry.who === 'owner') === (who === ground.owner);
      const { Cookie: cookie = '' } = who.headers;
      await assertRefused(
        writes.filter(isTheirs),
        { headers: { Cookie: cookie, ...sent } },
        refused,
      );
    }
    // Another site must not log a browser in as somebody else, either.
    await assertRefused(forms, { headers: sent }, refused);
  });
}

testInLongRun('whoever may use a route is answered what the table says', async () => {
  const shared = await newGround(booted, pushes);
  const used: UsedGround[] = [];
  const otherwise: string[] = [];

  for (const route of walked('open', 'posting', 'session', 'own', 'member', 'owner')) {
    const { entry, method, path } = route;
    const on = entry.isOnce ? await groundFor(route, used) : shared;
    const { status, code } = await ask(route, on.ids, headersFor(entry.who, on));
    if (status !== entry.status) otherwise.push(`${method} ${path}: ${status} ${code}`);
  }

  assert.deepEqual(otherwise, []);
});

/** What is gone of a ground, by the names of parameters. */
interface UsedGround {
  readonly ground: Ground;
  readonly gone: Set<string>;
}

/**
 * A ground on which nothing that the path names is gone. What it names last is gone then; where that is the group, or
 * nothing, it is everything: the group, its settings, or the session of the person.
 */
async function groundFor({ path }: Route, used: UsedGround[]): Promise<Ground> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const last = names.at(-1) ?? 'group_id';
  if (last === 'group_id' || last === 'token') return await newGround(booted, pushes);
  let found = used.find(({ gone }) => !names.some((name) => gone.has(name)));
  if (found === undefined) {
    found = { ground: await newGround(booted, pushes), gone: new Set() };
    used.push(found);
  }
  found.gone.add(last);
  return found.ground;
}

function headersFor(who: Who, { owner, member, ids }: Ground): Headers {
  switch (who) {
    case 'open':
      return OWN_SITE;
    case 'posting':
    case 'adapter':
      return { 'X-Api-Key': ids.key };
    case 'owner':
      return owner.headers;
    default:
      return member.headers;
  }
}
