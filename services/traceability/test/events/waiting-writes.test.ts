// Posts that the database does not take: each is answered in time, however many wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { TENANT_KEY, anEvent, boot, valueAt } from '../boot.ts';

const POSTS = chooseRounds({ usual: 100, long: 1_000 });
/** What is promised. */
const ANSWER_MAX_MS = 10_000;

test(`while another holds the database, each of ${POSTS} posts is refused within ten seconds`, async (t) => {
  await using hub = await boot();
  const { app } = hub.service;
  const post = async (
    externalId: string,
  ): Promise<{ status: number; text: string; ms: number }> => {
    const startedMs = performance.now();
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/v1/events',
      headers: { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'acme' },
      payload: anEvent({ external_id: externalId }),
    });
    return { status: statusCode, text: body, ms: performance.now() - startedMs };
  };
  const ids = Array.from({ length: POSTS }, (_, index) => `waiting-${index}`);
  const held = await hub.database.holdWrites();

  const refused = await Promise.all(ids.map(post));
  await held[Symbol.asyncDispose]();
  const again = await Promise.all(ids.map(post));

  const slowestMs = Math.max(...refused.map(({ ms }) => ms));
  t.diagnostic(`at most ${Math.round(slowestMs)} ms`);
  assert.ok(refused.every(({ status }) => status === 503));
  assert.ok(refused.every(({ text }) => text.includes('nothing was stored')));
  assert.ok(slowestMs < stretchForLoad(ANSWER_MAX_MS), `${slowestMs} ms`);
  assert.ok(again.every(({ status }) => status === 201));
  const tip = valueAt((await hub.call('/health')).json, 'chain', 'height');
  assert.equal(tip, POSTS);
});
