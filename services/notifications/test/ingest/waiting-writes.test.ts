// Posts that the database does not take: each is answered in time, however many wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { API_KEY, FIRST_OWNER, boot } from '../boot.ts';

const POSTS = chooseRounds({ usual: 100, long: 1_000 });
/** What is promised. */
const ANSWER_MAX_MS = 10_000;

test(`while another holds the database, each of ${POSTS} posts is refused within ten seconds`, async (t) => {
  await using booted = await boot({ env: FIRST_OWNER });
  const { app } = booted.service;
  const post = async (title: string): Promise<{ status: number; text: string; ms: number }> => {
    const startedMs = performance.now();
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/api/v1/ingest',
      headers: { 'X-Api-Key': API_KEY, 'Idempotency-Key': title },
      payload: { title },
    });
    return { status: statusCode, text: body, ms: performance.now() - startedMs };
  };
  const titles = Array.from({ length: POSTS }, (_, index) => `waiting-${index}`);
  const held = await booted.database.holdWrites();

  const refused = await Promise.all(titles.map(post));
  await held[Symbol.asyncDispose]();
  const again = await Promise.all(titles.map(post));

  const slowestMs = Math.max(...refused.map(({ ms }) => ms));
  t.diagnostic(`at most ${Math.round(slowestMs)} ms`);
  assert.ok(refused.every(({ status }) => status === 503));
  assert.ok(refused.every(({ text }) => text.includes('"unavailable"')));
  assert.ok(slowestMs < stretchForLoad(ANSWER_MAX_MS), `${slowestMs} ms`);
  assert.ok(again.every(({ status }) => status === 201));
  const rows = await booted.database.rows('select count(*) as posts from notifications');
  assert.equal(Number(rows[0]?.['posts']), POSTS);
});
