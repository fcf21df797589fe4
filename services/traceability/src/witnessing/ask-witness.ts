// One exchange with a witness (c2sp.org/tlog-witness, "add-checkpoint"): sends a checkpoint with the proof
// that it follows on the tree that the witness saw last, and judges the answer.
import { LogError, parseCheckpoint, signatureLine, toBase64 } from '@lothub/chain/log';
import type { Checkpoint, PolicyWitness, Witnessing } from '@lothub/chain/log';
import type { SignedCheckpoint } from '../ledger/log/signed-log.ts';
import { verifiedCosignatures } from './cosigners.ts';
import type { WitnessAnswer } from './witness-answers.ts';
import { sendToWitness, WitnessFailure } from './witness-http.ts';

/** 409s with a size that can be proven from, before the witness is given up for this round. */
const REPEATS_MAX = 3;
/** How far the time of a cosignature may be from ours. */
const TIME_TOLERANCE_SECONDS = 600;
const MS_PER_SECOND = 1_000;
const SIZE_TYPE = 'text/x.tlog.size';
const SIZE_BODY = /^(0|[1-9][0-9]{0,15})\n$/;

/** Those who are asked with one request: the keys of one address. */
export interface AskedWitnesses {
  readonly url: string;
  readonly witnesses: readonly PolicyWitness[];
}

export interface Question {
  readonly asked: AskedWitnesses;
  /** With the signatures of the log alone. */
  readonly checkpoint: SignedCheckpoint;
  /** The vkeys of the log. */
  readonly vkeys: readonly string[];
  /** The tree that the witness saw last, as far as is known. */
  readonly size: number;
  readonly consistency: (from: number, to: number) => Promise<readonly Uint8Array[]>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/** A good cosignature, and its line as it is published. */
export interface KeptCosignature extends Witnessing {
  readonly line: string;
}

export type Exchange =
  | { readonly answer: 'cosigned'; readonly cosignatures: readonly KeptCosignature[] }
  | { readonly answer: 'ahead'; readonly size: number }
  | { readonly answer: 'refuses'; readonly size: number }
  | {
      readonly answer: Exclude<WitnessAnswer, 'cosigned' | 'ahead' | 'refuses'>;
      /** For the log of the service; no text of the witness's. */
      readonly reason: string;
    };

/** Throws only what is no fault of the witness. */
export async function askWitness(question: Question): Promise<Exchange> {
  try {
    return await exchange(question);
  } catch (error) {
    if (error instanceof WitnessFailure) return { answer: error.answer, reason: error.message };
    throw error;
  }
}

async function exchange(question: Question): Promise<Exchange> {
  const { asked, checkpoint, signal } = question;
  let size = Math.min(question.size, checkpoint.size);
  for (let repeats = 0; repeats <= REPEATS_MAX; repeats += 1) {
    const proof = await question.consistency(size, checkpoint.size);
    const body = `old ${size}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${checkpoint.note}`;
    const response = await sendToWitness({ url: `${asked.url}/add-checkpoint`, body, signal });
    const { status } = response;
    if (status === 200) return await judge(response.body, question);
    if (status !== 409) return refusedWith(status, size);
    const conflictSize = parseConflictSize(response);
    // Of the size that it was asked from the witness has cosigned another root. The text says 422 by now;
    // in version 1.0.0 it is a 409 without a size, as omniwitness answers.
    if (conflictSize === undefined && response.body === '' && size === checkpoint.size) {
      return { answer: 'refuses', size };
    }
    if (conflictSize === undefined) return { answer: 'invalid', reason: 'a 409 without a size' };
    if (conflictSize > checkpoint.size) return { answer: 'ahead', size: conflictSize };
    size = conflictSize;
  }
  return { answer: 'unsettled', reason: `${REPEATS_MAX + 1} times another size` };
}

/** The size in a 409. */
export function parseConflictSize({
  mediaType,
  body,
}: {
  readonly mediaType: string;
  readonly body: string;
}): number | undefined {
  const [type = ''] = mediaType.split(';', 1);
  const [, digits] = SIZE_BODY.exec(body) ?? [];
  if (type.trim() !== SIZE_TYPE || digits === undefined) return undefined;
  const size = Number(digits);
  return Number.isSafeInteger(size) ? size : undefined;
}

function refusedWith(status: number, size: number): Exchange {
  const reason = `status ${status}`;
  if (status === 422) return { answer: 'refuses', size };
  if (status === 404) return { answer: 'unknown_log', reason };
  if (status === 403) return { answer: 'unknown_key', reason };
  if (status === 429) return { answer: 'busy', reason };
  return { answer: status >= 500 ? 'failing' : 'invalid', reason };
}

async function judge(lines: string, { asked, checkpoint, ...by }: Question): Promise<Exchange> {
  const head = checkpointWith(checkpoint.note, lines);
  if (head === undefined) return { answer: 'invalid', reason: 'no lines of signatures' };
  const { witnesses } = asked;
  const found = await verifiedCosignatures(head, { vkeys: by.vkeys, witnesses });
  if (found === undefined) return { answer: 'invalid', reason: 'a wrong signature' };
  if (found.length === 0) return { answer: 'invalid', reason: 'no signature of its key' };
  const now = by.nowMs() / MS_PER_SECOND;
  if (found.some(({ time }) => Math.abs(time - now) > TIME_TOLERANCE_SECONDS)) {
    return { answer: 'invalid', reason: 'a time that is not now' };
  }
  const cosignatures = found.map((one) => ({ ...one, line: findLine(head, one) }));
  return { answer: 'cosigned', cosignatures };
}

/** Undefined when the lines are none, or change what is signed. */
function checkpointWith(note: string, lines: string): Checkpoint | undefined {
  try {
    const head = parseCheckpoint(note + lines);
    return head.body === parseCheckpoint(note).body ? head : undefined;
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}

/** The first line of a witness; all of them were verified. */
function findLine(head: Checkpoint, { witness: { key } }: Witnessing): string {
  const line = head.signatures.find(({ name, keyId }) => name === key.name && keyId === key.keyId);
  if (line === undefined) throw new Error(`there is no line of ${key.name} that was verified`);
  return signatureLine(line);
}
