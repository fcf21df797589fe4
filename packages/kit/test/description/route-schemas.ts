// Compiles the schemas of all routes of an app, which a service does for each route at its first request.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { compileAnswerSchema } from '../../src/http/schemas/answer-serializers.ts';
import { compileRequestSchema } from '../../src/http/schemas/request-validation.ts';

const REQUEST_PARTS = ['body', 'querystring', 'params', 'headers'] as const;

/**
 * Compiles what an app that is opened meanwhile describes of its requests and answers.
 * @returns the routes whose schemas were compiled
 * @throws what the compiler of the first wrong schema throws
 */
export async function compileAllRoutes(open: () => Promise<AsyncDisposable>): Promise<number> {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  try {
    await using _opened = await open();
  } finally {
    unsubscribe('fastify.initialization', watch);
  }
  for (const route of routes) compileRoute(route);
  return routes.length;
}

function compileRoute({ schema, url }: RouteOptions): void {
  const route = { method: 'GET', url };
  for (const httpPart of REQUEST_PARTS) {
    const part = schema?.[httpPart];
    for (const each of listSchemas(part))
      compileRequestSchema({ ...route, httpPart, schema: each });
  }
  for (const answer of Object.values(schema?.response ?? {})) {
    for (const each of listSchemas(answer)) compileAnswerSchema({ ...route, schema: each });
  }
}

/** The schema of a part, or one for each of its content types. */
function listSchemas(part: unknown): readonly object[] {
  if (typeof part !== 'object' || part === null) return [];
  const { content } = part as { readonly content?: Readonly<Record<string, { schema: object }>> };
  return content === undefined ? [part] : Object.values(content).map(({ schema }) => schema);
}
