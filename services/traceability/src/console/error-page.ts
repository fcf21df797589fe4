// What a person sees when a page of the console cannot be shown, or something was refused: what happened, and
// what to do.
import { DatabaseError } from '@lothub/kit/database';
import { html } from '@lothub/kit/html';
import { isFastifyError } from '@lothub/kit/http/http-failures';
import { PeopleProblem, noteRefusalForLoad, type PeopleProblemCode } from '@lothub/people/errors';
import { isBrandRight, weakestRoleWith } from '@lothub/people/brands/rights';
import { PEOPLE_WORDS } from '@lothub/people/pages/words';
import { SignOnProblem } from '@lothub/people/sign-on/problems';
import type { FastifyReply } from 'fastify';
import { FieldsRefusal, Refusal, STATUS_OF_DATABASE_ERROR, STATUS_OF_REFUSAL } from '../errors.ts';
import type { Reader, Words } from '../web/words/reader.ts';
import type { ConsoleRight } from './access.ts';
import type { Shown } from './frame.ts';
import { CONSOLE } from './paths.ts';
import { prepareConsoleReader, sendAlone, sendFramed, type SendDeps, type To } from './send.ts';
import { STATUS_OF_PEOPLE } from './statuses.ts';

type Kind = Exclude<keyof Words['console']['errors'], 'forbidden' | 'toConsole' | 'request'>;

/** The texts for a status, for refusals whose code has no texts of its own. */
const KIND_OF_STATUS: ReadonlyMap<number, Kind> = new Map([
  [400, 'invalid'],
  [404, 'notFound'],
  [409, 'conflict'],
  [410, 'linkUsedUp'],
  [413, 'tooLarge'],
  [415, 'invalid'],
  [422, 'invalid'],
  [429, 'tooMany'],
  [503, 'unavailable'],
]);

const KIND_OF_CODE: Partial<Record<PeopleProblemCode, Kind>> = {
  cross_site_refused: 'crossSite',
  limit_reached: 'limitReached',
  password_login_off: 'passwordsOff',
  sign_on_expired: 'signOn',
  sign_on_failed: 'signOn',
  sign_on_refused: 'signOnRefused',
  sign_on_unavailable: 'signOnAway',
};

export async function sendErrorPage(deps: SendDeps, to: To, error: unknown): Promise<FastifyReply> {
  const { request, reply } = to;
  const status = toStatus(error);
  const isForLoad = noteRefusalForLoad(error, request.log);
  if (!isForLoad && status >= 500) {
    request.log.error({ err: error }, 'a page of the console failed');
  }
  if (error instanceof PeopleProblem) void reply.headers(error.headers);
  const page = errorPage({
    error,
    status,
    right: request.routeOptions.config.right,
    requestId: request.id,
    reader: prepareConsoleReader(request, reply),
  });
  return request.visitor === null
    ? await sendAlone(deps, to, page, status)
    : await sendFramed(deps, to, page, status);
}

function toStatus(error: unknown): number {
  if (error instanceof PeopleProblem) return STATUS_OF_PEOPLE[error.code];
  if (error instanceof Refusal) return STATUS_OF_REFUSAL[error.code];
  if (error instanceof DatabaseError) return STATUS_OF_DATABASE_ERROR[error.code];
  if (error instanceof FieldsRefusal) return 422;
  // An id that cannot exist is treated like an unknown one.
  if (error instanceof Error && 'validation' in error) return 404;
  return isFastifyError(error) && error.statusCode < 500 ? error.statusCode : 500;
}

function errorPage(failure: {
  readonly error: unknown;
  readonly status: number;
  readonly right: ConsoleRight | undefined;
  readonly requestId: string;
  readonly reader: Reader;
}): Shown {
  const { errors } = failure.reader.words.console;
  const { title, advice } = chooseWords(failure);
  return {
    title,
    path: CONSOLE,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${advice}</p>
      <p><a class="button" href="${CONSOLE}">${errors.toConsole}</a></p>
      <p class="hint">${errors.request(failure.requestId)}</p>
    </div>`,
  };
}

function chooseWords(failure: {
  readonly error: unknown;
  readonly status: number;
  readonly right: ConsoleRight | undefined;
  readonly reader: Reader;
}): { readonly title: string; readonly advice: string } {
  const { errors, roles } = failure.reader.words.console;
  if (failure.error instanceof PeopleProblem) {
    const kind = KIND_OF_CODE[failure.error.code];
    if (failure.error instanceof SignOnProblem) {
      const { title } = errors[kind ?? 'signOn'];
      return {
        title,
        advice: PEOPLE_WORDS[failure.reader.language].signOn.advice[failure.error.reason],
      };
    }
    if (kind !== undefined) return errors[kind];
    if (failure.error.code === 'role_required') {
      const { title, advice, adviceOfHub } = errors.forbidden;
      const { right } = failure;
      return right !== undefined && right !== 'own' && isBrandRight(right)
        ? { title, advice: advice(roles[weakestRoleWith(right)]) }
        : { title, advice: adviceOfHub(roles.operator) };
    }
  }
  return errors[KIND_OF_STATUS.get(failure.status) ?? 'otherwise'];
}
