// Sessions that end while somebody fills a form in: nothing that was typed is lost, nothing is done by itself,
// and passwords are not carried.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot } from '../boot.ts';
import { OWN_SITE, newVisitor, readWords, submit } from './visitors.ts';
import type { Page, Roles, TestVisitor } from './visitors.ts';

const PASSWORD = 'a quiet mill by the river';
const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

const passwordHash = await booted.service.people.passwords.hash(PASSWORD);

async function newPerson(roles: Roles): Promise<TestVisitor> {
  return await newVisitor(booted, { ...roles, passwordHash });
}

/** What the first form of a page sends, as a browser has it; `typed` is what its reader fills in. */
function readForm(page: Page, typed: Readonly<Record<string, string>>) {
  const form = /<form method="post" action="([^"]+)">([^]*?)<\/form>/.exec(page.text);
  assert.ok(form !== null, page.text);
  const [, action = '', fields = ''] = form;
  const hidden = [...fields.matchAll(/<input\s+type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)];
  const values = hidden.map(([, name = '', value = '']): [string, string] => [
    name,
    unescaped(value),
  ]);
  return { action: unescaped(action), values: { ...Object.fromEntries(values), ...typed } };
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

async function send(
  { action, values }: ReturnType<typeof readForm>,
  headers: Readonly<Record<string, string>> = OWN_SITE,
): Promise<Page> {
  return await submit(booted, action, { headers, values });
}

function readCookie({ headers }: Page): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ');
}

test('what was typed is there again after the log-in, and is done once it is sent again', async () => {
  const ada = await newPerson({ brands: { bakery: 'manager' } });
  const typed = { label: 'ERP "north" <1> & co', limit: 'post-events' };
  const keys = '/console/b/bakery/keys';

  const ended = await submit(booted, keys, { headers: OWN_SITE, values: typed });
  const back = await send(readForm(ended, { email: ada.email, password: PASSWORD }));
  const headers = { Cookie: readCookie(back), ...OWN_SITE };
  const undone = await ada.get(keys);
  const done = await submit(booted, keys, { headers, values: typed });

  assert.equal(ended.status, 401);
  assert.equal(ended.headers.get('cache-control'), 'no-store');
  assert.equal(back.status, 200);
  assert.match(
    readWords(back),
    /You are logged in again\. Look at the form, then send it once more\./,
  );
  assert.ok(back.text.includes('value="ERP &quot;north&quot; &lt;1&gt; &amp; co"'), back.text);
  assert.match(back.text, /<option value="post-events"\s+selected/);
  assert.doesNotMatch(readWords(undone), /north/);
  assert.match(readWords(done), /The key is made/);
});

test('a wrong password on the way keeps what was typed', async () => {
  const ada = await newPerson({ brands: { bakery: 'manager' } });
  const invite = '/console/b/bakery/people/invitations';
  const typed = { email: 'bo@example.com', role: 'quality' };

  const ended = await submit(booted, invite, { headers: OWN_SITE, values: typed });
  const wrong = await send(readForm(ended, { email: ada.email, password: 'not this one' }));
  const back = await send(readForm(wrong, { email: ada.email, password: PASSWORD }));

  assert.equal(wrong.status, 401);
  assert.match(readWords(wrong), /E-mail or password is wrong\./);
  assert.ok(wrong.text.includes(`value="${ada.email}"`), 'the e-mail of the log-in stays');
  assert.equal(back.status, 200);
  assert.ok(back.text.includes('value="bo@example.com"'), back.text);
  assert.match(back.text, /<option value="quality"\s+selected/);
  assert.match(readWords(back), /There is no open invitation/);
});

test('passwords are carried nowhere', async () => {
  const secret = 'never to be seen again';

  const ended = await submit(booted, '/console/me/password', {
    headers: OWN_SITE,
    values: { old_password: secret, new_password: `${secret}, nor this`, username: 'ada' },
  });

  assert.equal(ended.status, 401);
  assert.doesNotMatch(ended.text, new RegExp(secret));
  assert.ok(ended.text.includes('value="ada"'));
});

test('a button whose session has ended does nothing after the log-in, and its page says so', async () => {
  const ada = await newPerson({ brands: { bakery: 'manager' } });
  const bo = await newPerson({ name: 'Bo', brands: { bakery: 'viewer' } });
  const remove = `/console/b/bakery/people/${bo.accountId}/remove`;

  const ended = await submit(booted, remove, { headers: OWN_SITE });
  const back = await send(readForm(ended, { email: ada.email, password: PASSWORD }));
  const again = await send(readForm(ended, {}), { Cookie: readCookie(back), ...OWN_SITE });

  for (const page of [back, again]) {
    assert.equal(page.status, 200);
    assert.match(readWords(page), /You are logged in again/);
  }
  assert.equal((await bo.get('/console/b/bakery')).status, 200);
});

test('who logged in elsewhere meanwhile sees the form without a password', async () => {
  const ada = await newPerson({ brands: { bakery: 'manager' } });
  const ended = await submit(booted, '/console/b/bakery/keys', {
    headers: OWN_SITE,
    values: { label: 'Scanner', limit: 'all' },
  });

  const back = await send(readForm(ended, {}), ada.headers);

  assert.equal(back.status, 200);
  assert.ok(back.text.includes('value="Scanner"'));
});

test('who logs in as somebody without the right gets the page that says so, and not the form', async () => {
  const viewer = await newPerson({ brands: { bakery: 'viewer' } });
  const outsider = await newPerson({ brands: { mill: 'manager' } });
  const ended = await submit(booted, '/console/b/bakery/keys', {
    headers: OWN_SITE,
    values: { label: 'Scanner', limit: 'all' },
  });

  const statuses = [];
  for (const { email } of [viewer, outsider]) {
    const page = await send(readForm(ended, { email, password: PASSWORD }));
    statuses.push(page.status);
    assert.doesNotMatch(page.text, /Scanner/);
  }

  assert.deepEqual(statuses, [403, 404]);
});

test('many wrong passwords on the way are slowed down as at the log-in', async () => {
  await using limited = await boot({
    env: { NOTIFICATIONS_RATE_LOGIN_BURST: '2', NOTIFICATIONS_RATE_LOGIN_PER_MINUTE: '1' },
  });
  const ada = await newVisitor(limited, { passwordHash });
  const values = { 'before.log-in': 'yes', email: ada.email, password: 'not this one' };

  const statuses = [];
  for (let tries = 0; tries < 4; tries += 1) {
    const { status } = await submit(limited, '/console/me', { headers: OWN_SITE, values });
    statuses.push(status);
  }

  assert.deepEqual(statuses, [401, 401, 429, 429]);
});
