// Everything that people refuse, as one closed list of codes. Each service that uses them maps the codes to
// its own answers in its one table.
import { DatabaseError } from '@lothub/kit/database';
import type { FastifyBaseLogger } from 'fastify';
import { fieldsSentence, type FieldProblem } from '@lothub/kit/http/field-problems';

export type PeopleProblemCode =
  | 'login_required'
  | 'login_failed'
  | 'cross_site_refused'
  | 'not_found'
  | 'conflict'
  | 'link_used_up'
  | 'fields_invalid'
  | 'limit_reached'
  /** The person's role does not open this. */
  | 'role_required'
  | 'rate_limited'
  /** The log-in by password is turned off. */
  | 'password_login_off'
  /** The sign-on was begun in another browser, too long ago, or is over already. */
  | 'sign_on_expired'
  /** The provider confirms the person, who has no right to enter. */
  | 'sign_on_refused'
  | 'sign_on_failed'
  | 'sign_on_unavailable'
  | 'unavailable';

/** A request that is refused; `message` is a sentence for its sender. */
export class PeopleProblem extends Error {
  readonly code: PeopleProblemCode;
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: PeopleProblemCode,
    message: string,
    options: ErrorOptions & {
      readonly fields?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message, options);
    this.name = 'PeopleProblem';
    this.code = code;
    this.fields = options.fields ?? [];
    this.headers = options.headers ?? {};
  }
}

/** A refusal that names all that is wrong. */
export function fieldsProblem(fields: readonly FieldProblem[]): PeopleProblem {
  return new PeopleProblem('fields_invalid', fieldsSentence(fields), { fields });
}

/**
 * What a service itself refuses because it has too much to do: a warning and no failure. A database that failed is
 * the cause of others.
 */
export function isRefusalForLoad(error: unknown): error is DatabaseError | PeopleProblem {
  if (error instanceof PeopleProblem) return error.code === 'unavailable';
  return (
    error instanceof DatabaseError && error.code === 'database_busy' && error.cause === undefined
  );
}

/** Says in the log that a request was refused for load. @returns false for any other error, of which nothing is said */
export function noteRefusalForLoad(error: unknown, log: Pick<FastifyBaseLogger, 'warn'>): boolean {
  if (!isRefusalForLoad(error)) return false;
  log.warn({ code: error.code, reason: error.message }, 'refused a request for load');
  return true;
}
