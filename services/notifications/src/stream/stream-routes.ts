// Streams over HTTP: GET stream and GET groups/{group_id}/stream, as Server-Sent Events.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPerson } from '../access/gate.ts';
import { TOKEN_READ_PROBLEMS } from '../access/gate-problems.ts';
import { Problem } from '../errors.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import type { StreamHub } from './hub.ts';
import { Type } from '@lothub/kit/json-schema';

const PositionSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const StreamQuery = Type.Object(
  {
    after: Type.Optional({
      ...PositionSchema,
      description: '`id` of the event that was heard last; without it from now on',
    }),
  },
  { additionalProperties: false },
);

const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional({
    ...PositionSchema,
    description: 'As `after`, and wins over it: what a browser sends when it comes back',
  }),
});

const GroupStreamParams = Type.Object({
  group_id: Type.String({ examples: ['grp_4hJ2kPq8sT1v'] }),
});

const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

const EventStream = {
  description:
    'Server-Sent Events: `state`, `reset`, `notification`, `read`, `ack`, `redacted`, `membership`, ' +
    '`group`, `beat`; see docs/notifications/guide.md',
  content: { 'text/event-stream': { schema: Type.String() } },
};

const TAGS = ['Reading'];
const DESCRIPTION =
  'It begins with `state`: how far the groups are and what is unread. With a cursor everything ' +
  'behind it follows, once and in order, and then what comes. `reset` says that retention has ' +
  'deleted some of it. Every `beat_ms` of the first `state` a comment and an event `beat` show ' +
  'that the connection is open. Skip events that you do not know.';

const HEADERS = {
  'Content-Type': EVENT_STREAM_TYPE,
  'Cache-Control': 'no-store',
  // Otherwise nginx keeps events back until a buffer is full.
  'X-Accel-Buffering': 'no',
};

export function streamRoutes(app: App, { hub }: { readonly hub: StreamHub }): void {
  app.get(
    `${API_PREFIX}/stream`,
    {
      exposeHeadRoute: false,
      schema: {
        tags: TAGS,
        operationId: 'streamAll',
        summary: 'Everything of your groups as it comes',
        description: DESCRIPTION,
        querystring: StreamQuery,
        headers: StreamHeaders,
        response: { 200: EventStream, ...problemAnswers(...TOKEN_READ_PROBLEMS) },
      },
    },
    async (request, reply) => {
      const cursor = request.headers['last-event-id'] ?? request.query.after;
      await answer(hub, { request, reply, only: undefined, cursor });
    },
  );

  app.get(
    `${API_PREFIX}/groups/:group_id/stream`,
    {
      exposeHeadRoute: false,
      schema: {
        tags: TAGS,
        operationId: 'streamGroup',
        summary: 'Everything of one group as it comes',
        description: `${DESCRIPTION} It ends when you leave the group.`,
        params: GroupStreamParams,
        querystring: StreamQuery,
        headers: StreamHeaders,
        response: { 200: EventStream, ...problemAnswers(...TOKEN_READ_PROBLEMS, 'not_found') },
      },
    },
    async (request, reply) => {
      const cursor = request.headers['last-event-id'] ?? request.query.after;
      await answer(hub, { request, reply, only: request.params.group_id, cursor });
    },
  );
}

async function answer(
  hub: StreamHub,
  {
    request,
    reply,
    only,
    cursor,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly only: string | undefined;
    readonly cursor: number | undefined;
  },
): Promise<void> {
  const { raw } = reply;
  const { socket } = raw;
  // Sent behind another request that is not answered yet, on the same connection.
  if (socket === null) throw new Problem('conflict', 'A stream needs a connection of its own');
  const receivedMs = performance.now() - reply.elapsedTime;
  const person = getPerson(request);
  const opened = await hub.open({ socket, person, receivedMs, only, cursor });
  reply.hijack();
  // The body lasts as long as the connection: without chunks, frames need no copy of their own.
  raw.useChunkedEncodingByDefault = false;
  raw.shouldKeepAlive = false;
  socket.cork();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, HEADERS).flushHeaders();
  hub.begin(opened);
  socket.uncork();
}
