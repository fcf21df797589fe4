// What the walk through all routes needs to be there: people of each kind, a group with one of everything, and the ids
// that are in addresses.
import assert from 'node:assert/strict';
import type { PushService } from '@lothub/delivery/test/push-service';
import { newSession } from '@lothub/people/access/sessions';
import sql from 'sql-template-tag';
import { unsubscribeToken } from '../../src/mail/unsubscribe-token.ts';
import type { Answer, Booted, SendRequest } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { join, newGroup, newPerson, type TestPerson } from './person.ts';

/** What is in addresses and bodies: parameters by the names that routes have for them, and some more. */
export interface Ids {
  readonly group_id: string;
  readonly seq: string;
  /** A member who does nothing. */
  readonly account_id: string;
  readonly invitation_id: string;
  readonly key_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  /** Of the member who asks, as are the next two. */
  readonly device_id: string;
  readonly token_id: string;
  readonly session_id: string;
  readonly email: string;
  /** A read token of the member, and a posting key of the group. */
  readonly readToken: string;
  readonly key: string;
  readonly invitation: string;
  readonly unsubscribe: string;
  /** The e-mail of somebody who has no account. */
  readonly newcomer: string;
  /** Where webhooks may go, and a browser's subscription. */
  readonly hook: string;
  readonly subscription: object;
}

export interface Ground {
  readonly owner: TestPerson;
  readonly member: TestPerson;
  /** Who owns another group, with one of everything. */
  readonly outsider: TestPerson;
  /** Who was a member once. */
  readonly removed: TestPerson;
  /** Whose session was logged out. */
  readonly loggedOut: TestPerson;
  readonly ids: Ids;
  /** Of the outsider's group. */
  readonly others: Pick<Ids, 'group_id'>;
}

export async function newGround(booted: Booted, pushes: PushService): Promise<Ground> {
  const names = ['Olga', 'Mia', 'Piet', 'Otto', 'Rita', 'Lena'];
  const people = await Promise.all(names.map((name) => newPerson(booted, name)));
  const [owner, member, peer, outsider, removed, loggedOut] = people;
  assert.ok(owner && member && peer && outsider && removed && loggedOut);
  const [groupId, otherId] = await Promise.all([newGroup(owner), newGroup(outsider, 'Mill')]);
  for (const person of [member, peer, removed]) await join(booted, { groupId, person });
  const group = `/api/v1/groups/${groupId}`;
  const hook = `${pushes.receiver.base}/hook`;
  const browser = (): object => {
    const { endpoint, p256dh, auth } = pushes.newBrowser().subscription;
    return { endpoint, keys: { p256dh, auth } };
  };

  await Promise.all([
    ok(owner, 'DELETE', `${group}/members/${removed.accountId}`),
    ok(loggedOut, 'DELETE', '/api/v1/session'),
  ]);
  const [key, webhook, invitation, token, device] = await Promise.all([
    ok(owner, 'POST', `${group}/keys`, { name: 'Oven' }),
    ok(owner, 'POST', `${group}/webhooks`, { name: 'Pager', url: hook }),
    ok(owner, 'POST', `${group}/invitations`, { email: null }),
    ok(member, 'POST', '/api/v1/me/tokens', { name: 'Wall' }),
    ok(member, 'POST', '/api/v1/me/devices', { subscription: browser(), name: 'Phone' }),
    ok(owner, 'PUT', `${group}/escalation`, { after_minutes: 15, people: [peer.accountId] }),
    secondSession(booted, member),
    setPassword(booted, member),
  ]);
  // Critical, so that it can be acknowledged.
  await ok(owner, 'POST', `${group}/test`, { severity: 'critical' });
  await ok(member, 'PUT', '/api/v1/me/mail', { min_severity: 'critical', rhythm: 'daily' });
  await untilSent(booted, groupId);
  const webhookId = String(webhook.json['id']);
  const deliveries = await owner.get(`${group}/webhooks/${webhookId}/deliveries`);
  const url = String(invitation.json['url']);
  return {
    ...{ owner, member, outsider, removed, loggedOut },
    others: { group_id: otherId },
    ids: {
      group_id: groupId,
      seq: '1',
      account_id: peer.accountId,
      invitation_id: String(invitation.json['id']),
      key_id: String(key.json['id']),
      webhook_id: webhookId,
      delivery_id: String(deliveries.json['items']?.['0']?.['id']),
      device_id: String(device.json['id']),
      token_id: String(token.json['id']),
      session_id: await idOfOtherSession(member),
      email: member.email,
      readToken: String(token.json['token']),
      key: String(key.json['key']),
      invitation: url.slice(url.lastIndexOf('/') + 1),
      unsubscribe: await unsubscribing(booted, member),
      newcomer: `new-${member.email}`,
      hook,
      subscription: browser(),
    },
  };
}

async function ok(
  person: TestPerson,
  method: SendRequest['method'],
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await person.send(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

async function secondSession(booted: Booted, { accountId }: TestPerson): Promise<void> {
  const { statements } = newSession({ accountId, agent: 'another', nowMs: Date.now() });
  await booted.service.people.store.write([...statements]);
}

/** What members log in with. */
export const PASSWORD = 'correct horse battery';
let passwordHash: Promise<string> | undefined;

async function setPassword(booted: Booted, { accountId }: TestPerson): Promise<void> {
  const { passwords, store } = booted.service.people;
  passwordHash ??= passwords.hash(PASSWORD);
  await store.write([
    sql`update accounts set password_hash = ${await passwordHash} where id = ${accountId}`,
  ]);
}

async function idOfOtherSession(person: TestPerson): Promise<string> {
  const { json } = await person.get('/api/v1/me/sessions');
  const other = Object.values(json['items'] ?? {}).find(({ agent }) => String(agent) === 'another');
  return String(other?.['id']);
}

/** Until what the post causes beside its answer is written. */
async function untilSent(booted: Booted, groupId: string): Promise<void> {
  for (const table of ['deliveries', 'device_deliveries']) {
    await until(`${table} are sent`, async () => {
      const rows = await booted.database.rows(
        `select status from ${table} where group_id = ?`,
        groupId,
      );
      return rows.length > 0 && rows.every(({ status }) => status === 'delivered');
    });
  }
}

async function unsubscribing(booted: Booted, { accountId }: TestPerson): Promise<string> {
  const [row] = await booted.database.rows(
    `select r.id, k.value
    from mail_receivers r, service_keys k
    where k.name = 'mail_links'
      and r.account_id = ?`,
    accountId,
  );
  return unsubscribeToken(String(row?.['value']), String(row?.['id']));
}
