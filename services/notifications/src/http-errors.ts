// Turns whatever a route throws into application/problem+json (RFC 9457), and answers paths and methods
// that do not exist. docs/notifications/errors.md describes the answers.
import { DatabaseError } from '@lothub/kit/database';
import {
  KnownPaths,
  answerOnSocket,
  findValidation,
  isFastifyError,
} from '@lothub/kit/http/http-failures';
import type { FastifyErrorLike } from '@lothub/kit/http/http-failures';
import { pointerPart } from '@lothub/kit/http/field-errors';
import { fieldsSentence, toFieldProblems } from '@lothub/kit/http/field-problems';
import type { FieldProblem } from '@lothub/kit/http/field-problems';
import { JsonBodyError, MEMBERS_MAX } from '@lothub/kit/http/json-body-error';
import { answerUnread, discardUnreadBodies } from '@lothub/kit/http/unread-body';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { PeopleProblem, noteRefusalForLoad } from '@lothub/people/errors';
import { PROBLEMS, PROBLEM_OF_DATABASE_ERROR, Problem, problemOfPeople } from './errors.ts';
import type { ProblemCode } from './errors.ts';
import { PROBLEM_TYPE, type App } from './http.ts';
import { answerWithErrorPage, isForPerson } from './web/error-page.ts';

/** Seconds after which a caller should retry that met a full queue or a full disk. */
const RETRY_AFTER_SECONDS = 1;
/** Also in every problem's body, as `request_id`, and in the log. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Before any route, so that it knows all paths. */
export function installErrorAnswers(app: App): void {
  const known = KnownPaths.of(app);
  discardUnreadBodies(app);
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request);
    const { status } = PROBLEMS[problem.code];
    const isForLoad = noteRefusalForLoad(error, request.log);
    if (!isForLoad && status >= 500) {
      request.log.error({ err: error }, 'answering a request failed');
    }
    return sendProblem(reply, problem);
  });
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = missing(request, known.methodsAt(request.url));
    if (!isForPerson(request, reply, 'json')) return sendProblem(reply, problem);
    return reply.send(answerWithErrorPage(request, reply, problem));
  };
  app.setNotFoundHandler(answerNotFound);
  app.addHook('onRequest', (request, reply, done) => {
    // Answers contain texts of people, so no browser may guess another media type than the declared one.
    void reply.header('X-Content-Type-Options', 'nosniff');
    // Route and method come before everything else, also before the body is looked at.
    if (request.is404) answerNotFound(request, reply);
    else done();
  });
}

/** An address that cannot be decoded or has a part that is too long: no route, and no hook, sees it. */
export function answerBadAddress(
  _error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const problem = new Problem('address_malformed', BAD_ADDRESS);
  if (isForPerson(request, reply, 'json')) {
    const payload = answerWithErrorPage(request, reply, problem);
    void reply.send(answerUnread(request, reply, { payload }));
    return;
  }
  const payload = JSON.stringify(problemBody(problem, request.id));
  void reply
    .code(PROBLEMS[problem.code].status)
    .header(REQUEST_ID_HEADER, request.id)
    .type(PROBLEM_TYPE)
    .send(answerUnread(request, reply, { payload }));
}

/** Bytes that are no HTTP request: answered on the socket, which is closed then. */
export function answerMalformedHttp(error: ConnectionError, socket: Socket): void {
  answerOnSocket(error, socket, {
    mediaType: PROBLEM_TYPE,
    buildBody: (status) => {
      const problem = new Problem('address_malformed', 'The request is not well-formed HTTP');
      return JSON.stringify({ ...problemBody(problem, randomUUID()), status });
    },
  });
}

/** Answers a problem without throwing it. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { status } = PROBLEMS[problem.code];
  if (status === 503) void reply.header('Retry-After', RETRY_AFTER_SECONDS);
  const { id } = reply.request;
  return reply
    .code(status)
    .headers({ [REQUEST_ID_HEADER]: id, ...problem.headers })
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(problemBody(problem, id));
}

interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly request_id: string;
  readonly errors: readonly FieldProblem[];
}

/** What identifies a kind of problem in RFC 9457: a name that leads nowhere, and ends in its code. */
const TYPE_PREFIX = 'urn:problem-type:lothub:';

function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { code, message, fields } = problem;
  const { title, status } = PROBLEMS[code];
  return {
    type: `${TYPE_PREFIX}${code}`,
    title,
    status,
    code,
    detail: message,
    request_id: requestId,
    errors: fields,
  };
}

const BAD_ADDRESS = 'The address is not well-formed: see /api/v1/docs';
const INTERNAL = 'The request could not be answered; the log of the service says why';
const NOT_WELL_FORMED = 'The request is not well-formed';

function missing(request: FastifyRequest, allowed: readonly string[]): Problem {
  if (allowed.length === 0) {
    return new Problem('not_found', 'There is nothing at this path: see /api/v1/docs');
  }
  const list = allowed.join(', ');
  return new Problem('method_not_allowed', `${request.method} is not allowed here: use ${list}`, {
    headers: { Allow: list },
  });
}

export function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof PeopleProblem) return problemOfPeople(error);
  if (error instanceof JsonBodyError) return jsonProblem(error);
  if (error instanceof DatabaseError) return databaseProblem(error);
  const validation = findValidation(error);
  if (validation !== undefined) {
    return fieldsProblem(toFieldProblems(validation.errors, validation.part));
  }
  if (isFastifyError(error)) return fastifyProblem(error, request);
  return new Problem('internal', INTERNAL, { cause: error });
}

/** A 422 that names all that is wrong. */
export function fieldsProblem(fields: readonly FieldProblem[]): Problem {
  return new Problem('fields_invalid', fieldsSentence(fields), { fields });
}

function jsonProblem(error: JsonBodyError): Problem {
  if (error.reason === 'too_many_members') {
    const pointer = error.path.map((part) => `/${pointerPart(String(part))}`).join('');
    return fieldsProblem([{ pointer, code: 'too_many', limit: MEMBERS_MAX, actual: null }]);
  }
  const code = error.reason === 'not_utf8' ? 'text_not_utf8' : 'json_invalid';
  return new Problem(code, error.message, { cause: error });
}

function databaseProblem(error: DatabaseError): Problem {
  const code = PROBLEM_OF_DATABASE_ERROR[error.code];
  switch (code) {
    case 'unavailable':
      return new Problem(code, 'Nothing was stored: send the same again', { cause: error });
    case 'outcome_unknown':
      return new Problem(
        code,
        'It may be stored or not: send the same again, with its Idempotency-Key, to learn which',
        { cause: error },
      );
    default:
      return new Problem(code, INTERNAL, { cause: error });
  }
}

function fastifyProblem(error: FastifyErrorLike, request: FastifyRequest): Problem {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem(
        'body_too_large',
        `The body is larger than ${request.routeOptions.bodyLimit} bytes`,
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('media_type_unsupported', 'Send Content-Type: application/json');
    case 'FST_ERR_BAD_URL':
      return new Problem('address_malformed', BAD_ADDRESS);
    default:
      if (error.statusCode === PROBLEMS.not_found.status) return missing(request, []);
      // A body that is shorter than its length says, and the like.
      if (error.statusCode >= 400 && error.statusCode < 500) {
        return new Problem('json_invalid', NOT_WELL_FORMED);
      }
      return new Problem('internal', INTERNAL, { cause: error });
  }
}
