// The shapes of posting (docs/interface/notifications.md#ingest): lengths in Unicode code points, as sent.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { VISIBLE_PATTERN } from '@lothub/kit/http/field-problems';
import { SENT_MEMBERS } from '../sent-members.ts';
import { SEVERITIES, type Severity } from '../store/post.ts';

export const COMMAND = 'notify';
export const SEVERITY_DEFAULT: Severity = 'info';
export const TITLE_CHARS_MAX = 120;
export const BODY_CHARS_MAX = 4_000;
/** Visible ASCII. */
export const IDEMPOTENCY_KEY_PATTERN = '^[\\x21-\\x7e]{1,255}$';

const CommandSchema = Type.Unsafe<typeof COMMAND>({ type: 'string', enum: [COMMAND] });
const SeveritySchema = Type.Unsafe<Severity>({ type: 'string', enum: [...SEVERITIES] });

export const IngestSchema = Type.Object(
  {
    command: Type.Optional({ ...CommandSchema, description: '`notify`, also when absent' }),
    title: Type.String({
      minLength: 1,
      maxLength: TITLE_CHARS_MAX,
      pattern: TEXT_PATTERN,
      allOf: [{ pattern: VISIBLE_PATTERN }],
      description: 'Counted in code points, as sent; something of it has to be visible',
    }),
    body: Type.Optional(
      Type.String({
        maxLength: BODY_CHARS_MAX,
        pattern: TEXT_PATTERN,
        description: 'Counted in code points, as sent; shown as text, never as markup',
      }),
    ),
    severity: Type.Optional({
      ...SeveritySchema,
      description: `\`${SEVERITY_DEFAULT}\` when absent`,
    }),
    ...SENT_MEMBERS,
  },
  {
    title: 'Ingest',
    additionalProperties: false,
    examples: [
      {
        command: 'notify',
        title: 'Cold room 2 is at 9.4 °C',
        body: 'The door has been open for eleven minutes.',
        severity: 'warning',
      },
      { title: 'Nightly backup finished' },
      {
        title: 'Oven 3 is too hot',
        severity: 'critical',
        url: 'https://monitoring.example.com/alerts/oven-3',
        dedup_key: 'oven-3',
        status: 'firing',
      },
    ],
  },
);
export type IngestBody = Static<typeof IngestSchema>;

export const IngestHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: IDEMPOTENCY_KEY_PATTERN,
      description:
        'Any text of your own. The same request within 24 hours with the same key is answered as ' +
        'the first was, and stores nothing',
      examples: ['backup-2026-03-02'],
    }),
  ),
});

export const IngestAnswerSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Its position in the feed that streams send; grows' }),
    group_id: Type.String(),
    seq: Type.Integer({ description: 'From 1 in its group, without gaps' }),
    command: CommandSchema,
    title: Type.String(),
    body: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    severity: SeveritySchema,
    ...SENT_MEMBERS,
    created_at: Type.String(),
  },
  {
    title: 'IngestAnswer',
    description: 'The notification is on disk',
    examples: [
      {
        id: 4211,
        group_id: 'grp_4hJ2kPq8sT1v',
        seq: 17,
        command: 'notify',
        title: 'Nightly backup finished',
        body: null,
        severity: 'info',
        created_at: '2026-03-02T07:15:00.000Z',
      },
    ],
  },
);
export type IngestAnswer = Static<typeof IngestAnswerSchema>;
