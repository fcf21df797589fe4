// POST /api/v1/ingest (docs/interface/notifications.md#order-of-checks). The order of its checks: route,
// method, key, rate, media type, size, parsing, shape, idempotency, commit.
import { findValidation } from '@lothub/kit/http/http-failures';
import { validatorAtFirstRequest } from '@lothub/kit/http/schemas/compilers';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import { toFieldProblems, type FieldProblem } from '@lothub/kit/http/field-problems';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import { fieldsProblem } from '../http-errors.ts';
import type { PresentedKey } from '../keys/key-lookup.ts';
import type { Clock } from '@lothub/kit/clock';
import { sentProblems } from '../sent-members.ts';
import {
  IDEMPOTENCY_KEY_PATTERN,
  IngestAnswerSchema,
  IngestHeaders,
  IngestSchema,
} from './ingest-schema.ts';
import type { Ingest } from './ingest.ts';
import { postingGate, type PostingGateOptions } from './posting-gate.ts';

const IDEMPOTENCY_HEADER = 'idempotency-key';
const IDEMPOTENCY_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

export interface IngestDeps extends PostingGateOptions {
  readonly ingest: Pick<Ingest, 'post'>;
  readonly clock: Clock;
}

export function ingestRoutes(app: App, deps: IngestDeps): void {
  const { ingest, clock } = deps;
  app.decorateRequest('postingKey', null);
  app.decorateRequest('postingWaitedMs', 0);
  app.post(
    `${API_PREFIX}/ingest`,
    {
      onRequest: postingGate(deps),
      attachValidation: true,
      validatorCompiler: compileBodySchema,
      schema: {
        tags: ['Posting'],
        operationId: 'postNotification',
        summary: 'Post a notification into the group of the key',
        description:
          'Answered once the notification is on disk. Send an `Idempotency-Key` to be able to repeat ' +
          'a request whose answer was lost.',
        security: [{ GroupKey: [] }],
        headers: IngestHeaders,
        body: IngestSchema,
        response: {
          201: IngestAnswerSchema,
          ...problemAnswers(
            'json_invalid',
            'text_not_utf8',
            'api_key_missing',
            'api_key_invalid',
            'api_key_expired',
            'api_key_revoked',
            'wrong_scope',
            'group_paused',
            'idempotency_in_flight',
            'body_too_large',
            'media_type_unsupported',
            'fields_invalid',
            'idempotency_mismatch',
            'rate_limited',
            'internal',
            'unavailable',
            'outcome_unknown',
          ),
        },
      },
    },
    async (request, reply) => {
      const key = getPostingKey(request);
      const idempotencyKey = joinHeader(request.headers[IDEMPOTENCY_HEADER]);
      const problems = [
        ...bodyProblems(request.validationError),
        ...sentProblems(request.body),
        ...idempotencyKeyProblems(idempotencyKey),
      ];
      if (problems.length > 0) throw fieldsProblem(problems);
      const { answer, isReplay } = await ingest.post({
        groupId: key.groupId,
        content: request.body,
        sender: { kind: 'key', keyId: key.id, touch: key.touch(clock.nowMs()) },
        idempotencyKey,
        waitedMs: request.postingWaitedMs,
      });
      if (isReplay) void reply.header('Idempotent-Replayed', 'true');
      return await reply
        .code(201)
        .header('Location', `${API_PREFIX}/groups/${answer.group_id}/notifications/${answer.seq}`)
        .send(answer);
    },
  );
}

/** Headers are described by their schema and judged by the handler, which reports all wrong fields together. */
const compileBodySchema: FastifySchemaCompiler<FastifySchema> = (part) =>
  part.httpPart === 'headers' ? () => true : validatorAtFirstRequest(part);

function getPostingKey({ postingKey }: { readonly postingKey: PresentedKey | null }): PresentedKey {
  if (postingKey === null) throw new Error('a post came past its gate');
  return postingKey;
}

function bodyProblems(error: unknown): readonly FieldProblem[] {
  if (error === undefined) return [];
  const validation = findValidation(error);
  if (validation === undefined) throw new Error('a body could not be judged', { cause: error });
  return toFieldProblems(validation.errors, validation.part);
}

function idempotencyKeyProblems(key: string | undefined): readonly FieldProblem[] {
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return [];
  const pointer = `header:${IDEMPOTENCY_HEADER}`;
  return [{ pointer, code: 'wrong_form', limit: null, actual: null }];
}

/** Node joins several headers of one name with a comma and a space. */
function joinHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}
