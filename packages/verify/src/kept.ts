/**
 * Checkpoints that a reader keeps: the largest good one of each log, so that a log that is rolled
 * back or shown in two forms is caught the next time.
 */
import { LogError, parseCheckpoint, sameBytes, verifyConsistency } from '@lothub/chain/log';
import type { Checkpoint, HashBytes, ParsedEpochStatement } from '@lothub/chain/log';
import { canonicalize } from '@lothub/chain';
import { sharedWith, type FollowedEpochs, type LostEntries } from './epochs.ts';
import { isObject } from './evidence-file.ts';
import { judgeHead, type Trust } from './signed-head.ts';
import { KeptRefusal, Refusal, type Step } from './verdict.ts';

/** Checkpoints by origin, verbatim. */
export type Kept = ReadonlyMap<string, string>;

/** Proofs that one tree of a log is the beginning of a later one; `undefined` when nobody has them. */
export type ReadConsistency = (sizes: {
  readonly from: number;
  readonly to: number;
}) => Promise<readonly Uint8Array[] | undefined>;

/** A file of kept checkpoints that cannot be read: the reader's own, so no proof is refused for it. */
export class KeptUnreadable extends Error {
  override readonly name = 'KeptUnreadable';
}

const FORMAT = 'lothub-kept/1';

/** The text of a file of kept checkpoints. */
export function keptText(kept: Kept): string {
  return canonicalize({ checkpoints: Object.fromEntries(kept), format: FORMAT });
}

/** @throws {KeptUnreadable} */
export function parseKept(text: string): Kept {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new KeptUnreadable('The file of kept checkpoints is not JSON.', { cause });
  }
  const checkpoints =
    isObject(value) && value['format'] === FORMAT ? value['checkpoints'] : undefined;
  if (!isObject(checkpoints))
    throw new KeptUnreadable(`The file of kept checkpoints is not ${FORMAT}.`);
  const kept = new Map<string, string>();
  for (const [origin, note] of Object.entries(checkpoints)) {
    if (typeof note !== 'string') {
      throw new KeptUnreadable(
        'The file of kept checkpoints holds something else than checkpoints.',
      );
    }
    kept.set(origin, note);
  }
  return kept;
}

export interface Comparison {
  readonly step: Step;
  /** What to keep from now on. */
  readonly kept: Kept;
  /** Entries of the kept checkpoint that the operator says are lost. */
  readonly lost?: LostEntries;
}

/**
 * Compares a good checkpoint with the one that is kept of its log.
 *
 * `isNewest` says that `seen` is what the log shows as its newest now: then it must not be smaller.
 * Otherwise it may be an older one.
 *
 * @throws {KeptRefusal} `rolled_back` or `split_view`
 * @throws {KeptUnreadable} when the kept checkpoint itself is not signed by the log of the policy
 */
export async function compareWithKept(
  seen: { readonly note: string; readonly head: Checkpoint; readonly isNewest: boolean },
  against: {
    readonly kept: Kept;
    readonly trust: Trust;
    readonly hash: HashBytes;
    readonly readConsistency?: ReadConsistency;
    /** Statements that are believed, in their order. */
    readonly statements?: FollowedEpochs['statements'];
  },
): Promise<Comparison> {
  const { kept } = against;
  const { head, note } = seen;
  const keptNote = kept.get(head.origin);
  const former = keptNote === undefined ? findFormer(kept, head, against.statements) : undefined;
  if (former !== undefined) return await compareWithFormer(seen, { ...against, former });
  const withSeen = new Map(kept).set(head.origin, note);
  if (keptNote === undefined) {
    return {
      kept: withSeen,
      step: good(`No checkpoint of ${head.origin} was kept yet. This one is from now on.`),
    };
  }
  const keptHead = await readKept(keptNote, against.trust);
  const contradiction = { kept: keptNote, seen: note };
  if (keptHead.size === head.size) {
    if (sameBytes(keptHead.root, head.root)) {
      return { kept, step: good(`It is the tree of ${head.size} blocks that was kept.`) };
    }
    throw new KeptRefusal(
      'split_view',
      `The log signed two different trees of ${head.size} blocks. Keep both checkpoints: together they prove it.`,
      contradiction,
    );
  }
  if (seen.isNewest && head.size < keptHead.size) {
    throw new KeptRefusal(
      'rolled_back',
      `The log shows a tree of ${head.size} blocks and signed one of ${keptHead.size} before: blocks are missing.`,
      contradiction,
    );
  }
  const [older, newer] = head.size < keptHead.size ? [head, keptHead] : [keptHead, head];
  const proof = await against.readConsistency?.({ from: older.size, to: newer.size });
  if (proof === undefined) {
    return {
      kept,
      step: good(
        `Not compared with the kept tree of ${keptHead.size} blocks: that takes a proof from the log itself. The kept one stays.`,
      ),
    };
  }
  const { hash } = against;
  const sizes = { from: older.size, to: newer.size };
  const roots = { fromRoot: older.root, toRoot: newer.root };
  if (!verifyConsistency({ ...sizes, ...roots, proof, hash })) {
    throw new KeptRefusal(
      'split_view',
      `The tree of ${older.size} blocks is not the beginning of that of ${newer.size} blocks. Keep both checkpoints.`,
      contradiction,
    );
  }
  return {
    kept: newer === head ? withSeen : kept,
    step: good(
      `The tree of ${older.size} blocks is the beginning of that of ${newer.size} blocks.`,
    ),
  };
}

/** A kept checkpoint of a log that this one continues from. */
interface Former {
  readonly note: string;
  readonly origin: string;
  /** Entries that both logs share. */
  readonly size: number;
  readonly by: ParsedEpochStatement | undefined;
}

/** That of the newest log, when several were kept. */
function findFormer(
  kept: Kept,
  head: Checkpoint,
  statements: FollowedEpochs['statements'] = [],
): Former | undefined {
  for (const { old: origin } of statements.toReversed()) {
    const note = kept.get(origin);
    const shared = sharedWith(origin, { newest: head.origin, statements });
    if (note !== undefined && shared !== undefined) return { note, origin, ...shared };
  }
  return undefined;
}

/** The kept tree must be the beginning of this one; of a larger one, what the operator says they share. */
async function compareWithFormer(
  seen: { readonly note: string; readonly head: Checkpoint },
  against: {
    readonly kept: Kept;
    readonly trust: Trust;
    readonly hash: HashBytes;
    readonly readConsistency?: ReadConsistency;
    readonly former: Former;
  },
): Promise<Comparison> {
  const { former, hash } = against;
  const { head, note } = seen;
  const keptHead = await readKept(former.note, against.trust);
  const kept = new Map(against.kept).set(head.origin, note);
  const isLost = keptHead.size > former.size;
  const lost = isLost
    ? { lost: { origin: former.origin, from: former.size, below: keptHead.size } }
    : {};
  const mark = isLost ? former.by?.common : keptHead;
  const said = isLost
    ? `The entries from ${former.size} to ${keptHead.size - 1} of the kept tree of ${former.origin} are lost: the operator has signed that. `
    : '';
  if (mark === undefined || mark.size === 0) {
    return { kept, ...lost, step: good(`${said}Nothing else is common to both logs.`) };
  }
  const contradiction = { kept: former.note, seen: note };
  if (head.size < mark.size) {
    throw new KeptRefusal(
      'rolled_back',
      `The log shows a tree of ${head.size} blocks, and shares ${mark.size} with the log before it: blocks are missing.`,
      contradiction,
    );
  }
  const sizes = { from: mark.size, to: head.size };
  const proof = await against.readConsistency?.(sizes);
  if (proof === undefined) {
    return {
      kept: against.kept,
      ...lost,
      step: good(
        `${said}Not compared with the tree of ${mark.size} blocks of ${former.origin}: that takes a proof from the log itself. The kept one stays.`,
      ),
    };
  }
  if (!verifyConsistency({ ...sizes, fromRoot: mark.root, toRoot: head.root, proof, hash })) {
    throw new KeptRefusal(
      'split_view',
      `The operator signed that the tree of ${mark.size} blocks of ${former.origin} is the beginning of this one, and it is not. Keep both checkpoints and the statement.`,
      contradiction,
    );
  }
  return {
    kept,
    ...lost,
    step: good(
      `${said}The tree of ${mark.size} blocks of ${former.origin} is the beginning of that of ${head.size} blocks.`,
    ),
  };
}

/** The kept checkpoint, if the log of the policy signed it; its witnesses are not asked for again. */
async function readKept(note: string, { policy, verify }: Trust): Promise<Checkpoint> {
  try {
    const head = parseCheckpoint(note);
    await judgeHead(head, { policy: { ...policy, quorum: { kind: 'none' } }, verify });
    return head;
  } catch (cause) {
    if (!(cause instanceof LogError) && !(cause instanceof Refusal)) throw cause;
    throw new KeptUnreadable(
      'The kept checkpoint is not one that the log of the policy signed. Was the file changed, or is the policy another one?',
      { cause },
    );
  }
}

function good(text: string): Step {
  return { name: 'kept', isGood: true, text };
}
