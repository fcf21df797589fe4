// What a person has read of a group, and what becomes of it: everything up to `readUpTo`, with exceptions
// (read above it, unread below it).

/** Individual reads directly after `readUpTo` that one change merges into it; the next change merges more. */
export const RUN_MAX = 1_000;

export interface ReadStanding {
  /** Everything up to it is read or deleted, but for exceptions. */
  readonly readUpTo: number;
  /** Seqs above `readUpTo` that were read one by one, ascending; those it could be moved over. */
  readonly readAbove: readonly number[];
}

export type ReadStep =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'step';
      /** Covers single reads up to it, which are forgotten. */
      readonly readUpTo: number;
      /** Marks of being unread up to it are gone; 0: none. */
      readonly forgetUnreadUpTo: number;
      readonly forget: number | undefined;
      readonly add: { readonly seq: number; readonly isRead: boolean } | undefined;
      /** Read one by one, too. */
      readonly addRead: readonly number[];
    };

const NOTHING: ReadStep = { kind: 'nothing' };

/** @param isException whether `seq` is one already: read above `readUpTo`, unread below it */
export function planRead(
  standing: ReadStanding,
  { seq, isException }: { readonly seq: number; readonly isException: boolean },
): ReadStep {
  const { readUpTo } = standing;
  if (seq <= readUpTo) return isException ? { ...still(readUpTo), forget: seq } : NOTHING;
  if (isException) return NOTHING;
  if (seq > readUpTo + 1) return { ...still(readUpTo), add: { seq, isRead: true } };
  return movedTo(standing, seq, 0);
}

/** @param isException as in `planRead` */
export function planUnread(
  standing: ReadStanding,
  { seq, isException }: { readonly seq: number; readonly isException: boolean },
): ReadStep {
  const { readUpTo } = standing;
  if (seq > readUpTo) return isException ? { ...still(readUpTo), forget: seq } : NOTHING;
  return isException ? NOTHING : { ...still(readUpTo), add: { seq, isRead: false } };
}

/** @param hasUnread whether something up to `upTo` was marked as unread */
export function planReadUpTo(
  standing: ReadStanding,
  { upTo, hasUnread }: { readonly upTo: number; readonly hasUnread: boolean },
): ReadStep {
  if (upTo > standing.readUpTo) return movedTo(standing, upTo, upTo);
  return hasUnread ? { ...still(standing.readUpTo), forgetUnreadUpTo: upTo } : NOTHING;
}

/**
 * @param seqs of those that belong together, ascending, above `readUpTo`
 * @param hasUnread whether one of them up to `readUpTo` was marked as unread
 */
export function planReadTogether(
  { readUpTo, readAbove }: ReadStanding,
  { seqs, hasUnread }: { readonly seqs: readonly number[]; readonly hasUnread: boolean },
): ReadStep {
  const known = new Set(readAbove);
  const all = [...new Set([...readAbove, ...seqs])].sort((one, other) => one - other);
  let end = readUpTo;
  for (const seq of all) if (seq === end + 1) end = seq;
  const addRead = seqs.filter((seq) => seq > end && !known.has(seq));
  if (end === readUpTo && addRead.length === 0 && !hasUnread) return NOTHING;
  return { ...still(end), addRead };
}

function still(readUpTo: number): Extract<ReadStep, { kind: 'step' }> {
  return {
    kind: 'step',
    readUpTo,
    forgetUnreadUpTo: 0,
    forget: undefined,
    add: undefined,
    addRead: [],
  };
}

/** Moves `readUpTo` to `upTo`, and past the individual reads directly after it. */
function movedTo(standing: ReadStanding, upTo: number, forgetUnreadUpTo: number): ReadStep {
  let end = upTo;
  for (const seq of standing.readAbove) if (seq === end + 1) end = seq;
  return { ...still(end), forgetUnreadUpTo };
}
