// Pages over plain HTTP, as a browser without scripts uses them: who is let in and led where, what forms
// answer, what other sites cannot do, and what no page gives away.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FIRST_OWNER, OWNER_EMAIL, OWNER_PASSWORD, boot } from '../boot.ts';
import type { Answer, Booted } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const HOSTILE = `"><script>alert(1)</script>`;

let inbox: Booted;
let ada: TestPerson;
let groupId: string;
/** Nobody has an account there yet. */
let fresh: Booted;
let invitation: string;

before(async () => {
  [inbox, fresh] = await Promise.all([boot({ env: FIRST_OWNER }), boot()]);
  ada = await newPerson(inbox);
  groupId = await newGroup(ada, 'Ovens');
  const made = await ada.send('POST', `/api/v1/groups/${groupId}/invitations`, { email: null });
  invitation = new URL(String(made.json['url'])).pathname;
});

after(async () => {
  await inbox[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

async function submit(
  path: string,
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = ada.headers,
  on = inbox,
): Promise<Answer> {
  return await on.call(path, {
    method: 'POST',
    headers: { ...FORM_TYPE, ...headers },
    body: new URLSearchParams(values).toString(),
  });
}

const settings = (): string => `/inbox/groups/${groupId}/settings`;

test('who is not logged in is led to the log-in, and from there to where it wanted to go', async () => {
  const wanted = `/inbox/groups/${groupId}?unread=true`;

  const refused = await inbox.call(wanted);
  const location = refused.headers.get('location') ?? '';
  const form = await inbox.call(location);
  const next = /name="next" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
  const loggedIn = await submit(
    '/inbox/login',
    { email: OWNER_EMAIL, password: OWNER_PASSWORD, next },
    SAME_ORIGIN,
  );

  assert.equal(refused.status, 303);
  assert.equal(loggedIn.status, 303);
  assert.equal(loggedIn.headers.get('location'), wanted);
  assert.match(loggedIn.headers.getSetCookie().join(), /lothub_session=\w{43};.*HttpOnly/);
});

for (const next of [
  'https://evil.example/inbox',
  '//evil.example/inbox',
  '/\\evil.example',
  '/inbox\\@evil.example',
  '/inboxes',
  'javascript:alert(1)',
  `/inbox/${'x'.repeat(600)}`,
]) {
  test(`the log-in leads nowhere else: ${next.slice(0, 40)}`, async () => {
    const form = await inbox.call(`/inbox/login?${new URLSearchParams({ next }).toString()}`);

    assert.match(form.text, /name="next" value="\/inbox"/);
  });
}

test('a wrong password is answered in words, with the e-mail kept and the password forgotten', async () => {
  const password = 'not the password at all';

  const refused = await submit('/inbox/login', { email: OWNER_EMAIL, password }, SAME_ORIGIN);

  assert.equal(refused.status, 401);
  assert.match(refused.text, /E-mail or password is wrong/);
  assert.match(refused.text, new RegExp(`value="${OWNER_EMAIL}"`));
  assert.equal(refused.text.includes(password), false);
});

test('what another site sends is refused as a page, and nothing is done', async () => {
  const foreign = { ...ada.headers, 'Sec-Fetch-Site': 'cross-site' };

  const refused = await submit(settings(), { name: 'Stolen' }, foreign);
  const without = await submit(
    '/inbox/login',
    { email: OWNER_EMAIL, password: OWNER_PASSWORD },
    { Origin: 'https://evil.example' },
  );

  assert.equal(refused.status, 403);
  assert.match(refused.text, /This did not come from a page of this service/);
  assert.equal(without.status, 403);
  assert.deepEqual(without.headers.getSetCookie(), []);
  assert.match((await ada.get(settings())).text, /Ovens/);
});

for (const [name, path] of [
  ['log-in', () => '/inbox/login'],
  ['set-up', () => new URL(fresh.service.setupLink!.url).pathname],
  ['invitation', () => invitation],
] as const) {
  test(`the form of the ${name} is refused when it does not say which page sent it`, async () => {
    const on = name === 'set-up' ? fresh : inbox;
    const values = {
      name: 'Ina',
      email: name === 'log-in' ? OWNER_EMAIL : 'ina@example.com',
      password: OWNER_PASSWORD,
    };
    const send = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
      submit(path(), values, headers, on);

    const silent = await send({});
    const own = await send({ Origin: on.base });

    assert.equal(silent.status, 403);
    assert.match(silent.text, /This did not come from a page of this service/);
    assert.deepEqual(silent.headers.getSetCookie(), []);
    assert.equal(own.status, 303);
    assert.match(own.headers.getSetCookie().join(), /lothub_session=\w{43};/);
  });
}

test('every page has a policy without holes, is kept by nobody and framed by nobody', async () => {
  const pages = await Promise.all(
    ['/inbox', settings(), '/inbox/me', '/inbox/nothing'].map((path) => ada.get(path)),
  );

  for (const { headers, text } of pages) {
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.match(policy, /form-action 'self'.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|data:/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  }
});

test('what pages load has its hash in the address, for ever, and is not guessed at', async () => {
  const { text } = await ada.get('/inbox');
  const paths = [...text.matchAll(/(?:href|src)="(\/inbox\/assets\/[^"]+)"/g)].map(
    ([, path]) => path!,
  );

  const answers = await Promise.all(paths.map((path) => inbox.call(path)));

  assert.ok(paths.length > 5);
  for (const { status, headers } of answers) {
    assert.equal(status, 200);
    assert.match(headers.get('cache-control') ?? '', /immutable/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('errors are beside their fields, with what was typed as text', async () => {
  const refused = await submit(settings(), {
    name: HOSTILE.repeat(10),
    retention_days: '0',
    retention_rows: 'many',
  });

  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="group-name-error"[\s\S]{0,400}at most 100 characters/);
  assert.match(refused.text, /id="group-retention_days-error"[\s\S]{0,400}at least 1/);
  assert.match(refused.text, /id="group-retention_rows-error"/);
  assert.match(refused.text, /value="&quot;&gt;&lt;script&gt;/);
  assert.equal(refused.text.includes('<script>alert'), false);
});

test('a group is set, and the page says so', async () => {
  const own = await newGroup(ada, 'Mixers');
  const path = `/inbox/groups/${own}/settings`;

  const saved = await submit(path, {
    name: 'Mixers and ovens',
    retention_days: '30',
    retention_rows: '1000',
    paused: 'true',
  });
  const page = await ada.get(saved.headers.get('location') ?? '');

  assert.equal(saved.status, 303);
  assert.match(page.text, /The group is saved/);
  assert.match(page.text, /<h1><bdi>Mixers and ovens<\/bdi><\/h1>/);
  assert.match(page.text, /name="paused"[^>]*checked/);
});

test('the last owner cannot leave, and reads why', async () => {
  const refused = await submit(`${settings()}/leave`, {});

  assert.equal(refused.status, 409);
  assert.match(refused.text, /A group always has an owner/);
});

test('a member sees the members and nothing that owners do', async () => {
  const ben = await newPerson(inbox, 'Ben');
  await join(inbox, { groupId, person: ben });

  const page = await ben.get(settings());
  const audit = await ben.get(`/inbox/groups/${groupId}/audit`);
  const keys = await submit(`${settings()}/keys`, { name: 'Mine' }, ben.headers);

  assert.equal(page.status, 200);
  assert.match(page.text, /id="members"/);
  assert.doesNotMatch(page.text, /id="keys"|id="invitations"|id="group"|owner@|usr_[^"]*@example/);
  assert.equal(audit.status, 403);
  assert.equal(keys.status, 403);
});

test('a group of others is not there', async () => {
  const cleo = await newPerson(inbox, 'Cleo');

  const answers = await Promise.all(
    ['', '/settings', '/webhooks', '/audit', '/n/1'].map((path) =>
      cleo.get(`/inbox/groups/${groupId}${path}`),
    ),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404, 404],
  );
});

test('a key is shown in the answer that makes it, and on no page after it', async () => {
  const made = await submit(`${settings()}/keys`, { name: 'Mixer', expires_at: '' });
  const key = /nk_\w{59}/.exec(made.text)?.[0] ?? '';
  const later = await ada.get(settings());

  assert.equal(made.status, 200);
  assert.notEqual(key, '');
  assert.match(later.text, /Mixer/);
  assert.equal(later.text.includes(key), false);
});

test('the token of a sender is shown once, with what the sender needs, and listed as its own', async () => {
  const made = await submit(`${settings()}/keys`, { name: 'Alarms', adapter: 'alertmanager' });
  const refused = await submit(`${settings()}/keys`, { name: 'Alarms', adapter: 'pager' });
  const later = await ada.get(settings());

  const token = /na_\w{59}/.exec(made.text)?.[0] ?? '';
  assert.equal(made.status, 200);
  assert.match(made.text, new RegExp(`max_alerts: 100\n[\\s\\S]*credentials: ${token}<`));
  assert.match(later.text, /<bdi>Alarms<\/bdi> <span class="chip">Alertmanager<\/span>/);
  assert.match(later.text, new RegExp(`${token.slice(0, 13)}…`));
  assert.equal(later.text.includes(token), false);
  assert.deepEqual([refused.status, /na_\w{59}/.test(refused.text)], [422, false]);
});

test('an invitation lets somebody in who had no account, once', async () => {
  const made = await submit(`${settings()}/invitations`, { email: '', role: 'member' });
  const path = /\/inbox\/invitation\/\w{43}/.exec(made.text)?.[0] ?? '';
  const person = { name: 'Dora', email: 'dora@example.com', password: 'three loaves of rye' };

  const short = await submit(path, { ...person, password: 'short' }, SAME_ORIGIN);
  const accepted = await submit(path, person, SAME_ORIGIN);
  const again = await inbox.call(path);

  assert.equal(short.status, 422);
  assert.match(short.text, /id="password-error"[\s\S]{0,400}at least 12 characters/);
  assert.match(short.text, /value="dora@example.com"/);
  assert.equal(accepted.status, 303);
  assert.equal(accepted.headers.get('location'), `/inbox/groups/${groupId}`);
  assert.equal(again.status, 410);
});

test('whoever is logged in joins with the account there is', async () => {
  const made = await submit(`${settings()}/invitations`, { email: '', role: 'owner' });
  const path = /\/inbox\/invitation\/\w{43}/.exec(made.text)?.[0] ?? '';
  const eve = await newPerson(inbox, 'Eve');

  const page = await eve.get(path);
  const joined = await submit(path, {}, eve.headers);

  assert.match(page.text, /Join as <bdi>Eve<\/bdi>/);
  assert.equal(joined.headers.get('location'), `/inbox/groups/${groupId}`);
});

test('a form that is too long is refused before it is read', async () => {
  const refused = await submit('/inbox/login', { email: 'x'.repeat(20_000) }, SAME_ORIGIN);

  assert.equal(refused.status, 413);
  assert.match(refused.headers.get('content-type') ?? '', /text\/html/);
});

test('logging out ends the session on the server, too', async () => {
  const fay = await newPerson(inbox, 'Fay');

  const out = await submit('/inbox/logout', {}, fay.headers);
  const after = await fay.get('/inbox/me');

  assert.equal(out.headers.get('location'), '/inbox/login?done=logged-out');
  assert.equal(after.status, 303);
});

test('a person takes all data along, and erases the account', async () => {
  const gus = await newPerson(inbox, 'Gus');
  await join(inbox, { groupId, person: gus });

  const file = await submit('/inbox/me/export', {}, gus.headers);
  const mistyped = await submit('/inbox/me/erase', { email: 'gus@example' }, gus.headers);
  const before = await gus.get('/inbox/me');
  const erased = await submit('/inbox/me/erase', { email: gus.email }, gus.headers);
  const after = await gus.get('/inbox/me');
  const members = await ada.get(`/api/v1/groups/${groupId}/members`);

  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="usr_/);
  assert.match(file.text, new RegExp(gus.email));
  assert.match(file.text, /Ovens/);
  assert.deepEqual([mistyped.status, before.status], [422, 200]);
  assert.equal(erased.headers.get('location'), '/inbox/login?done=erased');
  assert.equal(after.status, 303);
  assert.doesNotMatch(members.text, /Gus/);
});

test('the only owner of a group cannot erase the account, and reads why', async () => {
  const ivy = await newPerson(inbox, 'Ivy');
  await newGroup(ivy, 'Kilns');

  const refused = await submit('/inbox/me/erase', { email: ivy.email }, ivy.headers);
  const after = await ivy.get('/inbox/me');

  assert.equal(refused.status, 409);
  assert.match(refused.text, /<details class="fold" id="erase" open>[\s\S]*Kilns/);
  assert.equal(after.status, 200);
});

test('marking all as read passes over a group that was left meanwhile', async () => {
  const hal = await newPerson(inbox, 'Hal');
  const own = await newGroup(hal, 'Own');
  await submit(`/inbox/groups/${own}/settings/test`, {}, hal.headers);
  const page = await hal.get('/inbox');
  const upTo = /name="up_to" value="(\d+)"/.exec(page.text)?.[1] ?? '';
  const left = await newGroup(ada, 'Left');
  await join(inbox, { groupId: left, person: hal });
  await submit(`/inbox/groups/${left}/settings/test`, {});
  await hal.send('DELETE', `/api/v1/groups/${left}/members/${hal.accountId}`);

  const done = await submit('/inbox/read', { up_to: upTo }, hal.headers);
  const unread = await hal.get('/api/v1/unread');

  assert.equal(done.status, 303);
  assert.equal(Number(unread.json['unread']), 0);
});

test('a page of all groups shows the newest of each, whoever posted last', async () => {
  const guy = await newPerson(inbox, 'Guy');
  const groups = [await newGroup(guy, 'One'), await newGroup(guy, 'Two')];
  for (const id of [...groups, ...groups]) {
    await submit(`/inbox/groups/${id}/settings/test`, {}, guy.headers);
  }
  await submit(`/inbox/groups/${groups[0]}/n/1/read`, {}, guy.headers);

  const all = await guy.get('/inbox');
  const unread = await guy.get('/inbox?unread=true');

  const seqs = (text: string) =>
    [...text.matchAll(/data-group="(\w+)"\s+data-seq="(\d+)"/g)].map(
      ([, id, seq]) => `${groups.indexOf(id!)}:${seq}`,
    );
  assert.deepEqual(seqs(all.text), ['1:2', '0:2', '1:1', '0:1']);
  assert.deepEqual(seqs(unread.text), ['1:2', '0:2', '1:1']);
});
