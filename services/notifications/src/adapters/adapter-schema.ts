// Shapes of what adapters take and answer. What they take is each sender's own, and is described there.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import type { Adapter } from '../keys/key-prefix.ts';
import { POSTS_MAX } from './sender.ts';

export const TokenParams = Type.Object({
  token: Type.String({ description: 'The token of the adapter', examples: ['na_Zk3bQ9xT1a…'] }),
});

export const TokenIdParams = Type.Object({
  token: Type.String({
    description: 'Id of the token, with which the body is signed',
    examples: ['Zk3bQ9xT1a'],
  }),
});

export const AdapterAnswerSchema = Type.Object(
  {
    group_id: Type.String({ examples: ['grp_4hJ2kPq8sT1v'] }),
    posted: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Its position in the feed that streams send' }),
        seq: Type.Integer({ description: 'From 1 in its group, without gaps' }),
        replayed: Type.Boolean({ description: 'Posted by an earlier request, and not again' }),
      }),
      { description: `In the order of the request; at most ${POSTS_MAX}` },
    ),
  },
  { title: 'AdapterAnswer', description: 'All of the request is on disk' },
);
export type AdapterAnswer = Static<typeof AdapterAnswerSchema>;

/** A request as the sender's own documents describe it, with the least that is looked for. */
export const ADAPTER_BODIES = {
  alertmanager: alertsBody('Alertmanager'),
  grafana: alertsBody('Grafana'),
  github: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    title: 'GitHubWebhook',
    description: 'A payload of GitHub; `X-GitHub-Event` says which',
    examples: [{ action: 'opened', repository: { full_name: 'bakery/ovens' } }],
  }),
  cloudevents: Type.Unsafe<unknown>({
    type: ['object', 'array'],
    additionalProperties: true,
    title: 'CloudEvent',
    description: `A CloudEvent 1.0, or at most ${POSTS_MAX} of them; in binary mode its data`,
    examples: [{ specversion: '1.0', id: '1', source: '/ovens/3', type: 'com.example.hot' }],
  }),
  slack: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    title: 'SlackMessage',
    description: 'A message with `text`, `blocks` or `attachments`',
    examples: [{ text: 'Oven 3 is too hot' }],
  }),
} as const satisfies Readonly<Record<Adapter, unknown>>;

function alertsBody(name: string) {
  return Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    required: ['alerts'],
    title: `${name}Webhook`,
    description: `What ${name} sends to a webhook`,
    properties: {
      alerts: {
        type: 'array',
        minItems: 1,
        maxItems: POSTS_MAX,
        items: { type: 'object', additionalProperties: true, required: ['labels', 'status'] },
      },
    },
    examples: [
      {
        version: '4',
        status: 'firing',
        alerts: [{ status: 'firing', labels: { alertname: 'OvenTooHot', severity: 'critical' } }],
      },
    ],
  });
}
