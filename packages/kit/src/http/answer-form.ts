// Whether the reader of an answer is a person or a program, by the `Accept` of the request (RFC 9110, section
// 12.5.1, with its quality values): people get a page, programs JSON.
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

export type AnswerForm = 'page' | 'json';

const PAGE = 'text/html';
const JSON_TYPES = ['application/json', 'application/problem+json'];

/** Longer ones say nothing; browsers send about 150 characters. */
const ACCEPT_LENGTH_MAX = 2_000;

/**
 * @param otherwise what a request gets that does not say what it wants, or wants both alike: what is usual at the
 * address
 */
export function chooseAnswerForm(accept: string | undefined, otherwise: AnswerForm): AnswerForm {
  const offered = otherwise === 'page' ? [PAGE, ...JSON_TYPES] : [...JSON_TYPES, PAGE];
  const chosen = chooseMediaType(accept, offered);
  if (chosen === undefined) return otherwise;
  return chosen === PAGE ? 'page' : 'json';
}

/**
 * @param programs paths that answer programs alone, whatever a request accepts
 * @returns whether the answer to a failed request is for a person, with `usual` as `otherwise` of `chooseAnswerForm`;
 * caches learn what it depends on
 */
export function buildPersonCheck(
  programs: RegExp,
): (request: FastifyRequest, reply: FastifyReply, usual: AnswerForm) => boolean {
  return (request, reply, usual) => {
    if (programs.test(request.url)) return false;
    void reply.header('Vary', 'Accept');
    return chooseAnswerForm(request.headers.accept, usual) === 'page';
  };
}

/**
 * Chooses the media type that a request prefers among those that an answer can have, the first of equal ones;
 * undefined when the request names none, or accepts none of them.
 */
export function chooseMediaType(
  accept: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (accept === undefined || accept.length > ACCEPT_LENGTH_MAX) return undefined;
  return new Negotiator({ headers: { accept } }).mediaType([...offered]);
}
