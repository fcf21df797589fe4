// Turns whatever a route throws into the answer of the interface document (section 7), and answers
// paths and methods that do not exist.
import { DatabaseError } from '@lothub/kit/database';
import { fieldErrorsOf } from '@lothub/kit/field-errors';
import type { FieldError, SchemaError } from '@lothub/kit/field-errors';
import { JsonBodyError } from '@lothub/kit/json-body';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FieldsRefusal, Refusal, STATUS_OF_DATABASE_ERROR, STATUS_OF_REFUSAL } from './errors.ts';
import type { App } from './http.ts';

/** When a caller that met a full queue or a full disk should come back. */
const RETRY_AFTER_SECONDS = 1;

interface ErrorAnswer {
  readonly status: number;
  readonly detail: string | readonly FieldError[];
}

export function installErrorAnswers(app: App): void {
  const routes: { readonly method: string; readonly path: RegExp }[] = [];
  app.addHook('onRoute', (route) => {
    // The preflight answer of cross-origin requests stands at every path and is no endpoint.
    if (route.url === '*') return;
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    for (const method of methods) routes.push({ method, path: pathPattern(route.url) });
  });

  app.setErrorHandler((error, request, reply) => {
    const answer = answerTo(error, request);
    if (answer.status >= 500) request.log.error({ err: error }, 'answering a request failed');
    if (answer.status === 503) void reply.header('Retry-After', RETRY_AFTER_SECONDS);
    return reply.code(answer.status).send({ detail: answer.detail });
  });

  app.setNotFoundHandler((request, reply: FastifyReply) => {
    const path = request.url.replace(/\?.*$/s, '');
    const allowed = [
      ...new Set(routes.filter((route) => route.path.test(path)).map((route) => route.method)),
    ];
    if (allowed.length === 0) {
      return reply.code(404).send({ detail: `There is nothing at this path: see /docs` });
    }
    return reply
      .code(STATUS_OF_REFUSAL.method_not_allowed)
      .header('Allow', allowed.join(', '))
      .send({ detail: `${request.method} is not allowed here: use ${allowed.join(', ')}` });
  });
}

/** A route's address as a pattern; parameters match one path segment, `*` the rest. */
function pathPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+').replace(/\*/g, '.*')}$`);
}

interface FastifyErrorLike {
  readonly code: string;
  readonly statusCode: number;
}

function answerTo(error: unknown, request: FastifyRequest): ErrorAnswer {
  if (error instanceof FieldsRefusal) return { status: 422, detail: error.fields };
  if (error instanceof Refusal) {
    return { status: STATUS_OF_REFUSAL[error.code], detail: error.message };
  }
  if (error instanceof JsonBodyError) {
    return { status: 422, detail: [{ loc: ['body'], msg: error.message, type: error.code }] };
  }
  if (error instanceof DatabaseError) {
    const status = STATUS_OF_DATABASE_ERROR[error.code];
    if (status === 503) {
      return { status, detail: `${sentence(error.message)}: nothing was stored, try again` };
    }
    return { status, detail: INTERNAL };
  }
  const validation = validationOf(error);
  if (validation !== undefined) {
    return { status: 422, detail: fieldErrorsOf(validation.errors, [validation.root]) };
  }
  return isFastifyError(error) ? fastifyAnswer(error, request) : { status: 500, detail: INTERNAL };
}

const INTERNAL = 'The request could not be answered; the log of the service says why';

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fastifyAnswer(error: FastifyErrorLike, request: FastifyRequest): ErrorAnswer {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': {
      const limit = request.routeOptions.bodyLimit;
      return {
        status: STATUS_OF_REFUSAL.body_too_large,
        detail: `The body is larger than ${limit} bytes`,
      };
    }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        status: STATUS_OF_REFUSAL.media_type_unsupported,
        detail: 'The media type is not understood: send application/json',
      };
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return {
        status: 422,
        detail: [{ loc: ['body'], msg: 'Body is not valid JSON', type: 'json_invalid' }],
      };
    case 'FST_ERR_BAD_URL':
      return { status: 400, detail: 'The address is not well-formed' };
    default:
      if (error.statusCode >= 400 && error.statusCode < 500) {
        return { status: error.statusCode, detail: 'The request is not well-formed' };
      }
      return { status: 500, detail: INTERNAL };
  }
}

const ROOT_OF_CONTEXT: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

function validationOf(
  error: unknown,
): { readonly errors: readonly SchemaError[]; readonly root: string } | undefined {
  if (typeof error !== 'object' || error === null || !('validation' in error)) return undefined;
  if (!Array.isArray(error.validation)) return undefined;
  const context =
    'validationContext' in error && typeof error.validationContext === 'string'
      ? error.validationContext
      : 'body';
  return {
    errors: error.validation as readonly SchemaError[],
    root: ROOT_OF_CONTEXT[context] ?? context,
  };
}

function isFastifyError(error: unknown): error is FastifyErrorLike {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'statusCode' in error &&
    typeof error.statusCode === 'number'
  );
}
