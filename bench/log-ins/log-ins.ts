// npm run bench -- log-ins: posts to the hub and to a group while people log in, both services in one process.
// A log-in costs some 9 ms of a core and 19 MiB by design; those who post are not to wait for it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchEvent } from '../events.ts';
import { HEADERS, TENANT_KEY, startChild, type ServiceChild } from '../kit/child.ts';
import { startDatabaseServer, type DatabaseServer } from '../kit/database-server.ts';
import { readEngine } from '../kit/options.ts';
import { median, medianShare, printReport, type Figure } from '../kit/report.ts';
import { openScratch } from '../kit/scratch.ts';
import { startSteadyLoad, type SteadyLoad, type SteadyRequest } from '../kit/steady-load.ts';
import { GROUP_SETTINGS, OWNER, POST_HEADERS, benchNotification } from '../notify/child.ts';

export const LOG_INS_USAGE = '[--engine sqlite|postgres]';

const LOG_INS_PER_SECOND = 50;
/** Of each service: a busy day of a hub, far below what it can take. */
const POSTS_PER_SECOND = 100;
const ROUNDS = 9;
/** Rounds that are not counted: until compiled code and caches are those of a service at work. */
const WARM_UP_ROUNDS = 1;
const ROUND_MS = 8_000;
/** Until all loads of a round are under way. */
const BEGINNING_MS = 1_000;
/** Requests of one load: more than a round sends. */
const REQUESTS = 2_000;
const TIMES_WITHOUT_LOG_INS = 1.2;
/** Log-ins that the machine cannot compute are refused with these statuses. */
const COME_AGAIN = [429, 503];
const NEVER_REACHED = '1000000000';

interface Round {
  readonly hubP99Ms: number;
  readonly groupP99Ms: number;
  /** Per second: log-ins that got a session, and log-ins that were refused. */
  readonly loggedIn: number;
  readonly refused: number;
}

export async function benchLogIns(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { engine: { type: 'string' } } });
  const engine = readEngine(values.engine);
  await using scratch = await openScratch();
  await using server = engine === 'postgres' ? await startDatabaseServer(scratch.dir) : undefined;
  await using served = await startChild({
    module: new URL('./service.ts', import.meta.url),
    healthPath: '/health',
    env: {
      ...(await createDatabases(server)),
      ...GROUP_SETTINGS,
      DATA_DIR: join(scratch.dir, 'served'),
      TENANT_API_KEY: TENANT_KEY,
      ADMIN_API_KEY: 'bench-admin-key-0123456789abcdef',
      RATE_LIMIT_V1: '0',
      NOTIFICATIONS_RATE_LOGIN_BURST: NEVER_REACHED,
    },
  });
  const without: Round[] = [];
  const beside: Round[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const quiet = await post(served, { series: `quiet${round}`, logIns: 0 });
    const busy = await post(served, { series: `busy${round}`, logIns: LOG_INS_PER_SECOND });
    if (round < WARM_UP_ROUNDS) continue;
    without.push(quiet);
    beside.push(busy);
  }
  printReport(engine === 'sqlite' ? 'log-ins' : 'log-ins-postgres', compareRounds(without, beside));
}

async function createDatabases(
  server: DatabaseServer | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (server === undefined) return {};
  const [hub, notifications] = [await server.createDatabase(), await server.createDatabase()];
  return { DATABASE_URL: hub.url, NOTIFICATIONS_DATABASE_URL: notifications.url };
}

async function post(
  { address: hubUrl, otherAddress: groupUrl }: ServiceChild,
  { series, logIns }: { readonly series: string; readonly logIns: number },
): Promise<Round> {
  const loads: SteadyLoad[] = [
    await steadily(hubUrl, HEADERS, (n) => ({
      ...{ kind: 'post', method: 'POST', path: '/v1/events' },
      body: JSON.stringify(benchEvent(n, series)),
    })),
    await steadily(groupUrl, POST_HEADERS, (n) => ({
      ...{ kind: 'post', method: 'POST', path: '/api/v1/ingest' },
      body: benchNotification(n),
    })),
  ];
  if (logIns > 0) {
    loads.push(
      await startSteadyLoad({
        url: groupUrl,
        headers: { origin: groupUrl },
        ...{ perSecond: logIns, atAnyMoment: true, beginningMs: BEGINNING_MS },
        refusals: COME_AGAIN,
        requests: Array.from({ length: REQUESTS }, () => ({
          ...{ kind: 'log-in', method: 'POST' as const, path: '/api/v1/session' },
          body: JSON.stringify(OWNER),
        })),
      }),
    );
  }
  await sleep(BEGINNING_MS + ROUND_MS);
  const [hub, group, people] = await Promise.all(loads.map((load) => load.stop()));
  const aSecond = (kind: string): number => (people?.get(kind)?.requests ?? 0) / (ROUND_MS / 1_000);
  return {
    hubP99Ms: hub?.get('post')?.p99Ms ?? Number.NaN,
    groupP99Ms: group?.get('post')?.p99Ms ?? Number.NaN,
    loggedIn: aSecond('log-in'),
    refused: aSecond('log-in, refused'),
  };
}

function steadily(
  url: string,
  headers: Readonly<Record<string, string>>,
  buildRequest: (n: number) => SteadyRequest,
): Promise<SteadyLoad> {
  const requests = Array.from({ length: REQUESTS }, (_, n) => buildRequest(n));
  const times = { perSecond: POSTS_PER_SECOND, atAnyMoment: true, beginningMs: BEGINNING_MS };
  return startSteadyLoad({ url, headers, ...times, requests });
}

function compareRounds(without: readonly Round[], beside: readonly Round[]): readonly Figure[] {
  const target = { kind: 'at_most', value: TIMES_WITHOUT_LOG_INS } as const;
  const p99s = (['hub', 'group'] as const).flatMap((place): readonly Figure[] => {
    const p99 = (round: Round) => (place === 'hub' ? round.hubP99Ms : round.groupP99Ms);
    const name = `post to ${place === 'hub' ? 'the hub' : 'a group'}, p99`;
    return [
      { name: `${name}, nobody logs in`, value: median(without.map(p99)), unit: 'ms' },
      {
        name: `${name}, ${LOG_INS_PER_SECOND} log-ins a second`,
        value: median(beside.map(p99)),
        unit: 'ms',
      },
      {
        name: `${name}, compared`,
        value: medianShare(beside.map(p99), without.map(p99)),
        unit: 'times',
        target,
      },
    ];
  });
  const loggedIn = beside.map((round) => round.loggedIn);
  const refused = beside.map((round) => round.refused);
  return [
    ...p99s,
    { name: 'log-ins that got a session', value: median(loggedIn), unit: '/s' },
    { name: 'log-ins asked to come again', value: median(refused), unit: '/s' },
  ];
}
