// Shapes that all routes share: the typed app, error answers, security headers, paging.
import assert from 'node:assert/strict';
import { TENANT_ID_PATTERN } from '@lothub/people/places/tenant-id';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import type { FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import type { Caller, NamedCaller } from './ledger/draft.ts';
import type { KeyLimit } from './ledger/tables/off-chain.ts';

export type { App } from '@lothub/kit/http/schemas/typed-app';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on `/v1/*` once the key and `X-Tenant-Id` have been checked. */
    tenantId: string;
    /** Label of the key a `/v1/*` request came with. */
    keyLabel: string;
    /** What is stored of that key. */
    keyHash: string;
    /** Set by a route that was asked what it would do, and has written nothing for the tenant. */
    isDryRun: boolean;
  }
  interface FastifyContextConfig {
    /** Of a POST that only answers. */
    changesNothing?: boolean;
    /** For each route below /v1: which limit of a key opens it, besides `all` (keys/key-limits.ts). */
    keyNeeds?: KeyLimit;
  }
}

/** Below it are the pages of the console. */
export const CONSOLE_PREFIX = '/console';

export const HEALTH_PATH = '/health';
export const READY_PATH = '/ready';
/** They report the state of the process to its supervisor. */
export const OPERATION_PATHS = [HEALTH_PATH, READY_PATH] as const;

export function readRequestHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The key that a `/v1/*` request came with, checked or not. */
export function readApiKey(request: FastifyRequest): string | undefined {
  return readRequestHeader(request, 'x-api-key');
}

/** Who a `/v1/*` request is from: the key's label, and the person that the request declares. */
export function buildCaller(request: FastifyRequest, person: string): NamedCaller;
export function buildCaller(request: FastifyRequest, person?: string): Caller;
export function buildCaller({ id: requestId, keyLabel }: FastifyRequest, person?: string): Caller {
  if (person === undefined) return { actor: keyLabel, requestId };
  return { actor: `${keyLabel} (${person})`, requestId, person };
}

/** Characters of a person's name at most: what cases, holds and corrections take as a name. */
const PERSON_NAME_MAX = 200;

/** Who a request of a session is from. No form declares a name: it is that of the account. */
export function callerOfPerson(
  { id: requestId }: Pick<FastifyRequest, 'id'>,
  { name }: { readonly name: string },
): NamedCaller {
  assert(name.trim() !== '' && name.length <= PERSON_NAME_MAX && PERSON_NAME.test(name));
  return { actor: name, requestId, person: name, via: 'session' };
}

const PERSON_NAME = new RegExp(TEXT_PATTERN, 'u');

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;
/** Characters of blocks on one page; a page of larger ones ends early, and `next` continues after it. */
export const PAGE_CHARS_MAX = 4_194_304;
/** How far an `offset` may reach; beyond it `before` pages without cost. */
export const OFFSET_MAX = 10_000;

export { TENANT_ID_PATTERN };

export const BrandQuery = Type.Optional(
  Type.String({
    pattern: TENANT_ID_PATTERN,
    description: 'Tenant id; without it the whole hub is shown',
    examples: ['bakery'],
  }),
);

export const LimitQuery = Type.Optional(
  Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT }),
);

export const OffsetQuery = Type.Optional(
  Type.Integer({ minimum: 0, maximum: OFFSET_MAX, default: 0 }),
);

/** A text of a request: not empty, without U+0000 and lone surrogates. */
export const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: TEXT_PATTERN, description, examples: [example] });

/** Characters of a lot code or case number in a path. */
const PATH_TEXT_MAX = 200;

export const LotCodeParams = Type.Object({
  lot_code: text(PATH_TEXT_MAX, 'Lot code; a slash in it is written %2F', 'BREAD-0302'),
});

export const CaseNoParams = Type.Object({
  case_no: text(PATH_TEXT_MAX, 'Number of a recall case', 'RC-2026-0001'),
});

/** Optional text: absent or null when there is nothing to say. */
export const optionalText = (maxLength: number, description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength,
      pattern: TEXT_PATTERN,
      description,
      examples: [example],
    }),
  );

/** A text of an answer that may not be there. */
export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const JSON_TYPE = 'application/json';

const RefusalSchema = Type.Object(
  { detail: Type.String({ description: 'One sentence' }) },
  { title: 'Refusal' },
);

/** OpenAPI's own form of an answer: what it says of the status is not said of the shape. */
export const refusal = (description: string, example: string) => ({
  description,
  content: { [JSON_TYPE]: { schema: RefusalSchema, example: { detail: example } } },
});

/** What is wrong with one field of a request. */
export const FieldErrorSchema = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    msg: Type.String(),
    type: Type.String({ examples: ['greater_than_equal'] }),
  },
  { title: 'FieldError' },
);

const FieldErrorsSchema = Type.Object(
  { detail: Type.Array(FieldErrorSchema) },
  { title: 'FieldErrors' },
);

const FIELDS_WRONG = {
  description: 'The request has fields that are wrong; all are named',
  content: { [JSON_TYPE]: { schema: FieldErrorsSchema } },
} as const;

const RATE_LIMITED = refusal(
  'Rate limit exceeded; `Retry-After` says when to come back',
  'Rate limit exceeded: try again in 17 seconds',
);

const FAILED = refusal(
  'A defect of the service; its log says more',
  'The request could not be answered; the log of the service says why',
);

/** Statuses any public endpoint may answer with, besides its own. */
export const PUBLIC_ERRORS = {
  304: {
    type: 'null',
    description: 'Nothing has changed since the answer whose `ETag` was sent in `If-None-Match`',
  },
  422: FIELDS_WRONG,
  429: RATE_LIMITED,
  500: FAILED,
  503: refusal(
    'The database or the connections of the service are full: try again after `Retry-After` seconds',
    'The database is busy: nothing was stored, try again',
  ),
} as const;

/** Statuses any `/v1` endpoint may answer with, besides its own. */
export const V1_ERRORS = {
  401: refusal('Key missing or wrong', 'Invalid API key'),
  422: FIELDS_WRONG,
  429: RATE_LIMITED,
  500: FAILED,
  503: refusal(
    'Try again after `Retry-After` seconds. `detail` says that nothing was stored, or that nobody can ' +
      'say whether it was: an event sent again with the same `external_id` is stored once either way',
    'The write queue is full: nothing was stored, try again',
  ),
} as const;

export const NOT_FOUND = {
  404: {
    description: 'Unknown lot, block, case, product, place or picture',
    content: {
      [JSON_TYPE]: {
        schema: Type.Object(
          {
            detail: Type.String({ description: 'One sentence' }),
            similar: Type.Optional(
              Type.Array(Type.String(), {
                description:
                  'Known codes that differ in case, spaces, hyphens or characters that are not seen',
              }),
            ),
          },
          { title: 'NotFound' },
        ),
        example: { detail: 'No lot of this code is known', similar: ['FLOUR-0711'] },
      },
    },
  },
} as const;

export const SUPPLIER_NEEDED = {
  409: {
    description: 'Several suppliers use this lot code: send `supplier_name`',
    content: {
      [JSON_TYPE]: {
        schema: Type.Object(
          {
            detail: Type.String({ description: 'One sentence' }),
            suppliers: Type.Array(Type.String(), {
              description: 'Who uses the lot code, by name; the first 20',
            }),
          },
          { title: 'SupplierNeeded' },
        ),
      },
    },
  },
} as const;

export const SEVERAL_LOTS = {
  409: {
    description: 'The code is a supplier’s, and several lots came in under it',
    content: {
      [JSON_TYPE]: {
        schema: Type.Object(
          {
            detail: Type.String({ description: 'One sentence' }),
            lots: Type.Array(Type.String(), { description: 'Codes of these lots; the first 20' }),
          },
          { title: 'SeveralLots' },
        ),
      },
    },
  },
} as const;

export const RULE_BROKEN = {
  400: refusal('A business rule is broken', 'external_id is taken by another event'),
} as const;

/** As `RULE_BROKEN`, with one entry for each item of the batch. */
export const BATCH_REFUSED = {
  400: {
    description:
      'A business rule is broken, such as an external id that is taken by other content; `errors` names ' +
      'all of them',
    content: {
      [JSON_TYPE]: {
        schema: Type.Object(
          { detail: Type.String(), errors: Type.Optional(Type.Array(FieldErrorSchema)) },
          { title: 'BatchRefusal' },
        ),
      },
    },
  },
} as const;

const UNDECODABLE = 'The path cannot be decoded, or a part of it is too long';

/** OpenAPI: what the router answers, of any path with a parameter. */
export const ADDRESS_MALFORMED = refusal(UNDECODABLE, 'The address is not well-formed');

export const TOO_LARGE = {
  413: refusal('The body is larger than allowed', 'The body is larger than 1048576 bytes'),
  415: refusal('The media type or encoding is not understood', 'Send application/json'),
} as const;

/** OpenAPI: both headers, on every `/v1` endpoint. */
export const V1_SECURITY = [{ ApiKey: [], TenantId: [] }];

/** OpenAPI: below `/v1/admin` a tenant may be named and need not be. */
export const ADMIN_SECURITY = [{ ApiKey: [] }, { ApiKey: [], TenantId: [] }];
