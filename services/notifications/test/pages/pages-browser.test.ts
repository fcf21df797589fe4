// The inbox in a real Chromium: from the set-up link to the first notification, live on several devices,
// through the death of the server, by keyboard alone and without scripts. No journey leaves an error in
// the console or breaks the policy of the pages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { awaitServiceChild, spawnServiceChild } from '@lothub/kit/test/service-child';
import type { Browser } from 'playwright-core';
import { boot, type Booted } from '../boot.ts';
import {
  browse,
  issueKey,
  postWith,
  readPath,
  readTitles,
  untilChip,
  untilEqual,
} from './browsing.ts';
import { join, newGroup, newPerson } from '../people/person.ts';

const PASSWORD = 'a loaf of sourdough bread';
/** Notifications a list needs to be longer than the screen. */
const LONG_LIST = 30;
/** A page calls a break offline after some seconds; its clock is moved on by this. */
const LONG_BREAK_MS = 30_000;
/** A revoked key is refused by then (docs/interface/notifications.md#keys). */
const REVOKED_MAX_MS = 1_000;

let browser: Browser;
let inbox: Booted;

before(async () => {
  [browser, inbox] = await Promise.all([launchBrowser(), boot()]);
});

after(async () => {
  await browser.close();
  await inbox[Symbol.asyncDispose]();
});

test('the set-up link leads to the first notification, by what the pages say alone', async () => {
  await using fresh = await boot();
  await using first = await browse(browser, { base: fresh.base });
  const { page, complaints } = first;
  const link = new URL(fresh.service.setupLink?.url ?? '');

  await page.goto(link.pathname);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('First group').fill('Bakery');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('link', { name: 'Make a key and send the first' }).click();
  await page.getByLabel('Who posts with it').fill('Oven 3');
  await page.getByRole('button', { name: 'Issue a key' }).click();
  const command = await page.locator('#issued-command').innerText();
  await page.getByRole('link', { name: 'To the inbox' }).click();
  await untilChip(page, /Live/);
  const key = /X-Api-Key: ([^']+)'/.exec(command)?.[1] ?? '';
  const body: unknown = JSON.parse(/-d '([^']+)'/.exec(command)?.[1] ?? '');
  const status = await postWith(fresh.base, key, { ...(body as object) });

  assert.equal(status, 201);
  await untilEqual(() => readTitles(page), ['It works']);
  assert.equal(await page.title(), '(1) Bakery');
  assert.match(await page.locator('.item-from').innerText(), /Oven 3/);
  assert.deepEqual(complaints, []);
});

test('what is read on one device is read on the other, and its counts drop', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  await postWith(inbox.base, key, { title: 'One' });
  await postWith(inbox.base, key, { title: 'Two', severity: 'critical' });
  await using desk = await browse(browser, { base: inbox.base, person: ada });
  await using phone = await browse(browser, { base: inbox.base, person: ada });
  for (const { page } of [desk, phone]) {
    await page.goto(`/inbox/groups/${groupId}`);
    await untilChip(page, /Live/);
  }

  await desk.page.getByRole('button', { name: 'Mark read “One”' }).click();
  await desk.page.getByRole('button', { name: 'Acknowledge “Two”' }).click();

  await untilEqual(() => phone.page.title(), '(1) Ovens');
  const count = phone.page.locator(`[data-count="${groupId}"] .count-shown`);
  await untilEqual(() => count.innerText(), '1');
  await phone.page.getByText('Acknowledged by Ada').waitFor();
  await phone.page.getByRole('button', { name: 'Mark unread “One”' }).waitFor();
  await phone.page.getByRole('button', { name: 'Mark all read' }).click();
  await untilEqual(() => desk.page.title(), 'Ovens');
  assert.deepEqual([...desk.complaints, ...phone.complaints], []);
});

test('a page outlives its server: the chip says so, the gap fills, and nothing comes twice', async () => {
  await using home = await boot();
  const ada = await newPerson(home);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  const { env } = home.database;
  await home.service.close();
  const start = (port: string) =>
    awaitServiceChild(
      spawnServiceChild({
        script: new URL('../stream/stream-child.ts', import.meta.url),
        env: { ...env, PORT: port },
      }),
    );
  const firstLife = await start('0');
  const { base } = firstLife;
  await using open = await browse(browser, { base, person: ada });
  const { page, complaints } = open;
  await page.clock.install();
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);
  await postWith(base, key, { title: 'Before' });
  await untilEqual(() => readTitles(page), ['Before']);

  await firstLife.end();
  await untilChip(page, /Reconnecting/);
  await page.clock.fastForward(LONG_BREAK_MS);
  await untilChip(page, /Offline since \d/);
  const secondLife = await start(new URL(base).port);
  try {
    await postWith(base, key, { title: 'In the gap' });
    await untilChip(page, /Live/);
    await postWith(base, key, { title: 'After' });

    await untilEqual(() => readTitles(page), ['After', 'In the gap', 'Before']);
    await untilEqual(() => page.title(), '(3) Ovens');
    assert.deepEqual(complaints, []);
  } finally {
    await secondLife.end();
  }
});

test('a reader further down sees how many came, and the list stays where it is', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  for (let at = 1; at <= LONG_LIST; at += 1) {
    await postWith(inbox.base, key, { title: `Number ${at}` });
  }
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page, complaints } = open;
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);
  await page.getByText('Number 3', { exact: true }).scrollIntoViewIfNeeded();
  const readTop = () => page.getByText('Number 3', { exact: true }).boundingBox();
  const before = await readTop();

  for (const title of ['New one', 'New two', 'New three']) {
    await postWith(inbox.base, key, { title });
  }

  const pill = page.getByRole('link', { name: '3 new' });
  await pill.waitFor();
  assert.deepEqual(await readTop(), before);
  assert.equal((await readTitles(page))[0], `Number ${LONG_LIST}`);
  await pill.click();
  await untilEqual(
    async () => (await readTitles(page)).slice(0, 4),
    ['New three', 'New two', 'New one', `Number ${LONG_LIST}`],
  );
  assert.equal(await page.evaluate('scrollY'), 0);
  assert.deepEqual(complaints, []);
});

test('a list that is narrowed takes in only what it is about', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  await postWith(inbox.base, key, { title: 'Straße is closed', severity: 'warning' });
  await postWith(inbox.base, key, { title: 'Door open', severity: 'warning' });
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page, complaints } = open;
  await page.goto(`/inbox/groups/${groupId}`);
  await page.getByRole('searchbox').fill('STRASSE');
  await page.getByLabel('Severity').selectOption('warning');
  await page.getByRole('button', { name: 'Filter' }).click();
  await untilChip(page, /Live/);

  await postWith(inbox.base, key, { title: 'Straße is open', severity: 'info' });
  await postWith(inbox.base, key, { title: 'Window open', severity: 'warning' });
  await postWith(inbox.base, key, { title: 'Straße is wet', severity: 'warning' });

  await untilEqual(() => readTitles(page), ['Straße is wet', 'Straße is closed']);
  await untilEqual(() => page.title(), '(5) Ovens');
  assert.deepEqual(complaints, []);
});

test('many tabs of one browser all load: some are live, and a closed one makes room', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { context } = open;
  const tabs = [
    open.page,
    ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage()))),
  ];
  for (const tab of tabs) await tab.goto(`/inbox/groups/${groupId}`);
  const chips = () =>
    Promise.all(
      tabs.filter((tab) => !tab.isClosed()).map((tab) => tab.locator('#chip').innerText()),
    );
  const liveTabs = async () => (await chips()).filter((words) => words === 'Live').length;
  const pausedTabs = async () =>
    (await chips()).filter((words) => words === 'Live in other tabs').length;
  await untilEqual(async () => [await liveTabs(), await pausedTabs()], [4, 4]);

  for (const tab of tabs.slice(0, 4)) await tab.close();

  await untilEqual(liveTabs, 4);
  assert.deepEqual(open.complaints, []);
});

test('a key that is revoked on its page posts no more, a second later at most', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page, complaints } = open;
  await page.goto(`/inbox/groups/${groupId}/settings`);
  const statuses: number[] = [];
  let isPosting = true;
  const posting = (async () => {
    while (isPosting) statuses.push(await postWith(inbox.base, key, { title: 'Still hot' }));
  })();
  await untilEqual(async () => statuses.includes(201), true);

  await page.getByRole('button', { name: 'Revoke key Oven 3' }).click();
  await page.getByText('The key is revoked').waitFor();
  await untilEqual(async () => statuses.at(-1), 401, stretchForLoad(REVOKED_MAX_MS));
  isPosting = false;
  await posting;

  const stopped = statuses.indexOf(401);
  assert.ok(statuses.slice(stopped).every((status) => status === 401));
  assert.deepEqual(complaints, []);
});

test('who is removed while the page is open loses the group, and sees nothing more of it', async () => {
  const ada = await newPerson(inbox);
  const ben = await newPerson(inbox, 'Ben');
  const groupId = await newGroup(ada, 'Ovens');
  await join(inbox, { groupId, person: ben });
  await newGroup(ben, 'Bicycles');
  const key = await issueKey(ada, groupId);
  await using open = await browse(browser, { base: inbox.base, person: ben });
  const { page, complaints } = open;
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);

  await ada.send('DELETE', `/api/v1/groups/${groupId}/members/${ben.accountId}`);

  await untilEqual(async () => readPath(inbox, page), '/inbox');
  await untilChip(page, /Live/);
  assert.deepEqual(await page.locator('#side .side-name').allInnerTexts(), [
    'All groups',
    'Bicycles',
  ]);
  assert.equal(await postWith(inbox.base, key, { title: 'Not for Ben' }), 201);
  const gone = await ben.get(`/inbox/groups/${groupId}`);
  assert.equal(gone.status, 404);
  assert.deepEqual(await readTitles(page), []);
  assert.deepEqual(complaints, []);
});

test('a page whose session was ended elsewhere leads to the log-in, and back from there', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page, complaints } = open;
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);

  await ada.send('DELETE', '/api/v1/session');

  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  assert.equal(
    readPath(inbox, page),
    `/inbox/login?${new URLSearchParams({ next: `/inbox/groups/${groupId}` }).toString()}`,
  );
  assert.deepEqual(complaints, []);
});

test('whatever a title is made of, it is text, and stays within its row', async () => {
  const hostile = [
    '<script>document.title = "gone"</script>',
    '<img src=x onerror="document.title = 1">',
    `"'></a><h1>gone</h1>`,
    '\u202edesrever\u2066 and \u200bzero\u200d width\ufeff',
    'W'.repeat(120),
  ];
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  await using open = await browse(browser, {
    base: inbox.base,
    person: ada,
    viewport: { width: 360, height: 780 },
  });
  const { page, complaints } = open;
  await postWith(inbox.base, key, { title: hostile[0], body: hostile[1] });
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);
  for (const title of hostile.slice(1)) await postWith(inbox.base, key, { title, body: title });

  const shown = () => page.locator('.item h3 bdi').allTextContents();
  await untilEqual(shown, hostile.toReversed());
  const directions: unknown = await page.evaluate(
    `[...new Set([...document.querySelectorAll('.items bdi')].map((one) => getComputedStyle(one).unicodeBidi))]`,
  );
  assert.deepEqual(directions, ['isolate']);
  assert.equal(await page.title(), '(5) Ovens');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  assert.deepEqual(complaints, []);
});

test('everything is done with the keyboard alone, and the keys can be turned off', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  await postWith(inbox.base, key, { title: 'One', severity: 'critical' });
  await postWith(inbox.base, key, { title: 'Two' });
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page, complaints } = open;
  const focused = () => page.evaluate<string>('document.activeElement.innerText.trim()');
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);

  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to content');
  await page.keyboard.press('j');
  assert.equal(await focused(), 'Two');
  await page.keyboard.press('j');
  assert.equal(await focused(), 'One');
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Mark unread “One”' }).waitFor();
  await page.keyboard.press('a');
  await page.getByText('Acknowledged by Ada').waitFor();
  await page.keyboard.press('k');
  assert.equal(await focused(), 'Two');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Two' }).waitFor();
  await untilEqual(() => page.title(), 'Two');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.getByLabel('Use single keys').press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  assert.equal(await page.locator('.detail').getAttribute('data-read'), 'yes');
  assert.deepEqual(complaints, []);
});

test('without scripts people log in, read, mark, acknowledge, search and issue keys', async () => {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  await postWith(inbox.base, key, { title: 'One', body: 'All of it', severity: 'critical' });
  await postWith(inbox.base, key, { title: 'Two' });
  await using open = await browse(browser, {
    base: inbox.base,
    person: ada,
    javaScriptEnabled: false,
  });
  const { page } = open;

  await page.goto(`/inbox/groups/${groupId}`);
  await page.getByRole('button', { name: 'Mark read “Two”' }).click();
  await page.getByRole('button', { name: 'Mark unread “Two”' }).waitFor();
  await page.getByRole('button', { name: 'Acknowledge “One”' }).click();
  await page.getByText('Acknowledged by Ada').waitFor();
  await page.getByRole('link', { name: 'One', exact: true }).click();
  await page.getByText('All of it').last().waitFor();
  await page.getByRole('link', { name: 'Ovens' }).first().click();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await page.getByText('Everything is read').waitFor();
  await page.getByRole('searchbox').fill('two');
  await page.getByRole('button', { name: 'Filter' }).click();
  assert.deepEqual(await readTitles(page), ['Two']);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Who posts with it').fill('Mixer');
  await page.getByLabel('Ends after (optional)').fill('2020-01-01');
  await page.getByRole('button', { name: 'Issue a key' }).click();
  assert.equal(await page.getByLabel('Who posts with it').inputValue(), 'Mixer');
  assert.match(await page.locator('#key-expires_at-error').innerText(), /now/);
  await page.getByLabel('Ends after (optional)').fill('');
  await page.getByRole('button', { name: 'Issue a key' }).click();
  assert.match(await page.locator('#issued-key').innerText(), /^nk_\w{59}$/);
});
