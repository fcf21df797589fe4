// Shapes of webhooks in requests and answers.
import { Type } from '@lothub/kit/json-schema';
import { idText } from '../../groups/group-schema.ts';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../formats/format.ts';
import { ACCESS_TOKEN_PATTERN } from '../formats/ntfy.ts';
import { SEVERITIES, type Severity } from '../../store/post.ts';
import { WEBHOOK_URL_MAX } from '@lothub/delivery/sending/webhook-url';

const groupId = idText('Id of the group', 'grp_4fJk2mQ8xT1z');
const webhookId = idText('Id of the webhook', 'whk_9sQ2mZ4kD7vB');
const name = nameText('What the webhook is called', 'Incident tool');
const url = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX,
  description: 'An https address of a public host, without user name, password and fragment',
  examples: ['https://hooks.example.com/lothub'],
});
const minSeverity = Type.Unsafe<Severity>({
  type: 'string',
  enum: [...SEVERITIES],
  description: 'Notifications below it are not sent',
});
const format = Type.Unsafe<WebhookFormat>({
  type: 'string',
  enum: [...WEBHOOK_FORMATS],
  description:
    'What is sent: `standard` as Standard Webhooks says, signed; `slack` and `ntfy` as these services ' +
    'take it, unsigned. It stays as it was made',
});
const accessToken = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: ACCESS_TOKEN_PATTERN,
    description,
    examples: ['tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'],
  });
export const instant = (description: string) =>
  Type.String({ description, examples: ['2026-01-02T03:04:05.678Z'] });
export const instantOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
/** What a try was answered. */
export const answered = {
  http_status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Of the answer; null when there was none',
  }),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why it failed, where the status does not say it',
  }),
};
export const tookMs = Type.Integer({ description: 'Until the answer, or until it failed' });
const signing = Type.String({
  description: 'What signs; shown this once',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

export const WebhookGroupParams = Type.Object({ group_id: groupId });
export const WebhookParams = Type.Object({ group_id: groupId, webhook_id: webhookId });

export const NewWebhookSchema = Type.Object(
  {
    name,
    url,
    min_severity: Type.Optional(minSeverity),
    format: Type.Optional(format),
    access_token: Type.Optional(accessToken('What an ntfy server asks for; of ntfy alone')),
  },
  { title: 'NewWebhook', additionalProperties: false },
);

export const WebhookChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    url: Type.Optional(url),
    min_severity: Type.Optional(minSeverity),
    access_token: Type.Optional(accessToken('Of ntfy alone; null: none any more')),
    status: Type.Optional(
      Type.Unsafe<'active' | 'paused'>({
        type: 'string',
        enum: ['active', 'paused'],
        description: '`active` also takes up one again that was disabled',
      }),
    ),
  },
  { title: 'WebhookChange', additionalProperties: false },
);

const webhook = {
  id: webhookId,
  group_id: groupId,
  name,
  url,
  min_severity: minSeverity,
  format,
  has_access_token: Type.Boolean({ description: 'Whether requests carry one; it is not shown' }),
  status: Type.Unsafe<'active' | 'paused' | 'disabled'>({
    type: 'string',
    enum: ['active', 'paused', 'disabled'],
    description: '`paused` by a person, `disabled` by what the receiver answered',
  }),
  disabled_reason: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  failures: Type.Integer({ description: 'Tries that failed in a row; 0 after each that succeeds' }),
  failing_since: instantOrNull('When the first of them did'),
  previous_secret_until: instantOrNull('Until when the secret before this one signs as well'),
  created_by: Type.String({ description: 'Id of the account' }),
  created_at: instant('When it was made'),
};

export const WebhookSchema = Type.Object(webhook, {
  title: 'Webhook',
  description: 'A webhook of a group',
});

export const CreatedWebhookSchema = Type.Object(
  {
    ...webhook,
    secret: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What signs, shown this once; null of a format that is not signed',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { title: 'CreatedWebhook', description: 'A webhook with its secret' },
);

export const WebhookListSchema = Type.Object(
  {
    items: Type.Array(WebhookSchema),
    next: Type.Null({ description: 'A group has few webhooks: there is one page' }),
  },
  { title: 'WebhookList' },
);

export const RotatedSecretSchema = Type.Object(
  {
    secret: signing,
    previous_secret_until: instant('Until when the secret before this one signs as well'),
  },
  { title: 'RotatedSecret' },
);

export const WebhookTestSchema = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the answer counts as taken' }),
    ...answered,
    body: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The first 1,000 characters of the answer; they are kept nowhere',
    }),
    took_ms: tookMs,
  },
  { title: 'WebhookTest', description: 'What came of a test' },
);
