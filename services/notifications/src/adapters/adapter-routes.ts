// POST /api/v1/ingest/{adapter}: senders post in their own form, with a token made for the adapter. The order
// of checks is that of /api/v1/ingest; what cannot be read before the body is there, such as a signature, is
// judged behind it and before anything is parsed.
import type { Clock } from '@lothub/kit/clock';
import { Type } from '@lothub/kit/json-schema';
import { readJsonBody } from '@lothub/kit/http/json-body';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { ProblemCode } from '../errors.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { ADAPTERS, SIGNING_ADAPTER, type Adapter } from '../keys/key-prefix.ts';
import { assertPlainBody, parseMediaType, unsupported } from '../media-type.ts';
import {
  ADAPTER_BODIES,
  AdapterAnswerSchema,
  TokenIdParams,
  TokenParams,
} from './adapter-schema.ts';
import { authenticate, type AdapterGateOptions, type Admission } from './authentication.ts';
import { postAll } from './post-all.ts';
import { fieldProblem, shapeProblem } from './sender.ts';
import type { BodyForm, Sender, SenderRequest } from './sender.ts';
import { SENDERS } from './senders/senders.ts';

/** A hundred alerts with all their labels; GitHub's own limit is higher, its usual payload 30 kB. */
export const ADAPTER_BODY_BYTES_MAX = 1_048_576;
/** The part of a form that holds the JSON. */
const FORM_FIELD = 'payload';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the gate of an adapter found; null anywhere else. */
    adapterRequest: AdapterRequest | null;
  }
}

interface AdapterRequest {
  readonly admission: Admission;
  readonly mediaType: string | undefined;
  readonly form: BodyForm;
  /** How long the gate took, in milliseconds. */
  readonly waitedMs: number;
}

export interface AdapterDeps extends AdapterGateOptions {
  readonly ingest: Pick<Ingest, 'post'>;
  readonly clock: Clock;
}

/** On a scope of its own: bodies of these routes come as bytes. */
export function adapterRoutes(app: App, deps: AdapterDeps): void {
  app.decorateRequest('adapterRequest', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const adapter of ADAPTERS) {
    addRoute(app, deps, { adapter, at: 'adapter' });
    addRoute(app, deps, { adapter, at: 'token' });
  }
}

const PROBLEMS_OF_POST: readonly ProblemCode[] = [
  'json_invalid',
  'text_not_utf8',
  'adapter_token_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'wrong_scope',
  'group_paused',
  'body_too_large',
  'media_type_unsupported',
  'fields_invalid',
  'rate_limited',
  'internal',
  'unavailable',
  'outcome_unknown',
];

function addRoute(
  app: App,
  deps: AdapterDeps,
  { adapter, at }: { readonly adapter: Adapter; readonly at: 'adapter' | 'token' },
): void {
  const sender = SENDERS[adapter];
  const isSigned = adapter === SIGNING_ADAPTER;
  const params: TObject | undefined = isSigned ? TokenIdParams : TokenParams;
  const path = `${API_PREFIX}/ingest/${adapter}`;
  app.post(
    at === 'token' ? `${path}/:token` : path,
    {
      bodyLimit: ADAPTER_BODY_BYTES_MAX,
      onRequest: gate(deps, sender),
      // The sender's own rules judge a body, and say what they looked for.
      validatorCompiler: () => () => true,
      schema: {
        tags: ['Senders'],
        operationId: `postFrom${sender.name}${at === 'token' ? 'ByPath' : ''}`,
        summary: buildSummary(sender, at),
        description:
          'Answered once every notification of the request is on disk. The token was made for this ' +
          'adapter (`POST /api/v1/groups/{group_id}/keys` with `adapter`), and posts by no other.',
        security: chooseSecurity(isSigned, at),
        ...(at === 'token' ? { params } : {}),
        consumes: [...sender.mediaTypes],
        body: ADAPTER_BODIES[adapter],
        response: {
          200: buildAnswerSchema(sender),
          ...problemAnswers(
            ...PROBLEMS_OF_POST,
            ...(isSigned ? ['signature_invalid' as const] : []),
          ),
        },
      },
    },
    async (request, reply) => await answer(deps, sender, { request, reply }),
  );
}

function buildAnswerSchema({ answerText }: Sender) {
  if (answerText === undefined) return AdapterAnswerSchema;
  const schema = Type.String({ examples: [answerText] });
  return { description: 'It is on disk', content: { 'text/plain': { schema } } };
}

function buildSummary({ adapter, name }: Sender, at: 'adapter' | 'token'): string {
  if (adapter === SIGNING_ADAPTER) {
    return at === 'token'
      ? `As ${name} posts it, signed with the token whose id is in the path`
      : `As ${name} posts it; refused, because the id of the token is missing in the path`;
  }
  return at === 'token'
    ? `As ${name} posts it, with the token in the path`
    : `As ${name} posts it, with the token in the header`;
}

function chooseSecurity(isSigned: boolean, at: 'adapter' | 'token') {
  if (isSigned) return [{ BodySignature: [] }];
  return at === 'token' ? [] : [{ AdapterToken: [] }, { AdapterPassword: [] }];
}

function gate(deps: AdapterDeps, sender: Sender) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const startedMs = performance.now();
    const { token: pathPart } = request.params as { readonly token?: string };
    const admission = await authenticate(deps, { request, reply, pathPart }, sender.adapter);
    const text = request.headers['content-type'];
    const mediaType = text === undefined ? undefined : parseMediaType(text, sender.mediaAdvice);
    const form = sender.chooseBodyForm({ headers: request.headers, mediaType });
    if (form === undefined) throw unsupported(sender.mediaAdvice);
    assertPlainBody(request);
    const waitedMs = performance.now() - startedMs;
    request.adapterRequest = { admission, mediaType, form, waitedMs };
  };
}

async function answer(
  { ingest, clock }: AdapterDeps,
  sender: Sender,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  if (request.adapterRequest === null) throw new Error('a request came past its gate');
  const { admission, mediaType, form, waitedMs } = request.adapterRequest;
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const key = await admission(bytes);
  const json = await readJson(bytes, form);
  const posts = sender.readPosts({ headers: request.headers, mediaType, bytes, json });
  const posted = await postAll(ingest, posts, {
    groupId: key.groupId,
    sender: { kind: 'key', keyId: key.id, touch: key.touch(clock.nowMs()) },
    waitedMs,
  });
  if (sender.answerText !== undefined)
    return await reply.type('text/plain').send(sender.answerText);
  return await reply.send({ group_id: key.groupId, posted });
}

/** @throws JsonBodyError; Problem `fields_invalid` for a form without payload */
async function readJson(bytes: Buffer, form: BodyForm): Promise<SenderRequest['json']> {
  switch (form) {
    case 'json':
      return await readJsonBody(bytes);
    case 'bytes':
      return undefined;
    case 'form': {
      const payload = new URLSearchParams(bytes.toString('utf8')).get(FORM_FIELD);
      if (payload !== null) return await readJsonBody(Buffer.from(payload));
      throw shapeProblem(
        `A form with the JSON as \`${FORM_FIELD}\` was looked for`,
        fieldProblem(`/${FORM_FIELD}`, 'required'),
      );
    }
  }
}
