// What streams do by the clock, with a clock that the test moves; and how they end with the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { boot } from '../boot.ts';
import { EventStream } from './event-stream.ts';
import { newGroup, newPerson } from '../people/person.ts';
import { postTo } from '../stored-group.ts';

const SECOND_MS = 1_000;
const BEAT_SECONDS = 15;
const BEATS = 3;
const LOOK_EVERY_MS = 50;

test('a comment and an event show every 15 seconds that the connection is open', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await using booted = await boot();
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  using stream = await EventStream.open(booted.base, ada);
  const state = await stream.next('state');

  for (let beat = 1; beat <= BEATS; beat += 1) {
    for (let second = 0; second < BEAT_SECONDS; second += 1) t.mock.timers.tick(SECOND_MS);
    await stream.until(() => stream.comments >= beat && stream.beats >= beat);
  }
  await booted.service.store.post(postTo(groupId));

  await stream.next('notification');
  assert.deepEqual([stream.comments, stream.beats], [BEATS, BEATS]);
  assert.equal(state.data['beat_ms'], BEAT_SECONDS * SECOND_MS);
});

test('a stream ends when its read token expires', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await using booted = await boot();
  const ada = await newPerson(booted);
  const made = await ada.send('POST', '/api/v1/me/tokens', { name: 'Screen' });
  const expiresAt = Date.now() + SECOND_MS;
  await booted.service.store.write([
    sql`update read_tokens set expires_at = ${expiresAt} where id = ${String(made.json['id'])}`,
  ]);
  using stream = await EventStream.open(booted.base, {
    headers: { Authorization: `Bearer ${String(made.json['token'])}` },
  });
  await stream.next('state');

  t.mock.timers.tick(SECOND_MS);
  const isOpenBefore = !stream.isEnded;
  while (Date.now() <= expiresAt) await setTimeout(LOOK_EVERY_MS);
  t.mock.timers.tick(SECOND_MS);
  await stream.ended();

  assert.equal(isOpenBefore, true);
});

test('streams end in order when the service closes, and it does not wait for those that do not read', async () => {
  await using booted = await boot();
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const stalled = await EventStream.open(booted.base, ada);
  stalled.response.pause();
  const stream = await EventStream.open(booted.base, ada);
  await stream.next('state');
  const long = postTo(groupId, { body: 'long '.repeat(20_000) });
  for (let n = 0; n < 100; n += 1) await booted.service.store.post(long);
  await stream.until(() => stream.seqs().length === 100);

  await booted.service.close();
  await stream.ended();

  assert.equal(stream.response.complete, true);
  stalled[Symbol.dispose]();
});
