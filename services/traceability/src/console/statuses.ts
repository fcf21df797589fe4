// The one table that maps the problem codes of people to statuses of HTTP, for the pages of the console.
import type { PeopleProblemCode } from '@lothub/people/errors';

export const STATUS_OF_PEOPLE: Readonly<Record<PeopleProblemCode, number>> = {
  login_required: 401,
  login_failed: 401,
  cross_site_refused: 403,
  password_login_off: 403,
  sign_on_expired: 400,
  sign_on_refused: 403,
  sign_on_failed: 502,
  sign_on_unavailable: 503,
  role_required: 403,
  not_found: 404,
  conflict: 409,
  link_used_up: 410,
  fields_invalid: 422,
  limit_reached: 409,
  rate_limited: 429,
  unavailable: 503,
};
