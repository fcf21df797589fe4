// A hundred readers that come and go while the service is killed and started again: each one has heard
// everything that is in the table, in order, once. On PostgreSQL two processes serve, one dies at a time,
// and its readers resume at the other.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { test } from 'node:test';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { awaitServiceChild, spawnServiceChild } from '@lothub/kit/test/service-child';
import type { ServiceChild } from '@lothub/kit/test/service-child';
import { boot } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { EventStream } from './event-stream.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { insertNewKey } from '../posting.ts';

const PEOPLE = 10;
const READERS_PER_PERSON = 10;
const KILLS = 2;
/** Between two kills. */
const POSTS_PER_LIFE = 50;
const RETRY_MS = 50;
/** A reader stays connected for up to so long. */
const VISIT_MAX_MS = 1_500;
const PROCESSES = testEngine === 'postgres' ? 2 : 1;

/** Services that are killed one at a time; `bases` are those that live. */
class Fleet implements AsyncDisposable {
  bases: readonly string[] = [];
  readonly #children: ServiceChild[] = [];
  readonly #start: () => Promise<ServiceChild>;

  constructor(start: () => Promise<ServiceChild>) {
    this.#start = start;
  }

  async add(): Promise<void> {
    this.#children.push(await this.#start());
    this.bases = this.#children.map(({ base }) => base);
  }

  async killOne(): Promise<void> {
    const child = this.#children.shift();
    this.bases = this.#children.map(({ base }) => base);
    await child?.end();
  }

  any(random: number): string | undefined {
    return this.bases[Math.floor(random * this.bases.length)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#children.length > 0) await this.killOne();
  }
}

/** Reads until it has heard `seq`, over as many connections as that takes. */
class RestlessReader {
  readonly heard: number[] = [];
  connections = 0;
  readonly #fleet: Fleet;
  readonly #person: TestPerson;
  #position: number | undefined = 0;

  constructor(fleet: Fleet, person: TestPerson) {
    this.#fleet = fleet;
    this.#person = person;
  }

  async readTo(last: Promise<number>): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    let lastSeq = Infinity;
    void last.then((seq) => (lastSeq = seq));
    while ((this.heard.at(-1) ?? 0) < lastSeq && !signal.aborted) {
      const stream = await this.#connect();
      if (stream === undefined) {
        await setTimeout(RETRY_MS);
        continue;
      }
      this.connections += 1;
      const visitMs = Math.random() * VISIT_MAX_MS;
      await Promise.race([stream.closed, setTimeout(visitMs)]);
      stream[Symbol.dispose]();
      this.heard.push(...stream.seqs());
      this.#position = stream.position ?? this.#position;
    }
  }

  async #connect(): Promise<EventStream | undefined> {
    const base = this.#fleet.any(Math.random());
    if (base === undefined) return undefined;
    const { headers } = this.#person;
    try {
      const stream = await EventStream.open(base, { headers, lastEventId: this.#position });
      return stream.status === 200 ? stream : undefined;
    } catch {
      return undefined; // Killed a moment ago: the next try goes elsewhere.
    }
  }
}

test('a hundred restless readers of services that are killed hear everything, in order, once each', async () => {
  await using booted = await boot();
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => newPerson(booted)));
  const [owner, ...others] = people;
  assert.ok(owner !== undefined);
  const groupId = await newGroup(owner);
  for (const person of others) await join(booted, { groupId, person });
  const { key } = await insertNewKey(booted, groupId);
  await booted.service.close();
  await using fleet = new Fleet(() =>
    awaitServiceChild(
      spawnServiceChild({
        script: new URL('./stream-child.ts', import.meta.url),
        env: {
          ...booted.database.env,
          NOTIFICATIONS_RATE_KEY_BURST: '0',
          NOTIFICATIONS_RATE_PERSON_BURST: '0',
        },
      }),
    ),
  );
  for (let n = 0; n < PROCESSES; n += 1) await fleet.add();
  const last = Promise.withResolvers<number>();
  const readers = people.flatMap((person) =>
    Array.from({ length: READERS_PER_PERSON }, () => new RestlessReader(fleet, person)),
  );
  const reading = readers.map((reader) => reader.readTo(last.promise));
  const acknowledged: number[] = [];
  const post = async (idempotencyKey: string): Promise<void> => {
    const base = fleet.any(Math.random());
    if (base === undefined) return;
    const answer = await fetch(`${base}/api/v1/ingest`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': key,
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify({ title: idempotencyKey }),
    }).catch(() => undefined);
    if (answer?.status !== 201) return;
    const { seq } = (await answer.json()) as { readonly seq: number };
    acknowledged.push(seq);
  };

  for (let life = 0; life <= KILLS; life += 1) {
    for (let n = 0; n < POSTS_PER_LIFE; n += 1) await post(`${life}-${n}`);
    if (life === KILLS) break;
    await fleet.killOne();
    await fleet.add();
  }
  last.resolve(acknowledged.at(-1) ?? 0);
  await Promise.all(reading);

  const rows = await booted.database.rows(
    'select seq from notifications where group_id = ? order by seq',
    groupId,
  );
  const table = rows.map(({ seq }) => Number(seq));
  assert.equal(table.length, acknowledged.length);
  assert.deepEqual(
    readers.filter(({ heard }) => String(heard) !== String(table)).map(({ heard }) => heard),
    [],
  );
  assert.ok(readers.every(({ connections }) => connections > KILLS));
});
