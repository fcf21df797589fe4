// Everything this service refuses, as one closed list of codes, and the one table that maps them
// to HTTP statuses (docs/interface/traceability.md#refusals). docs/errors.md lists the same.
import type { DatabaseErrorCode } from '@lothub/kit/database';
import type { FieldError, Loc } from '@lothub/kit/http/field-errors';

export type RefusalCode =
  | 'rule_broken'
  | 'invalid_api_key'
  /** A key with a limit, at a route that needs another one. */
  | 'key_limited'
  | 'not_found'
  | 'supplier_needed'
  | 'several_lots'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'media_type_unsupported'
  | 'rate_limited'
  | 'too_many_connections'
  | 'not_ready'
  /** The public log has nothing signed, or what is stored differs from what was. */
  | 'log_unavailable';

/** What a refusal says to programs beside its sentence; the answer has the lists that are not empty. */
export interface RefusalFacts {
  /** Known codes that differ little from a requested one that is unknown. */
  readonly similar?: readonly string[];
  /** The suppliers that the requested lot may belong to. */
  readonly suppliers?: readonly string[];
  /** Which of the tenant's lots it may be. */
  readonly lots?: readonly string[];
  /** For a batch: the same of each event that is refused. */
  readonly errors?: readonly FieldError[];
}

/** A request that is refused; `message` is the one sentence of `detail`. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly facts: RefusalFacts;

  constructor(code: RefusalCode, message: string, facts: RefusalFacts = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.facts = facts;
  }
}

/** A request whose fields are wrong: 422 with all of them at once. */
export class FieldsRefusal extends Error {
  readonly code = 'fields_invalid';
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super(fields.map((field) => `${field.loc.join('.')}: ${field.msg}`).join('; '));
    this.name = 'FieldsRefusal';
    this.fields = fields;
  }

  static of(loc: Loc, msg: string, type: string): FieldsRefusal {
    return new FieldsRefusal([{ loc, msg, type }]);
  }
}

export const STATUS_OF_REFUSAL: Readonly<Record<RefusalCode, number>> = {
  rule_broken: 400,
  invalid_api_key: 401,
  key_limited: 403,
  not_found: 404,
  method_not_allowed: 405,
  supplier_needed: 409,
  several_lots: 409,
  body_too_large: 413,
  media_type_unsupported: 415,
  rate_limited: 429,
  too_many_connections: 503,
  not_ready: 503,
  log_unavailable: 503,
};

/** A database that cannot write now is a 503 and worth another try; anything else is our defect. */
export const STATUS_OF_DATABASE_ERROR: Readonly<Record<DatabaseErrorCode, number>> = {
  database_busy: 503,
  database_full: 503,
  database_unsure: 503,
  clock_untrusted: 503,
  database_too_new: 500,
  database_unsupported: 500,
  database_failed: 500,
};

export const INVALID_API_KEY = 'Invalid API key';
