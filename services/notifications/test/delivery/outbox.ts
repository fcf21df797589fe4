// The outbox alone, for its tests: a store with a group, a clock that stands still until it is moved, and
// workers that are woken by it.
import { until } from '@lothub/kit/test/until';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { AddressRules } from '@lothub/delivery/sending/address-rules';
import { replayDelivery } from '../../src/delivery/deliveries.ts';
import { DeliveryWorker } from '../../src/delivery/delivery-worker.ts';
import type { DeliveryOutcome } from '@lothub/delivery/outbox/record-try';
import { newSender, type Send, type SenderOptions } from '@lothub/delivery/sending/send';
import { createWebhook } from '../../src/delivery/webhooks/webhooks.ts';
import type { CreatedWebhook, OwnedWebhook } from '../../src/delivery/webhooks/webhooks.ts';
import { insertGroup } from '../../src/groups/new-group.ts';
import { newId } from '@lothub/kit/secrets/ids';
import { storeAccount } from '../stored-group.ts';
import { openStore } from '../../src/store/open-store.ts';
import { NOTHING_SAID, type PostedPlace, type Severity } from '../../src/store/post.ts';
import type { NotificationStore } from '../../src/store/store.ts';
import { newTestDatabase, type StoredRow, type TestDatabase } from '../engine.ts';

export { until } from '@lothub/kit/test/until';

/** Receivers of tests are on this machine. */
export const LOCAL_RULES = new AddressRules(['127.0.0.1']);

export class TestClock {
  ms = Date.now();
  readonly nowMs = (): number => this.ms;
}

export interface Outbox extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly store: NotificationStore;
  readonly clock: TestClock;
  readonly groupId: string;
  readonly actor: { readonly accountId: string; readonly name: string };
  /** A group of its own, for a test that shares the outbox. */
  newGroup(): Promise<string>;
  newWebhook(
    url: string,
    webhook?: { groupId?: string; minSeverity?: Severity },
  ): Promise<CreatedWebhook>;
  post(post?: { groupId?: string; title?: string; severity?: Severity }): Promise<PostedPlace>;
  owned(webhook: CreatedWebhook): OwnedWebhook;
  replay(webhook: CreatedWebhook, deliveryId: string): Promise<void>;
  startWorker(options?: WorkerOptions): DeliveryWorker;
  /** Moves the clock, and wakes all workers. */
  advance(ms: number): void;
  deliveries(webhook: CreatedWebhook): Promise<readonly StoredRow[]>;
  attempts(deliveryId: string): Promise<readonly StoredRow[]>;
  /** Waits until that many deliveries of a webhook have a status. */
  settled(webhook: CreatedWebhook, status: string, count?: number): Promise<void>;
  /** Waits until at least that many tries of a webhook are on record. */
  tried(webhook: CreatedWebhook, count: number): Promise<void>;
  webhook(webhook: CreatedWebhook): Promise<StoredRow | undefined>;
  read(query: Sql): Promise<readonly StoredRow[]>;
}

export interface WorkerOptions extends Partial<SenderOptions> {
  /** In place of requests. */
  readonly send?: Send;
  /** Another process over the same database. */
  readonly store?: NotificationStore;
  readonly stopGraceMs?: number;
  readonly pendingMax?: number;
  readonly onTried?: (outcome: DeliveryOutcome) => void;
}

export async function openOutbox(database?: TestDatabase): Promise<Outbox> {
  await using opening = new AsyncDisposableStack();
  const ownDatabase = opening.use(database ?? (await newTestDatabase()));
  const clock = new TestClock();
  const store = opening.use(await openTestStore(ownDatabase, clock));
  const actor = { accountId: await storeAccount(ownDatabase), name: 'Ada' };
  const newGroup = async (): Promise<string> => {
    const groupId = newId('grp');
    const group = { groupId, name: 'Bakery', ownerId: actor.accountId, actor, at: clock.ms };
    await store.write(insertGroup(group));
    return groupId;
  };
  const groupId = await newGroup();
  const workers: DeliveryWorker[] = [];
  opening.defer(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
  });
  const opened = opening.move();
  const read = (query: Sql): Promise<readonly StoredRow[]> => store.reader.all<StoredRow>(query);
  const deliveries = (webhook: CreatedWebhook): Promise<readonly StoredRow[]> =>
    read(sql`
      select id, seq, status, attempts, due_at, ended_at
      from deliveries
      where webhook_id = ${webhook.id}
      order by seq`);
  const owned = (webhook: CreatedWebhook): OwnedWebhook => ({
    actor,
    groupId: webhook.group_id,
    webhookId: webhook.id,
  });
  return {
    database: ownDatabase,
    store,
    clock,
    groupId,
    actor,
    newGroup,
    newWebhook: (url, webhook = {}) =>
      createWebhook(
        { store, clock, addresses: LOCAL_RULES },
        { actor, groupId: webhook.groupId ?? groupId },
        { name: 'Incident tool', url, min_severity: webhook.minSeverity ?? 'info' },
      ),
    post: async (post = {}) => {
      const outcome = await store.post({
        groupId: post.groupId ?? groupId,
        title: post.title ?? 'Oven 3 is cold',
        body: null,
        severity: post.severity ?? 'info',
        ...NOTHING_SAID,
        sender: { kind: 'person', accountId: actor.accountId },
      });
      if (outcome.kind !== 'created') throw new Error(`the post was ${outcome.kind}`);
      await store.distribute();
      return outcome;
    },
    owned,
    replay: async (webhook, deliveryId) => {
      await replayDelivery({ store, clock }, { ...owned(webhook), deliveryId });
    },
    startWorker: ({
      send,
      store: otherStore,
      stopGraceMs,
      pendingMax,
      onTried,
      ...sender
    } = {}) => {
      const worker = new DeliveryWorker({
        store: otherStore ?? store,
        clock,
        send: send ?? newSender({ rules: LOCAL_RULES, ...sender }),
        publicUrl: 'https://inbox.example.com',
        log: { warn: (...line: readonly unknown[]) => console.error(...line) },
        random: () => 0.5,
        onTried,
        ...(stopGraceMs === undefined ? {} : { stopGraceMs }),
        ...(pendingMax === undefined ? {} : { pendingMax }),
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
    attempts: (deliveryId) =>
      read(sql`
        select attempt, at, took_ms, http_status, error
        from delivery_attempts
        where delivery_id = ${deliveryId}
        order by attempt`),
    settled: (webhook, status, count = 1) =>
      until(`${count} deliveries are ${status}`, async () => {
        const rows = await deliveries(webhook);
        return rows.filter((row) => row['status'] === status).length === count;
      }),
    tried: (webhook, count) =>
      until(`${count} tries`, async () => {
        const [row] = await read(sql`
          select count(*) as tries
          from delivery_attempts a
          join deliveries d on d.id = a.delivery_id
          where d.webhook_id = ${webhook.id}`);
        return Number(row?.['tries']) >= count;
      }),
    webhook: async (webhook) => {
      const [row] = await read(sql`
        select status, disabled_reason, failures, failing_since, secret
        from webhooks
        where id = ${webhook.id}`);
      return row;
    },
    read,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A process more over a database. */
export function openTestStore(
  database: TestDatabase,
  clock: TestClock,
): Promise<NotificationStore> {
  return openStore({
    dataDir: database.dataDir,
    databaseUrl: database.databaseUrl,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });
}
