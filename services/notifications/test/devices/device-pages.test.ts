// Devices, quiet hours and mutes on pages, by forms as a browser without scripts sends them: what each button does, and
// what is said when it did not work.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPushService } from '@lothub/delivery/test/push-service';
import type { PushService, TestBrowser } from '@lothub/delivery/test/push-service';
import { boot, type Answer, type Booted } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { listMessages } from './pushing.ts';

const ME = '/inbox/me';
const HOUR_MS = 60 * 60 * 1_000;

let booted: Booted;
let pushes: PushService;
/** What the push service answers from here on. */
let answered = 201;

before(async () => {
  pushes = await startPushService((response) => void response.writeHead(answered).end());
  booted = await boot({ env: { NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1' } });
});
after(async () => {
  await booted[Symbol.asyncDispose]();
  await pushes[Symbol.asyncDispose]();
});

async function submit(
  person: TestPerson,
  path: string,
  values: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return await booted.call(path, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
      ...person.headers,
    },
    body: new URLSearchParams(values).toString(),
  });
}

/** Where a form leads, which says what was done. */
function ledTo({ status, headers, text }: Answer): string {
  assert.equal(status, 303, text);
  return headers.get('location') ?? '';
}

interface Owned {
  readonly ada: TestPerson;
  readonly browser: TestBrowser;
  readonly id: string;
  readonly path: string;
}

/** Somebody with one device. */
async function newOwner(): Promise<Owned> {
  const ada = await newPerson(booted);
  const browser = pushes.newBrowser();
  const { endpoint, p256dh, auth } = browser.subscription;
  const made = await ada.send('POST', '/api/v1/me/devices', {
    ...{ subscription: { endpoint, keys: { p256dh, auth } }, name: 'Phone' },
  });
  const id = String(made.json['id']);
  return { ada, browser, id, path: `${ME}/devices/${id}` };
}

async function readDevice({ ada }: Owned): Promise<Answer['json'] | undefined> {
  const { json } = await ada.get('/api/v1/me/devices');
  return json['items']?.['0'];
}

test('a device that is paused is sent nothing until it is resumed', async () => {
  const owned = await newOwner();
  const { ada, browser, path } = owned;
  const groupId = await newGroup(ada);
  const post = (): Promise<Answer> => ada.send('POST', `/api/v1/groups/${groupId}/test`, {});

  const paused = ledTo(await submit(ada, `${path}/pause`));
  const pausedPage = await ada.get(ME);
  const statusThen = (await readDevice(owned))?.['status'];
  await post();
  const resumed = ledTo(await submit(ada, `${path}/resume`));
  await post();
  await until('a message has come', () => browser.messages().length > 0);

  assert.deepEqual([paused, resumed], Array(2).fill(`${ME}?done=device-saved#devices`));
  assert.equal(String(statusThen), 'paused');
  assert.match(pausedPage.text, new RegExp(`action="${path}/resume"`));
  assert.doesNotMatch(pausedPage.text, new RegExp(`action="${path}/pause"`));
  assert.deepEqual(
    listMessages(browser).map(({ notification }) => notification?.seq),
    [2],
  );
});

test('a device is renamed, and what it is sent is chosen, each by a form of its own', async () => {
  const owned = await newOwner();
  const { ada, path } = owned;

  const renamed = ledTo(await submit(ada, path, { name: 'My <phone>' }));
  const chosen = ledTo(await submit(ada, path, { min_severity: 'critical' }));
  const device = await readDevice(owned);
  const page = await ada.get(`${ME}?done=device-saved`);

  assert.deepEqual([renamed, chosen], Array(2).fill(`${ME}?done=device-saved#devices`));
  assert.deepEqual([device?.['name'], device?.['min_severity']], ['My <phone>', 'critical']);
  assert.match(page.text, /The device is saved\./);
  assert.match(page.text, /<option value="critical" selected\s*>/);
  assert.ok(!page.text.includes('My <phone>'));
});

for (const [what, values] of [
  ['without a name', { name: '' }],
  ['that is sent what there is not', { min_severity: 'loud' }],
] as const) {
  test(`a device ${what} is refused in words, and stays as it was`, async () => {
    const owned = await newOwner();

    const refused = await submit(owned.ada, owned.path, values);

    assert.equal(refused.status, 422);
    assert.match(refused.text, /class="notice bad"/);
    const { name, min_severity: minSeverity } = (await readDevice(owned)) ?? {};
    assert.deepEqual([name, minSeverity], ['Phone', 'info']);
  });
}

test('a device that is removed is sent nothing, and is gone from the page', async () => {
  const owned = await newOwner();
  const { ada, browser, path } = owned;
  const groupId = await newGroup(ada);

  const removed = ledTo(await submit(ada, `${path}/remove`));
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  const page = await ada.get(`${ME}?done=device-removed`);
  const again = await submit(ada, `${path}/remove`);
  const [{ waiting } = {}] = await booted.database.rows(
    'select count(*) as waiting from device_deliveries where device_id = ?',
    owned.id,
  );

  assert.equal(removed, `${ME}?done=device-removed#devices`);
  assert.match(page.text, /The device is removed; nothing is sent to it any more\./);
  assert.match(page.text, /There is no device\./);
  assert.equal(again.status, 404);
  assert.equal(Number(waiting), 0);
  assert.deepEqual(browser.messages(), []);
});

test('a test comes to the device, and the page says so', async () => {
  const { ada, browser, path } = await newOwner();

  const tested = ledTo(await submit(ada, `${path}/test`));
  const page = await ada.get(tested);

  assert.equal(tested, `${ME}?done=test-pushed#devices`);
  assert.deepEqual(
    listMessages(browser).map(({ kind }) => kind),
    ['test'],
  );
  assert.match(page.text, /The test is sent: it comes within seconds\./);
});

test('a test that the push service does not take is said with what it answered', async () => {
  const { ada, path } = await newOwner();
  answered = 403;

  const refused = await submit(ada, `${path}/test`);
  answered = 201;

  assert.equal(refused.status, 200);
  assert.match(refused.text, /The push service of this device did not take the test: [^<]*403/);
});

test("no form does anything to somebody else's device", async () => {
  const owned = await newOwner();
  const grace = await newPerson(booted, 'Grace');
  const forms = ['', '/pause', '/resume', '/remove', '/test'];

  const answers = await Promise.all(
    forms.map((form) => submit(grace, owned.path + form, { name: 'Mine' })),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    forms.map(() => 404),
  );
  assert.equal((await readDevice(owned))?.['name'], 'Phone');
  assert.deepEqual(owned.browser.messages(), []);
});

test('quiet hours are set, shown, changed and ended by forms', async () => {
  const ada = await newPerson(booted);
  const hours = { from: '22:00', until: '06:30', time_zone: 'Europe/Berlin' };
  const kept = async () => (await ada.get('/api/v1/me/quiet-hours')).json['quiet_hours'];

  const set = ledTo(await submit(ada, `${ME}/quiet-hours`, { ...hours, lets_critical: 'true' }));
  const first = await kept();
  const page = await ada.get(ME);
  // A box that is not ticked is not sent.
  await submit(ada, `${ME}/quiet-hours`, { ...hours, until: '07:00' });
  const second = await kept();
  const ended = ledTo(await submit(ada, `${ME}/quiet-hours/end`, hours));

  assert.deepEqual([set, ended], Array(2).fill(`${ME}?done=quiet-saved#devices`));
  assert.deepEqual(first, { ...hours, lets_critical: true });
  assert.match(page.text, /From 22:00 until 06:30 \(Europe\/Berlin\) devices stay quiet/);
  assert.deepEqual(second, { ...hours, until: '07:00', lets_critical: false });
  assert.equal(await kept(), null);
});

test('quiet hours that are none are refused beside their field, with what was typed', async () => {
  const ada = await newPerson(booted);

  const refused = await submit(ada, `${ME}/quiet-hours`, {
    ...{ from: '23:15', until: '06:30', time_zone: 'Mars/Base' },
  });

  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="quiet-time_zone-error"/);
  assert.match(refused.text, /value="Mars\/Base"/);
  assert.match(refused.text, /value="23:15"/);
  const { json } = await ada.get('/api/v1/me/quiet-hours');
  assert.equal(json['quiet_hours'], null);
});

for (const [choice, hours] of [
  ['1h', 1],
  ['8h', 8],
] as const) {
  test(`a group is muted for ${choice} by a button, and unmuted by another`, async () => {
    const ada = await newPerson(booted);
    const groupId = await newGroup(ada);
    const settings = `/inbox/groups/${groupId}/settings`;
    const mute = `/api/v1/groups/${groupId}/mute`;
    const before = Date.now();

    const muted = ledTo(await submit(ada, `${settings}/mute`, { for: choice }));
    const { json } = await ada.get(mute);
    const page = await ada.get(muted);
    const unmuted = ledTo(await submit(ada, `${settings}/unmute`));

    const end = Date.parse(String(json['until']));
    assert.equal(muted, `${settings}?done=muted`);
    assert.ok(end >= before + hours * HOUR_MS && end <= Date.now() + hours * HOUR_MS);
    assert.match(page.text, /Muted until <time[^>]*>/);
    assert.equal(unmuted, `${settings}?done=unmuted`);
    assert.equal((await ada.get(mute)).json['muted'], false);
  });
}

test('a mute until tomorrow ends at 8 where the person is, and one without an end when it is taken back', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const settings = `/inbox/groups/${groupId}/settings`;
  const zone = { from: '22:00', until: '06:30', time_zone: 'America/New_York' };
  await submit(ada, `${ME}/quiet-hours`, zone);
  const read = async () => (await ada.get(`/api/v1/groups/${groupId}/mute`)).json;

  await submit(ada, `${settings}/mute`, { for: 'tomorrow' });
  const tomorrow = await read();
  await submit(ada, `${settings}/mute`, { for: 'unmuted' });
  const forGood = await read();
  const page = await ada.get(settings);

  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone.time_zone, hour: '2-digit', minute: '2-digit' },
  });
  assert.equal(clock.format(new Date(String(tomorrow['until']))), '08:00');
  assert.deepEqual(forGood, { muted: true, until: null });
  assert.match(page.text, /Muted until you unmute it/);
});

test('a mute without one of the times is refused in words, and one is not muted', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);

  const refused = await submit(ada, `/inbox/groups/${groupId}/settings/mute`, { for: '2h' });

  assert.equal(refused.status, 422);
  assert.match(refused.text, /Pick one of the times/);
  assert.equal((await ada.get(`/api/v1/groups/${groupId}/mute`)).json['muted'], false);
});
