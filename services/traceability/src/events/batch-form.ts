// The form of a batch of events or corrections: the body, the slices in which a batch with partial
// results is appended, and the result of each item.
import { FIELD_ERRORS_MAX, shownName, type FieldError } from '@lothub/kit/http/field-errors';
import { FieldsRefusal } from '../errors.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { Tip } from '../ledger/draft.ts';
import { TEXT_MAX } from '../ledger/record/fields.ts';
import type { LogHead, LogMembers } from '../log/answers.ts';
import type { BatchEventStatus, BatchStatus } from '../terms.ts';
import type { Warning } from './prepare.ts';

/** Items of one transaction when a batch may be accepted in part; others get in between. */
export const SLICE_ITEMS = 200;

export interface BatchResult {
  readonly index: number;
  readonly external_id: string | null;
  readonly status: BatchEventStatus;
  readonly id: number | null;
  readonly block_height: number | null;
  readonly block_hash: string | null;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

export type BatchAnswer = BatchSummary & LogMembers<LogHead>;

export interface BatchSummary {
  readonly status: BatchStatus;
  readonly total: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly results: readonly BatchResult[];
  readonly chain: {
    readonly height: number;
    readonly tip_hash: string;
    readonly chain_valid: boolean;
  };
}

/**
 * The items of a batch body: `{"events":[…]}` or a bare array.
 * @throws FieldsRefusal when the body is neither, or has none or too many items
 */
export function itemsOfBatch(
  body: unknown,
  { name, itemsMax }: { readonly name: string; readonly itemsMax: number },
): readonly unknown[] {
  const items = Array.isArray(body) ? (body as readonly unknown[]) : itemsMember(body, name);
  if (items.length === 0) {
    throw FieldsRefusal.of(['body', name], 'List should have at least 1 item(s)', 'too_short');
  }
  if (items.length > itemsMax) {
    throw FieldsRefusal.of(
      ['body', name],
      `List should have at most ${itemsMax} items`,
      'too_long',
    );
  }
  return items;
}

function itemsMember(body: unknown, name: string): readonly unknown[] {
  if (typeof body !== 'object' || body === null) {
    throw FieldsRefusal.of(
      ['body'],
      `Input should be an object with ${name}, or a list`,
      'dict_type',
    );
  }
  const extra = Object.keys(body).filter((key) => key !== name);
  if (extra.length > 0) {
    throw new FieldsRefusal(
      extra.slice(0, FIELD_ERRORS_MAX).map((key) => ({
        loc: ['body', shownName(key)],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      })),
    );
  }
  if (!(name in body)) {
    throw FieldsRefusal.of(['body', name], 'Field required', 'missing');
  }
  const items: unknown = Reflect.get(body, name);
  if (!Array.isArray(items)) {
    throw FieldsRefusal.of(['body', name], 'Input should be a valid list', 'list_type');
  }
  return items as readonly unknown[];
}

/** Lists the errors of all items in their order, up to the limit of one response. */
export function listItemErrors(results: readonly BatchResult[]): readonly FieldError[] {
  return results.flatMap(({ errors }) => errors).slice(0, FIELD_ERRORS_MAX);
}

/** The external id of an item with wrong fields, so that the caller finds it again. */
export function sentExternalId(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('external_id' in item)) return null;
  const { external_id: sent } = item;
  const isEchoed = typeof sent === 'string' && sent.length <= TEXT_MAX && sent.isWellFormed();
  return isEchoed ? sent : null;
}

export function rejectedItem(
  index: number,
  externalId: string | null,
  errors: readonly FieldError[],
): BatchResult {
  return {
    index,
    external_id: externalId,
    status: 'rejected',
    id: null,
    block_height: null,
    block_hash: null,
    errors,
    warnings: [],
  };
}

export function summarise(
  results: readonly BatchResult[],
  tip: Tip,
  state: Pick<ChainState, 'valid'>,
): BatchSummary {
  const count = (status: BatchResult['status']): number =>
    results.filter((result) => result.status === status).length;
  const rejected = count('rejected');
  return {
    status:
      rejected === 0 ? 'accepted' : rejected === results.length ? 'rejected' : 'partially_accepted',
    total: results.length,
    accepted: count('accepted'),
    duplicates: count('duplicate'),
    rejected,
    results,
    chain: {
      height: tip.height,
      tip_hash: tip.hash,
      chain_valid: state.valid,
    },
  };
}
