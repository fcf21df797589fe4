// The state of a block in the public log, for pages: who has confirmed it, and the time since which
// it is known to exist.
import type { LedgerReader } from '../ledger/read.ts';
import { oldestTimeStamp, type NewestTimeStamp } from '../timestamps/stored.ts';
import type { Cosigners } from '../witnessing/cosigners.ts';
import { independentPolicyText } from '../witnessing/independent-policy.ts';
import type { PublicLog } from './public-log.ts';

/** The confirmations of the published checkpoint by others than the operator. */
export interface SecondOpinion extends Cosigners {
  /** Blocks of the published checkpoint: those above it are not confirmed by anybody else yet. */
  readonly size: number;
  /** The hub's policy without the operator's own witnesses; undefined when these alone are no quorum. */
  readonly policyText: string | undefined;
}

export type LogStanding =
  /** The block is in a tree that the operator has signed. */
  | {
      readonly kind: 'signed';
      readonly epoch: number;
      readonly height: number;
      /** Undefined when the hub names no witnesses, or they have not satisfied its policy yet. */
      readonly opinion: SecondOpinion | undefined;
      /** The oldest time stamp of a tree that has the block, also of a log that has ended. */
      readonly timeStamp: NewestTimeStamp | undefined;
    }
  /** `unsigned`: the block is newer than the signed head. */
  | { readonly kind: 'off' | 'building' | 'held' | 'unsigned' };

/** @param height of a block that is stored */
export async function readStanding(
  { log, reader }: { readonly log: PublicLog; readonly reader: LedgerReader },
  height: number,
): Promise<LogStanding> {
  const { identity, state } = log;
  if (identity === undefined) return { kind: 'off' };
  if (state !== 'signing') return { kind: state };
  const { size } = await log.head({ size: height + 1 });
  if (size <= height) return { kind: 'unsigned' };
  const { epoch, vkeys } = identity;
  const [opinion, timeStamp] = await Promise.all([
    secondOpinion(log, vkeys),
    oldestTimeStamp(reader.database, height + 1),
  ]);
  return { kind: 'signed', epoch, height, opinion, timeStamp };
}

async function secondOpinion(
  log: PublicLog,
  vkeys: readonly string[],
): Promise<SecondOpinion | undefined> {
  const { policy, cosigners } = log;
  if (policy === undefined || cosigners === undefined) return undefined;
  const published = await log.published();
  if (published === undefined) return undefined;
  const { size, note } = published;
  const found = await cosigners.find(note, vkeys);
  return { size, ...found, policyText: independentPolicyText(policy, vkeys) };
}
