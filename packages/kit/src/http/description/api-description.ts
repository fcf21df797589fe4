// What the machine-readable description of an app says of refusals that no route makes itself.
import type { FastifySchema } from 'fastify';

/** The description of one answer: a schema with a text, or OpenAPI's own form. */
export interface DescribedAnswer {
  readonly description: string;
}

/**
 * Describes of a route with a parameter in its path what is answered when the path cannot be decoded: the
 * router answers that, before any route.
 */
export function withBadAddress<Answer extends DescribedAnswer>(
  route: { readonly schema: FastifySchema; readonly url: string },
  refusal: { readonly status: number; readonly answer: Answer },
): FastifySchema {
  const { schema, url } = route;
  const { status, answer } = refusal;
  if (!/\/[:*]/.test(url)) return schema;
  const answers = isObject(schema.response) ? schema.response : {};
  const own: unknown = Reflect.get(answers, status);
  const both = isDescribed(own)
    ? { ...own, description: `${own.description}; ${answer.description}` }
    : answer;
  return { ...schema, response: { ...answers, [status]: both } };
}

function isDescribed(answer: unknown): answer is DescribedAnswer {
  return isObject(answer) && 'description' in answer && typeof answer.description === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
