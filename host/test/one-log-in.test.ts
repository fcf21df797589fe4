// One log-in for both services of a process: the set-up link works at either, and a session of one opens the
// pages of the other.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bootFronted } from './fronted.ts';

const fronted = await bootFronted();
after(() => fronted[Symbol.asyncDispose]());

const PASSWORD = 'a quiet mill by the river';
const OWN_SITE = { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' };

interface Answer {
  readonly status: number;
  readonly location: string | null;
  /** What a browser sends back. */
  readonly cookie: string;
}

async function send(
  path: string,
  options: { readonly cookie?: string; readonly values?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const { cookie, values } = options;
  const response = await fetch(fronted.base + path, {
    redirect: 'manual',
    headers: { ...OWN_SITE, ...(cookie === undefined ? {} : { Cookie: cookie }) },
    ...(values === undefined ? {} : { method: 'POST', body: new URLSearchParams(values) }),
  });
  await response.arrayBuffer();
  const cookies = response.headers.getSetCookie().map((text) => text.split(';', 1)[0] ?? '');
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookie: cookies.join('; '),
  };
}

test('the link of the first start sets up both; each log-in and log-out is good for both', async () => {
  const link = new URL(fronted.notifications.setupLink?.url ?? '').pathname;
  const atConsole = link.replace('/inbox/', '/console/');
  const person = { name: 'Olga', email: 'olga@hub.example', password: PASSWORD };

  const shown = await send(atConsole);
  const setUp = await send(atConsole, { values: person });
  const { cookie } = setUp;
  const pages = [
    await send('/console/hub', { cookie }),
    await send('/inbox', { cookie }),
    await send('/console/me', { cookie }),
    await send('/inbox/me', { cookie }),
  ];
  const used = await send(link);
  const program = await send('/v1/lots', { cookie });
  const out = await send('/inbox/logout', { cookie, values: {} });
  const afterwards = await send('/console/hub', { cookie });
  const again = await send('/console/login', {
    values: { email: person.email, password: PASSWORD, next: '/console/hub' },
  });
  const inbox = await send('/inbox', { cookie: again.cookie });

  assert.equal(fronted.hub.setupLink, undefined, 'one link is made, not two');
  assert.equal(shown.status, 200);
  assert.equal(setUp.location, '/console');
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal(used.status, 410);
  assert.equal(program.status, 401);
  assert.equal(out.location, '/inbox/login?done=logged-out');
  assert.equal(afterwards.location, '/console/login?next=%2Fconsole%2Fhub');
  assert.equal(again.location, '/console/hub');
  assert.equal(inbox.status, 200);
});
