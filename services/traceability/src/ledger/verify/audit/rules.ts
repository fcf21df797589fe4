// The type of block that an entry of the audit names, by the action of the entry. A line of the
// table adds an action.
import { isDecisionType } from '../../record/decisions/facts.ts';
import type { Payload } from '../../record/payload.ts';
import type { StoredAuditEntry } from '../../tables/audit.ts';

interface BlockRule {
  /** Type of the block's payload. A rule for a type without blocks has no effect. */
  readonly type: string;
  /**
   * `each`: every entry names its block. `some`: an entry may be of an action that sealed no block.
   */
  readonly names: 'each' | 'some';
  /**
   * Returns whether the block is about the thing that the entry names; the brand is always
   * compared.
   */
  readonly fits?: (entry: StoredAuditEntry, payload: Payload) => boolean;
}

const OF_A_CASE: BlockRule = { type: 'recall', names: 'each', fits: isOfCase };

const OF_A_BRAND: BlockRule = { type: 'brand', names: 'each' };

/** Actions that are not listed may name any block. */
const RULES: Readonly<Record<string, BlockRule>> = {
  correct_event: { type: 'correction', names: 'each', fits: isOfEvent },
  hold_lot: { type: 'hold', names: 'each', fits: matchHold('held') },
  release_lot: { type: 'hold', names: 'each', fits: matchHold('released') },
  hold_breach: { type: 'event', names: 'each', fits: namesLot },
  open_case: OF_A_CASE,
  edit_case: OF_A_CASE,
  move_case: OF_A_CASE,
  widen_case: OF_A_CASE,
  narrow_case: OF_A_CASE,
  update_notification: { type: 'response', names: 'each' },
  drill_recall: { type: 'drill', names: 'each' },
  erase_customer: { type: 'erasure', names: 'some' },
  update_brand: OF_A_BRAND,
  set_product: OF_A_BRAND,
  remove_product: OF_A_BRAND,
  set_picture: OF_A_BRAND,
  remove_picture: OF_A_BRAND,
  set_place: OF_A_BRAND,
  remove_place: OF_A_BRAND,
};

/** Returns the rule of an action; undefined: the entry may name any block that exists. */
export function findRule(action: string): BlockRule | undefined {
  const rule = Object.hasOwn(RULES, action) ? RULES[action] : undefined;
  return rule !== undefined && hasBlocks(rule.type) ? rule : undefined;
}

function hasBlocks(type: string): boolean {
  return type === 'correction' || type === 'event' || isDecisionType(type);
}

/** Returns whether the block that an entry names agrees with the entry. */
export function fitsBlock(entry: StoredAuditEntry, payload: Payload): boolean {
  const rule = findRule(entry.action);
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

function matchHold(state: 'held' | 'released') {
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

/** A block of a case in confidence says only the number of its case, and each case has one number. */
function isOfCase(entry: StoredAuditEntry, payload: Payload): boolean {
  const decision: object = 'decision' in payload ? payload.decision : {};
  const caseNo: unknown = Object.getOwnPropertyDescriptor(decision, 'case_no')?.value;
  return entry.entity_type === 'case' && caseNo === entry.entity_id;
}
