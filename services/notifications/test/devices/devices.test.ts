// A person's devices, quiet hours and mutes over HTTP: whose they are, how many there may be, and what becomes of them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPushService } from '@lothub/delivery/test/push-service';
import type { PushService, TestBrowser } from '@lothub/delivery/test/push-service';
import { newVapidKeys } from '@lothub/delivery/push/vapid-keys';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import { DEVICES_MAX } from '../../src/devices/devices.ts';
import { endOfMute } from '../../src/devices/mute.ts';
import { isQuiet, isTimeZone } from '../../src/devices/quiet-hours.ts';
import { ensureServiceKey } from '../../src/store/service-keys.ts';
import { boot, type Answer, type Booted } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { listMessages } from './pushing.ts';

const DEVICES = '/api/v1/me/devices';
const QUIET_HOURS = '/api/v1/me/quiet-hours';

let booted: Booted;
let pushes: PushService;

before(async () => {
  pushes = await startPushService();
  booted = await boot({ env: { NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1' } });
});
after(async () => {
  await booted[Symbol.asyncDispose]();
  await pushes[Symbol.asyncDispose]();
});

function makeBody({ subscription }: TestBrowser, more: object = {}) {
  const { endpoint, p256dh, auth } = subscription;
  return { subscription: { endpoint, expirationTime: null, keys: { p256dh, auth } }, ...more };
}

async function subscribe(person: TestPerson, browser: TestBrowser, more: object = {}) {
  const made = await person.send('POST', DEVICES, makeBody(browser, more));
  assert.equal(made.status, 201, made.text);
  return made.json;
}

async function listed(person: TestPerson): Promise<readonly Answer['json'][]> {
  const { json } = await person.get(DEVICES);
  return json['items'] as unknown as readonly Answer['json'][];
}

test('a browser subscribes with the key of the service and gets what is posted', async () => {
  const ada = await newPerson(booted);
  const browser = pushes.newBrowser();
  const groupId = await newGroup(ada);

  const key = await ada.get('/api/v1/me/push-key');
  const device = await subscribe(ada, browser);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  await until('a message has come', () => browser.messages().length === 1);

  assert.match(String(key.json['public_key']), /^[\w-]{87}$/);
  assert.equal(device['push_service'], new URL(pushes.receiver.base).host);
  assert.equal(device['min_severity'], 'info');
  assert.equal(listMessages(browser)[0]?.notification?.group_id, groupId);
  assert.ok(!JSON.stringify(await listed(ada)).includes(browser.subscription.auth));
  assert.ok(!JSON.stringify(await listed(ada)).includes(browser.subscription.endpoint));
});

test('a device is named, set up, paused and removed', async () => {
  const ada = await newPerson(booted);
  const device = await subscribe(ada, pushes.newBrowser(), { min_severity: 'warning' });
  const path = `${DEVICES}/${String(device['id'])}`;

  const changed = await ada.send('PATCH', path, {
    ...{ name: 'My phone', min_severity: 'critical', status: 'paused' },
  });
  const removed = await ada.send('DELETE', path);
  const again = await ada.send('DELETE', path);

  const { name, min_severity: minSeverity, status } = changed.json;
  assert.deepEqual({ name, minSeverity, status }, {
    ...{ name: 'My phone', minSeverity: 'critical', status: 'paused' },
  } as unknown);
  assert.deepEqual([removed.status, again.status], [204, 404]);
  assert.deepEqual(await listed(ada), []);
});

test('to subscribe once more changes no setting, and a device stays one', async () => {
  const ada = await newPerson(booted);
  const browser = pushes.newBrowser();
  const { id } = await subscribe(ada, browser, { min_severity: 'warning' });
  await ada.send('PATCH', `${DEVICES}/${String(id)}`, { status: 'paused' });

  const again = await subscribe(ada, browser);

  assert.deepEqual(
    [again['id'], again['min_severity'], again['status']],
    [id, 'warning', 'paused'],
  );
  assert.equal((await listed(ada)).length, 1);
});

test('an address belongs to one person: the last who subscribed, and nothing of the one before comes', async () => {
  const [ada, grace] = [await newPerson(booted), await newPerson(booted, 'Grace')];
  const browser = pushes.newBrowser();
  const first = await subscribe(ada, browser, { min_severity: 'critical' });
  await booted.service.store.write([
    sql`
      insert into device_deliveries
        (id, device_id, group_id, seq, kind, status, due_at, created_at)
      values ('msg_waits', ${String(first['id'])}, 'grp', 1, 'created', 'pending', ${2 ** 43}, 1)`,
  ]);

  const second = await subscribe(grace, browser);

  assert.deepEqual(await listed(ada), []);
  assert.deepEqual(
    (await listed(grace)).map(({ id, min_severity: minSeverity }) => ({ id, minSeverity })),
    [{ id: second['id'], minSeverity: 'info' }],
  );
  assert.notEqual(second['id'], first['id']);
  await until('what waited is gone', async () => {
    const rows = await booted.database.rows(
      'select id from devices where id = ?',
      String(first['id']),
    );
    return rows.length === 0;
  });
});

test("nobody sees, changes or removes somebody else's device", async () => {
  const [ada, grace] = [await newPerson(booted), await newPerson(booted, 'Grace')];
  const { id } = await subscribe(ada, pushes.newBrowser());
  const path = `${DEVICES}/${String(id)}`;

  const answers = [
    await grace.send('PATCH', path, { status: 'paused' }),
    await grace.send('DELETE', path),
    await grace.send('POST', `${path}/test`),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404],
  );
  assert.deepEqual(await listed(grace), []);
  assert.equal((await listed(ada))[0]?.['status'], 'active');
});

test('a person has a number of devices at most', async () => {
  const ada = await newPerson(booted);
  for (let n = 0; n < DEVICES_MAX; n += 1) await subscribe(ada, pushes.newBrowser());

  const more = await ada.send('POST', DEVICES, makeBody(pushes.newBrowser()));

  assert.equal(more.status, 422);
  assert.equal(more.json['code'], 'limit_reached');
});

for (const [what, change] of [
  ['a private address', { endpoint: 'https://10.0.0.1/push' }],
  ['an address without encryption', { endpoint: 'http://8.8.8.8/push' }],
  ['no address', { endpoint: 'push' }],
  ['a key that is none', { p256dh: 'AAAA' }],
  ['a secret that is too short', { auth: 'AAAA' }],
] as const) {
  test(`${what} is no subscription`, async () => {
    const ada = await newPerson(booted);
    const { endpoint, p256dh, auth } = { ...pushes.newBrowser().subscription, ...change };
    const wrong = { endpoint, keys: { p256dh, auth } };

    const answer = await ada.send('POST', DEVICES, { subscription: wrong });

    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json['code'], 'fields_invalid');
  });
}

test('a test says what the push service answered', async () => {
  const ada = await newPerson(booted);
  const browser = pushes.newBrowser();
  const { id } = await subscribe(ada, browser, { name: 'My phone' });

  const answer = await ada.send('POST', `${DEVICES}/${String(id)}/test`);

  assert.deepEqual(answer.json, { accepted: true, http_status: 201, error: null });
  assert.equal(listMessages(browser)[0]?.kind, 'test');
  assert.match(listMessages(browser)[0]?.body ?? '', /My phone/);
});

test('the end of an account takes its devices and quiet hours along, and its export shows them', async () => {
  const ada = await newPerson(booted);
  await subscribe(ada, pushes.newBrowser(), { name: 'My phone' });
  const hours = { from: '22:00', until: '06:30', time_zone: 'Europe/Berlin', lets_critical: true };
  await ada.send('PUT', QUIET_HOURS, hours);
  const { places } = booted.service.people;
  const kind = present(places.find({ kind: 'group' }), 'the groups');

  const more = await kind.exportMore?.(ada.accountId);
  assert.ok(kind.leaving.kind === 'elsewhere');
  const actor = { accountId: ada.accountId, name: 'Ada' };
  await kind.leaving.leave({ accountId: ada.accountId, actor, at: Date.now() });

  assert.deepEqual(
    more?.['devices']?.map(({ name, status }) => ({ name, status })),
    [{ name: 'My phone', status: 'active' }],
  );
  assert.deepEqual(more?.['quiet_hours'], [hours]);
  assert.deepEqual(await listed(ada), []);
  assert.deepEqual((await ada.get(QUIET_HOURS)).json, { quiet_hours: null });
});

test('the export of a person shows which groups are muted, and the escalations that name the person', async () => {
  const [ada, grace] = [await newPerson(booted), await newPerson(booted, 'Grace')];
  const [ovens, mill] = [await newGroup(ada, 'Ovens'), await newGroup(ada, 'Mill')];
  await join(booted, { groupId: mill, person: grace });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await ada.send('PUT', `/api/v1/groups/${ovens}/mute`, { until });
  await ada.send('PUT', `/api/v1/groups/${mill}/mute`, { until: null });
  const after = { after_minutes: 15 };
  await ada.send('PUT', `/api/v1/groups/${ovens}/escalation`, {
    ...after,
    people: [ada.accountId],
  });
  await ada.send('PUT', `/api/v1/groups/${mill}/escalation`, {
    ...after,
    people: [grace.accountId],
  });
  const kind = present(booted.service.people.places.find({ kind: 'group' }), 'the groups');

  const ofAda = await kind.exportMore?.(ada.accountId);
  const ofGrace = await kind.exportMore?.(grace.accountId);

  const [ofMill, ofOvens] = [
    { group_id: mill, group: 'Mill' },
    { group_id: ovens, group: 'Ovens' },
  ];
  assert.deepEqual(ofAda?.['muted_groups'], [
    { ...ofMill, until: null },
    { ...ofOvens, until },
  ]);
  assert.deepEqual(ofAda['escalations'], [{ ...ofOvens, ...after }]);
  assert.deepEqual(ofGrace?.['muted_groups'], []);
  assert.deepEqual(ofGrace['escalations'], [{ ...ofMill, ...after }]);
});

test('quiet hours are kept, changed and ended', async () => {
  const ada = await newPerson(booted);
  const hours = { from: '22:00', until: '06:30', time_zone: 'Europe/Berlin', lets_critical: false };

  const none = await ada.get(QUIET_HOURS);
  const set = await ada.send('PUT', QUIET_HOURS, hours);
  await ada.send('DELETE', QUIET_HOURS);

  assert.deepEqual(none.json, { quiet_hours: null });
  assert.deepEqual(set.json, { quiet_hours: hours });
  assert.deepEqual((await ada.get(QUIET_HOURS)).json, { quiet_hours: null });
});

for (const wrong of [
  { until: '22:00' },
  { from: '24:00' },
  { time_zone: 'Europe/Nowhere' },
  { time_zone: '+02:00' },
]) {
  test(`quiet hours with ${JSON.stringify(wrong)} are refused`, async () => {
    const ada = await newPerson(booted);
    const hours = { from: '22:00', until: '06:30', time_zone: 'UTC', lets_critical: true };

    const answer = await ada.send('PUT', QUIET_HOURS, { ...hours, ...wrong });

    assert.equal(answer.status, 422);
  });
}

test('quiet hours follow the clock of their zone over midnight and into summer time', () => {
  const hours = { fromMinute: 22 * 60, untilMinute: 390, timeZone: 'Europe/Berlin' } as const;
  const quietAt = (text: string, letsCritical = true): boolean =>
    isQuiet({ ...hours, letsCritical }, { severity: 'info', atMs: Date.parse(text) });

  assert.deepEqual(
    [
      quietAt('2026-01-10T20:59:00Z'),
      quietAt('2026-01-10T21:00:00Z'),
      quietAt('2026-01-11T05:29:00Z'),
      quietAt('2026-01-11T05:30:00Z'),
      quietAt('2026-07-10T20:00:00Z'),
      quietAt('2026-07-11T04:30:00Z'),
    ],
    [false, true, true, false, true, false],
  );
  assert.deepEqual(['UTC', 'America/New_York', 'Mars/Base'].map(isTimeZone), [true, true, false]);
});

test('a group is muted for a time, and unmuted', async () => {
  const ada = await newPerson(booted);
  const browser = pushes.newBrowser();
  const groupId = await newGroup(ada);
  await subscribe(ada, browser);
  const path = `/api/v1/groups/${groupId}/mute`;
  const end = new Date(Date.now() + 3_600_000).toISOString();

  const muted = await ada.send('PUT', path, { until: end });
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, { severity: 'critical' });
  const forGood = await ada.send('PUT', path, { until: null });
  await ada.send('DELETE', path);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  await until('a message has come', () => browser.messages().length > 0);

  assert.deepEqual(muted.json, { muted: true, until: end });
  assert.deepEqual(forGood.json, { muted: true, until: null });
  assert.deepEqual((await ada.get(path)).json, { muted: false, until: null });
  assert.deepEqual(
    listMessages(browser).map(({ notification }) => notification?.seq),
    [2],
  );
});

test('a group that one is not in cannot be muted, and no mute ends in the past', async () => {
  const [ada, grace] = [await newPerson(booted), await newPerson(booted, 'Grace')];
  const path = `/api/v1/groups/${await newGroup(ada)}/mute`;

  const answers = [
    await grace.send('PUT', path, { until: null }),
    await grace.get(path),
    await ada.send('PUT', path, { until: '2020-01-01T00:00:00Z' }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 422],
  );
});

test('until tomorrow is 8 in the morning of the next day, where the person is', () => {
  const at = { nowMs: Date.parse('2026-03-28T22:30:00Z'), timeZone: 'Europe/Berlin' };

  const ends = (['1h', '8h', 'tomorrow', 'unmuted'] as const).map((choice) => {
    const end = endOfMute(choice, at);
    return end === null ? null : new Date(end).toISOString();
  });

  // The night in between has an hour less.
  assert.deepEqual(ends, [
    '2026-03-28T23:30:00.000Z',
    '2026-03-29T06:30:00.000Z',
    '2026-03-29T06:00:00.000Z',
    null,
  ]);
});

test('of processes that make the keys at once, one pair is kept for all', async () => {
  const { store } = booted.service;
  const clock = { nowMs: () => 1 };
  const make = (): string => JSON.stringify(newVapidKeys());

  const values = await Promise.all(
    Array.from({ length: 8 }, () => ensureServiceKey({ store, clock }, { name: 'raced', make })),
  );

  assert.equal(new Set(values).size, 1);
});
