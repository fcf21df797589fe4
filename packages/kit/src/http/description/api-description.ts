// What the machine-readable description of an app says that no route says itself: refusals of the router, and
// a name for the rest of a path.
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

/** What the rest of a path is called; OpenAPI has no word for one that holds slashes. */
const REST_NAME = 'path';

/** Gives the wildcard at the end of a route's path a name, as a description needs it. */
export function withNamedRest(route: { readonly schema: FastifySchema; readonly url: string }): {
  readonly schema: FastifySchema;
  readonly url: string;
} {
  const { schema, url } = route;
  const { params } = schema;
  if (!url.endsWith('/*') || !isObject(params) || !('properties' in params)) return route;
  const rename = (name: string): string => (name === '*' ? REST_NAME : name);
  const entries = Object.entries(isObject(params.properties) ? params.properties : {});
  const properties = Object.fromEntries(entries.map(([name, one]) => [rename(name), one]));
  return {
    schema: { ...schema, params: { ...params, properties, required: Object.keys(properties) } },
    url: url.replace(/\*$/, `:${REST_NAME}`),
  };
}
