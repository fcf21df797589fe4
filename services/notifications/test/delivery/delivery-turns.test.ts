// Receivers that never answer, or only after long, keep nothing from the webhooks of other groups.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TryResult } from '@lothub/delivery/sending/answer';
import type { Send } from '@lothub/delivery/sending/send';
import { WEBHOOKS_MAX } from '@lothub/delivery/webhook/webhook-queries';
import type { CreatedWebhook } from '../../src/delivery/webhooks/webhooks.ts';
import { testEngine } from '../engine.ts';
import { openOutbox, openTestStore, until, type Outbox } from './outbox.ts';

const DELIVERIES = 100;
const DELIVERED: TryResult = { kind: 'answered', status: 204, retryAfter: undefined };

/** Receivers in place of requests: what goes to `silent.example` stays open until it is answered. */
class Receivers {
  readonly #open = new Set<(result: TryResult) => void>();

  get openCount(): number {
    return this.#open.size;
  }

  readonly send: Send = async ({ url, signal }) => {
    if (url.hostname !== 'silent.example') return DELIVERED;
    const { promise, resolve } = Promise.withResolvers<TryResult>();
    this.#open.add(resolve);
    signal.addEventListener('abort', () => resolve({ kind: 'stopped' }));
    const result = await promise;
    this.#open.delete(resolve);
    return result;
  };

  /** Answers the request that has been open for the longest time. */
  answerOne(): void {
    const [answer] = this.#open;
    assert.ok(answer !== undefined);
    answer(DELIVERED);
  }
}

/** A group whose webhooks all go to receivers that do not answer. */
async function newSilentGroup(outbox: Outbox, webhooks: number): Promise<string> {
  const groupId = await outbox.newGroup();
  for (let n = 0; n < webhooks; n += 1) {
    await outbox.newWebhook(`https://silent.example/${n}`, { groupId });
  }
  return groupId;
}

async function newHealthyWebhook(outbox: Outbox): Promise<CreatedWebhook> {
  return await outbox.newWebhook('https://healthy.example/', { groupId: await outbox.newGroup() });
}

async function postMany(outbox: Outbox, groupId: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => outbox.post({ groupId })));
}

/** Once the worker has claimed all that it takes without an answer. */
async function untilStill(receivers: Receivers): Promise<void> {
  let before = -1;
  await until('no more requests are begun', () => {
    const isStill = receivers.openCount > 0 && receivers.openCount === before;
    before = receivers.openCount;
    return isStill;
  });
}

for (const groups of [7, 20]) {
  test(`${groups} groups whose receivers never answer keep nothing from the webhook of another`, async () => {
    await using outbox = await openOutbox();
    const receivers = new Receivers();
    for (let n = 0; n < groups; n += 1) {
      const groupId = await newSilentGroup(outbox, WEBHOOKS_MAX);
      await postMany(outbox, groupId, 3);
    }
    const healthy = await newHealthyWebhook(outbox);
    outbox.startWorker({ send: receivers.send });
    await untilStill(receivers);

    await postMany(outbox, healthy.group_id, DELIVERIES);
    await outbox.settled(healthy, 'delivered', DELIVERIES);

    // None of them has ended meanwhile.
    assert.ok(receivers.openCount >= groups);
  });
}

test('a group whose receivers answer after long keeps nothing from the webhook of another', async () => {
  await using outbox = await openOutbox();
  const receivers = new Receivers();
  const groupId = await newSilentGroup(outbox, WEBHOOKS_MAX);
  await postMany(outbox, groupId, 20);
  const healthy = await newHealthyWebhook(outbox);
  const worker = outbox.startWorker({ send: receivers.send });
  await untilStill(receivers);
  const openAtFirst = receivers.openCount;

  // Each answer frees a place for which older deliveries of the slow group wait.
  for (let round = 0; round < 10; round += 1) {
    receivers.answerOne();
    worker.wake();
    await postMany(outbox, healthy.group_id, DELIVERIES / 10);
    await outbox.settled(healthy, 'delivered', ((round + 1) * DELIVERIES) / 10);
  }

  assert.ok(openAtFirst < WEBHOOKS_MAX, `${openAtFirst} requests were open`);
});

test('the process that takes the turn over gives places by the same shares', async () => {
  await using outbox = await openOutbox();
  await using other =
    testEngine === 'sqlite' ? undefined : await openTestStore(outbox.database, outbox.clock);
  const receivers = new Receivers();
  for (let n = 0; n < 7; n += 1) {
    await postMany(outbox, await newSilentGroup(outbox, WEBHOOKS_MAX), 3);
  }
  const healthy = await newHealthyWebhook(outbox);
  const first = outbox.startWorker({ send: receivers.send, stopGraceMs: 0 });
  const second = outbox.startWorker({
    send: receivers.send,
    store: other ?? outbox.store,
    stopGraceMs: 0,
  });
  await untilStill(receivers);

  await first.close();
  await postMany(outbox, healthy.group_id, DELIVERIES);
  await outbox.settled(healthy, 'delivered', DELIVERIES);

  const openMeanwhile = receivers.openCount;
  await second.close();
  assert.ok(openMeanwhile >= 7, `${openMeanwhile} requests were open`);
});
