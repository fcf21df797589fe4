// Groups, people, webhooks and devices written straight into the tables, for tests of what is below them.
import sql from 'sql-template-tag';
import { NOTHING_SAID, type Post } from '../src/store/post.ts';
import type { NotificationStore } from '../src/store/store.ts';
import type { TestDatabase } from './engine.ts';
import { newId } from '@lothub/kit/secrets/ids';

/** Key of posts whose sender is of no matter. */
export const KEY_ID = 'test-key';

export async function storeGroup(store: Pick<NotificationStore, 'write'>): Promise<string> {
  const groupId = newId('grp');
  await store.write([
    sql`
      insert into groups (id, name, retention_days, retention_rows, created_at)
      values (${groupId}, 'Operations', 90, 50000, 1)`,
    sql`insert into group_heads (group_id) values (${groupId})`,
  ]);
  return groupId;
}

export async function storeAccount(
  database: Pick<TestDatabase, 'change'>,
  name = 'Ada',
): Promise<string> {
  const accountId = newId('usr');
  await database.change(
    `insert into people.accounts (id, email, name, password_hash, created_at)
    values (?, ?, ?, 'none', 1)`,
    ...[accountId, `${accountId}@example.com`, name],
  );
  return accountId;
}

export interface StoredWebhook {
  readonly groupId: string;
  readonly createdBy: string;
  readonly minSeverity: Post['severity'];
  readonly status: 'active' | 'paused' | 'disabled';
}

export async function storeWebhook(
  store: Pick<NotificationStore, 'write'>,
  { groupId, createdBy, minSeverity, status }: StoredWebhook,
): Promise<string> {
  const webhookId = newId('whk');
  await store.write([
    sql`
      insert into webhooks
        (id, group_id, name, url, min_severity, status, secret, created_by, created_at)
      values (
        ${webhookId}, ${groupId}, 'Pager', 'https://example.com/', ${minSeverity}, ${status},
        'whsec_test', ${createdBy}, 1
      )`,
  ]);
  return webhookId;
}

export interface StoredDevice {
  readonly accountId: string;
  readonly minSeverity?: Post['severity'];
  readonly status?: 'active' | 'paused' | 'disabled' | 'deleted';
}

export async function storeDevice(
  store: Pick<NotificationStore, 'write'>,
  { accountId, minSeverity = 'info', status = 'active' }: StoredDevice,
): Promise<string> {
  const deviceId = newId('dev');
  await store.write([
    sql`
      insert into devices
        (id, account_id, name, endpoint, p256dh, auth, min_severity, status, created_at)
      values (
        ${deviceId}, ${accountId}, 'Phone', ${`https://push.example/${deviceId}`}, 'key', 'auth',
        ${minSeverity}, ${status}, 1
      )`,
  ]);
  return deviceId;
}

export function postTo(groupId: string, changes: Partial<Post> = {}): Post {
  return {
    groupId,
    title: 'Oven 3 is too hot',
    body: null,
    severity: 'info',
    ...NOTHING_SAID,
    sender: { kind: 'key', keyId: KEY_ID, touch: false },
    ...changes,
  };
}

/** More days than there are since 1970. */
const KEPT_DAYS = 100_000;

/**
 * Notifications past the service, as fast as they can be; the nth was created n ms after 1970 began, and the group
 * keeps it all the same.
 */
export async function fill(
  store: Pick<NotificationStore, 'write'>,
  groupId: string,
  count: number,
  body: string | null = null,
): Promise<void> {
  await store.write([
    sql`
      insert into notifications (id, group_id, seq, title, body, severity, created_at, key_id)
      with recursive numbers (n) as (
        select 1 union all select n + 1 from numbers where n < ${count}
      )
      select h.position + n, ${groupId}, n, 'Nothing of note', cast(${body} as text), 'info', n, 'k'
      from numbers, feed_head h`,
    sql`update groups set retention_days = ${KEPT_DAYS} where id = ${groupId}`,
    sql`update feed_head set position = position + ${count}`,
    sql`update group_heads set head_seq = ${count} where group_id = ${groupId}`,
  ]);
}

/** Deletes as retention does. */
export async function prune(
  store: Pick<NotificationStore, 'write'>,
  groupId: string,
  upTo: number,
): Promise<void> {
  await store.write([
    sql`
      update group_heads
      set pruned_seq = ${upTo}, pruned_position = (
        select id from notifications where group_id = ${groupId} and seq = ${upTo}
      )
      where group_id = ${groupId}`,
    sql`delete from notifications where group_id = ${groupId} and seq <= ${upTo}`,
  ]);
}
