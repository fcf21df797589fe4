// Shapes that all routes share: the typed app, who is asking, problem answers, paging.
import { Type } from '@lothub/kit/json-schema';
import type { Static, TObject, TSchema } from 'typebox';
import type { Person } from './access/person.ts';
import { PROBLEMS, type ProblemCode } from './errors.ts';

export type { App } from '@lothub/kit/http/schemas/typed-app';

declare module 'fastify' {
  interface FastifyRequest {
    /** The person who sends the request; null in routes without `personGate`. */
    person: Person | null;
  }
}

/** All paths of this service begin with this prefix or that of the pages. */
export const API_PREFIX = '/api/v1';
export const HEALTH_PATH = `${API_PREFIX}/health`;
export const READY_PATH = `${API_PREFIX}/ready`;
/** Paths that report the state of the process to its supervisor. */
export const OPERATION_PATHS = [HEALTH_PATH, READY_PATH] as const;
export const PAGES_PREFIX = '/inbox';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

export const LimitQuery = Type.Optional(
  Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT }),
);

/** A body of which nothing is needed: `POST` without one is as good as `{}`. */
export const optionalBody = <Fields extends TObject>(schema: Fields) =>
  Type.Unsafe<Static<Fields> | null>({ ...schema, type: ['object', 'null'] });

export const PROBLEM_TYPE = 'application/problem+json';

const FieldProblemSchema = Type.Object(
  {
    pointer: Type.String({ examples: ['/title'] }),
    code: Type.String({ examples: ['too_long'] }),
    limit: Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'] }),
    actual: Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'] }),
  },
  { title: 'FieldProblem' },
);

/** RFC 9457. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ examples: ['urn:problem-type:lothub:fields_invalid'] }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ examples: ['fields_invalid'] }),
    detail: Type.String(),
    request_id: Type.String(),
    errors: Type.Array(FieldProblemSchema),
  },
  { title: 'Problem', description: 'What was refused and why; see docs/notifications/errors.md' },
);

interface ProblemAnswer {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/**
 * The refusals of a route, for its `schema.response`: `{ 201: Made, ...problemAnswers('not_found') }`.
 * Every code that it may answer with, so that each status is described.
 */
export function problemAnswers(
  ...codes: readonly ProblemCode[]
): Readonly<Record<number, ProblemAnswer>> {
  const ofStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries([...ofStatus].map(([status, same]) => [status, problemAnswer(same)]));
}

/** Refusals of one status. */
export function problemAnswer(codes: readonly ProblemCode[]): ProblemAnswer {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('; '),
    content: { [PROBLEM_TYPE]: { schema: ProblemSchema } },
  };
}
