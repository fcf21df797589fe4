// The schemas of editing an open case: its texts, and the lots that people added and excluded.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { LimitQuery, nullableText, optionalText, text } from '../../http.ts';
import { CaseDetailSchema } from '../case-answers/detail-schema.ts';
import { CASE_TEXT_MAX, CaseWarnings, LotCodeBehind } from '../case/schema.ts';
import { CASE_REASON_MAX, CASE_TITLE_MAX } from '../case/text-limits.ts';
import { WORDING_INPUT } from '../case/wording-schema.ts';
import { SEVERITIES } from '../../terms.ts';
import { BY_HAND } from './queries.ts';

/** Lots that one edit adds and excludes, together. */
export const EDITED_LOTS_MAX = 10_000;

const Codes = (description: string, example: string) =>
  Type.Optional(
    Type.Array(text(CASE_TEXT_MAX, 'An own lot', example), {
      maxItems: EDITED_LOTS_MAX,
      description,
    }),
  );

export const ScopeEditSchema = Type.Object(
  {
    add: Codes(
      'Lots that the case is to cover, with what they lead to in its direction. One that it excludes ' +
        'is covered again.',
      'FLOUR-0712',
    ),
    exclude: Codes(
      'Lots that the case is not to cover, wherever they are traced. What was made of them stays, ' +
        'unless it is excluded, too.',
      'BREAD-0302',
    ),
    reason: text(CASE_REASON_MAX, 'Why; never public', 'BREAD-0302 was baked before the break'),
  },
  {
    title: 'ScopeEdit',
    description: `At most ${EDITED_LOTS_MAX} lots in both lists together, each once`,
  },
);

export const CaseEditSchema = Type.Object(
  {
    title: optionalText(CASE_TITLE_MAX, 'What the case is called; public', 'Metal in rye bread'),
    reason: optionalText(
      CASE_REASON_MAX,
      'Why the case was opened; public',
      'A broken sieve wire was found in the flour that went into it',
    ),
    ...WORDING_INPUT,
    severity: Type.Optional(Type.Enum([...SEVERITIES])),
    scope: Type.Optional(ScopeEditSchema),
    note: optionalText(CASE_REASON_MAX, 'Why; never public', 'The laboratory has answered'),
    changed_by: optionalText(CASE_TEXT_MAX, 'Who decided it; never public', 'Ada Miller'),
  },
  {
    title: 'CaseEdit',
    description:
      'At least one of `title`, `reason`, `language`, `translations`, `severity` and `scope`',
    examples: [
      {
        severity: 'class_i',
        scope: {
          add: ['FLOUR-0712'],
          exclude: ['BREAD-0302'],
          reason: 'BREAD-0302 was baked before the break',
        },
        changed_by: 'Ada Miller',
      },
    ],
  },
);

export type CaseEdit = Static<typeof CaseEditSchema>;

export const EditedCaseSchema = Type.Object(
  {
    ...CaseDetailSchema.properties,
    block_height: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Block that says it, the first one of several; null when nothing changed',
    }),
    block_hash: nullableText('Hash of that block'),
    warnings: CaseWarnings,
  },
  { title: 'EditedCase' },
);

export const LotsByHandQuerySchema = Type.Object({
  said: Type.Enum([...BY_HAND], { description: 'Lots that were added, or excluded' }),
  limit: LimitQuery,
  after: Type.Optional(LotCodeBehind),
});

export const LotsByHandSchema = Type.Object(
  {
    case_no: Type.String(),
    lots: Type.Array(
      Type.Object({
        lot_code: Type.String(),
        product_sku: Type.String(),
        since: Type.String({ description: 'When somebody said so last' }),
        block_height: Type.Integer({ description: 'Block that says it' }),
        block_hash: Type.String(),
      }),
      { description: 'As they were first recorded' },
    ),
    total: Type.Integer({ description: 'Lots on all pages' }),
    next: nullableText('Send it as `after` for the next page; null at the end'),
  },
  {
    title: 'LotsByHand',
    examples: [
      {
        case_no: 'RC-2026-0001',
        lots: [
          {
            lot_code: 'BREAD-0302',
            product_sku: 'RYE-750',
            since: '2026-03-04T10:12:08.031Z',
            block_height: 4731,
            block_hash: '0d4a8e3c1f0b7d9a6c2e4f8b1d3a5c7e9f0b2d4a6c8e0f1b3d5a7c9e1f3b5d5e',
          },
        ],
        total: 1,
        next: null,
      },
    ],
  },
);

export type LotsByHand = Static<typeof LotsByHandSchema>;
