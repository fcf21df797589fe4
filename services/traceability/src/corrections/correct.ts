// Appends a correction. What it corrects may be corrected by somebody else at the same moment: then
// the request is judged anew, against the event as it counts after that.
import { DatabaseError } from '@lothub/kit/database';
import type { Caller, Tip } from '../ledger/draft.ts';
import { effectiveOf, readCorrections } from '../ledger/effective-reader.ts';
import { readPrivateValues } from '../ledger/private-values.ts';
import type { GroupLog } from '../ledger/log/signed-log.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { planCorrection, refuseUncorrectable } from './plan.ts';
import type { CorrectionPlan, CorrectionTarget } from './plan.ts';
import type { CorrectionInput } from './schema.ts';

/** Of corrections of one event that meet, one wins each time; so many may be ahead of a request. */
const ATTEMPTS_MAX = 20;

export interface Corrected {
  readonly target: CorrectionTarget;
  readonly plan: CorrectionPlan;
  readonly block: Tip;
  readonly tip: Tip;
  readonly log: GroupLog | undefined;
}

/**
 * Plans a checked correction and appends it; answers once it is on disk.
 * @throws Refusal `rule_broken` when the event cannot be corrected so
 * @throws DatabaseError `database_busy` when others kept correcting the event, or the queue is full
 */
export async function correctEvent(
  request: CorrectionInput,
  options: {
    readonly tenantId: string;
    readonly caller: Caller;
    readonly store: Pick<LedgerStore, 'correct'>;
    readonly reader: LedgerReader;
    readonly newSalt: () => string;
  },
): Promise<Corrected> {
  const { tenantId, caller, store, reader, newSalt } = options;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const target = await readTarget(reader, { tenantId, height: request.corrects_event_id });
    const plan = planCorrection(request, { target, newSalt });
    const outcome = await store.correct({ ...plan.submission, tenantId, caller });
    if (outcome.kind === 'appended') {
      const { height, hash, tip, log } = outcome;
      return { target, plan, block: { height, hash }, tip, log };
    }
  }
  throw new DatabaseError('database_busy', 'others are correcting the same event');
}

async function readTarget(
  reader: LedgerReader,
  wanted: { readonly tenantId: string; readonly height: number },
): Promise<CorrectionTarget> {
  const block = refuseUncorrectable(await reader.findBlock(wanted.height), wanted.tenantId);
  const { height, hash } = block;
  const corrections = await readCorrections(reader, [height]);
  const privateValues = await readPrivateValues(reader.database, [height], corrections);
  return {
    height,
    hash,
    effective: effectiveOf(block, corrections),
    privateValues: privateValues.effective(height),
  };
}
