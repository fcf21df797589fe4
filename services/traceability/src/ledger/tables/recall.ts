// The tables of recalls. The order of columns is that of the schema, which schema.test.ts compares.
import {
  integer,
  left,
  nullable,
  numbered,
  storedTable,
  text,
} from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';

export const RECALL_CASES = storedTable('recall_cases', ['case_id'], {
  case_id: integer(),
  /** Unique in the hub. */
  case_no: text(),
  tenant_no: integer(),
  seed_lot_code: text(),
  /** Null for a supplier's lot. */
  seed_lot_no: nullable(integer()),
  title: text(),
  reason: text(),
  severity: text(),
  direction: text(),
  auto_hold: integer<0 | 1>(),
  /** Private. */
  opened_by: text(),
  opened_at: text(),
  opened_height: integer(),
  opened_hash: text(),
  status: text(),
  updated_at: text(),
  notified_at: nullable(text()),
  ended_at: nullable(text()),
  revision: integer(),
  /** JSON (`ImpactSummary`). */
  snapshot: text(),
  /** The supplier of a supplier's lot; null: any supplier. */
  seed_supplier_name: nullable(text()),
  /** Number of its newest step; null: opened before steps were sealed. */
  step_no: nullable(integer()),
  /** 1: opened in confidence; nothing of it is public before `notified_at`. */
  confidential: integer<0 | 1>(),
  /** Canonical JSON (`CaseWording`): the language of the texts, and what they are in others. */
  wording: nullable(text()),
});

export const RECALL_MOVES = storedTable('recall_moves', ['case_id', 'move_no'], {
  case_id: integer(),
  move_no: integer(),
  from_status: nullable(text()),
  to_status: text(),
  moved_at: text(),
  moved_by: nullable(text()),
  note: nullable(text()),
  /** Height of the block; null: made before steps were sealed. */
  block_height: nullable(integer()),
});

export const RECALL_LOTS = storedTable('recall_lots', ['case_id', 'lot_no'], {
  case_id: integer(),
  lot_no: integer(),
  relation: text(),
  distance: integer(),
  both_ways: integer<0 | 1>(),
  in_snapshot: integer<0 | 1>(),
  entered_at: text(),
  entered_height: integer(),
  left_at: left(nullable(text())),
  left_height: left(nullable(integer())),
  /** The part of a step with which it entered first; null: the steps of its case are not sealed. */
  named_step: nullable(integer()),
  named_part: nullable(integer()),
});

/** The parts that name a lot of a case, except the first one, which is in the row of the lot. */
export const RECALL_LOTS_NAMED = storedTable(
  'recall_lots_named',
  ['case_id', 'lot_no', 'step_no', 'part'],
  {
    case_id: integer(),
    lot_no: integer(),
    step_no: integer(),
    part: integer(),
  },
);

/** The parts of steps in each block. */
export const RECALL_PARTS = storedTable('recall_parts', ['height', 'part'], {
  height: integer(),
  part: integer(),
  case_id: integer(),
  step_no: integer(),
  /** 1: about every lot of the case, as the opening, moves and edits are. */
  of_case: integer<0 | 1>(),
  /** 1: the block has only a commitment to the part. */
  confidential: integer<0 | 1>(),
  lots_entered: integer(),
  lots_left: integer(),
});
export type RecallPartRow = RowOf<typeof RECALL_PARTS>;

/** Lots that a person has added to a case or excluded from it. */
export const RECALL_LOTS_BY_HAND = storedTable('recall_lots_by_hand', ['case_id', 'lot_no'], {
  case_id: integer(),
  lot_no: integer(),
  /** `added` or `excluded`. */
  said: text(),
  said_at: text(),
  step_no: integer(),
  part: integer(),
});

export const RECALL_EDITS = storedTable('recall_edits', ['case_id', 'step_no'], {
  case_id: integer(),
  step_no: integer(),
  status: text(),
  edited_at: text(),
  edited_by: nullable(text()),
  note: nullable(text()),
  scope_reason: nullable(text()),
  /** JSON: what texts were changed, from what to what. */
  changes: text(),
  lots_added: integer(),
  lots_excluded: integer(),
  lots_restored: integer(),
  /** The first block of the step. */
  block_height: integer(),
});

/** One row: the height through which open cases have followed the chain. */
export const RECALL_PROGRESS = storedTable('recall_progress', ['id'], {
  id: integer<1>(),
  followed_height: integer(),
  widenings: integer(),
});

export const RECALL_NOTIFICATIONS = storedTable('recall_notifications', ['notification_id'], {
  notification_id: numbered(),
  case_id: integer(),
  audience: text(),
  recipient: nullable(text()),
  status: text(),
  created_at: text(),
  ready_at: nullable(text()),
  sent_at: left(nullable(text())),
  acknowledged_at: left(nullable(text())),
  resolved_at: left(nullable(text())),
  response: left(nullable(text())),
  /** The last block about its state; null: there is none. */
  response_height: left(nullable(integer())),
});

export const RECALL_DRILLS = storedTable('recall_drills', ['drill_id'], {
  /** The next one is one more than the greatest. */
  drill_id: integer(),
  tenant_no: integer(),
  lot_code: text(),
  drilled_at: text(),
  actor: text(),
  height: integer(),
  tip_hash: text(),
  elapsed_us: integer(),
  /** The result of the trace: JSON without private values. */
  result: text(),
  /** Its block; null: made before drills were sealed. */
  sealed_height: nullable(integer()),
});
