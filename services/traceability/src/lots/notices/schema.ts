// The shape of a recall notice, as the notices and the verification of a lot show it
// (docs/interface/traceability.md#notices).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { PRODUCT_PROFILE, PUBLIC_BRAND } from '../profiles/schema.ts';
import { nullableText } from '../../http.ts';
import { CASE_CHANGES, EDITED_FIELDS } from '../../ledger/record/decisions/contents.ts';
import { CASE_STATUSES, SEVERITIES } from '../../terms.ts';

/** A case has the number that it has in the database, after the year of its opening. */
const CASE_NO_PATTERN = '^RC-[0-9]{4}-[0-9]{4,15}$';

/** Where the next page of cases or notices begins. */
export const CaseNoBefore = Type.String({
  pattern: CASE_NO_PATTERN,
  description: 'Number of a case: `next` of the page before',
  examples: ['RC-2026-0001'],
});

export const EXAMPLE_NOTICE = {
  case_no: 'RC-2026-0001',
  title: 'Metal in rye bread',
  reason: 'A broken sieve wire was found in the flour that went into it',
  severity: 'class_ii' as const,
  status: 'notification' as const,
  brand: { id: 'bakery', name: 'Old Mill Bakery' },
  lot_code: 'FLOUR-0711',
  lot_codes: ['FLOUR-0711', 'BREAD-0302'],
  lots_total: 2,
  product_skus: ['FLOUR-T55', 'RYE-750'],
  products_total: 2,
  opened_at: '2026-03-04T08:00:12.507Z',
  updated_at: '2026-03-04T09:30:41.220Z',
  advice:
    'Do not use products of these lots: they may cause temporary harm; ask Old Mill Bakery ' +
    '(recall@bakery.example), or where you got them, how to return them.',
  verify_url: 'https://trace.example.com/public/verify/FLOUR-0711?brand=bakery',
};

/** The languages of a case's texts. */
export const WORDING_ANSWER = {
  language: Type.Optional(
    Type.String({
      description: 'Language tag of `title` and `reason`; absent while it is not set',
    }),
  ),
  translations: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        title: Type.Optional(Type.String()),
        reason: Type.Optional(Type.String()),
        advice: Type.Optional(
          Type.String({ description: 'What consumers should do, in the words of the brand' }),
        ),
      }),
      { description: 'Texts of the brand in other languages, by language tag; absent when none' },
    ),
  ),
};

const NOTICE = {
  case_no: Type.String(),
  title: Type.String(),
  reason: Type.String(),
  ...WORDING_ANSWER,
  severity: Type.Enum([...SEVERITIES]),
  status: Type.Enum([...CASE_STATUSES], { description: 'How far the case is' }),
  brand: PUBLIC_BRAND,
  lot_code: Type.String({
    description: 'The lot that the case was opened for; it may be a supplier’s',
  }),
  lot_codes: Type.Array(Type.String(), {
    description: 'The first of the lots that the case covers now',
  }),
  lots_total: Type.Integer({ description: 'How many lots the case covers now' }),
  product_skus: Type.Array(Type.String(), {
    description: 'Of the lots that the case covers, the first of them',
  }),
  products_total: Type.Integer({ description: 'How many SKUs these lots have' }),
  products: Type.Optional(
    Type.Array(Type.Object({ sku: PRODUCT_PROFILE.sku, names: PRODUCT_PROFILE.names }), {
      description:
        'Names from the profiles of those of `product_skus` that have one; absent when none has',
    }),
  ),
  opened_at: Type.String(),
  updated_at: Type.String({ description: 'When the case or its lots changed last' }),
  advice: Type.String({ description: 'What consumers should do, in one sentence' }),
  verify_url: nullableText(
    'Where the lot can be verified; null as long as nothing of a supplier’s lot came in',
  ),
};

export const NoticeSchema = Type.Object(NOTICE, { title: 'Notice', examples: [EXAMPLE_NOTICE] });

export type Notice = Static<typeof NoticeSchema>;

export const NoticePageSchema = Type.Object(
  {
    notices: Type.Array(NoticeSchema),
    next: nullableText('Send it as `before` for the next page; null at the end'),
  },
  { title: 'NoticePage', examples: [{ notices: [EXAMPLE_NOTICE], next: null }] },
);

export const NoticeDetailSchema = Type.Object(
  {
    ...NOTICE,
    lot_codes: Type.Array(Type.String(), {
      description: 'A page of the lots that the case covers now, as they were recorded',
    }),
    next: nullableText('Send it as `after` for the next page; null at the end'),
  },
  { title: 'NoticeDetail', examples: [{ ...EXAMPLE_NOTICE, next: null }] },
);

export type NoticeDetail = Static<typeof NoticeDetailSchema>;

/** Steps of a page, and of a page that does not say how many. */
export const HISTORY_MAX = 50;

/** The changes of an edit of a case. */
export const EDIT_MEMBERS = {
  changes: Type.Array(
    Type.Object({
      field: Type.Enum([...EDITED_FIELDS], {
        description: 'Of `wording`, `from` and `to` are JSON with `language` and `translations`',
      }),
      from: Type.String(),
      to: Type.String(),
    }),
    { description: 'Texts of the case that were changed' },
  ),
  lots_added: Type.Integer({ description: 'Lots added by hand' }),
  lots_excluded: Type.Integer({ description: 'Lots excluded by hand' }),
  lots_restored: Type.Integer({ description: 'Lots that are not excluded any more' }),
};

const STEP = {
  summary: Type.String({ description: 'The block in words, as the explorer has it' }),
  step: Type.Integer({ description: '1: the opening' }),
  part: Type.Integer({ description: 'A step of more than 1,000 lots has several blocks' }),
  parts: Type.Integer(),
  change: Type.Enum([...CASE_CHANGES]),
  status: Type.Enum([...CASE_STATUSES], { description: 'How far the case was from there on' }),
  title: Type.String(),
  severity: Type.Enum([...SEVERITIES]),
  lots_entered: Type.Integer({ description: 'Lots that came into the scope, in this block' }),
  lots_left: Type.Integer({ description: 'Lots that left it' }),
  edited: Type.Optional(
    Type.Object(EDIT_MEMBERS, {
      description: 'Of an edit: what this block says of it; absent of another step',
    }),
  ),
  migrated: Type.Boolean({ description: 'Sealed long after, with the time that was noted' }),
  at: Type.String({ description: 'When it was decided' }),
  recorded_at: Type.String({ description: 'When it was sealed' }),
  sealed_height: Type.Optional(
    Type.Integer({
      description: 'Block that committed to it in confidence, of a step that this block discloses',
    }),
  ),
  block_height: Type.Integer(),
  block_hash: Type.String(),
  proof_url: nullableText(
    'Proof that the block is in the public log, once it is signed; null when the hub keeps none',
  ),
};

export const NoticeHistorySchema = Type.Object(
  {
    case_no: Type.String(),
    brand: Type.Object({ id: Type.String() }),
    steps: Type.Array(Type.Object(STEP), { description: 'A block each, in their order' }),
    next: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Send it as `after` for the next page; null at the end',
    }),
  },
  { title: 'NoticeHistory' },
);

export type NoticeHistory = Static<typeof NoticeHistorySchema>;
