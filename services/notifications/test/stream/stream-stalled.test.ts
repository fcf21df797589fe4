// Readers that do not read: they neither slow the others nor a post, are cut off at their limit, and miss
// nothing when they come back.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { PENDING_BYTES_MAX } from '../../src/stream/hub.ts';
import { boot } from '../boot.ts';
import { EventStream } from './event-stream.ts';
import { newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { postTo } from '../stored-group.ts';

const booted = await boot({ env: { NOTIFICATIONS_STREAMS_PER_PERSON: '3' } });
after(() => booted[Symbol.asyncDispose]());

/** Larger than what is accepted, so that what the system keeps for a socket is full soon. */
const BODY = 'long '.repeat(20_000);
/** Far more than the system keeps for a socket, and the service for a reader. */
const POSTS = 200;
const POSTED_TOGETHER = 10;
const LOOK_EVERY_MS = 100;

async function openStream(person: TestPerson, lastEventId?: number): Promise<EventStream> {
  return await EventStream.open(booted.base, { headers: person.headers, lastEventId });
}

async function postAll(groupId: string): Promise<void> {
  for (let n = 0; n < POSTS; n += POSTED_TOGETHER) {
    await Promise.all(
      Array.from({ length: POSTED_TOGETHER }, () =>
        booted.service.store.post(postTo(groupId, { body: BODY })),
      ),
    );
  }
}

/** Once one of the streams that a person may have is free again. */
async function untilOneIsCutOff(person: TestPerson): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    using one = await openStream(person);
    if (one.status === 200) return;
    await setTimeout(LOOK_EVERY_MS, undefined, { signal });
  }
}

const ALL = Array.from({ length: POSTS }, (_, n) => n + 1);

test('a reader that stops reading is cut off, holds nobody up, and has missed nothing when it is back', async () => {
  assert.ok(BODY.length * POSTS > 10 * PENDING_BYTES_MAX);
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const readers = [await openStream(ada), await openStream(ada)];
  const stalled = await openStream(ada);
  await stalled.next('state');
  stalled.response.pause();

  await postAll(groupId);
  for (const reader of readers) await reader.until(() => reader.seqs().length === POSTS);
  await untilOneIsCutOff(ada);
  stalled.response.resume();
  await stalled.ended();
  const back = await openStream(ada, stalled.position);
  await back.until(() => stalled.seqs().length + back.seqs().length === POSTS);

  assert.deepEqual(
    readers.map((reader) => reader.seqs()),
    [ALL, ALL],
  );
  assert.ok(stalled.seqs().length < POSTS);
  assert.deepEqual([...stalled.seqs(), ...back.seqs()], ALL);
  for (const stream of [...readers, back]) stream[Symbol.dispose]();
});

test('a reader that stops while it catches up goes on where it was', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await postAll(groupId);

  const stream = await openStream(ada, 0);
  await stream.next('notification');
  stream.response.pause();
  const other = await openStream(ada, 0);
  await other.until(() => other.seqs().length === POSTS);
  stream.response.resume();
  await stream.until(() => stream.seqs().length === POSTS);

  assert.deepEqual([stream.seqs(), other.seqs()], [ALL, ALL]);
  for (const one of [stream, other]) one[Symbol.dispose]();
});
