// What a stream is asked with, and how its answer is described.
import { Type } from '@lothub/kit/json-schema';

const PositionSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const StreamQuery = Type.Object(
  {
    after: Type.Optional({
      ...PositionSchema,
      description: '`id` of the event that was heard last; without it from now on',
    }),
  },
  { additionalProperties: false },
);

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional({
    ...PositionSchema,
    description: 'As `after`, and wins over it: what a browser sends when it comes back',
  }),
});

export const GroupStreamParams = Type.Object({
  group_id: Type.String({ examples: ['grp_4hJ2kPq8sT1v'] }),
});

export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

export const EventStream = {
  description:
    'Server-Sent Events: `state`, `reset`, `notification`, `read`, `ack`, `redacted`, `membership`, ' +
    '`group`, `beat`; see docs/notifications/guide.md',
  content: { 'text/event-stream': { schema: Type.String() } },
};
