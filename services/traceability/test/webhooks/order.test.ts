// Receivers that fail, hang, redirect or are not to be reached: everything arrives at least once, in its order, under
// ids that stay.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { at } from '@lothub/kit/present';
import { OutboxWorker } from '@lothub/delivery/outbox/worker';
import { AddressRules } from '@lothub/delivery/sending/address-rules';
import { newSender, type SenderOptions } from '@lothub/delivery/sending/send';
import { startReceiver, type Answering } from '@lothub/delivery/test/receiver';
import { Webhook as Verifier } from 'standardwebhooks';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { notifyHeld } from '../../src/ledger/webhooks/notify.ts';
import { hubOutbox } from '../../src/webhooks/outbox.ts';
import { getDelivery, listDeliveries, replayDelivery } from '../../src/webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from '../../src/webhooks/webhooks.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { openTestStore } from '../ledger.ts';
import { answerWith, parseMessage, until } from './receiving.ts';

const LOCAL_RULES = new AddressRules(['127.0.0.1']);
const CALLER = { actor: 'Ada', requestId: null };
const PUBLIC_URL = 'https://trace.example.com';
const DAY_MS = 86_400_000;

let database: TestDatabase;
let store: LedgerStore;
const clock = { ms: systemClock.nowMs(), nowMs: (): number => clock.ms };

before(async () => {
  database = await newTestDatabase();
  store = await openTestStore(database);
});
after(async () => {
  await store.close();
  await database[Symbol.asyncDispose]();
});

/** A worker over the store, as each process has one. */
function startWorker(options: Partial<SenderOptions> = {}) {
  const send = newSender({ rules: LOCAL_RULES, timeoutMs: 2_000, ...options });
  const started = new OutboxWorker(hubOutbox({ publicUrl: PUBLIC_URL, send }), {
    ...{ store, clock },
    log: { warn: (...line: readonly unknown[]) => console.error(...line) },
    random: () => 0.5,
    lookEveryMs: 10,
    stopGraceMs: 0,
  });
  started.start();
  return started;
}

let brands = 0;

/** A brand with a receiver and a worker of its own test. */
async function newBrand(answer: Answering = answerWith(204), options: Partial<SenderOptions> = {}) {
  brands += 1;
  const brand = `order-${brands}`;
  const receiver = await startReceiver({ answer });
  const deps = { store, clock, addresses: LOCAL_RULES };
  const owner = { tenantId: brand, caller: CALLER };
  const { webhookId, secret } = await createWebhook(deps, owner, {
    ...{ name: 'ERP', url: `${receiver.base}/hook`, language: 'en' },
    eventTypes: ['lot.held'],
  });
  const running = startWorker(options);
  const key = { ...owner, webhookId };
  const page = { status: undefined, after: undefined, limit: 100 } as const;
  return {
    ...{ receiver, deps, key, secret, running },
    insert: async (...codes: readonly string[]) => {
      const blockHeight = 1;
      const messages = codes.map((code) =>
        notifyHeld({ brand, at: new Date(clock.ms).toISOString(), blockHeight, caseNo: null }, [
          code,
        ]),
      );
      await store.write(messages);
    },
    /** By what came, the first lot of each message. */
    codes: () =>
      receiver.received.map((one) => String((parseMessage(one).data['lots'] as string[])[0])),
    ids: () => receiver.received.map(({ headers }) => headers['webhook-id']),
    /** Waits until so many tries of the first delivery are on record. */
    recorded: (tries: number) =>
      until(`${tries} tries are on record`, async () => {
        const [row] = await database.rows(
          `select count(*) as tries from webhook_attempts where delivery_id = (
            select min(id) from webhook_deliveries where webhook_id = '${webhookId}' and seq = (
              select min(seq) from webhook_deliveries where webhook_id = '${webhookId}'))`,
        );
        return Number(row?.['tries']) >= tries;
      }),
    /** The oldest first. */
    deliveries: async () =>
      (await listDeliveries({ store }, { ...key, ...page })).deliveries.toReversed(),
    [Symbol.asyncDispose]: async () => {
      await running.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

test('what is behind a delivery that failed waits until it has arrived', async () => {
  await using to = await newBrand(answerWith(500, 500, 204));

  await to.insert('A', 'B', 'C');
  await to.receiver.arrived(1);
  await to.recorded(1);
  const whileFailing = (await to.deliveries()).map(({ attempts }) => attempts);
  clock.ms += 5_000;
  await to.recorded(2);
  clock.ms += 30_000;
  await to.receiver.arrived(5);

  assert.deepEqual(whileFailing, [1, 0, 0]);
  assert.deepEqual(to.codes(), ['A', 'A', 'A', 'B', 'C']);
  assert.equal(new Set(to.ids().slice(0, 3)).size, 1);
  assert.equal(new Set(to.ids()).size, 3);
});

test('one request at a time, however many wait', async () => {
  await using to = await newBrand();

  await to.insert(...Array.from({ length: 20 }, (_, n) => `LOT-${n}`));
  await to.receiver.arrived(20);

  assert.equal(to.receiver.open.most, 1);
  assert.deepEqual(
    to.codes(),
    Array.from({ length: 20 }, (_, n) => `LOT-${n}`),
  );
});

test('a receiver that hangs is given up after its time, and tried again', async () => {
  await using to = await newBrand(
    (response, _request, index) => {
      if (index > 0) response.writeHead(204).end();
    },
    { timeoutMs: 50 },
  );

  await to.insert('A');
  await until('it is on record', async () => {
    const [first] = await to.deliveries();
    return first?.error === 'There was no answer in time';
  });
  clock.ms += 5_000;
  await to.receiver.arrived(2);

  assert.deepEqual(to.codes(), ['A', 'A']);
});

test('a redirect is not followed', async () => {
  await using target = await startReceiver();
  await using to = await newBrand(
    (response) => void response.writeHead(307, { location: target.base }).end(),
  );

  await to.insert('A');
  await until('it is on record', async () => {
    const [first] = await to.deliveries();
    return first?.httpStatus === 307;
  });

  assert.equal(target.received.length, 0);
  assert.equal(at(await to.deliveries(), 0).status, 'pending');
});

test('a name that stands for a private address is not reached', async () => {
  await using to = await newBrand(answerWith(204), {
    resolve: async () => [{ address: '10.0.0.1', family: 4 }],
  });
  await changeWebhook(to.deps, to.key, { url: 'https://receiver.example/' });

  await to.insert('A');
  await until('it is on record', async () => {
    const [first] = await to.deliveries();
    return first?.error?.startsWith('The address is not public') === true;
  });

  assert.equal(to.receiver.received.length, 0);
});

for (const url of [
  'http://receiver.example/',
  'https://10.0.0.1/',
  'https://[::1]/',
  'https://user:password@receiver.example/',
  'ftp://receiver.example/',
  'lothub-inbox:key_1',
  'not an address',
]) {
  test(`no webhook goes to ${url}`, async () => {
    const deps = { store, clock, addresses: new AddressRules([]) };
    const values = { name: 'ERP', url, language: 'en', eventTypes: ['lot.held'] } as const;

    await assert.rejects(
      createWebhook(deps, { tenantId: 'refused', caller: CALLER }, values),
      (error: unknown) => error instanceof Error && 'fields' in error,
    );
  });
}

test('a brand has ten webhooks at most, also when they are made at the same moment', async () => {
  const deps = { store, clock, addresses: LOCAL_RULES };
  const owner = { tenantId: 'full', caller: CALLER };
  const eventTypes = ['lot.held'] as const;
  const values = { name: 'ERP', url: 'https://receiver.example/', language: 'en', eventTypes };

  const made = await Promise.allSettled(
    Array.from({ length: 12 }, () => createWebhook(deps, owner, values)),
  );

  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 10);
  assert.equal((await listWebhooks({ store }, owner.tenantId)).length, 10);
});

test('after a change of the secret both sign for a day, and then the new one alone', async () => {
  await using to = await newBrand();

  const { secret } = await rotateWebhookSecret({ store, clock }, to.key);
  await to.insert('A');
  await to.receiver.arrived(1);
  clock.ms += DAY_MS;
  await to.insert('B');
  await to.receiver.arrived(2);

  const signatures = to.receiver.received.map(({ headers, body }) => {
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const id = String(headers['webhook-id']);
    return [secret, to.secret].map((one) =>
      String(headers['webhook-signature'])
        .split(' ')
        .includes(new Verifier(one).sign(id, sentAt, body)),
    );
  });
  assert.deepEqual(signatures, [
    [true, true],
    [true, false],
  ]);
});

test('410 disables the webhook, with an entry of the audit, and ends what waits', async () => {
  await using to = await newBrand(answerWith(410));

  await to.insert('A', 'B');
  await until('all has ended', async () =>
    (await to.deliveries()).every(({ status }) => status === 'failed'),
  );

  const webhook = await getWebhook({ store }, to.key);
  assert.equal(webhook.status, 'disabled');
  assert.equal(to.receiver.received.length, 1);
  const entries = await database.rows(
    `select actor, tenant_id from audit_entries where action = 'disable_webhook' and entity_id = '${to.key.webhookId}'`,
  );
  assert.deepEqual(
    entries.map((row) => ({ ...row })),
    [{ actor: 'lothub', tenant_id: to.key.tenantId }],
  );
});

test('a webhook that is taken up again has failed nothing', async () => {
  await using to = await newBrand(answerWith(410));
  await to.insert('A');
  await until('it is disabled', async () => {
    const { status } = await getWebhook({ store }, to.key);
    return status === 'disabled';
  });

  await changeWebhook(to.deps, to.key, { status: 'active' });

  const { status, failures, failingSince, disabledReason } = await getWebhook({ store }, to.key);
  assert.deepEqual([status, failures, failingSince, disabledReason], ['active', 0, null, null]);
});

test('a delivery is sent again under its id, once it has ended', async () => {
  await using to = await newBrand();
  await to.insert('A');
  await until('it arrived', async () => at(await to.deliveries(), 0).status === 'delivered');
  const { id: deliveryId } = at(await to.deliveries(), 0);

  await replayDelivery({ store, clock }, { ...to.key, deliveryId });
  await to.receiver.arrived(2);
  await until('both tries are on record', async () => {
    const { tries } = await getDelivery({ store }, { ...to.key, deliveryId });
    return tries.length === 2;
  });

  assert.deepEqual(to.ids(), [deliveryId, deliveryId]);
});

test('a webhook that is paused gets nothing of that time, and one that is deleted leaves nothing', async () => {
  await using to = await newBrand();

  await changeWebhook(to.deps, to.key, { status: 'paused' });
  await to.insert('A');
  await changeWebhook(to.deps, to.key, { status: 'active' });
  await to.insert('B');
  await to.receiver.arrived(1);
  await deleteWebhook({ store, clock, inbox: undefined }, { ...to.key, person: { name: 'Ada' } });
  await until('it is gone', async () => {
    const { webhookId } = to.key;
    const left = await database.rows(
      `select id from webhooks where id = '${webhookId}'
        union all select id from webhook_deliveries where webhook_id = '${webhookId}'`,
    );
    return left.length === 0;
  });

  assert.deepEqual(to.codes(), ['B']);
});

test('a brand has a webhook of its own alone', async () => {
  await using to = await newBrand();
  const other = { ...to.key, tenantId: 'another' };

  for (const attempt of [
    () => getWebhook({ store }, other),
    () => changeWebhook(to.deps, other, { status: 'paused' }),
    () => rotateWebhookSecret({ store, clock }, other),
    () => deleteWebhook({ store, clock, inbox: undefined }, { ...other, person: { name: 'Ada' } }),
    () => listDeliveries({ store }, { ...other, status: undefined, after: undefined, limit: 1 }),
  ]) {
    await assert.rejects(attempt, { code: 'not_found' });
  }
});
