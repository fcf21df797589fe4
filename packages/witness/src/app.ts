/** The app of a witness that runs alone: its routes, and whether it lives. */
import { answerOnSocket } from '@lothub/kit/http/http-failures';
import {
  serializerAtFirstRequest,
  validatorAtFirstRequest,
} from '@lothub/kit/http/schemas/compilers';
import { NO_FASTIFY_COMPILERS } from '@lothub/kit/http/schemas/no-fastify-compilers';
import { discardUnreadBodies } from '@lothub/kit/http/unread-body';
import type { SharedSettings } from '@lothub/kit/shared-settings';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { WITNESS_PATH } from './policy-lines.ts';
import { witnessRoutes } from './routes.ts';
import type { Witness } from './witness.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Logs ask every ten seconds and keep their connection. */
const KEEP_ALIVE_MS = 72_000;
/** How long a client may take for its headers and its body of some kilobytes. */
const REQUEST_TIMEOUT_MS = 30_000;
const LIMITS = { bytesMax: 1_048_576, msMax: 5_000 };

export async function openWitnessApp(options: {
  readonly settings: SharedSettings;
  readonly witness: Witness;
  readonly log: FastifyBaseLogger;
}): Promise<FastifyInstance> {
  const { settings, witness, log } = options;
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    schemaController: NO_FASTIFY_COMPILERS,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy.length === 0 ? false : [...settings.trustProxy],
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    clientErrorHandler: (error, socket) =>
      answerOnSocket(error, socket, {
        mediaType: TEXT_TYPE,
        buildBody: () => 'The request is not well-formed HTTP.\n',
      }),
  });
  app.setValidatorCompiler(validatorAtFirstRequest);
  app.setSerializerCompiler(serializerAtFirstRequest);
  discardUnreadBodies(app, LIMITS);
  app.setErrorHandler((error, request, reply) => {
    request.log.error({ err: error }, 'answering a request failed');
    return reply.code(500).type(TEXT_TYPE).send('The request failed; the log says why.\n');
  });
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type(TEXT_TYPE)
      .send(`There is nothing at this path: see ${WITNESS_PATH}/about\n`),
  );
  app.get('/health', () => {
    const { name, vkey } = witness.key;
    return { status: 'ok', name, vkey, logs: witness.logCount };
  });
  await app.register((scope, _options, done) => {
    witnessRoutes(scope, { witness, prefix: `${settings.publicUrl}${WITNESS_PATH}` });
    done();
  });
  await app.ready();
  return app;
}
