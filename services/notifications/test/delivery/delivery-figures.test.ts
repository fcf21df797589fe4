// What the figures say of deliveries that wait and of tries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '@lothub/kit/metrics/metrics';
import type { DeliveryOutcome } from '@lothub/delivery/outbox/record-try';
import { deliveryCounter, registerFigures } from '../../src/figures.ts';
import { openOutbox, until } from './outbox.ts';

const MINUTE_MS = 60_000;

test('deliveries that wait are counted by kind, with the age of the oldest', async () => {
  await using outbox = await openOutbox();
  const metrics = new Metrics({ version: '1.2.3' });
  registerFigures({
    metrics,
    reader: outbox.store.reader,
    clock: outbox.clock,
    openStreams: () => 7,
  });
  const outcomes: DeliveryOutcome[] = [];
  const count = deliveryCounter(metrics);
  const webhook = await outbox.newWebhook('http://127.0.0.1:1/');
  await outbox.post();

  outbox.advance(MINUTE_MS);
  const before = await metrics.text();
  outbox.startWorker({
    send: () => Promise.resolve({ kind: 'answered', status: 500, retryAfter: undefined, body: '' }),
    onTried: (outcome) => {
      outcomes.push(outcome);
      count(outcome);
    },
  });
  await outbox.tried(webhook, 1);
  await until('the try is counted', () => outcomes.length === 1);
  const after = await metrics.text();

  assert.match(before, /^lothub_deliveries_waiting\{kind="first"\} 1$/m);
  assert.match(before, /^lothub_delivery_oldest_seconds\{kind="first"\} 60$/m);
  assert.match(before, /^lothub_deliveries_waiting\{kind="retry"\} 0$/m);
  assert.match(before, /^lothub_streams_open 7$/m);
  assert.match(after, /^lothub_deliveries_waiting\{kind="first"\} 0$/m);
  assert.match(after, /^lothub_deliveries_waiting\{kind="retry"\} 1$/m);
  assert.match(after, /^lothub_delivery_oldest_seconds\{kind="retry"\} 60$/m);
  assert.match(after, /^lothub_delivery_tries_total\{outcome="failed"\} 1$/m);
  assert.match(after, /^lothub_delivery_tries_total\{outcome="delivered"\} 0$/m);
});
