// The story of somebody with the inbox on a telephone, in Chromium: from the installed app to a critical notification
// that is acknowledged from what the system shows; a browser that denies or was not asked to the end, a service that
// refuses, and a subscription that the browser replaces. Every message is encrypted by the service, and decrypted by a
// push service of ours before the worker gets it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Booted } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { issueKey, postWith } from '../pages/browsing.ts';
import { newGroup, newPerson } from '../people/person.ts';
import { addDevice, deliver, listDevices, openPhones, takePhone, toJson } from './subscribing.ts';
import type { Phones } from './subscribing.ts';

let phones: Phones;
let booted: Booted;

before(async () => {
  phones = await openPhones();
  ({ booted } = phones);
});
after(() => phones[Symbol.asyncDispose]());

test('from the installed app to a critical notification that is acknowledged where it is shown', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  await using owned = await takePhone(phones, ada);
  const { phone, subscriber } = owned;
  const { page } = phone;

  const { installabilityErrors } = await phone.cdp.send('Page.getInstallabilityErrors');
  const device = await addDevice(owned);
  const isThisOne = await page.getByText('(this one)').isVisible();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test is sent: it comes within seconds.').waitFor();
  await deliver(phone, device, 0);
  await until('the test is shown', async () => (await phone.shown()).length === 1);
  await phone.tap('');
  await page.waitForURL('**/inbox');
  await postWith(booted.base, key, { title: 'Oven 3 is too hot', severity: 'critical' });
  await deliver(phone, device, 1);
  await until('it is shown', async () => (await phone.shown()).length === 1);
  const shown = await phone.shown();
  await phone.tap('ack');
  await page.getByText('Acknowledged by Ada').first().waitFor();

  const reasons = installabilityErrors.map(({ errorId }) => errorId);
  assert.deepEqual(
    reasons.filter((reason) => reason !== 'in-incognito'),
    [],
  );
  assert.ok(isThisOne);
  const { json } = await ada.get('/api/v1/me/push-key');
  assert.deepEqual(subscriber.keys, [String(json['public_key'])]);
  assert.deepEqual(
    shown.map(({ title, body }) => [title, body]),
    [['Critical: Oven 3 is too hot', 'Ovens']],
  );
  const acknowledged = await ada.get(`/api/v1/groups/${groupId}/notifications/1`);
  assert.equal(String(acknowledged.json['acknowledged']?.['name']), 'Ada');
  assert.equal(new URL(page.url()).pathname, '/inbox');
});

test('a browser in which notifications are denied shows how they are allowed, and offers nothing', async () => {
  const ada = await newPerson(booted);
  await using owned = await takePhone(phones, ada, 'has denied');
  const { page } = owned.phone;

  await page.getByText('Notifications are denied for this site.').waitFor();
  const offers = await page.getByRole('button', { name: 'Notify me on this device' }).count();

  assert.equal(offers, 0);
  assert.deepEqual(await listDevices(ada), []);
  assert.deepEqual(owned.subscriber.keys, []);
});

test('a question of the browser that is closed is said, and may be put again', async () => {
  const ada = await newPerson(booted);
  await using owned = await takePhone(phones, ada, 'closes the question');
  const { page } = owned.phone;
  const offer = page.getByRole('button', { name: 'Notify me on this device' });

  await offer.click();
  await page.getByText('It did not work. It was not allowed.').waitFor();

  assert.ok(await offer.isVisible());
  assert.deepEqual(owned.subscriber.keys, []);
});

test('a service that does not take a subscription is quoted, and the subscription is ended', async () => {
  const ada = await newPerson(booted);
  await using owned = await takePhone(phones, ada);
  const { phone, subscriber } = owned;
  const { subscription } = phones.service.newBrowser();
  subscriber.current = {
    subscription: { ...subscription, endpoint: 'https://10.0.0.1/push' },
    messages: () => [],
  };

  await phone.page.getByRole('button', { name: 'Notify me on this device' }).click();
  await phone.page.getByText('It did not work.').waitFor();
  const words = await phone.page.locator('[data-device-why]').innerText();

  assert.match(words, /\w/);
  assert.ok(subscriber.current === undefined);
  assert.deepEqual(await listDevices(ada), []);
});

test('a subscription that the browser replaces is replaced at the service, by the worker alone', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await using owned = await takePhone(phones, ada);
  const { phone, subscriber } = owned;
  const first = await addDevice(owned);
  subscriber.end();
  const second = subscriber.subscribe();

  await phone.worker.evaluate(`(() => {
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      globalThis.subscribedWith = applicationServerKey;
      return { toJSON: () => (${JSON.stringify(toJson(second))}) };
    };
    dispatchEvent(Object.assign(new ExtendableEvent('pushsubscriptionchange'), { waitUntil: () => {} }));
  })()`);
  await until('it has subscribed again', async () => (await listDevices(ada)).length === 2);
  const subscribedWith: unknown = await phone.worker.evaluate('subscribedWith');
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  await deliver(phone, second, 0);
  await until('it is shown', async () => (await phone.shown()).length === 1);
  await until('the old one is gone', async () => (await listDevices(ada)).length === 1);

  assert.deepEqual([subscribedWith], subscriber.keys);
  assert.equal(first.messages().length, 1);
});

test('the page knows a device whose subscription was replaced, and gives it the settings of the one before', async () => {
  const ada = await newPerson(booted);
  await using owned = await takePhone(phones, ada);
  const { phone, subscriber } = owned;
  const { page } = phone;
  await addDevice(owned);
  const [before] = await listDevices(ada);
  const settings = { name: 'Kitchen', min_severity: 'critical' };
  await ada.send('PATCH', `/api/v1/me/devices/${String(before?.['id'])}`, settings);
  subscriber.end();
  const subscription = toJson(subscriber.subscribe());
  // What the worker does while no page is open.
  await ada.send('POST', '/api/v1/me/devices', { subscription });

  await page.goto(`${booted.base}/inbox`);
  await until('the device of before is gone', async () => (await listDevices(ada)).length === 1);
  const [after] = await listDevices(ada);
  await page.goto(`${booted.base}/inbox/me`);
  await page.getByText('This device gets notifications.').waitFor();
  const isThisOne = await page.getByText('(this one)').isVisible();

  assert.ok(isThisOne);
  assert.notEqual(after?.['id'], before?.['id']);
  assert.deepEqual([after?.['name'], after?.['min_severity']], ['Kitchen', 'critical']);
});
