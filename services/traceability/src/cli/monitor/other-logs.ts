// Handles a hub that shows another log than the followed one: the report, and the place at which
// reading continues.
import { EMPTY_FRONTIER, parseCheckpoint, parseEpochStatement } from '@lothub/chain/log';
import type { Checkpoint } from '@lothub/chain/log';
import { newestAfter, type LostEntries } from '@lothub/verify';
import type { MonitorState } from './monitor-state.ts';
import type { FindingReport, MonitorReport } from './reports.ts';

/** A log that is not the followed one, nor one that a statement says continues after it. */
export function strayedTo(
  { origin }: Checkpoint,
  { checkpoint: kept }: MonitorState,
  epochs: readonly string[],
): FindingReport | undefined {
  if (kept === undefined) return undefined;
  const followed = parseCheckpoint(kept).origin;
  const statements = epochs.map((note) => parseEpochStatement(note));
  if (newestAfter(followed, statements) === origin) return undefined;
  return {
    type: 'finding',
    code: 'unknown_log',
    height: null,
    message: `The hub shows the log ${origin}, and no statement says that it goes on behind ${followed}, which was followed.`,
    contradiction: null,
  };
}

/**
 * Returns the state to continue with: the part that the other log shares, and the findings about
 * it.
 */
export async function goOn(
  state: MonitorState,
  given: {
    readonly head: Checkpoint;
    readonly lost: LostEntries | undefined;
    readonly options: {
      readonly epochs: readonly string[];
      readonly report: (report: MonitorReport) => Promise<void>;
    };
  },
): Promise<{ readonly begun: MonitorState; readonly findings: number }> {
  const { head, lost, options } = given;
  const kept = state.checkpoint;
  const from = kept === undefined ? head.origin : parseCheckpoint(kept).origin;
  if (kept === undefined || from === head.origin) return { begun: state, findings: 0 };
  let origin = from;
  let statement = '';
  for (const note of options.epochs) {
    const parsed = parseEpochStatement(note);
    if (parsed.old !== origin) continue;
    origin = parsed.new;
    statement = note;
    await options.report({
      type: 'epoch',
      old: parsed.old,
      new: parsed.new,
      reason: parsed.reason,
      at: parsed.at,
      last_size: parsed.last.size,
      common_size: parsed.common.size,
      statement: note,
    });
  }
  if (lost === undefined) return { begun: state, findings: 0 };
  await options.report({
    type: 'finding',
    code: 'entries_lost',
    height: lost.from,
    message: `The entries of ${lost.origin} from ${lost.from} on, of ${lost.below} that were signed, are lost: the operator has signed that.`,
    contradiction: { kept, seen: statement },
  });
  // The state after the common part is of blocks that are gone; everything is compared again.
  const begun =
    state.seen <= lost.from
      ? state
      : { ...state, seen: lost.from, read: EMPTY_FRONTIER, lastHash: undefined };
  return { begun, findings: 1 };
}
