// Shapes of one's own mail in requests and answers.
import { Type } from '@lothub/kit/json-schema';
import { SEVERITIES, type Severity } from '../store/post.ts';
import { RHYTHMS, type Rhythm } from './rhythm.ts';

const MAIL_STATUSES = ['off', 'on', 'disabled'] as const;
type MailStatus = (typeof MAIL_STATUSES)[number];

const minSeverity = Type.Unsafe<Severity>({
  type: 'string',
  enum: [...SEVERITIES],
  description: 'Notifications below it are not sent',
});
const rhythm = Type.Unsafe<Rhythm>({
  type: 'string',
  enum: [...RHYTHMS],
  description:
    '`at_once`: a mail for each notification, unless several are due together; `hourly`: one at full ' +
    'hours; `daily`: one at 07:00 in `time_zone`',
});

export const MailChangeSchema = Type.Object(
  { min_severity: minSeverity, rhythm },
  { title: 'MailChange', additionalProperties: false },
);
export interface MailChange {
  readonly min_severity: Severity;
  readonly rhythm: Rhythm;
}

export const MailSettingsSchema = Type.Object(
  {
    available: Type.Boolean({ description: 'Whether the operator has set a mail server' }),
    status: Type.Unsafe<MailStatus>({
      type: 'string',
      enum: [...MAIL_STATUSES],
      description: '`disabled`: the mail server refused the address again and again',
    }),
    disabled_reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why it is disabled; null otherwise',
    }),
    address: Type.String({
      description: "The account's e-mail",
      examples: ['anna@example.com'],
    }),
    min_severity: minSeverity,
    rhythm,
    time_zone: Type.String({
      description: "The person's own, of the IANA database; UTC without one",
      examples: ['Europe/Berlin'],
    }),
  },
  { title: 'MailSettings', description: 'How one is sent mail' },
);

const TEST_OUTCOMES = ['accepted', 'refused', 'failed'] as const;
type TestOutcome = (typeof TEST_OUTCOMES)[number];

export const MailTestSchema = Type.Object(
  {
    outcome: Type.Unsafe<TestOutcome>({
      type: 'string',
      enum: [...TEST_OUTCOMES],
      description:
        '`accepted`: the mail server has taken it; `refused`: it wants none for this address; ' +
        '`failed`: it could not be asked, or wants none now',
    }),
    detail: Type.String({ description: 'The same in a sentence' }),
  },
  { title: 'MailTest', description: 'What the mail server answered to a test mail' },
);
export interface MailTest {
  readonly outcome: TestOutcome;
  readonly detail: string;
}
