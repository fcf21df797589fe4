// What the service answers before it is open: how far an upgrade is, and that everything else has to wait.
import type { StartingApp } from '@lothub/kit/serving/served-service';
import { frontedApp } from '@lothub/kit/serving/front';
import { RequestsUnderWay } from '@lothub/kit/serving/requests-under-way';
import { toPercent, type UpgradeProgress } from '@lothub/kit/upgrade';
import type { DestinationStream } from 'pino';
import { newLog } from '@lothub/kit/serving/service-log';
import { newApp } from './app.ts';
import { Problem } from './errors.ts';
import { HEALTH_SCHEMA, READY_SCHEMA } from './health/health-routes.ts';
import { HEALTH_PATH, READY_PATH } from './http.ts';
import { installErrorAnswers } from './http-errors.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** Seconds after which a refused caller should retry. */
const RETRY_AFTER_SECONDS = 5;

/** Opens the app for the time of starting. It never listens: the front passes requests to it. */
export async function openStartingApp(options: {
  readonly settings: Settings;
  readonly logStream: DestinationStream;
}): Promise<StartingApp> {
  const log = newLog(options);
  const app = newApp(options.settings, log);
  const underWay = RequestsUnderWay.of(app);
  let upgrade: UpgradeProgress | undefined;
  // Whether there is anything at other paths is not known before the service is open.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? notReady(upgrade) : undefined);
  });
  installErrorAnswers(app);
  app.get(HEALTH_PATH, { schema: HEALTH_SCHEMA }, (_request, reply) => {
    if (upgrade === undefined) throw notReady(upgrade);
    return reply.send({ status: 'upgrading', version: VERSION, percent: toPercent(upgrade) });
  });
  app.get(READY_PATH, { schema: READY_SCHEMA }, () => {
    throw notReady(upgrade);
  });
  await app.ready();
  return {
    app: frontedApp(app),
    log,
    onUpgrade: (progress) => (upgrade = progress),
    close: async () => {
      await underWay.ended();
      await app.close();
    },
  };
}

function notReady(upgrade: UpgradeProgress | undefined): Problem {
  const state = upgrade === undefined ? 'is starting' : 'is being upgraded';
  return new Problem('unavailable', `The service ${state}: nothing was stored, try again`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
