// Which block an entry of the audit names, by what was done. An action joins by a line of the table.
import { isDecisionType } from '../../record/decisions/facts.ts';
import type { Payload } from '../../record/payload.ts';
import type { StoredAuditEntry } from '../../tables/audit.ts';

interface BlockRule {
  /** Of the block's payload. A type that no block has yet asks for nothing. */
  readonly type: string;
  /** `each`: every entry names its block. `some`: an entry may tell of what sealed none. */
  readonly names: 'each' | 'some';
  /** Whether the block says it of the thing that the entry names; its brand is compared in any case. */
  readonly fits?: (entry: StoredAuditEntry, payload: Payload) => boolean;
}

const OF_A_CASE: BlockRule = { type: 'recall', names: 'each', fits: isOfCase };

const TOLD: BlockRule = { type: 'brand', names: 'each' };

/** Actions that are not listed may name any block. */
const RULES: Readonly<Record<string, BlockRule>> = {
  correct_event: { type: 'correction', names: 'each', fits: isOfEvent },
  hold_lot: { type: 'hold', names: 'each', fits: isHoldOf('held') },
  release_lot: { type: 'hold', names: 'each', fits: isHoldOf('released') },
  hold_breach: { type: 'event', names: 'each', fits: namesLot },
  open_case: OF_A_CASE,
  edit_case: OF_A_CASE,
  move_case: OF_A_CASE,
  widen_case: OF_A_CASE,
  narrow_case: OF_A_CASE,
  update_notification: { type: 'response', names: 'each' },
  drill_recall: { type: 'drill', names: 'each' },
  erase_customer: { type: 'erasure', names: 'some' },
  update_brand: TOLD,
  set_product: TOLD,
  remove_product: TOLD,
  set_picture: TOLD,
  remove_picture: TOLD,
  set_place: TOLD,
  remove_place: TOLD,
};

/** A rule that asks for something; undefined: whichever block the entry names, it has to be there. */
export function ruleOf(action: string): BlockRule | undefined {
  const rule = Object.hasOwn(RULES, action) ? RULES[action] : undefined;
  return rule !== undefined && hasBlocks(rule.type) ? rule : undefined;
}

function hasBlocks(type: string): boolean {
  return type === 'correction' || type === 'event' || isDecisionType(type);
}

/** Whether the block that an entry names says what the entry says. */
export function fitsBlock(entry: StoredAuditEntry, payload: Payload): boolean {
  const rule = ruleOf(entry.action);
  if (rule === undefined) return true;
  return (
    payload.type === rule.type &&
    'brand' in payload &&
    payload.brand === entry.tenant_id &&
    (rule.fits?.(entry, payload) ?? true)
  );
}

function isOfEvent(entry: StoredAuditEntry, payload: Payload): boolean {
  return (
    entry.entity_type === 'event' &&
    payload.type === 'correction' &&
    String(payload.correction.corrects_event_id) === entry.entity_id
  );
}

function isHoldOf(state: 'held' | 'released') {
  return (entry: StoredAuditEntry, payload: Payload): boolean =>
    entry.entity_type === 'lot' &&
    payload.type === 'hold' &&
    payload.decision.state === state &&
    payload.decision.lots.includes(entry.entity_id);
}

function namesLot(entry: StoredAuditEntry, payload: Payload): boolean {
  return (
    entry.entity_type === 'lot' &&
    payload.type === 'event' &&
    payload.event.lines.some((line) => line.lot_code === entry.entity_id)
  );
}

/** A case in confidence names no more than its number, and no case two numbers. */
function isOfCase(entry: StoredAuditEntry, payload: Payload): boolean {
  const decision: object = 'decision' in payload ? payload.decision : {};
  const caseNo: unknown = Object.getOwnPropertyDescriptor(decision, 'case_no')?.value;
  return entry.entity_type === 'case' && caseNo === entry.entity_id;
}
