// Posts events to a service that may die, and compares what was acknowledged with what is stored
// afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainVerifier, sha256, type ChainFault, type StoredBlock } from '@lothub/chain';
import {
  EMPTY_FRONTIER,
  appendLeaves,
  computeRoot,
  leafHash,
  parseCheckpoint,
  parseTlogProof,
} from '@lothub/chain/log';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { TENANT_KEY, aLine, anEvent, valueAt } from './boot.ts';
import type { TestDatabase } from './engine.ts';
import { storedBlocks } from './stored.ts';

export interface Acknowledged {
  readonly externalId: string;
  readonly height: number;
  readonly hash: string;
  /** The tree that the answer was signed over; undefined when nothing was signed. */
  readonly tree: SignedTree | undefined;
}

interface SignedTree {
  readonly size: number;
  /** Hexadecimal. */
  readonly root: string;
}

/** What came of one request. */
export type Sent =
  | { readonly kind: 'acknowledged'; readonly events: readonly Acknowledged[] }
  /** No answer, or a 503, which promises nothing. */
  | { readonly kind: 'unanswered'; readonly because: string }
  | { readonly kind: 'refused'; readonly because: string };

/** Posts one request of these events; several go as a batch that is kept whole. */
export async function sendEvents(base: string, ids: readonly string[]): Promise<Sent> {
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
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': TENANT_KEY,
        'X-Tenant-Id': 'acme',
      },
      body: JSON.stringify(isBatch ? events : events[0]),
    });
    status = response.status;
    answer = await response.json();
  } catch (error) {
    // It died before it answered: whatever it stored, it promised nothing.
    return { kind: 'unanswered', because: String(error) };
  }
  if (status === 503) return { kind: 'unanswered', because: JSON.stringify(answer) };
  if (status !== 200 && status !== 201) {
    return { kind: 'refused', because: `${status}: ${JSON.stringify(answer)}` };
  }
  const tree = findSignedTree(answer);
  const acknowledged = ids.map((externalId, index) => {
    const block = isBatch ? valueAt(answer, 'results', index) : valueAt(answer, 'chain');
    return {
      externalId,
      height: Number(valueAt(block, 'block_height')),
      hash: String(valueAt(block, 'block_hash')),
      tree,
    };
  });
  return { kind: 'acknowledged', events: acknowledged };
}

/** The checkpoint of a proof, or of a batch. */
function findSignedTree(answer: unknown): SignedTree | undefined {
  const proof = valueAt(answer, 'log', 'proof');
  const note = valueAt(answer, 'log', 'checkpoint');
  if (typeof proof !== 'string' && typeof note !== 'string') return undefined;
  const { size, root } =
    typeof proof === 'string' ? parseTlogProof(proof).head : parseCheckpoint(String(note));
  return { size, root: root.toHex() };
}

/** What posting knows: who was answered, and which requests were not. */
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

/** Sends once and keeps what came of it. */
export async function postOnce(
  base: string,
  ids: readonly string[],
  record: PostingRecord,
): Promise<void> {
  const sent = await sendEvents(base, ids);
  if (sent.kind === 'acknowledged') record.acknowledged.push(...sent.events);
  else if (sent.kind === 'unanswered') record.unanswered.push(ids);
  else record.refused.push(sent.because);
}

/** Between two attempts of one request: long enough not to be a load of its own. */
const RETRY_AFTER_MS = 50;

/**
 * Sends the same until it is acknowledged, each time to the next address, as a client behind a proxy
 * would; what one attempt left behind, the next must resolve to.
 * @returns how many attempts were unanswered
 * @throws Error when there was no answer for `patienceMs`
 */
export async function postUntilAcknowledged(
  nextBase: () => string,
  ids: readonly string[],
  options: { readonly record: PostingRecord; readonly patienceMs: number },
): Promise<number> {
  const deadline = performance.now() + options.patienceMs;
  for (let unanswered = 0; ; unanswered += 1) {
    const sent = await sendEvents(nextBase(), ids);
    if (sent.kind === 'acknowledged') {
      options.record.acknowledged.push(...sent.events);
      return unanswered;
    }
    if (sent.kind === 'refused') {
      options.record.refused.push(sent.because);
      return unanswered;
    }
    if (performance.now() > deadline) {
      throw new Error(`no answer to ${ids[0]} within ${options.patienceMs} ms: ${sent.because}`);
    }
    await sleep(RETRY_AFTER_MS);
  }
}

/** What is wrong with the database, seen against what was acknowledged; empty when nothing is. */
export interface Damage {
  /** Acknowledged and not there. */
  readonly lost: readonly string[];
  /** There, in a block other than the one that was acknowledged. */
  readonly changed: readonly string[];
  readonly stored_twice: readonly string[];
  /** Batches of which a part is there. */
  readonly torn: readonly string[];
  /** Acknowledged with a signed tree that is not the beginning of the stored one. */
  readonly contradicted: readonly string[];
  readonly fault: ChainFault | undefined;
}

export const NO_DAMAGE: Damage = {
  lost: [],
  changed: [],
  stored_twice: [],
  torn: [],
  contradicted: [],
  fault: undefined,
};

/** An event's row with the hash of the block it came from. */
export interface StoredEvent {
  readonly externalId: string;
  readonly height: number;
  readonly hash: string;
}

/** All that is stored, to be compared with what was acknowledged. */
export interface Stored {
  readonly events: readonly StoredEvent[];
  readonly blocks: readonly StoredBlock[];
}

export async function readStored(database: TestDatabase): Promise<Stored> {
  const rows = await database.rows(
    'select events.external_id, blocks.height, blocks.hash ' +
      'from events join blocks using (height) where events.external_id is not null order by height',
  );
  const events = rows.map((row) => ({
    externalId: String(row['external_id']),
    height: Number(row['height']),
    hash: String(row['hash']),
  }));
  return { events, blocks: await storedBlocks(database) };
}

export function findDamage(stored: Stored, record: PostingRecord): Damage {
  const storedOf = Map.groupBy(stored.events, (event) => event.externalId);
  const missing = record.acknowledged.filter((one) => !storedOf.has(one.externalId));
  const changed = record.acknowledged.filter((one) =>
    storedOf
      .get(one.externalId)
      ?.every((event) => event.hash !== one.hash || event.height !== one.height),
  );
  const verifier = new ChainVerifier({ hash: sha256Hex, depth: 'contents' });
  return {
    lost: missing.map((one) => one.externalId),
    changed: changed.map((one) => one.externalId),
    stored_twice: [...storedOf].filter(([, events]) => events.length > 1).map(([id]) => id),
    torn: record.unanswered
      .filter((ids) => new Set(ids.map((id) => storedOf.has(id))).size > 1)
      .map((ids) => ids.join(' ')),
    contradicted: findContradicted(stored.blocks, record),
    fault: verifier.verifyBlocks(stored.blocks),
  };
}

function findContradicted(
  blocks: readonly StoredBlock[],
  { acknowledged }: PostingRecord,
): readonly string[] {
  const sizes = new Set(acknowledged.map(({ tree }) => tree?.size));
  const roots = new Map<number | undefined, string>();
  let frontier = EMPTY_FRONTIER;
  for (const { blockHash } of blocks) {
    const leaf = leafHash(Uint8Array.fromHex(blockHash), sha256);
    frontier = appendLeaves(frontier, [leaf], sha256);
    if (sizes.has(frontier.size)) roots.set(frontier.size, computeRoot(frontier, sha256).toHex());
  }
  return acknowledged
    .filter(({ tree }) => tree !== undefined && tree.root !== roots.get(tree.size))
    .map(({ externalId }) => externalId);
}
