// The pages of webhooks without a browser: making, refusing, setting, testing, sending again, another brand's, and a
// group of the inbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import type { Inbox, InboxNotification } from '../../../src/webhooks/inbox.ts';
import { newTenant } from '../../boot.ts';
import {
  answerWith,
  bootSending,
  fillBoxes,
  newReceiver,
  secretIn,
  until,
  webhookIdIn,
} from '../../webhooks/receiving.ts';
import { newVisitor, readWords, type Page } from '../visitors.ts';

const HOSTILE = '<script>alert("Ω")</script>';

/** An inbox of two groups; the key of the second has ended. */
class TestInbox implements Inbox {
  readonly posted: { readonly id: string; readonly notification: InboxNotification }[] = [];
  readonly connected: string[] = [];
  hasRoom = true;
  state: 'posted' | 'gone' | 'paused' = 'posted';

  readonly listGroups: Inbox['listGroups'] = async () => [
    { id: 'grp_1', name: HOSTILE },
    { id: 'grp_2', name: 'Schicht' },
  ];

  readonly connect: Inbox['connect'] = async ({ groupId, name }) => {
    if (!this.hasRoom) return undefined;
    this.connected.push(`${groupId} ${name}`);
    return 'key_1';
  };

  readonly disconnected: string[] = [];
  readonly disconnect: Inbox['disconnect'] = async ({ person, keyId }) => {
    this.disconnected.push(`${keyId} ${person.name}`);
    return 'revoked';
  };

  readonly post: Inbox['post'] = async ({ id, notification }) => {
    if (this.state === 'posted') this.posted.push({ id, notification });
    return this.state;
  };
}

const inbox = new TestInbox();
const hub = await openForFile(bootSending({ inbox }));

async function newManager(brand: string = newTenant()) {
  const manager = await newVisitor(hub, { brands: { [brand]: 'manager' } });
  return { brand, manager, path: `/console/b/${brand}/webhooks` };
}

test('the secret is shown once, and the page escapes what is typed', async () => {
  const { manager, path } = await newManager();
  const values = {
    name: HOSTILE,
    url: 'https://receiver.example/a?b=c',
    ...fillBoxes(['lot.held']),
  };

  const made = await manager.post(path, values);
  const again = await manager.get(`${path}/${webhookIdIn(made)}`);
  const list = await manager.get(path);

  assert.match(secretIn(made), /^whsec_/);
  for (const page of [again, list]) {
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /whsec_|<script>alert/);
    assert.match(page.text, /&lt;script&gt;alert/);
  }
});

test('what is wrong is said in German beside its field, and nothing typed is lost', async () => {
  const { manager, path } = await newManager();

  const page = await manager.post(`${path}?lang=de`, { name: 'ERP', url: 'https://10.0.0.1/' });
  const noType = await manager.post(`${path}?lang=de`, {
    name: 'ERP',
    url: 'https://example.com/',
  });

  assert.equal(page.status, 422);
  assert.match(readWords(page), /Bitte geben Sie eine https-Adresse eines öffentlichen Hosts/);
  assert.match(page.text, /value="https:\/\/10\.0\.0\.1\/"/);
  assert.equal(noType.status, 422);
  assert.match(readWords(noType), /Bitte wählen Sie mindestens eines/);
});

test('a test arrives, and its answer and its body are on the pages', async () => {
  const { brand } = await newManager();
  await using to = await newReceiver({ booted: hub, brand, answer: answerWith(202) });

  const sent = await to.manager.post(`${to.path}/test`);
  await to.receiver.arrived(1);
  await until('it is shown', async () =>
    readWords(await to.manager.get(to.path)).includes('Delivered'),
  );
  const page = await to.manager.get(to.path);
  const [delivery = ''] = /\/deliveries\/msg_[\w]+/.exec(page.text) ?? [];
  const detail = await to.manager.get(to.path + delivery);
  const replayed = await to.manager.post(`${to.path}${delivery}/replay`);
  await to.receiver.arrived(2);

  assert.equal(sent.status, 303);
  assert.match(readWords(page), /HTTP 202/);
  assert.match(readWords(detail), /webhook\.test/);
  // Its words open their sentences of the glossary.
  const list = await to.manager.get(to.path.replace(/\/[^/]+$/, ''));
  const termsIn = ({ text }: Page) =>
    [...text.matchAll(/id="term-(\w+)" popover/g)].map(([, term]) => term);
  assert.deepEqual([list, page, detail].map(termsIn), [
    ['webhook', 'group'],
    ['webhookDelivery', 'webhookSecret'],
    ['attempt'],
  ]);
  assert.equal(replayed.status, 303);
  const ids = to.receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, 1);
});

test('a webhook is set, paused, given another secret and deleted', async () => {
  const { brand } = await newManager();
  await using to = await newReceiver({ booted: hub, brand });
  const { manager } = to;

  const rotated = await manager.post(`${to.path}/rotate`);
  const saved = await manager.post(to.path, {
    ...{ name: 'Other', url: 'https://receiver.example/', status: 'paused' },
    ...fillBoxes(['recall.opened']),
  });
  const paused = await manager.get(to.path);
  const notTested = await manager.post(`${to.path}/test`);
  const deleted = await manager.post(`${to.path}/delete`);
  const gone = await manager.get(to.path);

  assert.notEqual(secretIn(rotated), to.secret);
  assert.equal(saved.status, 303);
  assert.match(readWords(paused), /Other.*Paused/);
  assert.equal(notTested.status, 400);
  assert.equal(deleted.status, 303);
  assert.equal(gone.status, 404);
});

test('nobody but a manager of the brand sees or changes a webhook', async () => {
  const { brand } = await newManager();
  await using to = await newReceiver({ booted: hub, brand });
  const viewer = await newVisitor(hub, { brands: { [brand]: 'viewer' } });
  const quality = await newVisitor(hub, { brands: { [brand]: 'quality' } });
  const stranger = await newManager();
  const theirs = `${stranger.path}/${to.webhookId}`;

  for (const person of [viewer, quality]) {
    assert.equal((await person.get(to.path)).status, 403);
    assert.equal((await person.post(`${to.path}/delete`)).status, 403);
    assert.doesNotMatch((await person.get(`/console/b/${brand}`)).text, /\/webhooks"/);
  }
  assert.equal((await stranger.manager.get(to.path)).status, 404);
  for (const step of ['', '/rotate', '/test', '/delete']) {
    assert.equal((await stranger.manager.post(theirs + step, { name: 'x' })).status, 404);
  }
  assert.equal((await to.manager.get(to.path)).status, 200);
});

test('a brand has ten webhooks at most, and the page says so', async () => {
  const { manager, path } = await newManager();
  const values = { name: 'ERP', url: 'https://receiver.example/', ...fillBoxes(['lot.held']) };
  for (let made = 0; made < 10; made += 1) {
    assert.equal((await manager.post(path, values)).status, 200);
  }

  const refused = await manager.post(path, values);

  assert.equal(refused.status, 400);
  assert.match(readWords(refused), /as many webhooks as it may have/);
});

test('what happens arrives in a group of the inbox, in the language of who connected it', async () => {
  const { brand, manager, path } = await newManager();

  const answer = await manager.post(`${path}/inbox?lang=de`, {
    group: 'grp_2',
    ...fillBoxes(['lot.held']),
  });
  const page = await manager.get(answer.location ?? '');
  const tested = await manager.post(`${String(answer.location).replace(/\?.*/, '')}/test`);
  await until('it was posted', () => inbox.posted.length === 1);

  assert.equal(answer.status, 303);
  assert.equal(inbox.connected.at(-1), `grp_2 ${brand}`);
  assert.match(readWords(page), /Schicht/);
  assert.doesNotMatch(page.text, /whsec_|lothub-inbox/);
  assert.equal(tested.status, 303);
  const [{ notification } = { notification: undefined }] = inbox.posted;
  assert.equal(notification?.title, 'Test des Webhooks');
  assert.equal(notification.severity, 'info');
  assert.match(notification.body, /\/console\/b\/.*\/webhooks$/);
});

test('a group whose key was revoked disables the webhook', async () => {
  const { manager, path } = await newManager();
  const answer = await manager.post(`${path}/inbox`, {
    group: 'grp_1',
    ...fillBoxes(['lot.held']),
  });
  const webhook = String(answer.location).replace(/\?.*/, '');
  inbox.state = 'gone';

  await manager.post(`${webhook}/test`);
  await until('it is disabled', async () =>
    readWords(await manager.get(webhook)).includes('Disabled'),
  );
  inbox.state = 'posted';

  assert.match(readWords(await manager.get(webhook)), /Set it active again/);
});

test('a group that is not of the person, or has no room, is refused', async () => {
  const { manager, path } = await newManager();

  const strange = await manager.post(`${path}/inbox`, {
    group: 'grp_3',
    ...fillBoxes(['lot.held']),
  });
  const none = await manager.post(`${path}/inbox`, { group: 'grp_1' });
  inbox.hasRoom = false;
  const full = await manager.post(`${path}/inbox`, { group: 'grp_1', ...fillBoxes(['lot.held']) });
  inbox.hasRoom = true;

  assert.equal(strange.status, 422);
  assert.equal(none.status, 422);
  assert.match(readWords(full), /The group has no room for another key/);
});

test('deleting a webhook to a group revokes the key that it posts with, and says so', async () => {
  const { manager, path } = await newManager();
  const connected = await manager.post(`${path}/inbox`, {
    ...{ group: 'grp_1', ...fillBoxes(['lot.held']) },
  });
  const webhook = String(connected.location).replace(/\?.*/, '');

  const page = await manager.get(webhook);
  const deleted = await manager.post(`${webhook}/delete`);
  const list = await manager.get(String(deleted.location));

  assert.match(readWords(page), /Of a group of the inbox its key is revoked/);
  assert.equal(inbox.disconnected.at(-1), `key_1 ${manager.name}`);
  assert.match(readWords(list), /the key that it had of the group is revoked/);
});
