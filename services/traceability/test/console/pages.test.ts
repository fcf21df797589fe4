// The pages of the console, each with what it is for: what they say, what their forms do and refuse.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LANGUAGES } from '@lothub/languages';
import { testPasswords } from '@lothub/people/test/test-passwords';
import { TENANT_KEY, boot, anEvent } from '../boot.ts';
import { OWN_SITE, newVisitor, open, readWords, submit, type Page } from './visitors.ts';

const booted = await boot({ auditSealAfterMs: 50 });
after(() => booted[Symbol.asyncDispose]());

const PASSWORD = 'a quiet mill by the river';
let brands = 0;
/** A brand of its own for each test. */
function newBrand(): string {
  brands += 1;
  return `brand-${brands}`;
}

function secretIn({ text }: Page, id: string): string {
  const found = new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(text)?.[1];
  assert.ok(found !== undefined, text);
  return found.trim();
}

test('who is in one brand lands there, who is in several chooses, who is in none reads what to do', async () => {
  const [one, two] = [newBrand(), newBrand()];
  const ofOne = await newVisitor(booted, { brands: { [one]: 'viewer' } });
  const ofTwo = await newVisitor(booted, { brands: { [one]: 'viewer', [two]: 'manager' } });
  const operator = await newVisitor(booted, { isOperator: true });
  const nobody = await newVisitor(booted);

  const landed = await Promise.all(
    [ofOne, ofTwo, operator, nobody].map((who) => who.get('/console')),
  );
  const keys = await ofTwo.get('/console/keys');

  assert.deepEqual(
    landed.map(({ location }) => location),
    [`/console/b/${one}`, null, '/console/hub', null],
  );
  assert.match(readWords(landed[1]!), new RegExp(`Choose a brand ${one} Viewer ${two} Manager`));
  assert.match(readWords(landed[3]!), /You are in no brand yet Ask a manager/);
  assert.ok(keys.text.includes(`href="/console/b/${two}/keys"`));
});

test('an invitation is shown once, is in the list, and no longer works once it is withdrawn', async () => {
  const brand = newBrand();
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const people = `/console/b/${brand}/people`;

  const made = await ada.post(`${people}/invitations`, {
    role: 'quality',
    email: 'Bo@Example.com',
  });
  const link = new URL(secretIn(made, 'made-link')).pathname;
  const listed = await ada.get(people);
  const shown = await open(booted, link);
  const withdraw = /action="([^"]+\/withdraw)"/.exec(listed.text)?.[1] ?? '';
  const withdrawn = await ada.post(withdraw);
  const used = await open(booted, link);

  assert.equal(made.status, 200);
  assert.ok(!listed.text.includes(link), 'the link is shown once');
  assert.match(readWords(listed), /bo@example\.com Quality Ada/);
  assert.match(
    readWords(shown),
    new RegExp(`Join ${brand} Ada invites you to this brand for quality`),
  );
  assert.equal(withdrawn.location, `${people}?done=invitation-revoked`);
  assert.equal(used.status, 410);
  assert.match(readWords(used), /This link is no longer good/);
});

test('a wrong e-mail is refused beside its field, and what was typed stays', async () => {
  const brand = newBrand();
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });

  const refused = await ada.post(`/console/b/${brand}/people/invitations`, {
    role: 'quality',
    email: 'no-address',
  });

  assert.equal(refused.status, 422);
  assert.match(
    readWords(refused),
    /Please look at the marked fields.* This is not in the right form\./,
  );
  assert.ok(refused.text.includes('value="no-address"'));
  assert.match(refused.text, /<option value="quality"\s+selected/);
});

test('the last manager of a brand stays, in words', async () => {
  const brand = newBrand();
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const person = `/console/b/${brand}/people/${ada.accountId}`;

  const removed = await ada.post(`${person}/remove`);
  const demoted = await ada.post(`${person}/role`, { role: 'viewer' });

  for (const page of [removed, demoted]) {
    assert.equal(page.status, 409);
    assert.match(readWords(page), /A brand keeps at least one manager/);
  }
  assert.equal((await ada.get(`/console/b/${brand}/people`)).status, 200);
});

test('who is removed or made a viewer is so with the next request', async () => {
  const brand = newBrand();
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const bo = await newVisitor(booted, { name: 'Bo', brands: { [brand]: 'manager' } });
  const people = `/console/b/${brand}/people`;

  const changed = await ada.post(`${people}/${bo.accountId}/role`, { role: 'viewer' });
  const asViewer = await bo.get(people);
  const removed = await ada.post(`${people}/${bo.accountId}/remove`);
  const outside = await bo.get(`/console/b/${brand}`);

  assert.equal(changed.location, `${people}?done=role-saved`);
  assert.equal(asViewer.status, 403);
  assert.equal(removed.location, `${people}?done=person-removed`);
  assert.equal(outside.status, 404);
});

test('a key is shown once, works within its limit, is replaced and revoked, under the person’s name', async () => {
  const brand = newBrand();
  const ada = await newVisitor(booted, { name: 'Ada Miller', brands: { [brand]: 'manager' } });
  const keys = `/console/b/${brand}/keys`;
  const use = async (key: string): Promise<number> =>
    (await booted.call('/v1/lots', { headers: { 'X-Api-Key': key, 'X-Tenant-Id': brand } })).status;

  const made = await ada.post(keys, { label: 'ERP', limit: 'read' });
  const key = secretIn(made, 'issued-key');
  const posted = await booted.post('/v1/events', anEvent(), {
    'X-Api-Key': key,
    'X-Tenant-Id': brand,
  });
  const listed = await ada.get(keys);
  const rotate = /action="([^"]+\/rotate)"/.exec(listed.text)?.[1] ?? '';
  const replaced = await ada.post(rotate);
  const newer = secretIn(replaced, 'issued-key');
  const worked = [await use(key), await use(newer)];
  const base = /action="([^"]+)\/rotate"/.exec((await ada.get(keys)).text)?.[1] ?? '';
  const revoked = await ada.post(`${base}/revoke`);
  const after = await use(newer);
  const audit = await booted.call('/v1/dashboard/audit?limit=50', {
    headers: { 'X-Tenant-Id': brand },
  });

  assert.equal(made.status, 200);
  assert.equal(posted.status, 403);
  assert.ok(!listed.text.includes(key), 'a key is shown once');
  assert.match(readWords(listed), /ERP read only .* Active/);
  assert.deepEqual(worked, [200, 200]);
  assert.equal(revoked.location, `${keys}?done=key-revoked`);
  assert.equal(after, 401);
  assert.match(audit.text, /"actor":"Ada Miller"/);
});

test('a key without a label or with an unknown limit is refused beside the field', async () => {
  const brand = newBrand();
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });

  const unlabelled = await ada.post(`/console/b/${brand}/keys`, { label: ' ', limit: 'read' });
  const unlimited = await ada.post(`/console/b/${brand}/keys`, { label: 'ERP', limit: 'x' });

  assert.match(readWords(unlabelled), /Please fill this in\./);
  assert.match(readWords(unlimited), /Please pick one of the choices\./);
  assert.ok(unlimited.text.includes('value="ERP"'));
});

test('a key of another brand is not there, for looking and for changing', async () => {
  const [brand, other] = [newBrand(), newBrand()];
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const eve = await newVisitor(booted, { brands: { [other]: 'manager' } });
  await ada.post(`/console/b/${brand}/keys`, { label: 'ERP', limit: 'all' });
  const id = /keys\/([^/"]+)\/revoke/.exec((await ada.get(`/console/b/${brand}/keys`)).text)?.[1];

  const theirs = await eve.get(`/console/b/${other}/keys`);
  const answers = await Promise.all(
    ['revoke', 'rotate'].map((what) => eve.post(`/console/b/${other}/keys/${id}/${what}`)),
  );

  assert.match(readWords(theirs), /no key of its own yet/);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404],
  );
  assert.match(readWords(await ada.get(`/console/b/${brand}/keys`)), /ERP do everything .* Active/);
});

test('people and invitations of another brand, and sessions of somebody else, are not there', async () => {
  const [brand, other] = [newBrand(), newBrand()];
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const passwordHash = await testPasswords.hash(PASSWORD);
  const bo = await newVisitor(booted, { brands: { [brand]: 'viewer' }, passwordHash });
  const eve = await newVisitor(booted, { brands: { [other]: 'manager' } });
  await ada.post(`/console/b/${brand}/people/invitations`, { role: 'viewer' });
  const { text } = await ada.get(`/console/b/${brand}/people`);
  const invitation = /invitations\/([^/"]+)\/withdraw/.exec(text)?.[1] ?? '';
  await submit(booted, '/console/login', {
    headers: OWN_SITE,
    values: { email: bo.email, password: PASSWORD },
  });
  const session = /sessions\/([^/"]+)\/end/.exec((await bo.get('/console/me')).text)?.[1] ?? '';
  const people = `/console/b/${other}/people`;
  const asked = (id: (real: string) => string) =>
    Promise.all([
      eve.post(`${people}/${id(bo.accountId)}/role`, { role: 'manager' }),
      eve.post(`${people}/${id(bo.accountId)}/remove`),
      eve.post(`${people}/invitations/${id(invitation)}/withdraw`),
      eve.post(`/console/me/sessions/${id(session)}/end`),
    ]);

  const theirs = await asked((real) => real);
  const none = await asked(() => 'none');

  const maskAnswer = (page: Page) => [page.status, readWords(page).replace(/Request \S+/, '')];
  assert.deepEqual(theirs.map(maskAnswer), none.map(maskAnswer));
  assert.deepEqual(new Set(theirs.map(({ status }) => status)), new Set([404]));
  assert.ok(invitation !== '' && session !== '');
  assert.equal((await bo.get(`/console/b/${brand}`)).status, 200);
  assert.equal((await bo.get(`/console/b/${brand}/people`)).status, 403, 'the role is as before');
  assert.ok((await ada.get(`/console/b/${brand}/people`)).text.includes(invitation));
  assert.ok((await bo.get('/console/me')).text.includes(session));
});

test('an operator sees all brands, invites the first manager of one and of no more', async () => {
  const [withEvents, withPeople] = [newBrand(), newBrand()];
  const posted = await booted.post('/v1/events', anEvent(), { 'X-Tenant-Id': withEvents });
  assert.equal(posted.status, 201, posted.text);
  await newVisitor(booted, { brands: { [withPeople]: 'manager' } });
  const operator = await newVisitor(booted, { name: 'Olga', isOperator: true });
  const invite = (brand: string) => operator.post('/console/hub/invitations', { brand });

  const hub = await operator.get('/console/hub');
  const made = await invite(withEvents);
  const again = await invite(withPeople);
  const wrong = await invite('no brand!');
  const link = new URL(secretIn(made, 'made-link')).pathname;

  assert.match(readWords(hub), new RegExp(`${withEvents} ${withEvents} Without a manager 0`));
  assert.match(readWords(hub), new RegExp(`${withPeople} ${withPeople} 1 1`));
  assert.match(readWords(await open(booted, link)), /Olga invites you to this brand as a manager/);
  assert.equal(again.status, 409);
  assert.match(readWords(again), /has a manager, who invites its people/);
  assert.equal(wrong.status, 422);
  assert.ok(wrong.text.includes('value="no brand!"'));
});

test('one’s own data come as a file, and the account is erased once its e-mail is typed', async () => {
  const ada = await newVisitor(booted, { brands: { [newBrand()]: 'viewer' } });

  const file = await ada.post('/console/me/export');
  const mistyped = await ada.post('/console/me/erase', { email: 'other@example.com' });
  const erased = await ada.post('/console/me/erase', { email: ada.email.toUpperCase() });
  const afterwards = await ada.get('/console/me');

  assert.match(
    file.headers.get('content-disposition') ?? '',
    /^attachment; filename="usr_\w+\.json"$/,
  );
  const data = JSON.parse(file.text) as { readonly account: { readonly email: string } };
  assert.equal(data.account.email, ada.email);
  assert.equal(mistyped.status, 422);
  assert.match(readWords(mistyped), /This is not your e-mail\./);
  assert.equal(erased.location, '/console/login?done=erased');
  assert.equal(afterwards.location, '/console/login?next=%2Fconsole%2Fme');
});

test('the last manager of a brand cannot erase the account', async () => {
  const ada = await newVisitor(booted, { brands: { [newBrand()]: 'manager' } });

  const refused = await ada.post('/console/me/erase', { email: ada.email });

  assert.equal(refused.status, 409);
  assert.match(readWords(refused), /You are the last manager of a brand/);
});

test('names are shown as they are, whatever they hold', async () => {
  const brand = newBrand();
  const hostile = '<script>alert(1)</script>"\'&';
  const ada = await newVisitor(booted, { name: hostile, brands: { [brand]: 'manager' } });

  for (const path of ['', '/people', '/keys']) {
    const { text } = await ada.get(`/console/b/${brand}${path}`);
    assert.ok(!text.includes('<script>alert'), path);
    assert.ok(text.includes('&lt;script&gt;alert'), path);
  }
});

test('every page is in the language of its reader, also the answer to a form', async () => {
  const brand = newBrand();
  const ada = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const paths = ['', '/people', '/keys'].map((path) => `/console/b/${brand}${path}`);

  for (const language of LANGUAGES) {
    for (const path of [...paths, '/console/me', '/console/no-such-page']) {
      const { text } = await ada.get(`${path}?lang=${language}`);
      assert.ok(text.includes(`<html lang="${language}"`), `${path} ${language}`);
    }
  }
  const answer = await ada.post(`/console/b/${brand}/people/invitations?lang=de`, {
    role: 'viewer',
  });
  assert.match(readWords(answer), /Die Einladung ist ausgestellt/);
  assert.ok(answer.text.includes(`href="/console/b/${brand}/people?lang=fr"`));
});

test('the log-in leads to pages of the console alone', async () => {
  const ada = await newVisitor(booted);

  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/console\\evil',
    '/consolex',
    '/v1/audit',
  ]) {
    const { location } = await ada.get(
      `/console/login?${new URLSearchParams({ next }).toString()}`,
    );
    assert.equal(location, '/console', next);
  }
  const { location } = await ada.get('/console/login?next=%2Fconsole%2Fme');
  assert.equal(location, '/console/me');
});

test('a form that is too large, or no form, is refused as a page', async () => {
  const ada = await newVisitor(booted);
  const large = await ada.post('/console/me', { name: 'x'.repeat(300_000) });
  const json = await fetch(`${booted.base}/console/me`, {
    method: 'POST',
    headers: { ...ada.headers, 'Content-Type': 'application/json', 'X-Api-Key': TENANT_KEY },
    body: '{"name":"Grace"}',
    redirect: 'manual',
  });

  assert.equal(large.status, 413);
  assert.equal(json.status, 415);
  assert.match(await json.text(), /This request cannot be understood/);
});
