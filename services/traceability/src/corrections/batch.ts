// Several corrections in one call: all or none, or (on_error=proceed) the good ones.
import { FIELD_ERRORS_MAX, type FieldError } from '@lothub/kit/http/field-errors';
import { cutSlices } from '@lothub/kit/in-list';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { at } from '@lothub/kit/present';
import { FieldsRefusal, Refusal } from '../errors.ts';
import {
  SLICE_ITEMS,
  itemsOfBatch,
  listItemErrors,
  rejectedItem,
  sentExternalId,
  summarise,
} from '../events/batch-form.ts';
import type { BatchAnswer, BatchResult } from '../events/batch-form.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LogAnswers } from '../log/answers.ts';
import type { OnError } from '../terms.ts';
import { checkRequest, type CheckedRequest } from './check-request.ts';
import { correctEvents } from './correct.ts';
import type { Corrected, CorrectedAll, CorrectionCall } from './correct.ts';
import { ExternalIdTaken } from './replay.ts';
import { BATCH_CORRECTIONS_MAX, type CorrectionInput } from './schema.ts';

/** Corrections checked in one turn of the event loop: each may have a thousand changes. */
const CHECKED_PER_TURN = 8;

/**
 * The corrections of a batch body: `{"corrections":[…]}` or a bare array.
 * @throws FieldsRefusal when the body is neither, or has none or too many corrections
 */
export function correctionsOfBatch(body: unknown): readonly unknown[] {
  return itemsOfBatch(body, { name: 'corrections', itemsMax: BATCH_CORRECTIONS_MAX });
}

interface Item {
  readonly index: number;
  readonly request: CorrectionInput;
}

/**
 * Appends a batch.
 * @throws FieldsRefusal (`abort`) when fields of a correction are wrong; all of them are named
 * @throws Refusal `rule_broken` (`abort`) when a correction cannot be made; all such are named
 */
export async function correctBatch(
  options: Omit<CorrectionCall, 'unit' | 'wantsProofs'> & {
    readonly corrections: readonly unknown[];
    readonly onError: OnError;
    readonly state: Pick<ChainState, 'valid'>;
    /** Undefined when the caller wants nothing about the log. */
    readonly logAnswers?: Pick<LogAnswers, 'ofTree'> | undefined;
  },
): Promise<BatchAnswer> {
  const { corrections, onError, reader } = options;
  const results: BatchResult[] = [];
  const items: Item[] = [];
  for (const [index, checked] of (await checkAll(corrections)).entries()) {
    if (checked.kind === 'valid') items.push({ index, request: checked.request });
    else results.push(rejectedItem(index, sentExternalId(corrections[index]), checked.errors));
  }
  if (onError === 'abort' && results.length > 0) throw new FieldsRefusal(listItemErrors(results));
  const unit = onError === 'abort' ? 'all' : 'each';
  let last: CorrectedAll | undefined;
  for (const run of splitRuns(items, onError)) {
    const requests = run.map(({ request }) => request);
    const { tenantId, callerFor, store, newSalt } = options;
    last = await correctEvents(requests, { tenantId, callerFor, store, newSalt, reader, unit });
    for (const [position, item] of run.entries()) {
      results.push(buildResult(item, at(last.results, position)));
    }
  }
  results.sort((a, b) => a.index - b.index);
  if (onError === 'abort') refuseRefused(results);
  const tip = last?.tip ?? (await reader.head());
  const log = await options.logAnswers?.ofTree(tip, last?.log);
  return { ...summarise(results, tip, options.state), ...log };
}

/**
 * Splits a batch into transactions: one for all, or slices that delay other writers only briefly.
 */
function splitRuns(items: readonly Item[], onError: OnError): Iterable<readonly Item[]> {
  return cutSlices(items, onError === 'abort' ? BATCH_CORRECTIONS_MAX : SLICE_ITEMS);
}

/**
 * Checks all corrections. All errors are named up to FIELD_ERRORS_MAX; after that only the first of
 * each item.
 */
async function checkAll(corrections: readonly unknown[]): Promise<readonly CheckedRequest[]> {
  const all: CheckedRequest[] = [];
  let named = 0;
  for await (const slice of slicesInTurns(corrections, CHECKED_PER_TURN)) {
    for (const body of slice) {
      const checked = checkRequest(body, ['body', 'corrections', all.length]);
      if (checked.kind === 'valid') {
        all.push(checked);
        continue;
      }
      const errors = checked.errors.slice(0, Math.max(1, FIELD_ERRORS_MAX - named));
      named += errors.length;
      all.push({ kind: 'invalid', errors });
    }
  }
  return all;
}

/** @throws Refusal `rule_broken` naming the first that was refused, and all of them as errors */
function refuseRefused(results: readonly BatchResult[]): void {
  const refused = results.filter(({ errors }) => errors.length > 0);
  const [first] = refused;
  if (first === undefined) return;
  const more = refused.length - 1;
  const others =
    more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'correction' : 'corrections'})`;
  const sentence = `corrections[${first.index}]: ${at(first.errors, 0).msg}${others}`;
  throw new Refusal('rule_broken', sentence, { errors: listItemErrors(results) });
}

function buildResult({ index, request }: Item, corrected: Corrected): BatchResult {
  const externalId = request.external_id ?? null;
  switch (corrected.kind) {
    case 'withheld':
      return rejectedItem(index, externalId, []);
    case 'refused':
      return rejectedItem(index, externalId, [toError(index, corrected.refusal)]);
    case 'appended':
    case 'replayed': {
      const { height, hash } = corrected.block;
      return {
        index,
        external_id: externalId,
        status: corrected.kind === 'appended' ? 'accepted' : 'duplicate',
        id: height,
        block_height: height,
        block_hash: hash,
        errors: [],
        warnings: corrected.warnings,
      };
    }
  }
}

function toError(index: number, refusal: Refusal): FieldError {
  const item = ['body', 'corrections', index];
  return refusal instanceof ExternalIdTaken
    ? { loc: [...item, 'external_id'], msg: refusal.message, type: 'external_id_conflict' }
    : { loc: item, msg: refusal.message, type: refusal.code };
}
