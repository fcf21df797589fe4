// Everything this service refuses, as one closed list of codes, and the one table that says with which
// status and under which title. docs/notifications/errors.md lists the same.
import type { DatabaseErrorCode } from '@lothub/kit/database';
import type { FieldProblem } from '@lothub/kit/http/field-problems';
import type { PeopleProblem, PeopleProblemCode } from '@lothub/people/errors';

/** Codes of answers in the form of RFC 9457; a program that reads them may rely on each. */
export type ProblemCode =
  | 'address_malformed'
  | 'json_invalid'
  | 'text_not_utf8'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'api_key_revoked'
  | 'adapter_token_missing'
  | 'signature_invalid'
  | 'login_required'
  | 'login_failed'
  | 'token_invalid'
  | 'wrong_scope'
  | 'group_paused'
  | 'owner_only'
  | 'role_required'
  | 'password_login_off'
  | 'sign_on_expired'
  | 'sign_on_refused'
  | 'sign_on_failed'
  | 'sign_on_unavailable'
  | 'cross_site_refused'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'idempotency_in_flight'
  | 'link_used_up'
  | 'body_too_large'
  | 'media_type_unsupported'
  | 'fields_invalid'
  | 'idempotency_mismatch'
  | 'limit_reached'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'outcome_unknown';

interface ProblemKind {
  readonly status: number;
  /** The same for every problem of the code. */
  readonly title: string;
}

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  address_malformed: { status: 400, title: 'The address is not well-formed' },
  json_invalid: { status: 400, title: 'The body is not valid JSON' },
  text_not_utf8: { status: 400, title: 'The body is not valid UTF-8' },
  api_key_missing: { status: 401, title: 'The X-Api-Key header is missing' },
  api_key_invalid: { status: 401, title: 'The API key is not valid' },
  api_key_expired: { status: 401, title: 'The API key has expired' },
  api_key_revoked: { status: 401, title: 'The API key was revoked' },
  adapter_token_missing: { status: 401, title: 'The token of the adapter is missing' },
  signature_invalid: { status: 401, title: 'The signature is not that of the body' },
  login_required: { status: 401, title: 'Log in first, or send a read token' },
  login_failed: { status: 401, title: 'E-mail or password is wrong' },
  token_invalid: { status: 401, title: 'The read token is not valid' },
  wrong_scope: { status: 403, title: 'These credentials are not for this' },
  group_paused: { status: 403, title: 'The group takes no posts at the moment' },
  owner_only: { status: 403, title: 'Only an owner of the group may do this' },
  role_required: { status: 403, title: 'Your role does not open this' },
  password_login_off: { status: 403, title: 'Nobody logs in with a password here' },
  sign_on_expired: { status: 400, title: 'The sign-on was begun elsewhere, or too long ago' },
  sign_on_refused: { status: 403, title: 'The sign-on lets nobody in' },
  sign_on_failed: { status: 502, title: 'The provider of the sign-on gave no good answer' },
  sign_on_unavailable: { status: 503, title: 'The provider of the sign-on does not answer' },
  cross_site_refused: {
    status: 403,
    title: 'The request does not come from a page of this service',
  },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  conflict: { status: 409, title: 'The current state does not allow this' },
  idempotency_in_flight: { status: 409, title: 'The first request is still under way' },
  link_used_up: { status: 410, title: 'The link was used, has expired or was withdrawn' },
  body_too_large: { status: 413, title: 'The body is too large' },
  media_type_unsupported: { status: 415, title: 'The media type is not understood' },
  fields_invalid: { status: 422, title: 'Fields of the request are wrong' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key came with other content' },
  limit_reached: { status: 422, title: 'There may be no more of these' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'The request could not be answered' },
  unavailable: { status: 503, title: 'Nothing was stored; try again' },
  outcome_unknown: { status: 503, title: 'It may be stored or not' },
};

/** A database that cannot write now is worth another try; anything else is our defect. */
export const PROBLEM_OF_DATABASE_ERROR: Readonly<Record<DatabaseErrorCode, ProblemCode>> = {
  database_busy: 'unavailable',
  database_full: 'unavailable',
  database_unsure: 'outcome_unknown',
  clock_untrusted: 'unavailable',
  database_too_new: 'internal',
  database_unsupported: 'internal',
  database_failed: 'internal',
};

/** What people refuse, as this service answers it. */
const PROBLEM_OF_PEOPLE: Readonly<Record<PeopleProblemCode, ProblemCode>> = {
  login_required: 'login_required',
  login_failed: 'login_failed',
  cross_site_refused: 'cross_site_refused',
  not_found: 'not_found',
  conflict: 'conflict',
  link_used_up: 'link_used_up',
  fields_invalid: 'fields_invalid',
  limit_reached: 'limit_reached',
  role_required: 'role_required',
  rate_limited: 'rate_limited',
  password_login_off: 'password_login_off',
  sign_on_expired: 'sign_on_expired',
  sign_on_refused: 'sign_on_refused',
  sign_on_failed: 'sign_on_failed',
  sign_on_unavailable: 'sign_on_unavailable',
  unavailable: 'unavailable',
};

/** A request that is refused; `message` is the sentence of `detail`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: ErrorOptions & {
      readonly fields?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(detail, options);
    this.name = 'Problem';
    this.code = code;
    this.fields = options.fields ?? [];
    this.headers = options.headers ?? {};
  }
}

export function problemOfPeople(error: PeopleProblem): Problem {
  const { code, message, fields, headers } = error;
  return new Problem(PROBLEM_OF_PEOPLE[code], message, { cause: error, fields, headers });
}
