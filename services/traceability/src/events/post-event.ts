// Posts one event: checked, appended, answered once it is on disk. For `/v1/events` and for the form of the console.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { FIELD_ERRORS_MAX } from '@lothub/kit/http/field-errors';
import { at } from '@lothub/kit/present';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { FieldsRefusal } from '../errors.ts';
import type { AppendAnswer, Caller, Tip } from '../ledger/draft.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { ledgerWarnings, refuseConflict } from './answers.ts';
import { checkEvent } from './check-event.ts';
import { withoutUnfit } from './fit.ts';
import type { Warning } from './prepare.ts';
import type { EventInput } from './schema.ts';

export interface PostedEvent {
  /** `replayed`: it was stored before, with the same external id and the same content. */
  readonly kind: 'appended' | 'replayed';
  readonly event: EventInput;
  readonly externalId: string | null;
  readonly block: Tip;
  readonly tip: Tip;
  readonly log: AppendAnswer['log'];
  readonly warnings: readonly Warning[];
}

/**
 * @param posted `value`: the event as the request contains it
 * @throws FieldsRefusal; Refusal `rule_broken` when other content has the external id;
 * DatabaseError as `LedgerStore.append`
 */
export async function postEvent(
  deps: { readonly store: LedgerStore; readonly database: DatabaseReader; readonly clock: Clock },
  posted: {
    readonly tenantId: string;
    readonly caller: Caller;
    readonly value: unknown;
    readonly wantsProofs: boolean;
  },
): Promise<PostedEvent> {
  const { tenantId, caller, wantsProofs } = posted;
  const checked = checkEvent(posted.value, {
    root: ['body'],
    errors: 'all',
    nowMs: deps.clock.nowMs(),
    newSalt,
    identity: 'external_id',
  });
  const fit = await withoutUnfit([checked], { database: deps.database, tenantId });
  const prepared = at(fit, 0);
  if (prepared.kind === 'invalid') {
    throw new FieldsRefusal(prepared.errors.slice(0, FIELD_ERRORS_MAX));
  }
  const { outcomes, tip, log } = await deps.store.append({
    ...{ tenantId, caller, wantsProofs },
    drafts: [prepared.draft],
    unit: 'all',
  });
  const [first] = outcomes;
  if (first === undefined) throw new Error('the ledger answered no outcome for one draft');
  const outcome = refuseConflict(first);
  if (outcome.kind === 'withheld') throw new Error('a single draft cannot be withheld');
  return {
    kind: outcome.kind,
    event: prepared.event,
    externalId: prepared.draft.externalId,
    block: { height: outcome.height, hash: outcome.hash },
    ...{ tip, log },
    warnings: [...prepared.warnings, ...ledgerWarnings(outcome)],
  };
}
