// The outbox of devices, for its tests: people with browsers at a push service of this machine, and workers whose clock
// stands still until it is moved.
import { systemClock } from '@lothub/kit/clock';
import { newId } from '@lothub/kit/secrets/ids';
import { newPushSender, type PushSend } from '@lothub/delivery/push/push-sender';
import { newSender } from '@lothub/delivery/sending/send';
import type { TestBrowser } from '@lothub/delivery/test/push-service';
import sql from 'sql-template-tag';
import { subscribeDevice } from '../../src/devices/devices.ts';
import type { PushMessage } from '../../src/devices/push-message.ts';
import { PushWorker } from '../../src/devices/push-worker.ts';
import { ensureVapidKeys } from '../../src/devices/vapid.ts';
import { insertMember } from '../../src/groups/new-group.ts';
import type { Severity } from '../../src/store/post.ts';
import type { NotificationStore } from '../../src/store/store.ts';
import { LOCAL_RULES, openOutbox, until, type Outbox } from '../delivery/outbox.ts';
import type { StoredRow } from '../engine.ts';
import { storeAccount } from '../stored-group.ts';

export const CONTACT = 'mailto:operator@example.com';

export interface TestReader {
  readonly accountId: string;
  readonly deviceId: string;
  readonly groupId: string;
}

export interface Pushing extends AsyncDisposable {
  readonly outbox: Outbox;
  readonly push: PushSend;
  /** Somebody in a group of its own with this browser. */
  newReader(
    browser: TestBrowser,
    reader?: { readonly minSeverity?: Severity; readonly groupId?: string },
  ): Promise<TestReader>;
  startWorker(options?: {
    readonly store?: NotificationStore;
    readonly stopGraceMs?: number;
  }): PushWorker;
  /** Moves the clock, and wakes all workers. */
  advance(ms: number): void;
  deliveries(reader: TestReader): Promise<readonly StoredRow[]>;
  /** Waits until that many deliveries of a device have a status. */
  settled(reader: TestReader, status: string, count?: number): Promise<void>;
  device(reader: TestReader): Promise<StoredRow | undefined>;
}

export async function openPushing(): Promise<Pushing> {
  await using opening = new AsyncDisposableStack();
  const outbox = opening.use(await openOutbox());
  const { store, clock } = outbox;
  const push = newPushSender({
    send: newSender({ rules: LOCAL_RULES }),
    keys: await ensureVapidKeys({ store, clock }),
    contact: CONTACT,
    clock: systemClock,
  });
  const workers: PushWorker[] = [];
  opening.defer(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
  });
  const opened = opening.move();
  const deliveries = ({ deviceId }: TestReader): Promise<readonly StoredRow[]> =>
    outbox.read(sql`
      select id, seq, kind, status, attempts, due_at
      from device_deliveries
      where device_id = ${deviceId}
      order by seq`);
  return {
    outbox,
    push,
    newReader: async ({ subscription }, { minSeverity = 'info', groupId: joined } = {}) => {
      const groupId = joined ?? (await outbox.newGroup());
      const accountId = await storeAccount(outbox.database);
      await store.write([...insertMember({ groupId, accountId, role: 'member', at: clock.ms })]);
      const via = { kind: 'session', tokenHash: newId('t'), validUntil: 0 } as const;
      const device = await subscribeDevice(
        { store, clock, addresses: LOCAL_RULES },
        { accountId, email: 'ada@example.com', name: 'Ada', via },
        { subscription, name: 'Phone', minSeverity },
      );
      return { accountId, deviceId: device.id, groupId };
    },
    startWorker: ({ store: other, stopGraceMs } = {}) => {
      const worker = new PushWorker({
        store: other ?? store,
        clock,
        push,
        log: { warn: (...line: readonly unknown[]) => console.error(...line) },
        random: () => 0.5,
        ...(stopGraceMs === undefined ? {} : { stopGraceMs }),
      });
      workers.push(worker);
      worker.start();
      return worker;
    },
    advance: (ms) => {
      clock.ms += ms;
      for (const worker of workers) worker.wake();
    },
    deliveries,
    settled: (reader, status, count = 1) =>
      until(`${count} deliveries are ${status}`, async () => {
        const rows = await deliveries(reader);
        return rows.filter((row) => row['status'] === status).length === count;
      }),
    device: async ({ deviceId }) => {
      const [row] = await outbox.read(sql`
        select status, endpoint, p256dh, failures, disabled_reason
        from devices
        where id = ${deviceId}`);
      return row;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export function listMessages(browser: TestBrowser): readonly PushMessage[] {
  return browser.messages().map(({ payload }) => JSON.parse(payload) as PushMessage);
}
