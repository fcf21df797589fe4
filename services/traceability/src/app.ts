// The Fastify app of the hub without a route: what it takes of a request, how it validates it,
// and what it logs of it.
import { NO_PLACE, isAnswered } from '@lothub/kit/http/connection-limit';
import { acceptJsonBodies } from '@lothub/kit/http/json-body';
import { isPassedOn } from '@lothub/kit/http/later-app';
import { NO_FASTIFY_COMPILERS } from '@lothub/kit/http/schemas/no-fastify-compilers';
import {
  serializerAtFirstRequest,
  validatorAtFirstRequest,
} from '@lothub/kit/http/schemas/compilers';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import { countRequests } from '@lothub/kit/metrics/request-figures';
import fastify, { LogController, type FastifyBaseLogger, type FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { BODY_BYTES_MAX } from './events/schema.ts';
import { Refusal } from './errors.ts';
import { SERVICE_LABEL } from './figures.ts';
import { OPERATION_PATHS, type App } from './http.ts';
import {
  answerBadAddress,
  answerMalformedHttp,
  installErrorAnswers,
  type NotFoundAnswer,
} from './http-errors.ts';
import { setSecurityHeaders } from './security-headers.ts';
import type { Settings } from './settings.ts';

/** Path segments may be percent-encoded; three bytes for each of up to 200 UTF-16 units, and more. */
const PATH_PARAM_MAX = 2_000;
const KEEP_ALIVE_MS = 72_000;
/** How long a client may take for its headers and body: a gigabyte at 15 Mbit/s. */
const REQUEST_TIMEOUT_MS = 600_000;

/** `genReqId` of an app that requests are passed on to; others number theirs. */
type AppOptions = Pick<FastifyServerOptions, 'genReqId'>;

/** As `newApp`, of a hub that is open: counts its answers, answers errors, and sets the headers of every answer. */
export function newServingApp(
  settings: Settings,
  log: Logger,
  { metrics, ...options }: AppOptions & { readonly metrics: Metrics | undefined },
): { readonly app: App; readonly answerNotFound: NotFoundAnswer } {
  const app = newApp(settings, log, options);
  if (metrics !== undefined) countRequests(app, { metrics, service: SERVICE_LABEL });
  const { answerNotFound } = installErrorAnswers(app, settings);
  app.addHook('onRequest', setSecurityHeaders);
  return { app, answerNotFound };
}

export function newApp(settings: Settings, log: Logger, options: AppOptions = {}): App {
  const logger: FastifyBaseLogger = log;
  const app: App = fastify({
    ...options,
    loggerInstance: logger,
    schemaController: NO_FASTIFY_COMPILERS,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: settings.trustProxy.length === 0 ? false : [...settings.trustProxy],
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    frameworkErrors: answerBadAddress(settings),
    clientErrorHandler: answerMalformedHttp,
    routerOptions: { maxParamLength: PATH_PARAM_MAX },
  });
  app.setValidatorCompiler(validatorAtFirstRequest);
  app.setSerializerCompiler(serializerAtFirstRequest);
  app.decorateRequest('tenantId', '');
  app.decorateRequest('keyLabel', '');
  app.decorateRequest('keyHash', '');
  app.decorateRequest('isDryRun', false);
  app.removeAllContentTypeParsers();
  acceptJsonBodies(app);
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = !isAnswered(request, OPERATION_PATHS);
    done(isRefused ? new Refusal('too_many_connections', NO_PLACE) : undefined);
  });
  // Only the path is logged, and only when asked for: a query may hold what is private.
  app.addHook('onResponse', (request, reply, done) => {
    if (!log.isLevelEnabled('debug') || isPassedOn(request)) return done();
    request.log.debug(
      {
        method: request.method,
        path: request.url.replace(/\?.*$/s, ''),
        status: reply.statusCode,
        elapsed_ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
    done();
  });
  return app;
}
