// The shapes of a correction and of its answer (docs/interface/traceability.md#corrections).
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { BATCH_EVENTS_MAX, ChainInfoSchema, WarningSchema } from '../events/schema.ts';
import { optionalText, text } from '../http.ts';
import { LOG_PROOF_MEMBERS } from '../log/answers.ts';
import { NOTES_MAX, TEXT_MAX } from '../ledger/record/fields.ts';

export const REASON_MAX = 2_000;
export const CHANGES_MAX = 1_000;

/** A value as it is sent and answered; null when there is none. */
export type ChangeValue = string | number | null;

const VALUE_TYPES = ['string', 'number', 'null'];

export const ChangeSchema = Type.Object(
  {
    field: text(
      TEXT_MAX,
      'Such as `location` or `lines[0].quantity`; `lines.0.quantity` and `/lines/0/quantity` are ' +
        'the same. A bare `quantity` means the one line whose value is `old_value`.',
      'lines[0].quantity',
    ),
    old_value: Type.Optional(
      Type.Unsafe<ChangeValue>({
        type: VALUE_TYPES,
        // No value of an event is longer.
        maxLength: NOTES_MAX,
        pattern: TEXT_PATTERN,
        description: 'The value that counts now; absent or null when there is none',
        examples: [250.5],
      }),
    ),
    new_value: Type.Optional(
      Type.Unsafe<ChangeValue>({
        type: VALUE_TYPES,
        description: 'Obeys the rules of the field; absent or null takes an optional value away',
        examples: [240],
      }),
    ),
  },
  { additionalProperties: false, title: 'Change' },
);

const CORRECTION_EXAMPLE = {
  corrects_event_id: 17,
  reason: 'typing error at the dock',
  requested_by: 'Jane Miller',
  changes: [{ field: 'lines[0].quantity', old_value: 250.5, new_value: 240 }],
};

export const CorrectionSchema = Type.Object(
  {
    corrects_event_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of the earlier event',
      examples: [17],
    }),
    external_id: optionalText(
      TEXT_MAX,
      'Idempotency key, unique per tenant among its events and corrections',
      'wms-000018',
    ),
    reason: text(REASON_MAX, 'Why it was wrong; public', 'typing error at the dock'),
    requested_by: text(TEXT_MAX, 'Who asks for it; never public', 'Jane Miller'),
    changes: Type.Array(ChangeSchema, { minItems: 1, maxItems: CHANGES_MAX }),
  },
  {
    additionalProperties: false,
    title: 'Correction',
    examples: [CORRECTION_EXAMPLE],
  },
);

export type CorrectionInput = Static<typeof CorrectionSchema>;

/** Corrections of one batch, as of events. */
export const BATCH_CORRECTIONS_MAX = BATCH_EVENTS_MAX;

export const CorrectionBatchSchema = Type.Union(
  [
    Type.Object(
      {
        corrections: Type.Array(CorrectionSchema, {
          minItems: 1,
          maxItems: BATCH_CORRECTIONS_MAX,
        }),
      },
      { additionalProperties: false, title: 'CorrectionBatchObject' },
    ),
    Type.Array(CorrectionSchema, { minItems: 1, maxItems: BATCH_CORRECTIONS_MAX }),
  ],
  { title: 'CorrectionBatch', examples: [{ corrections: [CORRECTION_EXAMPLE] }] },
);

const answerValue = Type.Union([Type.String(), Type.Number(), Type.Null()]);

export const CorrectionAnswerSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The height of the correction’s block' }),
    external_id: Type.Optional(Type.String({ description: 'Present when one was sent' })),
    status: Type.String({ examples: ['accepted'] }),
    event_type: Type.String({ examples: ['CORRECTION'] }),
    corrects_event_id: Type.Integer(),
    corrects_block_height: Type.Integer(),
    corrects_block_hash: Type.String(),
    changes: Type.Array(
      Type.Object({
        field: Type.String({ description: 'In the one spelling of the chain' }),
        old_value: answerValue,
        new_value: answerValue,
      }),
    ),
    chain: ChainInfoSchema,
    ...LOG_PROOF_MEMBERS,
    warnings: Type.Optional(Type.Array(WarningSchema)),
  },
  { title: 'CorrectionAnswer' },
);

export type CorrectionAnswer = Static<typeof CorrectionAnswerSchema>;
