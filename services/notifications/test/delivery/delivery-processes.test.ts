// Deliveries of processes that die, stop, or work beside each other.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { ALONE_TURN } from '@lothub/kit/turn';
import { claimDeliveries } from '@lothub/delivery/outbox/due-queries';
import { OUTBOX } from '../../src/delivery/outbox-queries.ts';
import { startChild } from '../child-process.ts';
import { testEngine } from '../engine.ts';
import { openOutbox, openTestStore, type Outbox } from './outbox.ts';
import { startReceiver, type Received } from '@lothub/delivery/test/receiver';
import { storeWith } from '../store-with.ts';

const DELIVERIES = 40;
/** A process that died keeps its turn on PostgreSQL for some seconds: once is enough there. */
const KILLS_AT = testEngine === 'sqlite' ? [10, 25] : [10];
/** Longer than a claim lasts. */
const CLAIM_MS = 61_000;

function startDelivery({ database }: Outbox, aheadMs: number): ChildProcess {
  return startChild(new URL('./delivery-child.ts', import.meta.url), { database, aheadMs });
}

function listIds(received: readonly Received[]): ReadonlySet<unknown> {
  return new Set(received.map(({ headers }) => headers['webhook-id']));
}

test('processes that are killed in the middle lose no delivery, and change no id', async () => {
  await using outbox = await openOutbox();
  let child: ChildProcess | undefined;
  const killed: Promise<unknown>[] = [];
  await using receiver = await startReceiver({
    answer: (response, _request, index) => {
      if (!KILLS_AT.includes(index) || child === undefined) {
        response.writeHead(204).end();
        return;
      }
      // Nobody hears that this one has arrived.
      child.kill('SIGKILL');
      killed.push(once(child, 'exit'));
    },
  });
  const webhook = await outbox.newWebhook(receiver.base);
  for (let count = 0; count < DELIVERIES; count += 1) await outbox.post();

  for (const [round, killAt] of KILLS_AT.entries()) {
    child = startDelivery(outbox, round * CLAIM_MS);
    await receiver.arrived(killAt + 1);
    await killed[round];
  }
  child = startDelivery(outbox, KILLS_AT.length * CLAIM_MS);
  await outbox.settled(webhook, 'delivered', DELIVERIES);
  child.kill('SIGKILL');
  await once(child, 'exit');

  assert.equal(listIds(receiver.received).size, DELIVERIES);
  assert.ok(receiver.received.length >= DELIVERIES + KILLS_AT.length);
});

test('two processes that both believe to have the turn send each delivery once', async () => {
  await using outbox = await openOutbox();
  // A SQLite database is served by one process: there both are one.
  await using other =
    testEngine === 'sqlite' ? undefined : await openTestStore(outbox.database, outbox.clock);
  await using receiver = await startReceiver();
  const webhook = await outbox.newWebhook(receiver.base);
  // Each takes itself for the only one.
  const workers = [outbox.store, other ?? outbox.store].map((store) =>
    outbox.startWorker({ store: storeWith(store, { turn: () => ALONE_TURN }) }),
  );

  await Promise.all(Array.from({ length: DELIVERIES }, () => outbox.post()));
  await outbox.settled(webhook, 'delivered', DELIVERIES);
  await Promise.all(workers.map((worker) => worker.close()));

  assert.equal(listIds(receiver.received).size, DELIVERIES);
  assert.equal(receiver.received.length, DELIVERIES);
});

test('of claims that are made at the same moment, each delivery goes to one', async () => {
  await using outbox = await openOutbox();
  await using other =
    testEngine === 'sqlite' ? undefined : await openTestStore(outbox.database, outbox.clock);
  const { id: webhookId } = await outbox.newWebhook('https://receiver.example/');
  await Promise.all(Array.from({ length: DELIVERIES }, () => outbox.post()));
  const at = outbox.clock.ms;

  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? outbox.store : (other ?? outbox.store)).write([
        claimDeliveries(OUTBOX, {
          receiverId: webhookId,
          at,
          leaseUntil: at + CLAIM_MS,
          limit: 10,
        }),
      ]),
    ),
  );

  const ids = claims.flat(2).map((row) => JSON.stringify(row));
  assert.ok(ids.length >= 10);
  assert.equal(new Set(ids).size, ids.length);
});

test('a process that stops gives back what it could not finish, and the next sends it at once', async () => {
  await using outbox = await openOutbox();
  await using receiver = await startReceiver({
    answer: (response, _request, index) => {
      if (index > 0) response.writeHead(204).end();
    },
  });
  const webhook = await outbox.newWebhook(receiver.base);
  const first = outbox.startWorker({ stopGraceMs: 20 });
  await outbox.post();
  await receiver.arrived(1);

  await first.close();
  outbox.startWorker();
  await outbox.settled(webhook, 'delivered');

  const [delivery] = await outbox.deliveries(webhook);
  const attempts = await outbox.attempts(String(delivery?.['id']));
  // Stopping says nothing about the receiver: there is no failed try on record.
  assert.deepEqual(
    attempts.map((row) => row['http_status']),
    [204],
  );
  assert.equal(listIds(receiver.received).size, 1);
});

test('a process that stops lets tries end that need little time', async () => {
  await using outbox = await openOutbox();
  const release = Promise.withResolvers<void>();
  await using receiver = await startReceiver({
    answer: async (response) => {
      await release.promise;
      response.writeHead(204).end();
    },
  });
  const webhook = await outbox.newWebhook(receiver.base);
  const worker = outbox.startWorker();
  await outbox.post();
  await receiver.arrived(1);

  const closing = worker.close();
  release.resolve();
  await closing;

  await outbox.settled(webhook, 'delivered');
  assert.equal(receiver.received.length, 1);
});

test('when the process with the turn stops, another delivers', async () => {
  await using outbox = await openOutbox();
  await using other =
    testEngine === 'sqlite' ? undefined : await openTestStore(outbox.database, outbox.clock);
  await using receiver = await startReceiver();
  const webhook = await outbox.newWebhook(receiver.base);
  const first = outbox.startWorker();
  await outbox.post();
  await outbox.settled(webhook, 'delivered', 1);
  const second = outbox.startWorker({ store: other ?? outbox.store });

  await first.close();
  await outbox.post();
  await outbox.settled(webhook, 'delivered', 2);
  await second.close();

  assert.equal(receiver.received.length, 2);
});
