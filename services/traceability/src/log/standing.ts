// How a block stands in the public log, for pages.
import type { PublicLog } from './public-log.ts';

export type LogStanding =
  /** In a tree that the operator has signed, and nobody else. */
  | { readonly kind: 'signed'; readonly epoch: number; readonly height: number }
  /** `unsigned`: the block is newer than what is signed. */
  | { readonly kind: 'off' | 'building' | 'held' | 'unsigned' };

/** @param height of a block that is stored */
export async function standingOf(log: PublicLog, height: number): Promise<LogStanding> {
  const { identity, state } = log;
  if (identity === undefined) return { kind: 'off' };
  if (state !== 'signing') return { kind: state };
  const { size } = await log.head({ size: height + 1 });
  if (size <= height) return { kind: 'unsigned' };
  return { kind: 'signed', epoch: identity.epoch, height };
}
