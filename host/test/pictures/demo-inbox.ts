// What the picture of the inbox shows: a person, groups, and notifications as systems of a bakery post them.
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';

const PASSWORD_BYTES = 18;
/** A browser says so of requests of its own pages; without it a request is refused. */
const OWN_SITE = { 'Sec-Fetch-Site': 'same-origin' };

interface Post {
  readonly title: string;
  readonly body?: string;
  readonly severity?: 'info' | 'warning' | 'critical';
}

const GROUPS: readonly {
  readonly name: string;
  readonly sender: string;
  readonly posts: readonly Post[];
}[] = [
  {
    name: 'Deliveries',
    sender: 'Warehouse',
    posts: [
      { title: 'Delivery 4711 has arrived', body: 'Two pallets of rye flour, dock 2.' },
      {
        title: 'Flour delivery is late',
        body: 'The mill says 14:30. Call +49 30 1234567.',
        severity: 'warning',
      },
    ],
  },
  {
    name: 'Ovens',
    sender: 'Oven control',
    posts: [
      { title: 'Nightly clean finished', body: 'All four ovens, 38 minutes.' },
      {
        title: 'Oven 3 is too hot',
        body: 'It is at 291 °C since 09:12. Manual: https://ovens.example/3',
        severity: 'critical',
      },
    ],
  },
  {
    name: 'Quality team of the bakery and both shops',
    sender: 'Laboratory',
    posts: [{ title: 'Sample WHEAT-0216 is ready', body: 'Moisture 13.1 %, falling number 310.' }],
  },
];

/** Makes the first account with the link, and posts. The page is logged in then. */
export async function fillInbox(page: Page, setupLink: string): Promise<void> {
  await page.goto(setupLink);
  await page.getByLabel('Your name').fill('Annika');
  await page.getByLabel('E-mail').fill('annika@mill.example');
  await page.getByLabel('Password').fill(randomBytes(PASSWORD_BYTES).toString('base64url'));
  await page.locator('main button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.includes('/setup/'));
  for (const { name, sender, posts } of GROUPS) {
    const group = textIn(await send(page, '/api/v1/groups', { name }), 'id');
    const key = await send(page, `/api/v1/groups/${group}/keys`, { name: sender });
    for (const post of posts) {
      await send(page, '/api/v1/ingest', { ...post }, { 'X-Api-Key': textIn(key, 'key') });
    }
  }
}

async function send(
  page: Page,
  path: string,
  data: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = OWN_SITE,
): Promise<unknown> {
  const response = await page.request.post(path, { data, headers });
  if (!response.ok()) throw new Error(`POST ${path} was refused: ${await response.text()}`);
  return await response.json();
}

function textIn(answer: unknown, name: string): string {
  const members: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(answer ?? {}),
  );
  const value = members[name];
  if (typeof value !== 'string') throw new Error(`the answer has no ${name}`);
  return value;
}
