// Shapes of webhooks in requests and answers.
import { Type } from '@lothub/kit/json-schema';
import { idText } from '../../groups/group-schema.ts';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { SEVERITIES } from '../../store/post.ts';
import type { Severity } from '../../store/post.ts';
import { WEBHOOK_URL_MAX } from '@lothub/webhooks/sending/webhook-url';

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
const instant = (description: string) =>
  Type.String({ description, examples: ['2026-01-02T03:04:05.678Z'] });
const instantOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const secret = Type.String({
  description: 'What signs; shown this once',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

export const WebhookGroupParams = Type.Object({ group_id: groupId });
export const WebhookParams = Type.Object({ group_id: groupId, webhook_id: webhookId });

export const NewWebhookSchema = Type.Object(
  { name, url, min_severity: Type.Optional(minSeverity) },
  { title: 'NewWebhook', additionalProperties: false },
);

export const WebhookChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    url: Type.Optional(url),
    min_severity: Type.Optional(minSeverity),
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
  { ...webhook, secret },
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
    secret,
    previous_secret_until: instant('Until when the secret before this one signs as well'),
  },
  { title: 'RotatedSecret' },
);
