// Pushes of processes that die, or work beside each other: at least once, and recognised by one tag and id.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { startPushService, verifySigner } from '@lothub/delivery/test/push-service';
import { ensureVapidKeys } from '../../src/devices/vapid.ts';
import { openOutbox, openTestStore } from '../delivery/outbox.ts';
import { startChild } from '../child-process.ts';
import { testEngine } from '../engine.ts';
import { listMessages, openPushing, type Pushing } from './pushing.ts';

const PUSHES = 30;
/** A process that died keeps its turn on PostgreSQL for some seconds: once is enough there. */
const KILLS_AT = testEngine === 'sqlite' ? [8, 20] : [8];
/** Longer than a claim lasts. */
const CLAIM_MS = 61_000;

function startPushing({ outbox: { database } }: Pushing, aheadMs: number): ChildProcess {
  return startChild(new URL('./push-child.ts', import.meta.url), { database, aheadMs });
}

test('processes that are killed in the middle lose no push, and what comes twice has one tag', async () => {
  await using pushing = await openPushing();
  let child: ChildProcess | undefined;
  const killed: Promise<unknown>[] = [];
  await using pushes = await startPushService((response, _request, index) => {
    if (!KILLS_AT.includes(index) || child === undefined) {
      response.writeHead(201).end();
      return;
    }
    // Nobody learns that this one has arrived.
    child.kill('SIGKILL');
    killed.push(once(child, 'exit'));
  });
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);
  for (let count = 0; count < PUSHES; count += 1) {
    await pushing.outbox.post({ groupId: reader.groupId });
  }

  for (const [round, killAt] of KILLS_AT.entries()) {
    child = startPushing(pushing, round * CLAIM_MS);
    await pushes.receiver.arrived(killAt + 1);
    await killed[round];
  }
  child = startPushing(pushing, KILLS_AT.length * CLAIM_MS);
  await pushing.settled(reader, 'delivered', PUSHES);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const messages = listMessages(browser);
  assert.equal(new Set(messages.map(({ tag }) => tag)).size, PUSHES);
  assert.equal(new Set(messages.map(({ notification }) => notification?.id)).size, PUSHES);
  assert.ok(messages.length >= PUSHES + KILLS_AT.length);
  // The keys were made once, by whichever process came first.
  const signers = await Promise.all(browser.messages().map(({ request }) => verifySigner(request)));
  assert.equal(new Set(signers.map(({ publicKey }) => publicKey)).size, 1);
});

test('two processes over one store send each push once, and take over from each other', async () => {
  await using pushing = await openPushing();
  // A SQLite database is served by one process: there both are one.
  const { database, clock } = pushing.outbox;
  await using other = testEngine === 'sqlite' ? undefined : await openTestStore(database, clock);
  await using pushes = await startPushService();
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);
  const { groupId } = reader;
  const first = pushing.startWorker();
  await pushing.outbox.post({ groupId });
  await pushing.settled(reader, 'delivered', 1);
  const second = pushing.startWorker({ store: other ?? pushing.outbox.store });

  await Promise.all(Array.from({ length: 10 }, () => pushing.outbox.post({ groupId })));
  await pushing.settled(reader, 'delivered', 11);
  await first.close();
  await pushing.outbox.post({ groupId });
  await pushing.settled(reader, 'delivered', 12);
  await second.close();

  assert.equal(listMessages(browser).length, 12);
});

test('two processes that start at once over one database make one pair of keys', async () => {
  await using outbox = await openOutbox();
  const { database, clock, store } = outbox;
  await using other = testEngine === 'sqlite' ? undefined : await openTestStore(database, clock);

  const pairs = await Promise.all(
    [store, other ?? store, store, other ?? store].map((one) =>
      ensureVapidKeys({ store: one, clock }),
    ),
  );

  assert.equal(new Set(pairs.map(({ publicKey }) => publicKey)).size, 1);
});
