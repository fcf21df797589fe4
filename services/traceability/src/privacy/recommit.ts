// Makes a new commitment to values that stay while the commitment that covered them is erased: a correction
// with the value that counts already, without its old value.
import { canonicalize } from '@lothub/chain';
import { changeCommitment, requestCommitment } from '../ledger/record/commitment.ts';
import type { Caller, CorrectionDraft, CorrectionSubmission } from '../ledger/draft.ts';
import { fieldPathText } from '../ledger/record/field-path.ts';
import type { ChainChange } from '../ledger/record/payload.ts';
import type { KeptValue, OpenedEvent } from './plan-erasure.ts';

/** Public, like the reason of every correction. */
const REASON = 'Committed to anew: the commitment before also covered what was erased';

interface RecommitOptions {
  readonly event: OpenedEvent;
  readonly tenantId: string;
  readonly caller: Caller;
  /** A fresh 256-bit salt, hex. */
  readonly newSalt: () => string;
}

export function recommitment(
  kept: readonly KeptValue[],
  options: RecommitOptions,
): CorrectionSubmission {
  const { tenantId, caller } = options;
  return { tenantId, corrections: [{ ...buildDraft(kept, options), caller }], unit: 'all' };
}

function buildDraft(
  kept: readonly KeptValue[],
  { event, caller, newSalt }: RecommitOptions,
): CorrectionDraft {
  const { height, hash } = event.block;
  const privateRequest = { requested_by: caller.actor, salt: newSalt() };
  const privateChanges = kept.map(({ text }, changeNo) => ({
    change_no: changeNo,
    from_text: null,
    to_text: text,
    salt: newSalt(),
  }));
  const changes = kept.map(({ path, clear }, changeNo): ChainChange => {
    const secret = privateChanges[changeNo];
    if (secret === undefined) throw new Error(`change ${changeNo} has no private value`);
    return {
      field: fieldPathText(path),
      ...(clear === undefined ? {} : { from: clear, to: clear }),
      private: changeCommitment(secret),
    };
  });
  return {
    externalId: null,
    correctsHeight: height,
    afterCount: event.effective.correctedBy.length,
    correctionText: canonicalize({
      changes: changes.map((change) => ({ ...change })),
      corrects_block_hash: hash,
      corrects_block_height: height,
      corrects_event_id: height,
      private: requestCommitment(privateRequest),
      reason: REASON,
    }),
    privateRequest,
    privateChanges,
  };
}
