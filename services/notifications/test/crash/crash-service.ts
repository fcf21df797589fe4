// Runs the service as a child process that is killed again and again over one database, posts to it as
// many callers would, and compares what was answered with what is stored.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { CrashPoint } from '@lothub/kit/test/crash-point-names';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import {
  awaitServiceChild,
  postUntilDead,
  spawnServiceChild,
} from '@lothub/kit/test/service-child';
import type { ServiceChild } from '@lothub/kit/test/service-child';
import { API_KEY, FIRST_OWNER, NO_LIMITS } from '../boot.ts';
import type { StoredRow, TestDatabase } from '../engine.ts';

/** Of each caller's requests, one in so many is sent twice at a time. */
const TWICE_EVERY = 4;

export interface CrashOptions {
  readonly point: CrashPoint;
  /** Groups of posts let pass before the point. */
  readonly groups?: number;
}

/** Services over one database, one after the other; the next one is loaded beforehand. */
export class CrashedServices implements AsyncDisposable {
  readonly #database: TestDatabase;
  readonly #children = new Set<ChildProcess>();
  #loaded: ChildProcess | undefined;

  constructor(database: TestDatabase) {
    this.#database = database;
  }

  /** Serves until it is killed, or kills itself at a point. */
  async start(crash?: CrashOptions): Promise<ServiceChild> {
    const child = crash === undefined ? (this.#loaded ?? this.#spawn()) : this.#spawn(crash);
    if (crash === undefined) this.#loaded = undefined;
    const serving = awaitServiceChild(child);
    child.stdin?.end('serve\n');
    const served = await serving;
    this.#loaded ??= this.#spawn();
    return served;
  }

  #spawn(crash?: CrashOptions): ChildProcess {
    const child = spawnServiceChild({
      script: new URL('./crash-child.ts', import.meta.url),
      env: { ...NO_LIMITS, ...FIRST_OWNER, ...this.#database.env, LOG_LEVEL: 'error' },
      crash:
        crash === undefined
          ? undefined
          : {
              point: crash.point,
              groups: crash.groups ?? 0,
              first: 'insert into notifications',
              later: 'update group_heads',
            },
    });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

export interface Acknowledged {
  /** Title of one request alone, and its idempotency key unless it has none. */
  readonly title: string;
  readonly id: number;
  readonly seq: number;
}

export interface PostingRecord {
  readonly acknowledged: Acknowledged[];
  /** Titles of those that were answered as a repetition. */
  readonly replayed: string[];
  /** Titles of requests without an answer: each was stored as a whole or not at all. */
  readonly unanswered: string[];
  /** Requests that were answered with a 503. */
  readonly unavailable: {
    readonly title: string;
    readonly retryAfter: string | null;
    /** What the answer says of the outcome. */
    readonly code: string;
  }[];
  /** Answers that there should not be. */
  readonly refused: string[];
}

export function newRecord(): PostingRecord {
  return { acknowledged: [], replayed: [], unanswered: [], unavailable: [], refused: [] };
}

/** Requests of this form carry no idempotency key. */
const WITHOUT_KEY = /~$/;

/** Sends one request and keeps what came of it. */
export async function postOnce(base: string, title: string, record: PostingRecord): Promise<void> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${base}/api/v1/ingest`, {
      method: 'POST',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': API_KEY,
        ...(WITHOUT_KEY.test(title) ? {} : { 'Idempotency-Key': title }),
      },
      body: JSON.stringify({ command: 'notify', title, severity: 'warning' }),
    });
    text = await response.text();
  } catch {
    // It died before it answered: whatever it stored, it promised nothing.
    record.unanswered.push(title);
    return;
  }
  const { status, headers } = response;
  if (status === 201) {
    const { id, seq } = JSON.parse(text) as { readonly id: number; readonly seq: number };
    record.acknowledged.push({ title, id, seq });
    if (headers.has('Idempotent-Replayed')) record.replayed.push(title);
  } else if (status === 503) {
    const { code } = JSON.parse(text) as { readonly code: string };
    record.unavailable.push({ title, retryAfter: headers.get('Retry-After'), code });
  } else if (!text.includes('idempotency_in_flight')) {
    record.refused.push(`${status}: ${text}`);
  }
}

/** Posts of one call of {@link postSome}. */
export const POSTS = 10;

/** Posts one after the other. */
export async function postSome(child: ServiceChild, prefix: string): Promise<PostingRecord> {
  const record = newRecord();
  for (let count = 0; count < POSTS; count += 1) {
    await postOnce(child.base, `${prefix}-${count}`, record);
  }
  return record;
}

/** Asserts that each post was refused with 503 while nothing could be written, and stored when it was sent again. */
export function assertStoredAgain(refused: PostingRecord, again: PostingRecord): void {
  assert.deepEqual([refused.acknowledged, refused.refused], [[], []]);
  assert.equal(refused.unavailable.length, POSTS);
  assert.ok(refused.unavailable.every(({ retryAfter }) => Number(retryAfter) > 0));
  // With the same idempotency keys: nothing of what was refused had been stored.
  assert.equal(again.acknowledged.length, POSTS);
  assert.equal(again.replayed.length, 0);
}

/** Posts as many callers would until the child is dead, which it is `lifeMs` after its first answer at the latest. */
export async function postUntilKilled(
  child: ServiceChild,
  round: { readonly prefix: string; readonly callers: number; readonly lifeMs: number },
): Promise<PostingRecord> {
  const record = newRecord();
  await postUntilDead(child, {
    ...round,
    post: async (title, count) => {
      switch (count % TWICE_EVERY) {
        case 0:
          await postOnce(child.base, `${title}~`, record);
          break;
        case 1:
          await Promise.all([title, title].map((same) => postOnce(child.base, same, record)));
          break;
        default:
          await postOnce(child.base, title, record);
      }
      return !record.unanswered.some((one) => one.startsWith(title));
    },
  });
  return record;
}

/** Sends again what can be sent again: with its idempotency key. */
export async function repeatUnanswered(
  base: string,
  { unanswered }: PostingRecord,
): Promise<PostingRecord> {
  const record = newRecord();
  for (const title of new Set(unanswered)) {
    if (!WITHOUT_KEY.test(title)) await postOnce(base, title, record);
  }
  return record;
}

/** What of a record is not as it was answered; all empty when nothing is wrong. */
export interface Damage {
  /** Titles that were acknowledged and are not stored as they were. */
  readonly lost: readonly string[];
  /** Titles that are stored more than once. */
  readonly twice: readonly string[];
  /** Groups whose seqs do not run from 1 to their head, or not in the order of positions. */
  readonly gaps: readonly string[];
  /** Notifications behind the head of the feed. */
  readonly beyondHead: readonly string[];
  /** Idempotency keys whose notification is not there, and notifications whose key is not. */
  readonly unmatchedKeys: readonly string[];
}

export const NO_DAMAGE: Damage = {
  lost: [],
  twice: [],
  gaps: [],
  beyondHead: [],
  unmatchedKeys: [],
};

export async function findDamage(
  database: TestDatabase,
  acknowledged: readonly Acknowledged[],
): Promise<Damage> {
  const rows = await database.rows(
    'select id, group_id, seq, title from notifications order by id',
  );
  const heads = await database.rows('select group_id, head_seq from group_heads');
  const [feed] = await database.rows('select position from feed_head');
  const keys = await database.rows(
    'select idempotency_key as title, notification_id as id, seq from idempotency_keys',
  );
  const places = new Set(rows.map(formatPlace));
  const titles = rows.map(({ title }) => String(title));
  const keyPlaces = new Set(keys.map(formatPlace));
  return {
    lost: acknowledged.filter((one) => !places.has(formatPlace(one))).map(({ title }) => title),
    twice: titles.filter((title, index) => titles.indexOf(title) !== index),
    gaps: heads.map((head) => findGap(rows, head)).filter((gap) => gap !== ''),
    beyondHead: rows
      .filter(({ id }) => Number(id) > Number(feed?.['position']))
      .map(({ title }) => String(title)),
    unmatchedKeys: [
      ...keys.filter((key) => !places.has(formatPlace(key))),
      ...rows.filter(
        (row) => !WITHOUT_KEY.test(String(row['title'])) && !keyPlaces.has(formatPlace(row)),
      ),
    ].map(({ title }) => String(title)),
  };
}

function formatPlace({ title, id, seq }: StoredRow | Acknowledged): string {
  return `${String(title)} ${String(id)} ${String(seq)}`;
}

/** @param rows in the order of positions */
function findGap(rows: readonly StoredRow[], head: StoredRow): string {
  const seqs = rows.filter((row) => row['group_id'] === head['group_id']).map(({ seq }) => seq);
  const isWhole = seqs.every((seq, index) => seq === index + 1) && seqs.length === head['head_seq'];
  return isWhole
    ? ''
    : `${String(head['group_id'])}: ${seqs.length} of ${String(head['head_seq'])}`;
}
