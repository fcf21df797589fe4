// Reads and writes of a person's devices.
import type { DatabaseReader } from '@lothub/kit/database';
import type { ReceiverStatus } from '@lothub/delivery/outbox/status';
import type { Subscription } from '@lothub/delivery/push/subscription';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Severity } from '../store/post.ts';

export interface DeviceRow extends Subscription {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly minSeverity: Severity;
  readonly status: Exclude<ReceiverStatus, 'deleted'>;
  readonly disabledReason: string | null;
  readonly createdAt: number;
}

const DEVICE = sql`
  select
    id as "id",
    account_id as "accountId",
    name as "name",
    endpoint as "endpoint",
    p256dh as "p256dh",
    auth as "auth",
    min_severity as "minSeverity",
    status as "status",
    disabled_reason as "disabledReason",
    created_at as "createdAt"
  from devices`;

/** The oldest first. */
export function readDevices(
  reader: DatabaseReader,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<readonly DeviceRow[]> {
  return reader.all<DeviceRow>(sql`
    ${DEVICE}
    where account_id = ${accountId}
      and status <> 'deleted'
    order by created_at, id
    limit ${limit}`);
}

export interface DeviceKey {
  readonly accountId: string;
  readonly deviceId: string;
}

export function findDevice(
  reader: DatabaseReader,
  { accountId, deviceId }: DeviceKey,
): Promise<DeviceRow | undefined> {
  return reader.first<DeviceRow>(sql`
    ${DEVICE}
    where id = ${deviceId}
      and account_id = ${accountId}
      and status <> 'deleted'`);
}

/** Whoever has it. */
export function deviceAt(reader: DatabaseReader, endpoint: string): Promise<DeviceRow | undefined> {
  return reader.first<DeviceRow>(sql`
    ${DEVICE}
    where endpoint = ${endpoint}`);
}

export function insertDevice(device: Omit<DeviceRow, 'status' | 'disabledReason'>): Sql {
  return sql`
    insert into devices
      (id, account_id, name, endpoint, p256dh, auth, min_severity, status, created_at)
    values (
      ${device.id},
      ${device.accountId},
      ${device.name},
      ${device.endpoint},
      ${device.p256dh},
      ${device.auth},
      ${device.minSeverity},
      'active',
      ${device.createdAt}
    )`;
}

/** What encrypts for it, as the browser says it now; one that its person has paused stays paused. */
export function renewDevice(
  deviceId: string,
  { p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>,
): Sql {
  return sql`
    update devices
    set
      p256dh = ${p256dh},
      auth = ${auth},
      status = case status when 'disabled' then 'active' else status end,
      disabled_reason = null,
      failures = 0,
      failing_since = null
    where id = ${deviceId}`;
}

/** What a person sets. */
export type DeviceSettings = Pick<DeviceRow, 'name' | 'minSeverity' | 'status'>;

export function updateDevice(deviceId: string, { name, minSeverity, status }: DeviceSettings): Sql {
  return sql`
    update devices
    set name = ${name}, min_severity = ${minSeverity}, status = ${status}
    where id = ${deviceId}`;
}

/** The worker deletes them with their deliveries; until then their address is free for somebody else. */
const FORGOTTEN = sql`
  update devices
  set status = 'deleted', endpoint = 'deleted:' || id, p256dh = '', auth = ''`;

export function forgetDevice(deviceId: string): Sql {
  return sql`
    ${FORGOTTEN}
    where id = ${deviceId}`;
}

export function forgetDevices(accountId: string): Sql {
  return sql`
    ${FORGOTTEN}
    where account_id = ${accountId}
      and status <> 'deleted'`;
}

/** A guard: the person may add one more device, and no device has the address. */
export function whileRoomFor({
  accountId,
  endpoint,
  takenFrom,
  devicesMax,
}: {
  readonly accountId: string;
  readonly endpoint: string;
  /** The device that has the address now, and gives it away. */
  readonly takenFrom: string;
  readonly devicesMax: number;
}): Sql {
  return sql`
    select 1 as held
    from people.accounts a
    where a.id = ${accountId}
      and (
        select count(*)
        from devices d
        where d.account_id = a.id
          and d.status <> 'deleted'
      ) < ${devicesMax}
      and not exists (
        select 1
        from devices other
        where other.endpoint = ${endpoint}
          and other.id <> ${takenFrom}
      )`;
}

/** A guard: it is that person's. */
export function whileOwnDevice({ accountId, deviceId }: DeviceKey): Sql {
  return sql`
    select 1 as held
    from devices
    where id = ${deviceId}
      and account_id = ${accountId}
      and status <> 'deleted'`;
}

/** A guard: no other request has changed the device. */
export function whileDeviceSet(
  { accountId, deviceId }: DeviceKey,
  { name, minSeverity, status }: DeviceSettings,
): Sql {
  return sql`
    select 1 as held
    from devices
    where id = ${deviceId}
      and account_id = ${accountId}
      and name = ${name}
      and min_severity = ${minSeverity}
      and status = ${status}`;
}
