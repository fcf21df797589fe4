// A person's devices: browsers that Web Push sends notifications to
// (docs/interface/notifications.md#devices).
import { beginAnew } from '@lothub/delivery/outbox/failure-queries';
import { errorText } from '@lothub/delivery/sending/answer';
import type { AddressRules } from '@lothub/delivery/sending/address-rules';
import { WEBHOOK_URL_RIGHT, webhookUrl } from '@lothub/delivery/sending/webhook-url';
import { canEncryptFor, type Subscription } from '@lothub/delivery/push/subscription';
import type { PushSend } from '@lothub/delivery/push/push-sender';
import { instantText, type Clock } from '@lothub/kit/clock';
import { newId } from '@lothub/kit/secrets/ids';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { checkName } from '@lothub/people/accounts/schema';
import type { Static } from 'typebox';
import { toActor, type Person } from '../access/person.ts';
import { Problem } from '../errors.ts';
import { insertAuditEntry, type AuditEntry } from '../store/audit.ts';
import type { Severity } from '../store/post.ts';
import type { NotificationStore } from '../store/store.ts';
import {
  deviceAt,
  readDevices,
  findDevice,
  forgetDevice,
  insertDevice,
  renewDevice,
  updateDevice,
  whileDeviceSet,
  whileOwnDevice,
  whileRoomFor,
} from './device-queries.ts';
import type { DeviceRow, DeviceSettings } from './device-queries.ts';
import type { DeviceListSchema, DeviceSchema, TestPushSchema } from './device-schema.ts';
import { testMessage } from './push-message.ts';
import { DEVICE_OUTBOX } from './push-queries.ts';

/** Maximum number of devices of one person. */
export const DEVICES_MAX = 20;

/** How long a push service tries to deliver a test. */
const TEST_TTL_SECONDS = 60;

export interface DeviceDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  /** Where push messages may be sent to. */
  readonly addresses: AddressRules;
  readonly push: PushSend;
}

type Writing = Pick<DeviceDeps, 'store' | 'clock'>;
export type Device = Static<typeof DeviceSchema>;

/** The oldest first; there are at most DEVICES_MAX. */
export async function listDevices(
  { store }: Pick<DeviceDeps, 'store'>,
  { accountId }: Pick<Person, 'accountId'>,
): Promise<Static<typeof DeviceListSchema>> {
  const rows = await readDevices(store.reader, { accountId, limit: DEVICES_MAX });
  return { items: rows.map(deviceFrom), next: null };
}

export interface NewDevice {
  readonly subscription: Subscription;
  readonly name: string;
  readonly minSeverity: Severity;
}

/**
 * Adds a device. An address belongs to one person. When another person subscribes with it, it becomes a device of that
 * person, and notifications that waited for the person before are not sent. Repeating it only changes its keys.
 * @throws Problem `fields_invalid`, `limit_reached`
 */
export async function subscribeDevice(
  { store, clock, addresses }: Omit<DeviceDeps, 'push'>,
  person: Person,
  { subscription, name, minSeverity }: NewDevice,
): Promise<Device> {
  checkName(name, '/name');
  checkSubscription(subscription, addresses);
  const { accountId } = person;
  const { endpoint } = subscription;
  await store.distribute();
  const deviceId = await changePlanned(store, async () => {
    const known = await deviceAt(store.reader, endpoint);
    if (known?.accountId === accountId) {
      return {
        guard: whileOwnDevice({ accountId, deviceId: known.id }),
        statements: [renewDevice(known.id, subscription)],
        result: known.id,
      };
    }
    const others = await readDevices(store.reader, { accountId, limit: DEVICES_MAX });
    if (others.length >= DEVICES_MAX) {
      throw new Problem(
        'limit_reached',
        `A person has at most ${DEVICES_MAX} devices: remove one that is not needed`,
      );
    }
    const id = newId('dev');
    const createdAt = clock.nowMs();
    return {
      guard: whileRoomFor({
        accountId,
        endpoint,
        takenFrom: known?.id ?? '',
        devicesMax: DEVICES_MAX,
      }),
      statements: [
        ...(known === undefined ? [] : [forgetDevice(known.id)]),
        insertDevice({ ...subscription, id, accountId, name, minSeverity, createdAt }),
        insertEntry(person, 'device_added', { id, at: createdAt, name }),
      ],
      result: id,
    };
  });
  return deviceFrom(await getDeviceRow({ store }, { accountId, deviceId }));
}

/** What a person changes; absent: as it is. */
export interface DeviceChange {
  readonly name?: string | undefined;
  readonly minSeverity?: Severity | undefined;
  readonly status?: 'active' | 'paused' | undefined;
}

/** @throws Problem `not_found`, `fields_invalid` */
export async function changeDevice(
  { store }: Pick<DeviceDeps, 'store'>,
  key: { readonly accountId: string; readonly deviceId: string },
  change: DeviceChange,
): Promise<Device> {
  if (change.name !== undefined) checkName(change.name, '/name');
  await store.distribute();
  await changePlanned(store, async () => {
    const old = await getDeviceRow({ store }, key);
    const wanted: DeviceSettings = {
      name: change.name ?? old.name,
      minSeverity: change.minSeverity ?? old.minSeverity,
      status: change.status ?? old.status,
    };
    const isAnew = wanted.status === 'active' && old.status !== 'active';
    return {
      guard: whileDeviceSet(key, old),
      statements: [
        updateDevice(key.deviceId, wanted),
        ...(isAnew ? [beginAnew(DEVICE_OUTBOX, key.deviceId)] : []),
      ],
      result: undefined,
    };
  });
  return deviceFrom(await getDeviceRow({ store }, key));
}

/** Nothing is sent to it from then on, and what waited is not sent. @throws Problem `not_found` */
export async function removeDevice(
  { store, clock }: Writing,
  person: Person,
  deviceId: string,
): Promise<void> {
  const { accountId } = person;
  const { name } = await getDeviceRow({ store }, { accountId, deviceId });
  const { kind } = await store.change({
    guard: whileOwnDevice({ accountId, deviceId }),
    statements: [
      forgetDevice(deviceId),
      insertEntry(person, 'device_removed', { id: deviceId, at: clock.nowMs(), name }),
    ],
  });
  if (kind === 'stale') throw noSuchDevice();
}

/** Sends a message to a device at once, and returns what its push service answered. @throws Problem `not_found` */
export async function testDevice(
  { store, push }: Pick<DeviceDeps, 'store' | 'push'>,
  key: { readonly accountId: string; readonly deviceId: string },
): Promise<Static<typeof TestPushSchema>> {
  const device = await getDeviceRow({ store }, key);
  const result = await push(device, testMessage(device.name), {
    urgency: 'high',
    ttlSeconds: TEST_TTL_SECONDS,
    signal: new AbortController().signal,
  });
  const httpStatus = 'status' in result ? result.status : null;
  return {
    accepted: result.kind === 'answered' && result.status >= 200 && result.status < 300,
    http_status: httpStatus,
    error: result.kind === 'stopped' ? null : errorText(result),
  };
}

async function getDeviceRow(
  { store }: Pick<DeviceDeps, 'store'>,
  key: { readonly accountId: string; readonly deviceId: string },
): Promise<DeviceRow> {
  const row = await findDevice(store.reader, key);
  if (row === undefined) throw noSuchDevice();
  return row;
}

function noSuchDevice(): Problem {
  return new Problem('not_found', 'You have no such device');
}

/** @throws Problem `fields_invalid` */
function checkSubscription(subscription: Subscription, addresses: AddressRules): void {
  const wrong = (pointer: string, limit: string): Problem =>
    new Problem('fields_invalid', 'The subscription is not one that messages can be sent to', {
      fields: [{ pointer, code: 'wrong_form', limit, actual: null }],
    });
  if (webhookUrl(subscription.endpoint, addresses) === undefined) {
    throw wrong('/subscription/endpoint', WEBHOOK_URL_RIGHT);
  }
  if (!canEncryptFor(subscription)) {
    throw wrong('/subscription/keys', 'a public key of P-256 and a secret of 16 bytes');
  }
}

function insertEntry(
  person: Person,
  action: AuditEntry['action'],
  { id, at, name }: { readonly id: string; readonly at: number; readonly name: string },
) {
  const actor = toActor(person);
  return insertAuditEntry({ at, actor, action, groupId: null, subject: id, details: { name } });
}

function deviceFrom(row: DeviceRow): Device {
  return {
    id: row.id,
    name: row.name,
    min_severity: row.minSeverity,
    status: row.status,
    disabled_reason: row.disabledReason,
    push_service: new URL(row.endpoint).host,
    created_at: instantText(row.createdAt),
  };
}
