// A hub with witnesses of its own for one test, and what a test waits for.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCheckpoint, type Checkpoint } from '@lothub/chain/log';
import { PATIENCE_MS, stretchForLoad } from '@lothub/kit/test/patience';
import { boot, type Booted } from '../boot.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { TestWitnesses } from './test-witness.ts';

export const NAMES = ['alpha', 'beta', 'gamma'] as const;
export const TWO_OF_THREE = [`group all 2 ${NAMES.join(' ')}`, 'quorum all'] as const;
const INTERVAL_MS = 50;
const LOOK_EVERY_MS = 20;
/** Several rounds, and the time after which a witness that hangs is given up. */
const WAIT_MS = 15_000;

export interface WitnessedHub extends AsyncDisposable {
  hub: Booted;
  readonly witnesses: TestWitnesses;
  readonly env: Readonly<Record<string, string>>;
}

export async function witnessedHub(
  options: {
    readonly names?: readonly string[];
    readonly quorum?: readonly string[];
    readonly database?: TestDatabase;
    readonly env?: Readonly<Record<string, string>>;
    /** False: the witnesses do not have the log in their lists. */
    readonly isKnown?: boolean;
    readonly witnessPatienceMs?: number;
    /** Before the policy is written. */
    readonly prepare?: (witnesses: TestWitnesses) => void;
  } = {},
): Promise<WitnessedHub> {
  const database = options.database ?? (await newTestDatabase());
  const witnesses = await TestWitnesses.start(options.names ?? NAMES);
  for (const witness of witnesses.all) witness.knows = options.isKnown ?? true;
  options.prepare?.(witnesses);
  const file = await witnesses.policy(database.dataDir, options.quorum ?? TWO_OF_THREE);
  const env = { ...options.env, WITNESS_POLICY_FILE: file };
  const { witnessPatienceMs = PATIENCE_MS } = options;
  const hub = await boot({ database, env, witnessIntervalMs: INTERVAL_MS, witnessPatienceMs });
  witnesses.hub = hub;
  const setup: WitnessedHub = {
    hub,
    witnesses,
    env,
    [Symbol.asyncDispose]: async () => {
      await setup.hub[Symbol.asyncDispose]();
      await witnesses[Symbol.asyncDispose]();
    },
  };
  return setup;
}

export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + stretchForLoad(WAIT_MS);
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `waited in vain: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function readPublished({ call }: Pick<Booted, 'call'>): Promise<Checkpoint | undefined> {
  const { status, text } = await call('/log/1/checkpoint');
  return status === 200 ? parseCheckpoint(text) : undefined;
}

/** The size of the published checkpoint; 0 while there is none. */
export async function publishedSize(hub: Pick<Booted, 'call'>): Promise<number> {
  return (await readPublished(hub))?.size ?? 0;
}

export async function untilPublished(hub: Booted, size: number): Promise<void> {
  await until(`a published checkpoint of ${size}`, async () => (await publishedSize(hub)) >= size);
}

/** Until the published checkpoint is of that size and has the cosignatures of so many witnesses. */
export async function untilCosigned(
  hub: Pick<Booted, 'call'>,
  { size, by }: { readonly size: number; readonly by: number },
): Promise<void> {
  await until(`a checkpoint of ${size} cosigned by ${by}`, async () => {
    const published = await readPublished(hub);
    // One of the signatures is the log's own.
    return published?.size === size && published.signatures.length === by + 1;
  });
}
