// The shapes of recall cases: how one is opened and moved, its record, the list
// (docs/interface/traceability.md#cases).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { WarningSchema } from '../../events/schema.ts';
import { LimitQuery, OffsetQuery, nullableText, optionalText, text } from '../../http.ts';
import { LOT_STATE_SCHEMAS, RelationSchema } from '../../lots/lot-schema.ts';
import { CaseNoBefore, EDIT_MEMBERS, WORDING_ANSWER } from '../../lots/notices/schema.ts';
import {
  CASE_STATUSES,
  LOT_TYPES,
  RECALL_DIRECTIONS,
  SEVERITIES,
  UNCLASSIFIED,
} from '../../terms.ts';
import { DirectionRequestSchema } from '../direction.ts';
import { SupplierNameSchema } from '../supplier-name.ts';
import { CASE_REASON_MAX, CASE_TITLE_MAX } from './text-limits.ts';
import { WORDING_INPUT } from './wording-schema.ts';

/** Characters of a name or a lot code. */
export const CASE_TEXT_MAX = 200;

export const CaseRequestSchema = Type.Object(
  {
    seed_lot_code: text(
      CASE_TEXT_MAX,
      'An own lot, or a supplier’s when there is no own lot of this code',
      'FLOUR-0711',
    ),
    supplier_name: SupplierNameSchema,
    title: text(CASE_TITLE_MAX, 'What the case is called; public', 'Metal in rye bread'),
    reason: text(
      CASE_REASON_MAX,
      'Why the case is opened; public',
      'A broken sieve wire was found in the flour that went into it',
    ),
    ...WORDING_INPUT,
    severity: Type.Optional(Type.Enum([...SEVERITIES], { default: UNCLASSIFIED })),
    direction: DirectionRequestSchema,
    opened_by: text(CASE_TEXT_MAX, 'Who opens the case; never public', 'Ada Miller'),
    auto_hold: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Put every lot of the case on hold, also those that it covers later',
      }),
    ),
    confidential: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Nothing of the case or its holds is public before it moves to `notification`, which ' +
          'discloses what its blocks committed to',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'CaseRequest',
    examples: [
      {
        seed_lot_code: 'FLOUR-0711',
        title: 'Metal in rye bread',
        reason: 'A broken sieve wire was found in the flour that went into it',
        severity: 'class_ii',
        direction: 'both',
        opened_by: 'Ada Miller',
        auto_hold: true,
        confidential: false,
      },
    ],
  },
);

export type CaseRequest = Static<typeof CaseRequestSchema>;

export const CaseMoveSchema = Type.Object(
  {
    status: Type.Enum([...CASE_STATUSES], {
      description: 'One step forward, or `cancelled` from a state that is open',
    }),
    note: optionalText(CASE_REASON_MAX, 'Why; never public', 'Retailers have been called'),
    changed_by: optionalText(CASE_TEXT_MAX, 'Who decided it; never public', 'Ada Miller'),
    release_holds: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'With `closed`: end the holds of the case. Cancelling always ends them.',
      }),
    ),
  },
  {
    title: 'CaseMove',
    examples: [
      { status: 'notification', note: 'Retailers have been called', changed_by: 'Ada Miller' },
    ],
  },
);

export const CaseListQuerySchema = Type.Object({
  status: Type.Optional(Type.Enum([...CASE_STATUSES])),
  severity: Type.Optional(Type.Enum([...SEVERITIES])),
  open: Type.Optional(
    Type.Boolean({ description: 'Only cases that are open, or only those that have ended' }),
  ),
  seed_lot_code: Type.Optional(
    text(CASE_TEXT_MAX, 'Only cases that were opened for this lot', 'FLOUR-0711'),
  ),
  limit: LimitQuery,
  offset: OffsetQuery,
  before: Type.Optional(CaseNoBefore),
});

const EXAMPLE_RECORD = {
  case_no: 'RC-2026-0001',
  seed_lot_code: 'FLOUR-0711',
  seed_type: 'lot',
  seed_supplier_name: null,
  title: 'Metal in rye bread',
  reason: 'A broken sieve wire was found in the flour that went into it',
  severity: 'class_ii',
  direction: 'both',
  auto_hold: true,
  confidential: false,
  status: 'notification',
  next_statuses: ['containment', 'cancelled'],
  opened_by: 'Ada Miller',
  opened_at: '2026-03-04T08:00:12.507Z',
  opened_chain: {
    height: 4711,
    tip_hash: 'a5463728190817263544536271809f0e1d2c3b4a5968778695f4e1c2a3f6b0d7',
  },
  updated_at: '2026-03-04T09:30:41.220Z',
  notified_at: '2026-03-04T09:30:41.220Z',
  ended_at: null,
};

const RECORD = {
  case_no: Type.String({ description: 'Unique in the hub' }),
  seed_lot_code: Type.String(),
  seed_type: Type.Enum([...LOT_TYPES], {
    description: 'An own lot, or what came in under a supplier’s lot code',
  }),
  seed_supplier_name: nullableText('Whose lot it is, of a supplier’s lot'),
  title: Type.String(),
  reason: Type.String(),
  ...WORDING_ANSWER,
  severity: Type.Enum([...SEVERITIES]),
  direction: Type.Enum([...RECALL_DIRECTIONS]),
  auto_hold: Type.Boolean(),
  confidential: Type.Boolean({
    description: 'Opened in confidence: nothing of it is public before `notified_at`',
  }),
  status: Type.Enum([...CASE_STATUSES]),
  next_statuses: Type.Array(Type.Enum([...CASE_STATUSES]), {
    description: 'Where the case may move from here; empty when it has ended',
  }),
  opened_by: Type.String(),
  opened_at: Type.String(),
  opened_chain: Type.Object(
    { height: Type.Integer(), tip_hash: Type.String() },
    { description: 'The newest block when the impact was computed' },
  ),
  updated_at: Type.String({ description: 'When the case or its lots changed last' }),
  notified_at: nullableText('When it reached `notification`'),
  ended_at: nullableText('When it was closed or cancelled'),
};

export type CaseRecord = Static<typeof CaseRecordSchema>;
export const CaseRecordSchema = Type.Object(RECORD, {
  title: 'Case',
  examples: [EXAMPLE_RECORD],
});

const EditedSchema = Type.Object(
  {
    ...EDIT_MEMBERS,
    scope_reason: nullableText('Why lots were added or excluded'),
  },
  { description: 'Of an edit: what it changed; absent of the opening and of a move' },
);

const TimelineSchema = Type.Array(
  Type.Object({
    from_status: nullableText('Null: the opening. Of an edit the same as `status`.'),
    status: Type.Enum([...CASE_STATUSES]),
    at: Type.String(),
    by: nullableText('The person that was declared'),
    note: nullableText('What was noted with the move'),
    block_height: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Block that says so, the first one of several; null as long as none does',
    }),
    block_hash: nullableText('Hash of that block'),
    edited: Type.Optional(EditedSchema),
  }),
  { description: 'The opening, every move and the newest 100 edits, in their order' },
);

/** A case with its opening, its moves and its edits. */
export const CASE_WITH_TIMELINE = {
  ...RECORD,
  timeline: TimelineSchema,
  edits_total: Type.Integer({
    description: 'Edits of the case; those that `timeline` leaves out are in its public history',
  }),
};

/** The warnings of an opening or a move. */
export const CaseWarnings = Type.Optional(Type.Array(WarningSchema));

export const MovedCaseSchema = Type.Object(
  { ...CASE_WITH_TIMELINE, warnings: CaseWarnings },
  { title: 'MovedCase' },
);

export type MovedCase = Static<typeof MovedCaseSchema>;

export const CaseListSchema = Type.Object(
  {
    cases: Type.Array(CaseRecordSchema),
    total: Type.Integer({ description: 'Cases that match, on all pages' }),
    total_is_exact: Type.Optional(
      Type.Literal(false, { description: 'There are more than `total`; absent when it is exact' }),
    ),
    limit: Type.Integer(),
    offset: Type.Integer(),
    next: nullableText('Send it as `before` for the next page; null at the end'),
  },
  {
    title: 'CaseList',
    examples: [{ cases: [EXAMPLE_RECORD], total: 1, limit: 50, offset: 0, next: null }],
  },
);

export type CaseList = Static<typeof CaseListSchema>;

/** The last lot of a page of lots of a case. */
export const LotCodeBehind = Type.String({
  minLength: 1,
  maxLength: CASE_TEXT_MAX,
  pattern: TEXT_PATTERN,
  description: 'A lot code: `next` of the page before',
  examples: ['FLOUR-0711'],
});

export const CaseLotsQuerySchema = Type.Object({
  which: Type.Optional(
    Type.Enum(['covered', 'left', 'all'], {
      default: 'all',
      description: 'Lots that the case covers now, lots that it covered once, or both',
    }),
  ),
  limit: LimitQuery,
  after: Type.Optional(LotCodeBehind),
});

export const CaseLotSchema = Type.Object(
  {
    lot_code: Type.String(),
    product_sku: Type.String(),
    relation: RelationSchema,
    distance: Type.Integer({ description: 'Hops from the lot that the case was opened for' }),
    in_snapshot: Type.Boolean({ description: 'It was in the impact when the case was opened' }),
    entered_at: Type.String(),
    left_at: nullableText('When a correction took it out of the impact'),
    ...LOT_STATE_SCHEMAS,
  },
  { title: 'CaseLot' },
);

export const CaseLotsSchema = Type.Object(
  {
    case_no: Type.String(),
    lots: Type.Array(CaseLotSchema, { description: 'As they were first recorded' }),
    covered: Type.Integer({ description: 'Lots that the case covers now' }),
    left: Type.Integer({ description: 'Lots that it covered once' }),
    next: nullableText('Send it as `after` for the next page; null at the end'),
  },
  {
    title: 'CaseLots',
    examples: [
      {
        case_no: 'RC-2026-0001',
        lots: [
          {
            lot_code: 'BREAD-0302',
            product_sku: 'RYE-750',
            relation: 'downstream',
            distance: 1,
            in_snapshot: true,
            entered_at: '2026-03-04T08:00:12.507Z',
            left_at: null,
            status: 'recalled',
            hold_status: 'on_hold',
          },
        ],
        covered: 1,
        left: 0,
        next: null,
      },
    ],
  },
);

export type CaseLots = Static<typeof CaseLotsSchema>;
