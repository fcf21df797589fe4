// The description of an app's routes (OpenAPI), made when it is first read: what makes it is a hundred modules,
// which no start waits for.
import fastify from 'fastify';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { serializerAtFirstRequest, validatorAtFirstRequest } from '../schemas/compilers.ts';
import { NO_FASTIFY_COMPILERS } from '../schemas/no-fastify-compilers.ts';

export type ReadDescription = () => Promise<object>;

/** Registers, in an app without routes, what describes the routes that are added to it. */
export type RegisterDescriber = (app: FastifyInstance) => Promise<void>;

interface RoutedApp {
  addHook(name: 'onRoute', hook: (route: RouteOptions) => void): unknown;
}

/**
 * Notes the routes that are added to `app` from now on. They are described in an app of their own, which is never
 * served.
 */
export function describeRoutes(app: RoutedApp, register: RegisterDescriber): ReadDescription {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    // Fastify adds one for each GET; no description names them.
    if (route.method !== 'HEAD') routes.push(route);
  });
  let description: Promise<object> | undefined;
  return () => (description ??= describe(routes, register));
}

async function describe(
  routes: readonly RouteOptions[],
  register: RegisterDescriber,
): Promise<object> {
  const described = fastify({ schemaController: NO_FASTIFY_COMPILERS, exposeHeadRoutes: false });
  described.setValidatorCompiler(validatorAtFirstRequest);
  described.setSerializerCompiler(serializerAtFirstRequest);
  await register(described);
  for (const { method, url, schema, constraints } of routes) {
    described.route({
      method,
      url,
      ...(schema === undefined ? {} : { schema }),
      ...(constraints === undefined ? {} : { constraints }),
      handler: answerNothing,
    });
  }
  await described.ready();
  return described.swagger();
}

function answerNothing(): never {
  throw new Error('an app that describes routes serves none');
}
