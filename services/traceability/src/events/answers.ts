// Makes the responses to a caller from the results of the ledger: events, chain information,
// refusals.
import type { Static } from 'typebox';
import { Refusal } from '../errors.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { Conflict, DraftOutcome, GroupDifference, Tip } from '../ledger/draft.ts';
import type { LogMembers, LogProof } from '../log/answers.ts';
import { eventSummary, type SummarySource } from '../ledger/record/payload.ts';
import type { Warning } from './prepare.ts';
import type { ChainInfoSchema, EventAnswerSchema } from './schema.ts';

export type EventAnswer = Static<typeof EventAnswerSchema>;
export type ChainInfo = Static<typeof ChainInfoSchema>;

/** A draft's block and the tip of now. */
export function chainInfo(parts: {
  readonly tip: Tip;
  readonly block: Tip;
  readonly event: SummarySource;
  readonly state: ChainState;
}): ChainInfo {
  return {
    height: parts.tip.height,
    tip_hash: parts.tip.hash,
    chain_valid: parts.state.valid,
    block_height: parts.block.height,
    block_hash: parts.block.hash,
    tx_count: parts.event.lines.length,
    summary: eventSummary(parts.event),
  };
}

export function eventAnswer(parts: {
  readonly event: SummarySource;
  readonly externalId: string | null;
  readonly block: Tip;
  readonly tip: Tip;
  readonly warnings: readonly Warning[];
  readonly state: ChainState;
  readonly log: LogMembers<LogProof>;
}): EventAnswer {
  return {
    id: parts.block.height,
    external_id: parts.externalId,
    status: 'accepted',
    event_type: parts.event.event_type,
    chain: chainInfo(parts),
    ...parts.log,
    ...(parts.warnings.length === 0 ? {} : { warnings: [...parts.warnings] }),
  };
}

/** Lot codes named in a warning; the rest is counted. */
const HELD_LOTS_NAMED_MAX = 5;

/** Returns the warnings of an append: lots on hold cause a warning, never a refusal. */
export function ledgerWarnings(outcome: DraftOutcome): readonly Warning[] {
  if (outcome.kind !== 'appended' || outcome.heldLots.length === 0) return [];
  const named = outcome.heldLots.slice(0, HELD_LOTS_NAMED_MAX).join(', ');
  const more = outcome.heldLots.length - HELD_LOTS_NAMED_MAX;
  const lots = more > 0 ? `${named} and ${more} more` : named;
  return [
    { code: 'lot_on_hold', message: `on hold: ${lots}; the event was accepted all the same` },
  ];
}

/** One sentence on a key that other content has; names fields and lines, never values. */
export function conflictSentence(conflict: Conflict, place: string): string {
  const owner =
    conflict.height < 0 ? 'an earlier event of this request' : `event ${conflict.height}`;
  switch (conflict.taken) {
    case 'external_id':
      return (
        `${place}external_id is already used by ${conflict.owner === undefined ? owner : `correction ${conflict.height}`} with other content; ` +
        `these fields differ: ${conflict.fields.join(', ')}`
      );
    case 'group':
      return (
        `${place}the group is regrown: ${owner} was imported with the same event_type, ` +
        `occurred_at and reference and other content (${differenceText(conflict.difference)}); ` +
        'correct that event, or give the rows of another event an external_id'
      );
  }
}

/** Lines named in a sentence; the rest is counted. */
const LINES_NAMED_MAX = 5;

function differenceText({ fields, added, missing }: GroupDifference): string {
  const named = added.slice(0, LINES_NAMED_MAX).map((index) => `lines[${index}]`);
  const more = added.length > named.length ? ` and ${added.length - named.length} more` : '';
  return [
    ...(fields.length > 0 ? [`these fields differ: ${fields.join(', ')}`] : []),
    ...(named.length > 0 ? [`new: ${named.join(', ')}${more}`] : []),
    ...(missing > 0 ? [`lines of it that are not sent again: ${missing}`] : []),
  ].join('; ');
}

/** @throws Refusal `rule_broken` when the external id is taken by other content */
export function refuseConflict(outcome: DraftOutcome): Exclude<DraftOutcome, { kind: 'conflict' }> {
  if (outcome.kind === 'conflict') throw new Refusal('rule_broken', conflictSentence(outcome, ''));
  return outcome;
}
