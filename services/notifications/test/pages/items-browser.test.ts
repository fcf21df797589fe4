// What belongs together as people see it: one row that counts, moves up and closes; acknowledged with a comment
// before the eyes of others; the days of the reader; links; what an owner took away.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { boot, type Booted } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import {
  browse,
  issueKey,
  postWith,
  readPath,
  readTitles,
  untilChip,
  untilEqual,
} from './browsing.ts';

let browser: Browser;
let inbox: Booted;
let ada: TestPerson;
let ben: TestPerson;

before(async () => {
  [browser, inbox] = await Promise.all([launchBrowser(), boot()]);
  [ada, ben] = await Promise.all([newPerson(inbox), newPerson(inbox, 'Ben')]);
});

after(async () => {
  await browser.close();
  await inbox[Symbol.asyncDispose]();
});

type Fields = Readonly<Record<string, string>>;

async function newOvens(): Promise<{
  readonly groupId: string;
  readonly post: (fields: Fields) => Promise<void>;
}> {
  const groupId = await newGroup(ada, 'Ovens');
  await join(inbox, { groupId, person: ben });
  const key = await issueKey(ada, groupId);
  return {
    groupId,
    post: async (fields) => assert.equal(await postWith(inbox.base, key, fields), 201),
  };
}

const OVEN = { title: 'Oven 3 is too hot', dedup_key: 'oven-3', status: 'firing' };

async function readMarks(page: Page): Promise<readonly string[]> {
  return (await page.locator('.item .state-mark').allTextContents()).map((words) =>
    words.replaceAll(/\s+/g, ' ').trim(),
  );
}

test('what fires again moves its row up and counts, without a second one, and a resolve closes it', async () => {
  const { groupId, post } = await newOvens();
  await post(OVEN);
  await post({ title: 'Door open' });
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page } = open;
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);
  await page.getByRole('link', { name: OVEN.title }).focus();

  await post(OVEN);
  await post({ ...OVEN, title: 'Oven 3 is far too hot' });

  await untilEqual(() => readTitles(page), ['Oven 3 is far too hot', 'Door open']);
  assert.deepEqual(await readMarks(page), ['Firing ×33 times']);
  assert.equal(
    await page.locator('.item:focus-within .item-link').innerText(),
    'Oven 3 is far too hot',
  );
  await post({ ...OVEN, title: 'Oven 3 is fine', status: 'resolved' });
  await untilEqual(() => readMarks(page), ['Resolved ×44 times']);
  await post(OVEN);
  await untilEqual(() => readTitles(page), [OVEN.title, 'Oven 3 is fine', 'Door open']);
  await page.getByRole('button', { name: 'Mark read “Oven 3 is fine”' }).click();
  await untilEqual(() => page.title(), '(2) Ovens');
  await page.reload();
  assert.deepEqual(await readTitles(page), [OVEN.title, 'Oven 3 is fine', 'Door open']);
  assert.deepEqual(open.complaints, []);
});

test('an acknowledgement comes with its comment to everybody at once, and what waits is counted live', async () => {
  const { groupId, post } = await newOvens();
  await post({ ...OVEN, severity: 'critical' });
  await post({ ...OVEN, severity: 'critical' });
  await post({ title: 'Fire', severity: 'critical' });
  await using desk = await browse(browser, { base: inbox.base, person: ada });
  await using phone = await browse(browser, { base: inbox.base, person: ben });
  await desk.page.goto(`/inbox/groups/${groupId}?ack=open`);
  await phone.page.goto(`/inbox/groups/${groupId}/n/2`);
  for (const { page } of [desk, phone]) await untilChip(page, /Live/);
  const waiting = desk.page.locator('[data-tab-count="open"]');
  await untilEqual(() => waiting.innerText(), '2');

  await phone.page.getByLabel('Comment').fill('On my way <b>now</b>');
  await phone.page.locator('.detail').getByRole('button', { name: 'Acknowledge' }).click();

  await desk.page
    .getByText('Acknowledged by Ben: On my way <b>now</b>')
    .waitFor({ state: 'attached' });
  await phone.page.locator('blockquote', { hasText: 'On my way <b>now</b>' }).waitFor();
  await untilEqual(() => waiting.innerText(), '1');
  await post({ ...OVEN, severity: 'critical' });
  await untilEqual(() => waiting.innerText(), '2');
  await untilEqual(() => readTitles(desk.page), [OVEN.title, 'Fire']);
  await post({ ...OVEN, severity: 'critical', status: 'resolved' });
  await untilEqual(() => readTitles(desk.page), ['Fire']);
  await untilEqual(() => waiting.innerText(), '1');
  assert.deepEqual([...desk.complaints, ...phone.complaints], []);
});

test('without scripts a form acknowledges with a comment, and the days are those of UTC', async () => {
  const { groupId, post } = await newOvens();
  await post({ title: 'Fire', severity: 'critical' });
  await using open = await browse(browser, {
    base: inbox.base,
    person: ada,
    javaScriptEnabled: false,
  });
  const { page } = open;
  await page.goto(`/inbox/groups/${groupId}/n/1`);

  await page.getByLabel('Comment').fill('I take it');
  await page.locator('.detail').getByRole('button', { name: 'Acknowledge' }).click();

  assert.equal(readPath(inbox, page), `/inbox/groups/${groupId}`);
  assert.match(await page.locator('.acknowledged').innerText(), /Ada/);
  assert.deepEqual(await page.locator('.day h2').allInnerTexts(), ['Today (UTC)']);
  await page.goto(`/inbox/groups/${groupId}/n/1`);
  assert.equal(await page.locator('blockquote').innerText(), 'I take it');
});

test('a list has headings for the days of its reader, and keeps them while rows come and go', async () => {
  const { groupId, post } = await newOvens();
  // Retention looks a few seconds after a start, and would delete what is older than 90 days.
  await ada.send('PATCH', `/api/v1/groups/${groupId}`, { retention_days: 3_650 });
  await post(OVEN);
  await post({ title: 'Late' });
  await post({ title: 'Early' });
  const noon = Date.UTC(2026, 5, 10, 12);
  const hour = 3_600_000;
  await inbox.service.store.write([
    ...[noon - 50 * hour, noon - 13 * hour, noon - 11 * hour].map(
      (at, index) => sql`
        update notifications
        set created_at = ${at}
        where group_id = ${groupId} and seq = ${index + 1}`,
    ),
  ]);
  // Noon in UTC is 2 in the morning of the next day there.
  const timezoneId = 'Pacific/Kiritimati';
  await using open = await browse(browser, { base: inbox.base, person: ada, timezoneId });
  const { page } = open;
  await page.clock.setFixedTime(noon);
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);
  const days = () => page.locator('.day h2').allInnerTexts();

  const first = await days();
  await post(OVEN);

  assert.deepEqual(first, ['Yesterday', 'Tuesday, June 9, 2026']);
  await untilEqual(() => readTitles(page), [OVEN.title, 'Early', 'Late']);
  assert.equal((await days()).length, 2);
  assert.equal((await days())[1], 'Yesterday');
});

test('a row shows where its link leads, o opens it, and no row is higher than a line on a wide screen', async () => {
  const { groupId, post } = await newOvens();
  await post({ title: 'Look', url: `${inbox.base}/api/v1/health`, body: 'Long '.repeat(90) });
  await post({ title: 'Much longer than a line '.repeat(5), severity: 'critical' });
  await using open = await browse(browser, {
    base: inbox.base,
    person: ada,
    viewport: { width: 1_280, height: 800 },
  });
  const { page } = open;
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);

  const boxes = await Promise.all(
    (await page.locator('.item').all()).map((row) => row.boundingBox()),
  );
  const severities = await page.locator('.item .mark').all();
  const columns = await Promise.all(severities.map(async (one) => (await one.boundingBox())?.x));
  const host = await page.locator('.item-url bdi').innerText();
  await page.getByRole('link', { name: 'Look', exact: true }).focus();
  await page.keyboard.press('o');

  assert.ok(boxes.every((box) => box !== null && box.height < 48));
  assert.equal(new Set(columns).size, 1);
  assert.equal(host, new URL(inbox.base).host);
  await page.waitForURL(/health/);
});

test('what an owner takes away is gone from an open page, in the list and in the detail', async () => {
  const { groupId, post } = await newOvens();
  await post({ title: 'Ada Lovelace called', body: 'Her number', url: 'https://example.com/ada' });
  await using list = await browse(browser, { base: inbox.base, person: ben });
  await using detail = await browse(browser, { base: inbox.base, person: ben });
  await list.page.goto(`/inbox/groups/${groupId}`);
  await detail.page.goto(`/inbox/groups/${groupId}/n/1`);
  for (const { page } of [list, detail]) await untilChip(page, /Live/);

  await ada.send('POST', `/api/v1/groups/${groupId}/notifications/1/redact`);

  for (const { page } of [list, detail]) {
    await page.getByText('Text removed by an owner').first().waitFor();
    const text = `${await page.title()} ${await page.locator('main').innerText()}`;
    assert.doesNotMatch(text, /Lovelace called|number|example\.com/);
  }
});
