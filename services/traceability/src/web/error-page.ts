// Makes the page of an error: what happened, and what to do. Programs get JSON instead.
import { buildPersonCheck } from '@lothub/kit/http/answer-form';
import { html, type Html } from '@lothub/kit/html';
import { DatabaseError } from '@lothub/kit/database';
import { LANGUAGE_VARY } from '@lothub/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FieldsRefusal, Refusal, STATUS_OF_DATABASE_ERROR, STATUS_OF_REFUSAL } from '../errors.ts';
import { lotForm, lotLink } from './fragments.ts';
import { readyPage, type Page, type PageFrame } from './layout.ts';
import { prepareReader, type Reader, type Words } from './words/reader.ts';

/** The status that a failed page is sent with. */
export function toPageStatus(error: unknown): number {
  if (error instanceof Refusal) return STATUS_OF_REFUSAL[error.code];
  if (error instanceof DatabaseError) return STATUS_OF_DATABASE_ERROR[error.code];
  const isInvalid = error instanceof Error && 'validation' in error;
  return error instanceof FieldsRefusal || isInvalid ? 422 : 500;
}

/** Paths whose responses are always JSON, whatever a request accepts. */
const FOR_PROGRAMS = /^\/(?:v1|public|log|witness|health|ready|metrics|openapi\.json)(?=[/?#]|$)/;
const VARY = `Accept, ${LANGUAGE_VARY}`;

export const isForPerson = buildPersonCheck(FOR_PROGRAMS);

/** Headers and text of the page of a failure, for an answer to a request that wants a page. */
export function answerWithErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure & { readonly frame: HubFrame },
): string {
  const reader = prepareReader(request, reply);
  void reply.header('Vary', VARY).code(failure.status);
  return readyPage(reply, errorPage(failure, reader), { ...failure.frame, reader });
}

export type HubFrame = Omit<PageFrame, 'reader'>;

export interface Failure {
  readonly status: number;
  /** The service has no page at the address, even if its parts are valid. */
  readonly isUnknownPath?: boolean;
  readonly similar?: readonly string[];
}

/** The words for each status; `otherwise` for any other one. */
const KINDS: ReadonlyMap<number, keyof Omit<Words['errors'], 'didYouMean'>> = new Map([
  [400, 'invalid'],
  [404, 'notFound'],
  [405, 'noPage'],
  [422, 'invalid'],
  [429, 'tooMany'],
] as const);

/** Known codes that differ little from the requested one. */
export function findSimilar(error: unknown): readonly string[] {
  return error instanceof Refusal ? (error.facts.similar ?? []) : [];
}

export function errorPage(
  { status, isUnknownPath = false, similar = [] }: Failure,
  reader: Reader,
): Page {
  const { errors } = reader.words;
  const { title, advice } = errors[isUnknownPath ? 'noPage' : (KINDS.get(status) ?? 'otherwise')];
  return {
    title,
    body: html`
      <h1>${title}</h1>
      <p>${advice}</p>
      ${similar.length === 0 ? null : didYouMean(similar, errors)} ${lotForm(reader)}
    `,
  };
}

function didYouMean(codes: readonly string[], words: Words['errors']): Html {
  const links = codes.map((code, index) => html`${index === 0 ? null : ', '}${lotLink(code)}`);
  return html`<p>${words.didYouMean(html`${links}`)}</p>`;
}
