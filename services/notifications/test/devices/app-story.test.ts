// The inbox as an app, in Chromium: it can be installed, shows what is pushed, acknowledges from there, keeps the last
// list for a reader without a connection, and forgets it at the log-out, with which the device ends; a second person on
// the same telephone gets nothing of the first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PushMessage } from '../../src/devices/push-message.ts';
import type { Booted } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { issueKey, postWith } from '../pages/browsing.ts';
import { newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { openPhone, type Phone } from './phone.ts';
import { addDevice, deliver, listDevices, openPhones, takePhone } from './subscribing.ts';
import type { Phones } from './subscribing.ts';

let phones: Phones;
let booted: Booted;

before(async () => {
  phones = await openPhones();
  ({ booted } = phones);
});
after(() => phones[Symbol.asyncDispose]());

const newPhone = (person: TestPerson, path?: string): Promise<Phone> =>
  openPhone(phones.browser, { booted, person, path });

function makeMessage(
  groupId: string,
  {
    seq,
    unread = 1,
    title = 'Oven 3 is too hot',
  }: { seq: number; unread?: number; title?: string },
): PushMessage {
  return {
    kind: 'created',
    title,
    body: 'Hall 2',
    notification: {
      ...{
        id: seq,
        group_id: groupId,
        group: 'Bakery',
        seq,
        severity: 'critical',
        status: 'firing',
      },
      created_at: '2026-01-02T03:04:05.678Z',
    },
    tag: 'oven-3',
    unread,
  };
}

test('the inbox can be installed', async () => {
  const ada = await newPerson(booted);
  await using phone = await newPhone(ada);

  const { errors } = await phone.cdp.send('Page.getAppManifest');
  const { installabilityErrors } = await phone.cdp.send('Page.getInstallabilityErrors');

  assert.deepEqual(errors, []);
  // A private window, which tests have, is the one reason against it.
  const reasons = installabilityErrors.map(({ errorId }) => errorId);
  assert.deepEqual(
    reasons.filter((reason) => reason !== 'in-incognito'),
    [],
  );
  for (const icon of ['icon-512', 'maskable-192', 'maskable-512', 'badge-96']) {
    const answer = await booted.call(`/inbox/${icon}.png`);
    assert.equal(answer.headers.get('content-type'), 'image/png');
  }
});

test('what is pushed is shown, one for what belongs together, and a tap opens it', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, { severity: 'critical' });
  await using phone = await newPhone(ada);

  await phone.push(JSON.stringify(makeMessage(groupId, { seq: 1 })));
  await until('it is shown', async () => (await phone.shown()).length > 0);
  await phone.push(JSON.stringify(makeMessage(groupId, { seq: 1, title: 'Oven 3 burns' })));
  await until('the newer is shown', async () => {
    return (await phone.shown()).some(({ title }) => title.includes('burns'));
  });
  const shown = await phone.shown();
  await phone.tap('');
  await phone.page.waitForURL(`**/inbox/groups/${groupId}/n/1`);

  assert.deepEqual(shown, [
    { title: 'Critical: Oven 3 burns', body: 'Bakery\nHall 2', tag: 'oven-3' },
  ]);
  assert.deepEqual(await phone.shown(), []);
});

test('a critical one is acknowledged from what is shown, without a page', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, { severity: 'critical' });
  await using phone = await newPhone(ada);
  await phone.push(JSON.stringify(makeMessage(groupId, { seq: 1 })));
  await until('it is shown', async () => (await phone.shown()).length > 0);

  await phone.tap('ack');
  const path = `/api/v1/groups/${groupId}/notifications/1`;
  await until('it is acknowledged and read', async () => {
    const { json } = await ada.get(path);
    return String(json['acknowledged']) !== 'null' && String(json['read']) === 'true';
  });

  assert.equal(new URL(phone.page.url()).pathname, '/inbox');
});

test('where acknowledging from what is shown fails, the page is opened', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await using phone = await newPhone(ada);
  await phone.push(JSON.stringify(makeMessage(groupId, { seq: 7 })));
  await until('it is shown', async () => (await phone.shown()).length > 0);

  await phone.tap('ack');

  await phone.page.waitForURL(`**/inbox/groups/${groupId}/n/7`);
});

test('without a connection the list that was read last is shown as what it is, and not after the log-out', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  await using phone = await newPhone(ada, `/inbox/groups/${groupId}`);
  const { page, context } = phone;
  const saved = `caches.open('lothub-inbox-page').then((pages) => pages.keys()).then((keys) => keys.length)`;
  await until('the list is put aside', async () => (await page.evaluate(saved)) === 1);

  await context.setOffline(true);
  await page.goto(`${booted.base}/inbox`);
  const words = await page.locator('[data-offline]').textContent();
  const title = await page.getByText('Test notification').first().isVisible();
  const colour: unknown = await page.evaluate(
    `getComputedStyle(document.querySelector('[data-offline]')).borderRadius`,
  );
  await context.setOffline(false);
  await page.goto(`${booted.base}/inbox/me`);
  await page.locator('form[action="/inbox/logout"] button').last().click();
  await page.waitForURL('**/inbox/login**');
  await until('nothing is kept', async () => (await page.evaluate(saved)) === 0);

  assert.match(words ?? '', /^Offline since .+\. This is the list as it was read then\.$/);
  assert.ok(title);
  assert.notEqual(colour, '0px');
});

test("nobody is shown what was kept of somebody else's inbox", async () => {
  const [ada, grace] = [await newPerson(booted), await newPerson(booted, 'Grace')];
  await newGroup(ada, 'Secrets of Ada');
  await using phone = await newPhone(ada);
  const { page, context } = phone;
  const text = `caches.match('/inbox?saved').then((saved) => saved?.text() ?? '')`;
  await until('the list is put aside', async () =>
    String(await page.evaluate(text)).includes('Secrets of Ada'),
  );

  const [name = '', value = ''] = (grace.headers['Cookie'] ?? '').split('=');
  await context.addCookies([{ name, value, url: booted.base }]);
  await page.goto(`${booted.base}/inbox/me`);
  await until('it is deleted', async () => (await page.evaluate(text)) === '');
  await page.goto(`${booted.base}/inbox`);
  await until('another is put aside', async () =>
    String(await page.evaluate(text)).includes('Grace'),
  );
  await context.setOffline(true);
  await page.goto(`${booted.base}/inbox`);

  assert.equal(await page.getByText('Secrets of Ada').count(), 0);
});

test('the badge shows what is unread, from pushes and from the page', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await using phone = await newPhone(ada);
  const noted = `globalThis.badges ??= (() => {
    const badges = [];
    navigator.setAppBadge = (count) => Promise.resolve(void badges.push(count));
    return badges;
  })()`;
  await phone.page.evaluate(noted);

  await phone.push(JSON.stringify(makeMessage(groupId, { seq: 1, unread: 3 })));
  await until('a push has set it', async () => JSON.stringify(await phone.badges()) === '[3]');
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  await until('the page has set it', async () => {
    const badges: unknown = await phone.page.evaluate('badges');
    return JSON.stringify(badges) === '[1]';
  });
});

test('the log-out ends the subscription in the browser and at the service', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const key = await issueKey(ada, groupId);
  await using owned = await takePhone(phones, ada);
  const { phone, subscriber } = owned;
  await addDevice(owned);
  const readStatus = async (): Promise<string | undefined> => {
    const [row] = await booted.database.rows(
      'select status from devices where account_id = ?',
      ada.accountId,
    );
    return row === undefined ? undefined : String(row['status']);
  };
  const statusBefore = await readStatus();

  await phone.page.locator('form[action="/inbox/logout"] button').last().click();
  await phone.page.waitForURL('**/inbox/login**');
  const statusAfter = await readStatus();
  await postWith(booted.base, key, { title: 'Oven 3 is too hot', severity: 'critical' });
  const rows = await booted.database.rows(
    'select id from device_deliveries where group_id = ?',
    groupId,
  );

  assert.ok(subscriber.current === undefined);
  assert.equal(statusBefore, 'active');
  assert.notEqual(statusAfter, 'active');
  // What is sent to devices is written with the post.
  assert.deepEqual(rows, []);
});

test('a second person on the same telephone gets the own notifications, and nothing of the first', async () => {
  const [ada, grace] = [await newPerson(booted), await newPerson(booted, 'Grace')];
  const [ofAda, ofGrace] = [await newGroup(ada, 'Secrets'), await newGroup(grace, 'Mill')];
  await using owned = await takePhone(phones, ada);
  const { phone, subscriber } = owned;
  const { page } = phone;
  const first = await addDevice(owned);

  // The session of Ada ends elsewhere: her browser gets no message of it.
  await phone.logIn(grace);
  await page.reload();
  await until('the subscription of the first has ended', () => subscriber.current === undefined);
  await page.reload();
  // A script of the page shows the button once it has looked for a subscription.
  const offer = page.getByRole('button', { name: 'Notify me on this device' });
  await until('the second is offered to be notified', () => offer.isVisible());
  const second = await addDevice(owned);
  await ada.send('POST', `/api/v1/groups/${ofAda}/test`, {});
  await grace.send('POST', `/api/v1/groups/${ofGrace}/test`, {});
  await deliver(phone, second, 0);
  await until('it is shown', async () => (await phone.shown()).length === 1);
  await until('the device of the first is gone', async () => (await listDevices(ada)).length === 0);

  assert.ok(second !== first);
  assert.equal(second.messages().length, 1);
  assert.deepEqual(
    (await phone.shown()).map(({ body }) => body.split('\n')[0]),
    ['Mill'],
  );
  assert.equal((await listDevices(grace)).length, 1);
});
