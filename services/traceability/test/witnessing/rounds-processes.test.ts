// Two processes over one database: one of them asks the witnesses, both say the same, and the other continues
// when the first is gone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEvent, bootSecond, valueAt } from '../boot.ts';
import { until, untilCosigned, untilPublished, witnessedHub } from './witnessed-hub.ts';

test('one of two processes asks, and the other one when that has ended', async () => {
  await using setup = await witnessedHub({ env: { WITNESS_INTERVAL: '1' } });
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  await using other = await bootSecond(hub, setup.env);
  await until('signing', async () => {
    return valueAt((await other.call('/health')).json, 'log', 'state') === 'signing';
  });
  await other.post('/v1/events', anEvent());
  await untilCosigned(other, { size: 2, by: witnesses.all.length });
  const sizes = witnesses.all[0]!.cosigned.map(({ size }) => size);
  const quorum = valueAt((await other.call('/health')).json, 'log', 'quorum');

  await hub.service.close();
  await other.post('/v1/events', anEvent());
  await untilPublished(other, 3);

  assert.equal(new Set(sizes).size, sizes.length);
  assert.equal(quorum, '3 of 3');
  assert.equal(other.log().includes('witness_ahead'), false);
});
