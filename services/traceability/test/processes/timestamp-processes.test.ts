// Several processes over one PostgreSQL have one time stamp a day between them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { boot, bootSecond } from '../boot.ts';
import { openTimeStampingService, stampedSize } from '../timestamps/time-stamping-service.ts';

/** Longer than a turn lasts that nobody renews, and than a process takes to look for the first time. */
const SLOW_MS = 8_000;

test('while a slow service answers one of two processes, the other does not ask it', async () => {
  await using service = await openTimeStampingService();
  service.answerWith(async (reply) => {
    await sleep(SLOW_MS);
    return reply;
  });
  const env = { TSA_URL: service.url };
  await using one = await boot({ env });
  await using _other = await bootSecond(one, env);

  await stampedSize(one);

  assert.equal(service.questions.length, 1);
});
