// What every route that lets people in, and every one behind `personGate`, may answer with besides its own: for
// the descriptions of routes.
import type { ProblemCode } from '../errors.ts';

/** What every route that lets people in may answer with. */
export const ENTRANCE_PROBLEMS: readonly ProblemCode[] = [
  'cross_site_refused',
  'json_invalid',
  'text_not_utf8',
  'body_too_large',
  'media_type_unsupported',
  'fields_invalid',
  'internal',
  'unavailable',
  'outcome_unknown',
];

const ANY = [
  'login_required',
  'fields_invalid',
  'rate_limited',
  'internal',
  'unavailable',
] as const;

/** Problems of routes that a read token also opens. */
export const TOKEN_READ_PROBLEMS: readonly ProblemCode[] = [...ANY, 'token_invalid'];

export const SESSION_READ_PROBLEMS: readonly ProblemCode[] = [
  ...TOKEN_READ_PROBLEMS,
  'wrong_scope',
];

export const SESSION_WRITE_PROBLEMS: readonly ProblemCode[] = [
  ...SESSION_READ_PROBLEMS,
  'cross_site_refused',
  'json_invalid',
  'text_not_utf8',
  'body_too_large',
  'media_type_unsupported',
  'outcome_unknown',
];
