// Turns whatever a route throws into the answer of docs/interface/traceability.md#refusals, and answers
// paths and methods that do not exist.
import { DatabaseError } from '@lothub/kit/database';
import { toFieldErrors, type FieldError } from '@lothub/kit/http/field-errors';
import {
  KnownPaths,
  answerOnSocket,
  findValidation,
  isFastifyError,
} from '@lothub/kit/http/http-failures';
import type { FastifyErrorLike } from '@lothub/kit/http/http-failures';
import { JsonBodyError } from '@lothub/kit/http/json-body-error';
import { answerUnread, discardUnreadBodies } from '@lothub/kit/http/unread-body';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { noteRefusalForLoad } from '@lothub/people/errors';
import { FieldsRefusal, Refusal, STATUS_OF_DATABASE_ERROR, STATUS_OF_REFUSAL } from './errors.ts';
import type { RefusalFacts } from './errors.ts';
import type { App } from './http.ts';
import { TreeReadError } from './ledger/log/tiles/tile-contents.ts';
import { LOG_DIFFERS } from './log/public-log.ts';
import { answerWithErrorPage, isForPerson, type HubFrame } from './web/error-page.ts';

/** When a caller that met a full queue or a full disk should come back. */
const RETRY_AFTER_SECONDS = 1;
/** When it is worth a look whether an operator has seen to the clock. */
const RETRY_AFTER_CLOCK_SECONDS = 60;

interface ErrorAnswer extends RefusalFacts {
  readonly status: number;
  readonly detail: string | readonly FieldError[];
}

export type NotFoundAnswer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * @param frame of the pages that people get; without one everybody gets JSON
 * @returns the answer to paths and methods that do not exist, for scopes with hooks of their own
 */
export function installErrorAnswers(
  app: App,
  frame?: HubFrame,
): { readonly answerNotFound: NotFoundAnswer } {
  const known = KnownPaths.of(app);
  discardUnreadBodies(app);

  app.setErrorHandler((error, request, reply) => {
    const answer = answerTo(error, request);
    // A refusal is not a failure: the code that refuses logs what an operator should know.
    const isOfClock = error instanceof DatabaseError && error.code === 'clock_untrusted';
    const isForLoad = noteRefusalForLoad(error, request.log);
    if (!isForLoad && answer.status >= 500 && !(error instanceof Refusal) && !isOfClock) {
      request.log.error({ err: error }, 'answering a request failed');
    }
    if (answer.status === 503 && !reply.hasHeader('Retry-After')) {
      const seconds = isOfClock ? RETRY_AFTER_CLOCK_SECONDS : RETRY_AFTER_SECONDS;
      void reply.header('Retry-After', seconds);
    }
    const { status, ...body } = answer;
    if (frame !== undefined && isForPerson(request, reply, 'json')) {
      return reply.send(answerWithErrorPage(request, reply, { status, frame }));
    }
    return reply.code(status).send(body);
  });

  const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allowed = known.methodsAt(request.url);
    if (frame !== undefined && isForPerson(request, reply, 'json')) {
      const status = allowed.length === 0 ? 404 : STATUS_OF_REFUSAL.method_not_allowed;
      if (allowed.length > 0) void reply.header('Allow', allowed.join(', '));
      const failure = { status, isUnknownPath: true, frame };
      return reply.send(answerWithErrorPage(request, reply, failure));
    }
    if (allowed.length === 0) {
      return reply.code(404).send({ detail: `There is nothing at this path: see /docs` });
    }
    return reply
      .code(STATUS_OF_REFUSAL.method_not_allowed)
      .header('Allow', allowed.join(', '))
      .send({ detail: `${request.method} is not allowed here: use ${allowed.join(', ')}` });
  };
  app.setNotFoundHandler(answerNotFound);
  // Route and method come before the body: whatever it is like, it is not looked at.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.is404) answerNotFound(request, reply);
    else done();
  });
  return { answerNotFound };
}

/** An address that cannot be decoded or has a part that is too long: no route, and no hook, sees it. */
export function answerBadAddress(
  frame: HubFrame,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (_error, request, reply) => {
    const payload = isForPerson(request, reply, 'json')
      ? answerWithErrorPage(request, reply, { status: 400, frame })
      : JSON.stringify({ detail: BAD_ADDRESS });
    if (!reply.hasHeader('Content-Type')) void reply.code(400).type(JSON_TYPE);
    void reply.send(answerUnread(request, reply, { payload }));
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const BAD_ADDRESS = 'The address is not well-formed';

/** Bytes that are no HTTP request: answered on the socket, which is closed then. */
export function answerMalformedHttp(error: ConnectionError, socket: Socket): void {
  answerOnSocket(error, socket, {
    mediaType: JSON_TYPE,
    buildBody: () => JSON.stringify({ detail: 'The request is not well-formed HTTP' }),
  });
}

function answerTo(error: unknown, request: FastifyRequest): ErrorAnswer {
  if (error instanceof FieldsRefusal) return { status: 422, detail: error.fields };
  if (error instanceof Refusal) {
    const { code, message, facts } = error;
    const lists: Readonly<Record<string, readonly unknown[]>> = { ...facts };
    const said = Object.entries(lists).filter(([, list]) => list.length > 0);
    return { status: STATUS_OF_REFUSAL[code], detail: message, ...Object.fromEntries(said) };
  }
  if (error instanceof JsonBodyError) {
    const loc = ['body', ...error.path];
    return { status: 422, detail: [{ loc, msg: error.message, type: error.code }] };
  }
  if (error instanceof DatabaseError) {
    const status = STATUS_OF_DATABASE_ERROR[error.code];
    if (status !== 503) return { status, detail: INTERNAL };
    return { status, detail: `${sentence(error.message)}: ${chooseOutcome(error)}` };
  }
  // Blocks or tiles that were signed are not there; the verifier says which.
  if (error instanceof TreeReadError) {
    return { status: STATUS_OF_REFUSAL.log_unavailable, detail: LOG_DIFFERS };
  }
  const validation = findValidation(error);
  if (validation !== undefined) {
    return { status: 422, detail: toFieldErrors(validation.errors, [validation.part]) };
  }
  return isFastifyError(error) ? fastifyAnswer(error, request) : { status: 500, detail: INTERNAL };
}

const INTERNAL = 'The request could not be answered; the log of the service says why';

function chooseOutcome({ code }: DatabaseError): string {
  if (code === 'clock_untrusted') return CLOCK_UNTRUSTED;
  return code === 'database_unsure' ? MAYBE_STORED : NOT_STORED;
}

const CLOCK_UNTRUSTED = 'nothing was stored, and nothing will be until an operator has seen to it';
const NOT_STORED = 'nothing was stored, try again';
const MAYBE_STORED =
  'it may be stored or not; an event sent again with the same external_id is stored once; before ' +
  'sending anything else again, look whether it is there';

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
      return { status: 400, detail: BAD_ADDRESS };
    default:
      if (error.statusCode >= 400 && error.statusCode < 500) {
        return { status: error.statusCode, detail: 'The request is not well-formed' };
      }
      return { status: 500, detail: INTERNAL };
  }
}
