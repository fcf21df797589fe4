// Every page as people see it, light and dark, on a telephone and on a desk: axe finds nothing against
// WCAG 2.2 AA, nothing sticks out at the side, and nothing breaks the policy or comes from elsewhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPushService, type PushService } from '@lothub/delivery/test/push-service';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, Page } from 'playwright-core';
import { LOOKED_AT_MAX } from '../../src/inbox/search.ts';
import { unsubscribeToken } from '../../src/mail/unsubscribe-token.ts';
import { boot, type Booted } from '../boot.ts';
import { browse, issueKey, postWith, type Browsing } from './browsing.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { fill } from '../stored-group.ts';

/** Colours do not hang on the width, so two of the four show all there is. */
const SIGHTS = [
  { width: 360, colorScheme: 'dark' },
  { width: 1_280, colorScheme: 'light' },
] as const;
const HEIGHT = 900;
/** A push service on this machine, and a mail server that nobody calls. */
const SETTINGS = {
  NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'inbox@example.com',
};
const LONG = 'W'.repeat(100);

let browser: Browser;
let pushes: PushService;
let inbox: Booted;
let ada: TestPerson;
let groupId: string;
let webhookId: string;
let benId: string;
let invitation: string;
let unsubscribing: string;
let asAda: Browsing;
let asNobody: Browsing;

before(async () => {
  [browser, inbox, pushes] = await Promise.all([
    launchBrowser(),
    boot({ env: SETTINGS }),
    startPushService(),
  ]);
  ada = await newPerson(inbox);
  const ben = await newPerson(inbox, LONG);
  benId = ben.accountId;
  groupId = await newGroup(ada, 'Ovens');
  await fill(inbox.service.store, await newGroup(ada, LONG), LOOKED_AT_MAX + 1);
  await join(inbox, { groupId, person: ben });
  const path = `/api/v1/groups/${groupId}`;
  const key = await issueKey(ada, groupId);
  const made = await ada.send('POST', `${path}/webhooks`, {
    name: LONG,
    url: `https://hooks.example.com/${LONG}`,
  });
  webhookId = String(made.json['id']);
  const invited = await ada.send('POST', `${path}/invitations`, { email: null });
  invitation = new URL(String(invited.json['url'])).pathname;
  await postWith(inbox.base, key, { title: 'Backup finished', body: '42 GB in 18 min' });
  await postWith(inbox.base, key, { title: LONG, body: LONG.repeat(3), severity: 'warning' });
  await postWith(inbox.base, key, { title: 'Oven 3 is too hot', severity: 'critical' });
  await postWith(inbox.base, key, { title: 'Oven 4 is too hot', severity: 'critical' });
  await ada.send('PUT', `${path}/escalation`, { after_minutes: 15, people: [benId] });
  await ada.send('PUT', `${path}/notifications/3/ack`, { comment: LONG.repeat(2) });
  await ada.send('PUT', `${path}/notifications/1/read`);
  await ada.send('PUT', '/api/v1/me/mail', { min_severity: 'info', rhythm: 'daily' });
  for (const name of ['Phone', LONG]) await newDevice(name);
  await ada.send('PUT', '/api/v1/me/quiet-hours', {
    ...{ from: '22:00', until: '06:30', time_zone: 'America/Argentina/Buenos_Aires' },
    lets_critical: true,
  });
  unsubscribing = await unsubscribePath();
  const alert = { dedup_key: 'oven-5', url: `https://example.com/${LONG}` };
  await postWith(inbox.base, key, { ...alert, title: 'Oven 5 is too hot', severity: 'critical' });
  await postWith(inbox.base, key, {
    ...alert,
    title: LONG,
    severity: 'critical',
    status: 'firing',
  });
  await postWith(inbox.base, key, { title: 'Door', dedup_key: 'd', status: 'resolved' });
  asAda = await browse(browser, { base: inbox.base, person: ada });
  asNobody = await browse(browser, { base: inbox.base });
});

after(async () => {
  await browser.close();
  await inbox[Symbol.asyncDispose]();
  await pushes[Symbol.asyncDispose]();
});

const group = (): string => `/inbox/groups/${groupId}`;

const PAGES: readonly (readonly [name: string, open: (page: Page) => Promise<unknown>])[] = [
  ['the inbox of all groups', (page) => page.goto('/inbox')],
  ['the inbox of a group', (page) => page.goto(group())],
  ['a list in which nothing matches', (page) => page.goto(`${group()}?q=nothing`)],
  ['a search that has not seen everything', (page) => page.goto('/inbox?q=nothing+like+it')],
  ['a notification', (page) => page.goto(`${group()}/n/2`)],
  ['one of an item, with what it belongs together with', (page) => page.goto(`${group()}/n/5`)],
  ['what somebody acknowledged with a comment', (page) => page.goto(`${group()}/n/3`)],
  ['what waits to be acknowledged', (page) => page.goto('/inbox?ack=open')],
  ['the keys of the keyboard', openKeys],
  ['the settings of a group', (page) => page.goto(`${group()}/settings`)],
  ['a key that is shown once', openIssuedKey],
  ['the token of a sender that is shown once', openIssuedToken],
  ['a form that was refused', openRefusedForm],
  ['the webhooks of a group', (page) => page.goto(`${group()}/webhooks`)],
  ['a webhook', (page) => page.goto(`${group()}/webhooks/${webhookId}`)],
  ['a test of a webhook', openTestedWebhook],
  ['the page that asks before somebody is removed', (page) => page.goto(removalPath())],
  ['a delivery', (page) => page.goto(deliveryPath())],
  ['the audit of a group', (page) => page.goto(`${group()}/audit`)],
  ['a new group', (page) => page.goto('/inbox/new-group')],
  ["one's own settings", (page) => page.goto('/inbox/me')],
  ['devices and quiet hours', openDevices],
  ['quiet hours that were refused', openRefusedHours],
  ['a group that is muted', openMuted],
];

const OPEN_PAGES: typeof PAGES = [
  ['the log-in', (page) => page.goto('/inbox/login')],
  ['an invitation', (page) => page.goto(invitation)],
  ['the link that ends mails', (page) => page.goto(unsubscribing)],
  ['the list of endpoints', (page) => page.goto('/api/v1/docs')],
  ['the page of an endpoint', (page) => page.goto('/api/v1/docs/postNotification')],
  ['a link that is no longer good', (page) => page.goto('/inbox/invitation/none')],
];

/** One that is paused for its words: nothing is sent to it. */
async function newDevice(name: string): Promise<void> {
  const { subscription } = pushes.newBrowser();
  const { endpoint, p256dh, auth } = subscription;
  const made = await ada.send('POST', '/api/v1/me/devices', {
    ...{ subscription: { endpoint, keys: { p256dh, auth } }, name },
  });
  assert.equal(made.status, 201, made.text);
  if (name === LONG) {
    await ada.send('PATCH', `/api/v1/me/devices/${String(made.json['id'])}`, { status: 'paused' });
  }
}

async function openDevices(page: Page): Promise<void> {
  await page.goto('/inbox/me#devices');
  await page.getByText('From 22:00 until 06:30').waitFor();
  assert.equal(await page.locator('[data-device-id]').count(), 2);
  await page.getByText('Rename').first().click();
}

async function openRefusedHours(page: Page): Promise<void> {
  await page.goto('/inbox/me#devices');
  await page.getByLabel('Time zone').fill('Mars/Base');
  await page.locator('#devices').getByRole('button', { name: 'Save', exact: true }).last().click();
  await page.locator('#devices .field-error').waitFor();
}

async function openMuted(page: Page): Promise<void> {
  await page.goto(`${group()}/settings#mute`);
  const muting = page.getByRole('button', { name: 'Until I unmute it' });
  if (await muting.isVisible()) await muting.click();
  await page.getByText('Muted until you unmute it').waitFor();
}

function removalPath(): string {
  return `${group()}/settings/members/${benId}/remove`;
}

async function openTestedWebhook(page: Page): Promise<void> {
  await page.goto(`${group()}/webhooks/${webhookId}`);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The receiver did not take it').waitFor();
}

function deliveryPath(): string {
  return `${group()}/webhooks/${webhookId}/deliveries/msg_4_${webhookId}`;
}

async function unsubscribePath(): Promise<string> {
  const [row] = await inbox.database.rows(
    `select r.id, k.value
    from mail_receivers r, service_keys k
    where k.name = 'mail_links'`,
  );
  return `/inbox/unsubscribe/${unsubscribeToken(String(row?.['value']), String(row?.['id']))}`;
}

async function openKeys(page: Page): Promise<void> {
  await page.goto(group());
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
}

async function openIssuedKey(page: Page): Promise<void> {
  await page.goto(`${group()}/settings`);
  await page.getByLabel('Who posts with it').fill('Mixer');
  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.locator('#issued-command').waitFor();
}

async function openIssuedToken(page: Page): Promise<void> {
  await page.goto(`${group()}/settings`);
  await page.getByLabel('Who posts with it').fill('Alarms');
  await page.getByLabel('What sends').selectOption('Grafana');
  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.locator('#issued-configuration').waitFor();
}

async function openRefusedForm(page: Page): Promise<void> {
  await page.goto(`${group()}/webhooks`);
  await page.getByLabel('Name', { exact: true }).fill('Chat');
  await page.getByLabel('Address').fill('ftp://example.com/');
  await page.getByRole('button', { name: 'Make the webhook' }).click();
  await page.locator('.field-error').waitFor();
}

async function assertSeen(
  { page, complaints }: Browsing,
  open: (page: Page) => Promise<unknown>,
): Promise<void> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.setViewportSize({ width: SIGHTS[0].width, height: HEIGHT });
  await open(page);
  for (const { width, colorScheme } of SIGHTS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    const found = [await findOverflow(page), await findViolations(page)];
    assert.deepEqual(found, [[], []], `${width} px, ${colorScheme}`);
  }
  const { origin } = new URL(page.url());
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(origin)),
    [],
  );
  assert.deepEqual(complaints, []);
}

for (const [name, open] of PAGES) {
  test(`${name} can be seen by everybody, at any width, light and dark`, async () => {
    await assertSeen(asAda, open);
  });
}

for (const [name, open] of OPEN_PAGES) {
  test(`${name} can be seen by everybody, at any width, light and dark`, async () => {
    await assertSeen(asNobody, open);
  });
}

test('the set-up can be seen by everybody, at any width, light and dark', async () => {
  await using fresh = await boot();
  await using setUp = await browse(browser, { base: fresh.base });
  const { pathname } = new URL(fresh.service.setupLink?.url ?? '');

  await assertSeen(setUp, (page) => page.goto(pathname));
});

test('the button that joins a group says as whom, with a space before the name', async () => {
  const { page } = asAda;
  await page.goto(invitation);

  const words = await page.getByRole('button', { name: /^Join/ }).innerText();

  assert.equal(words, 'Join as Ada');
});

test('a long name of a group stays in one line at the side, whole in its title', async () => {
  const { page } = asAda;
  await page.setViewportSize({ width: SIGHTS[1].width, height: HEIGHT });
  await page.goto('/inbox');
  const [short, long] = ['Ovens', LONG].map((name) => page.locator(`.side [title="${name}"]`));

  const heights = [await short?.boundingBox(), await long?.boundingBox()].map((box) => box?.height);

  assert.equal(heights[0], heights[1]);
  assert.equal(await long?.innerText(), LONG);
});

test('addresses in the text of a notification are links, and nothing else of it is', async () => {
  const { page } = asAda;
  const key = await issueKey(ada, groupId);
  const body = 'See https://ovens.example/3?a=1&b=2 or call +49 30 1234567 <b>now</b>.';
  await postWith(inbox.base, key, { title: 'Oven 5', body });
  await page.goto(group());
  await page.getByRole('link', { name: 'Oven 5' }).click();
  const text = page.locator('.text');
  await text.waitFor();

  const links = await text.locator('a').evaluateAll((found) => found.map(String));

  assert.deepEqual(links, ['https://ovens.example/3?a=1&b=2', 'tel:+49301234567']);
  assert.equal(await text.innerText(), body);
});

test('on paper a list is without buttons and fields, and nothing sticks out', async () => {
  const { page } = asAda;
  await page.goto(group());
  await page.emulateMedia({ media: 'print' });

  const overflow = await findOverflow(page);
  const shown = await page.locator('button:visible, input:visible, nav:visible').count();
  await page.emulateMedia({ media: null });

  assert.deepEqual(overflow, []);
  assert.equal(shown, 0);
});

test('whoever wants less motion sees none', async () => {
  const { page } = asAda;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(group());

  const moving: unknown = await page.evaluate(`(() => {
    const item = document.querySelector('.item');
    item.classList.add('new');
    return document.getAnimations().length;
  })()`);
  await page.emulateMedia({ reducedMotion: null });

  assert.equal(moving, 0);
});
