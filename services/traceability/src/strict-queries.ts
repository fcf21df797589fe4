// Unknown parameters in the query of an authenticated endpoint are refused: a filter that is ignored would
// answer everything.
import type { RouteOptions } from 'fastify';
import { Type } from '@lothub/kit/json-schema';

/** The `onRoute` hook of the endpoints whose queries hold nothing but what their schemas name. */
export function refuseUnknownParameters(route: RouteOptions): void {
  const { querystring = Type.Object({}) } = route.schema ?? {};
  if (typeof querystring !== 'object' || querystring === null) {
    throw new TypeError(`the schema of the query of ${route.url} is no object`);
  }
  route.schema = { ...route.schema, querystring: { ...querystring, additionalProperties: false } };
}
