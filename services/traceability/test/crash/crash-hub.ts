// Runs the service as a child process that is killed again and again over one database, and posts to
// it as many callers would.
import type { ChildProcess } from 'node:child_process';
import type { CrashPoint } from '@lothub/kit/test/crash-point-names';
import {
  awaitServiceChild,
  postUntilDead,
  spawnServiceChild,
} from '@lothub/kit/test/service-child';
import type { ServiceChild } from '@lothub/kit/test/service-child';
import { ADMIN_KEY, TENANT_KEY } from '../boot.ts';
import type { TestDatabase } from '../engine.ts';
import { newRecord, postOnce, type PostingRecord } from '../posting.ts';

const BATCH_EVENTS = 10;
/** For each caller's requests, one in so many is a batch. */
const BATCH_EVERY = 5;

export type CrashChild = ServiceChild;

export interface CrashChildOptions {
  readonly database: TestDatabase;
  readonly env?: Readonly<Record<string, string>>;
  readonly point?: CrashPoint;
  /** Groups of appended events let pass before the point. */
  readonly groups?: number;
  /** Where decisions are sealed, not events: before which write, and how many of them are let pass. */
  readonly decisions?: { readonly later: string; readonly writes: number };
}

/** Starts the process without waiting until it serves. */
export function spawnCrashChild(options: CrashChildOptions): ChildProcess {
  const { database, point, groups = 0, decisions } = options;
  const crash = {
    groups,
    first: 'insert into blocks',
    later: decisions?.later ?? 'insert into lines',
    writes: decisions?.writes,
    isEverywhere: decisions !== undefined,
  };
  return spawnServiceChild({
    script: new URL('./crash-child.ts', import.meta.url),
    env: {
      ...database.env,
      TENANT_API_KEY: TENANT_KEY,
      ADMIN_API_KEY: ADMIN_KEY,
      RATE_LIMIT_V1: '0',
      RATE_LIMIT_PUBLIC: '0',
      LOG_LEVEL: 'error',
      ...options.env,
    },
    crash: point === undefined ? undefined : { point, ...crash },
  });
}

export async function startCrashChild(options: CrashChildOptions): Promise<CrashChild> {
  const startedMs = performance.now();
  const child = await awaitServiceChild(spawnCrashChild(options));
  const health = await fetch(`${child.base}/health`);
  await health.text();
  return { ...child, readyMs: performance.now() - startedMs };
}

/** Posts as many callers would until the child is dead, which it is `lifeMs` after its first answer at the latest. */
export async function postUntilKilled(
  child: CrashChild,
  round: { readonly prefix: string; readonly callers: number; readonly lifeMs: number },
): Promise<PostingRecord> {
  const record = newRecord();
  await postUntilDead(child, {
    ...round,
    post: async (id, count) => {
      const isBatch = count % BATCH_EVERY === BATCH_EVERY - 1;
      const ids = isBatch
        ? Array.from({ length: BATCH_EVENTS }, (_, index) => `${id}-${index}`)
        : [id];
      await postOnce(child.base, ids, record);
      return !record.unanswered.includes(ids);
    },
  });
  return record;
}
