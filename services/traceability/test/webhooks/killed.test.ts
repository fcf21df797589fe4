// A hub that is killed between the commit of what happened and the end of its sending: everything arrives at least
// once, in its order, under the same ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { awaitServiceChild, spawnServiceChild } from '@lothub/kit/test/service-child';
import { OutboxWorker } from '@lothub/delivery/outbox/worker';
import { AddressRules } from '@lothub/delivery/sending/address-rules';
import { newSender } from '@lothub/delivery/sending/send';
import { startReceiver } from '@lothub/delivery/test/receiver';
import { hubOutbox } from '../../src/webhooks/outbox.ts';
import { createWebhook } from '../../src/webhooks/webhooks.ts';
import { ADMIN_KEY, TENANT_KEY, aLine, anEvent } from '../boot.ts';
import { newTestDatabase } from '../engine.ts';
import { openTestStore } from '../ledger.ts';
import { parseMessage } from './receiving.ts';

const ADDRESSES = new AddressRules(['127.0.0.1']);
const LOTS = ['A', 'B', 'C'];
/** Longer than a claim lasts. */
const CLAIM_MS = 61_000;
const SCRIPT = new URL('../crash/crash-child.ts', import.meta.url);
const HEADERS = {
  ...{ 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'acme' },
  'Content-Type': 'application/json',
};

test('what a killed hub had committed and not sent is sent by the next, in order', async () => {
  await using database = await newTestDatabase();
  const release = Promise.withResolvers<void>();
  await using receiver = await startReceiver({
    answer: async (response, _request, index) => {
      // Nobody hears the answer to the first one.
      if (index === 0) await release.promise;
      response.writeHead(204).end();
    },
  });
  await using setUp = await openTestStore(database);
  await createWebhook(
    { store: setUp, clock: systemClock, addresses: ADDRESSES },
    { tenantId: 'acme', caller: { actor: 'Ada', requestId: null } },
    { name: 'ERP', url: receiver.base, language: 'en', eventTypes: ['lot.held'] },
  );
  await setUp.close();
  const env = {
    TENANT_API_KEY: TENANT_KEY,
    ADMIN_API_KEY: ADMIN_KEY,
    RATE_LIMIT_V1: '0',
    LOG: 'off',
  };
  const child = await awaitServiceChild(
    spawnServiceChild({
      script: SCRIPT,
      env: { ...database.env, ...env, WEBHOOK_ALLOW: '127.0.0.1' },
    }),
  );
  const post = async (path: string, body: unknown): Promise<void> => {
    const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    const answer = await fetch(child.base + path, init);
    assert.ok(answer.ok, await answer.text());
  };
  await post('/v1/events', anEvent({ lines: LOTS.map((lot_code) => aLine({ lot_code })) }));

  for (const lot of LOTS) await post(`/v1/lots/${lot}/hold`, { reason: 'a smell', by: 'Ada' });
  await receiver.arrived(1);
  await child.end();
  release.resolve();
  await using store = await openTestStore(database);
  const send = newSender({ rules: ADDRESSES });
  await using worker = new OutboxWorker(
    hubOutbox({ publicUrl: 'https://trace.example.com', send }),
    {
      store,
      clock: { nowMs: () => systemClock.nowMs() + CLAIM_MS },
      log: { warn: (...line: readonly unknown[]) => console.error(...line) },
    },
  );
  worker.start();
  await receiver.arrived(1 + LOTS.length);

  const lots = receiver.received.map((one) => parseMessage(one).data['lots']);
  assert.deepEqual(lots, [['A'], ['A'], ['B'], ['C']]);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.equal(ids[0], ids[1]);
  assert.equal(new Set(ids).size, LOTS.length);
});
