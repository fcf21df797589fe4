// Runs the service as a child process that is killed again and again over one database, posts to it
// as many callers would, and compares what was acknowledged with what is stored afterwards.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ChainVerifier } from '@lothub/chain';
import type { ChainFault } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/hash';
import { ADMIN_KEY, TENANT_KEY, aLine, anEvent, valueAt } from './boot.ts';
import { CRASH_GROUPS_VARIABLE, CRASH_POINT_VARIABLE } from './crash-point-names.ts';
import type { CrashPoint } from './crash-point-names.ts';
import type { TestDatabase } from './engine.ts';
import { storedBlocks } from './stored.ts';

/** A child that is not ready by then never will be. */
const START_MAX_MS = 30_000;
const BATCH_EVENTS = 10;
/** Of each caller's requests, one in so many is a batch. */
const BATCH_EVERY = 5;

export interface CrashChild {
  readonly base: string;
  /** Milliseconds from the start of the process to its first answer. */
  readonly readyMs: number;
  isDead(): boolean;
  kill(): void;
  /** Resolves with the signal that ended the process. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

export interface CrashChildOptions {
  readonly database: TestDatabase;
  /** Compiled code is kept here between starts. */
  readonly cacheDir: string;
  readonly point?: CrashPoint;
  /** Groups let pass before the point. */
  readonly groups?: number;
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts the process without waiting until it serves. */
export function spawnCrashChild(options: CrashChildOptions): ChildProcess {
  return spawn(
    process.execPath,
    ['--import', fileOf('./crash-points.ts'), fileOf('./crash-child.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...options.database.env,
        NODE_COMPILE_CACHE: options.cacheDir,
        TENANT_API_KEY: TENANT_KEY,
        ADMIN_API_KEY: ADMIN_KEY,
        RATE_LIMIT_V1: '0',
        RATE_LIMIT_PUBLIC: '0',
        LOG_LEVEL: 'error',
        [CRASH_POINT_VARIABLE]: options.point ?? '',
        [CRASH_GROUPS_VARIABLE]: String(options.groups ?? 0),
      },
    },
  );
}

export async function startCrashChild(options: CrashChildOptions): Promise<CrashChild> {
  const startedMs = performance.now();
  const child = spawnCrashChild(options);
  const ended = signalOf(child);
  const base = await addressOf(child);
  const health = await fetch(`${base}/health`);
  await health.text();
  return {
    base,
    readyMs: performance.now() - startedMs,
    isDead: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}

async function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}

async function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let errors = '';
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes('\n')) resolve(output.trim());
  });
  child.once('exit', () => reject(new Error(`the child ended before it was ready: ${errors}`)));
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    reject(new Error(`the child was not ready within ${START_MAX_MS} ms: ${errors}`));
  }, START_MAX_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

export interface Acknowledged {
  readonly externalId: string;
  readonly hash: string;
}

/** What one round of posting knows: who was answered, and which requests were not. */
export interface PostingRecord {
  readonly acknowledged: Acknowledged[];
  /** External ids of requests without an answer: each was stored as a whole or not at all. */
  readonly unanswered: (readonly string[])[];
  /** Answers other than success; there should be none. */
  readonly refused: string[];
}

export function newRecord(): PostingRecord {
  return { acknowledged: [], unanswered: [], refused: [] };
}

/** Posts one request of these events; several go as a batch that is kept whole. */
export async function postOnce(
  base: string,
  ids: readonly string[],
  record: PostingRecord,
): Promise<void> {
  const events = ids.map((id) =>
    anEvent({
      external_id: id,
      event_type: 'SELL',
      lines: [aLine({ lot_code: `LOT-${id}`, customer_ref: `customer of ${id}` }), aLine()],
    }),
  );
  const isBatch = events.length > 1;
  let answer: unknown;
  let status: number;
  try {
    const response = await fetch(`${base}/v1/events${isBatch ? '/batch' : ''}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': TENANT_KEY,
        'X-Tenant-Id': 'acme',
      },
      body: JSON.stringify(isBatch ? events : events[0]),
    });
    status = response.status;
    answer = await response.json();
  } catch {
    // The child died before it answered: whatever it stored, it promised nothing.
    record.unanswered.push(ids);
    return;
  }
  if (status !== 200 && status !== 201) {
    record.refused.push(`${status}: ${JSON.stringify(answer)}`);
    return;
  }
  ids.forEach((externalId, index) => {
    const hash = isBatch
      ? valueAt(answer, 'results', index, 'block_hash')
      : valueAt(answer, 'chain', 'block_hash');
    record.acknowledged.push({ externalId, hash: String(hash) });
  });
}

/** Callers that post without a pause until the child is dead. */
export async function postUntilDead(
  child: CrashChild,
  options: { readonly prefix: string; readonly callers: number },
): Promise<PostingRecord> {
  const record = newRecord();
  const caller = async (name: string): Promise<void> => {
    for (let count = 0; !child.isDead(); count += 1) {
      const id = `${name}-${count}`;
      const isBatch = count % BATCH_EVERY === BATCH_EVERY - 1;
      const ids = isBatch
        ? Array.from({ length: BATCH_EVENTS }, (_, index) => `${id}-${index}`)
        : [id];
      await postOnce(child.base, ids, record);
      if (record.unanswered.includes(ids)) return;
    }
  };
  await Promise.all(
    Array.from({ length: options.callers }, (_, index) => caller(`${options.prefix}-${index}`)),
  );
  return record;
}

/** What is wrong with the database, seen against what was acknowledged; empty when nothing is. */
export interface CrashFindings {
  readonly lost: readonly string[];
  readonly changed: readonly string[];
  readonly stored_twice: readonly string[];
  readonly torn: readonly string[];
  readonly fault: ChainFault | undefined;
}

export const NOTHING_FOUND: CrashFindings = {
  lost: [],
  changed: [],
  stored_twice: [],
  torn: [],
  fault: undefined,
};

/** Compares a database, whose process is dead or idle, with one round's or all rounds' record. */
export async function findCrashDamage(
  database: TestDatabase,
  record: PostingRecord,
): Promise<CrashFindings> {
  const hashesOf = new Map<string, string[]>();
  const rows = await database.rows(
    'select events.external_id, blocks.hash from events join blocks using (height)',
  );
  for (const row of rows) {
    const id = String(row['external_id']);
    hashesOf.set(id, [...(hashesOf.get(id) ?? []), String(row['hash'])]);
  }
  const ofAcknowledged = record.acknowledged.map(({ externalId, hash }) => ({
    externalId,
    hash,
    stored: hashesOf.get(externalId) ?? [],
  }));
  const verifier = new ChainVerifier({ hash: sha256Hex, depth: 'contents' });
  return {
    lost: ofAcknowledged.filter((one) => one.stored.length === 0).map((one) => one.externalId),
    changed: ofAcknowledged
      .filter((one) => one.stored.length > 0 && !one.stored.includes(one.hash))
      .map((one) => one.externalId),
    stored_twice: [...hashesOf].filter(([, hashes]) => hashes.length > 1).map(([id]) => id),
    torn: record.unanswered
      .filter((ids) => new Set(ids.map((id) => hashesOf.has(id))).size > 1)
      .map((ids) => ids.join(' ')),
    fault: verifier.verifyBlocks(await storedBlocks(database)),
  };
}
