// The inbox of all groups in a real Chromium: pages both ways, with and without scripts, and how far "Mark
// all read" reaches.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { Browser, Page } from 'playwright-core';
import { boot, type Booted } from '../boot.ts';
import { browse, readTitles, untilChip, untilEqual } from './browsing.ts';
import { newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { postTo } from '../stored-group.ts';

/** Three pages, the last of them short. */
const POSTS = 130;
const PER_PAGE = 50;
/** More than a page that stays open keeps. */
const ROWS_KEPT = 500;

let browser: Browser;
let inbox: Booted;

before(async () => {
  [browser, inbox] = await Promise.all([launchBrowser(), boot()]);
});

after(async () => {
  await browser.close();
  await inbox[Symbol.asyncDispose]();
});

interface Sample {
  readonly ada: TestPerson;
  readonly groups: readonly string[];
}

/** Posts named by numbers, the newest highest, in turn into three groups. */
async function ofMany(count: number): Promise<Sample> {
  const ada = await newPerson(inbox);
  const groups = [
    await newGroup(ada, 'Ovens'),
    await newGroup(ada, 'Mixers'),
    await newGroup(ada, 'Quiet'),
  ];
  await post({ ada, groups }, 1, count);
  return { ada, groups };
}

async function post({ groups }: Sample, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) {
    const groupId = groups[n === 1 ? 2 : n % 2];
    assert.ok(groupId !== undefined);
    await inbox.service.store.post(postTo(groupId, { title: `Number ${n}` }));
  }
}

function numbers(from: number, to: number): readonly string[] {
  return Array.from({ length: from - to + 1 }, (_, n) => `Number ${from - n}`);
}

async function readUnread(person: TestPerson): Promise<number> {
  return Number((await person.get('/api/v1/unread')).json['unread']);
}

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? 'with' : 'without';

  test(`all groups together are paged both ways, ${scripts} scripts`, async () => {
    const { ada } = await ofMany(POSTS);
    await using open = await browse(browser, { base: inbox.base, person: ada, javaScriptEnabled });
    const { page, complaints } = open;
    const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
    const first = numbers(POSTS, POSTS - PER_PAGE + 1);
    const second = numbers(POSTS - PER_PAGE, POSTS - 2 * PER_PAGE + 1);
    const third = numbers(POSTS - 2 * PER_PAGE, 1);

    await page.goto('/inbox');
    await untilEqual(() => readTitles(page), first);
    await go('Older');
    await untilEqual(() => readTitles(page), second);
    await go('Older');
    await untilEqual(() => readTitles(page), third);
    assert.equal(await page.getByRole('link', { name: 'Older' }).count(), 0);
    await go('Newer');
    await untilEqual(() => readTitles(page), second);
    await go('Newer');
    await untilEqual(() => readTitles(page), first);
    assert.equal(await page.getByRole('link', { name: 'Newer' }).count(), 0);
    await go('Older');
    await untilEqual(() => readTitles(page), second);
    await go('Newest');
    await untilEqual(() => readTitles(page), first);
    assert.deepEqual(complaints, []);
  });

  test(`"Mark all read" says how far it reaches, and marks exactly that, ${scripts} scripts`, async () => {
    const { ada } = await ofMany(POSTS);
    await using open = await browse(browser, { base: inbox.base, person: ada, javaScriptEnabled });
    const { page, complaints } = open;
    const unreadRows = () => page.locator('.item.unread').count();

    await page.goto('/inbox');
    await page.getByRole('link', { name: 'Older', exact: true }).click();
    const reach = await readReach(page);
    const top = await page.locator('.item time').first().getAttribute('datetime');
    await page.getByRole('button', { name: 'Mark all read' }).click();

    await untilEqual(() => readUnread(ada), PER_PAGE);
    await untilEqual(unreadRows, 0);
    assert.equal(reach.upTo, top);
    assert.match(reach.words, /^in all groups, up to .+, older pages included$/);
    await page.goto('/inbox');
    assert.equal(await unreadRows(), PER_PAGE);
    assert.deepEqual(complaints, []);
  });
}

/** What the page says about the reach of "Mark all read". */
async function readReach(
  page: Page,
): Promise<{ readonly words: string; readonly upTo: string | null }> {
  const described = await page
    .getByRole('button', { name: 'Mark all read' })
    .getAttribute('aria-describedby');
  const reach = page.locator(`#${described}`);
  const words = (await reach.innerText()).replaceAll(/\s+/g, ' ');
  return { words, upTo: await reach.locator('time').getAttribute('datetime') };
}

test('what has come in and is not listed yet is not marked as read', async () => {
  const sample = await ofMany(PER_PAGE);
  const { ada } = sample;
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page, complaints } = open;
  await page.goto('/inbox');
  await untilChip(page, /Live/);
  await page.getByText('Number 10', { exact: true }).scrollIntoViewIfNeeded();
  await post(sample, PER_PAGE + 1, PER_PAGE + 3);
  await page.getByRole('link', { name: '3 new' }).waitFor();

  // Without scrolling up, which would list them.
  await page.evaluate(`document.querySelector('form[data-act="read-all"] button').click()`);
  await untilEqual(() => readUnread(ada), 3);
  await page.getByRole('link', { name: '3 new' }).click();
  await untilEqual(() => page.locator('.item.unread').count(), 3);
  const reach = await readReach(page);
  const top = await page.locator('.item time').first().getAttribute('datetime');
  await page.getByRole('button', { name: 'Mark all read' }).click();

  await untilEqual(() => readUnread(ada), 0);
  assert.equal(reach.upTo, top);
  assert.deepEqual(complaints, []);
});

test('a list that leaves some out does not mark all as read', async () => {
  const { ada, groups } = await ofMany(3);
  await using open = await browse(browser, { base: inbox.base, person: ada });
  const { page } = open;
  const buttons = async (path: string): Promise<number> => {
    await page.goto(path);
    return await page.getByRole('button', { name: 'Mark all read' }).count();
  };

  const counts = [];
  for (const path of ['/inbox', `/inbox/groups/${groups[0]}`]) {
    for (const query of ['', '?unread=true', '?severity=info', '?q=number']) {
      counts.push(await buttons(path + query));
    }
  }

  assert.deepEqual(counts, [1, 1, 0, 0, 1, 1, 0, 0]);
});

test('a page that drops its oldest rows links to them', async () => {
  const sample = await ofMany(10);
  await using open = await browse(browser, { base: inbox.base, person: sample.ada });
  const { page, complaints } = open;
  await page.goto('/inbox');
  await untilChip(page, /Live/);
  assert.equal(await page.getByRole('link', { name: 'Older' }).count(), 0);
  const last = ROWS_KEPT + 5;

  await post(sample, 11, last);

  await untilEqual(() => page.locator('.item').count(), ROWS_KEPT, PATIENCE_MS);
  const shown = `Number ${last}`;
  await untilEqual(async () => (await readTitles(page))[0], shown, PATIENCE_MS);
  await page.getByRole('link', { name: 'Older', exact: true }).click();
  await untilEqual(() => readTitles(page), numbers(5, 1));
  assert.deepEqual(complaints, []);
});
