// The Fastify app of the service without a route: what it takes of a request, how it validates
// it, and under which id.
import { NO_PLACE, isAnswered } from '@lothub/kit/http/connection-limit';
import { acceptJsonBodies } from '@lothub/kit/http/json-body';
import { NO_FASTIFY_COMPILERS } from '@lothub/kit/http/schemas/no-fastify-compilers';
import {
  serializerAtFirstRequest,
  validatorAtFirstRequest,
} from '@lothub/kit/http/schemas/compilers';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import { countRequests } from '@lothub/kit/metrics/request-figures';
import { randomBase62 } from '@lothub/kit/secrets/base62';
import cookie from '@fastify/cookie';
import fastify, { LogController, type FastifyBaseLogger, type FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from './errors.ts';
import { SERVICE_LABEL } from './figures.ts';
import { OPERATION_PATHS, type App } from './http.ts';
import {
  answerBadAddress,
  answerMalformedHttp,
  installErrorAnswers,
  sendProblem,
} from './http-errors.ts';
import { assertJsonRequest } from './media-type.ts';
import type { Settings } from './settings.ts';

const KEEP_ALIVE_MS = 72_000;
/** How long a client may take for its headers and body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** docs/interface/notifications.md#fields-and-parameters; no other request of this service is larger. */
const BODY_BYTES_MAX = 65_536;
const REQUEST_ID_PREFIX_LENGTH = 8;

/** `genReqId` of an app that requests are passed on to; others give ids of their own. */
type AppOptions = Pick<FastifyServerOptions, 'genReqId'>;

/** As `newApp`, of a service that is open: counts its answers, answers errors, and reads cookies. */
export async function newServingApp(
  settings: Settings,
  log: Logger,
  { metrics, ...options }: AppOptions & { readonly metrics: Metrics | undefined },
): Promise<App> {
  const app = newApp(settings, log, options);
  if (metrics !== undefined) countRequests(app, { metrics, service: SERVICE_LABEL });
  installErrorAnswers(app);
  await app.register(cookie);
  return app;
}

export function newApp(settings: Settings, log: Logger, options: AppOptions = {}): App {
  const logger: FastifyBaseLogger = log;
  const app: App = fastify({
    loggerInstance: logger,
    schemaController: NO_FASTIFY_COMPILERS,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: settings.trustProxy.length === 0 ? false : [...settings.trustProxy],
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: options.genReqId ?? requestIds(),
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerMalformedHttp,
  });
  app.setValidatorCompiler(validatorAtFirstRequest);
  app.setSerializerCompiler(serializerAtFirstRequest);
  app.decorateRequest('person', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (isAnswered(request, OPERATION_PATHS)) done();
    else sendProblem(reply, new Problem('unavailable', NO_PLACE));
  });
  app.removeAllContentTypeParsers();
  acceptJsonBodies(app, assertJsonRequest);
  return app;
}

/** Ids that no other process and no later start gives: callers quote them, and the log is searched. */
function requestIds(): () => string {
  const prefix = randomBase62(REQUEST_ID_PREFIX_LENGTH);
  let count = 0;
  return () => `${prefix}-${(count += 1)}`;
}
