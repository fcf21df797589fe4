// What reaching people costs posts: a group with a webhook, devices and mail beside one with none; how many
// deliveries a second leave one process; and whether a receiver that hangs delays another one. All receivers are on
// this machine, in a process of their own that takes only what the services leave of the processors.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../kit/child.ts';
import type { DatabaseServer } from '../kit/database-server.ts';
import { load, summarizeLatencies } from '../kit/load.ts';
import { median, medianShare, type Figure } from '../kit/report.ts';
import { startSteadyLoad } from '../kit/steady-load.ts';
import { POST_HEADERS, benchNotification, startNotifyHub, type NotifyHub } from './child.ts';
import { addDevices, addWebhook, turnMailOn } from './receivers.ts';
import type { SinkState } from './sinks.ts';

const CONNECTIONS = 64;
const ROUNDS = 9;
/** Rounds that are not counted: until compiled code and caches are those of a service at work. */
const WARM_UP_ROUNDS = 1;
/** What is posted faster than it is delivered waits, and a receiver that is far behind is disabled. */
const POSTS_OF_ROUND = 2_000;
const ROUND_SECONDS_MAX = 10;
const DEVICES = 3;
/** Deliveries of these posts are fewer than what leaves the process. */
const STEADY_PER_SECOND = 50;
const STEADY_MS = 12_000;
/** Before that: a service that was stopped has its timers and caches to catch up with. */
const BEGINNING_MS = 1_000;
const STEADY_POSTS = (STEADY_PER_SECOND * (BEGINNING_MS + STEADY_MS)) / 1_000;
/** Requests of one steady load: more than are sent in that time. */
const STEADY_REQUESTS = 1_000;
const LOOK_MS = 100;
/** Looks without a new delivery after which everything counts as sent. */
const STILL_LOOKS = 10;
const EMPTY_WITHIN_MS = 120_000;

const POST_SHARE = 0.7;
const DELIVERIES_PER_SECOND = 1_000;
const TIMES_WITHOUT = 1.2;

interface Options {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
}

export async function benchNotifyReach(options: Options): Promise<readonly Figure[]> {
  await using sinks = await startChild({
    module: new URL('./sinks.ts', import.meta.url),
    healthPath: '/state',
    env: {},
  });
  const state = async (): Promise<SinkState> =>
    (await (await fetch(`${sinks.address}/state`)).json()) as SinkState;
  const { hangingAddress, mailPort } = await state();
  const env = {
    NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.0/8',
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: 'bench@example.com',
  };
  await using bare = await startHub(options, 'bare', env);
  await using reaching = await startHub(options, 'reaching', env);
  await addWebhook(reaching, `${sinks.address}/hook`);
  await addDevices(reaching, sinks.address, DEVICES);
  await turnMailOn(reaching);

  const sent: number[] = [];
  const rates = await alternate({ bare, reaching }, postFast, async () => {
    sent.push(await drain(state));
  });
  const waits = await alternate({ bare, reaching }, readSteadyWaits, async () => {
    await drain(state);
  });
  const p99Ms = { bare: findP99(waits.bare.flat()), reaching: findP99(waits.reaching.flat()) };
  await addWebhook(reaching, `${hangingAddress}/hook`);
  const before = (await state()).http;
  const beside = findP99(await readSteadyWaits(reaching));
  const arrived = ((await state()).http - before) / STEADY_POSTS;
  const { mail } = await state();
  const receivers = `a webhook, ${DEVICES} devices and mail`;
  return [
    { name: 'durable post, no receivers', value: median(rates.bare), unit: '/s' },
    { name: `durable post, ${receivers}`, value: median(rates.reaching), unit: '/s' },
    {
      name: `durable post with ${receivers}, as a share of those without`,
      value: medianShare(rates.reaching, rates.bare),
      unit: '',
      target: { kind: 'at_least', value: POST_SHARE },
    },
    {
      name: 'requests to webhook and devices from one process',
      value: median(sent),
      unit: '/s',
      target: { kind: 'at_least', value: DELIVERIES_PER_SECOND },
    },
    { name: 'mails meanwhile (a person is sent 20 an hour)', value: mail, unit: '' },
    {
      name: `post p99, ${STEADY_PER_SECOND} a second, no receivers`,
      value: p99Ms.bare,
      unit: 'ms',
    },
    {
      name: `post p99, ${STEADY_PER_SECOND} a second, ${receivers}`,
      value: p99Ms.reaching,
      unit: 'ms',
    },
    {
      name: 'post p99 with receivers, compared with none',
      value: p99Ms.reaching / p99Ms.bare,
      unit: 'times',
      target: { kind: 'at_most', value: TIMES_WITHOUT },
    },
    { name: 'post p99 beside a receiver that hangs', value: beside, unit: 'ms' },
    {
      name: 'requests to the others for each post meanwhile',
      value: arrived,
      unit: '',
      // The last posts may still be on their way.
      target: { kind: 'at_least', value: DEVICES + 0.9 },
    },
  ];
}

async function startHub(
  { dir, server }: Options,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<NotifyHub> {
  const databaseUrl = (await server?.createDatabase())?.url;
  return await startNotifyHub({ dataDir: join(dir, name), databaseUrl, env });
}

type Hubs = Readonly<Record<'bare' | 'reaching', NotifyHub>>;

/** One of both sleeps while the other one is measured, with all that it still has to deliver. */
async function alternate<Measured>(
  { bare, reaching }: Hubs,
  measure: (hub: NotifyHub) => Promise<Measured>,
  afterwards: () => Promise<void>,
): Promise<Readonly<Record<keyof Hubs, readonly Measured[]>>> {
  const found: Record<keyof Hubs, Measured[]> = { bare: [], reaching: [] };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    pause(reaching);
    const without = await measure(bare);
    resume(reaching);
    pause(bare);
    const withThem = await measure(reaching);
    await afterwards();
    resume(bare);
    if (round < WARM_UP_ROUNDS) continue;
    found.bare.push(without);
    found.reaching.push(withThem);
  }
  return found;
}

function pause({ services }: NotifyHub): void {
  for (const service of services) service.process.kill('SIGSTOP');
}

function resume({ services }: NotifyHub): void {
  for (const service of services) service.process.kill('SIGCONT');
}

async function postFast({ services: [service] }: NotifyHub): Promise<number> {
  const result = await load({
    url: `${service.address}/api/v1/ingest`,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS_MAX,
    requestsMax: POSTS_OF_ROUND,
    method: 'POST',
    headers: POST_HEADERS,
    body: benchNotification,
  });
  if (result.failures > 0) throw new Error(`${result.failures} posts were refused`);
  return result.perSecond;
}

async function readSteadyWaits({ services: [service] }: NotifyHub): Promise<readonly number[]> {
  const steady = await startSteadyLoad({
    url: service.address,
    headers: POST_HEADERS,
    perSecond: STEADY_PER_SECOND,
    beginningMs: BEGINNING_MS,
    atAnyMoment: true,
    requests: Array.from({ length: STEADY_REQUESTS }, (_, n) => ({
      ...{ kind: 'post', method: 'POST' as const, path: '/api/v1/ingest' },
      body: benchNotification(n),
    })),
  });
  await sleep(BEGINNING_MS + STEADY_MS);
  return (await steady.stop()).get('post')?.waitsMs ?? [];
}

/** Of all rounds together: that of one has 600 posts, and differs by a third between rounds of one service. */
function findP99(waitsMs: readonly number[]): number {
  return summarizeLatencies(waitsMs).p99Ms;
}

/** Waits until all have left. @returns requests a second until then; 0 when nothing was waiting */
async function drain(state: () => Promise<SinkState>): Promise<number> {
  const startedMs = performance.now();
  const before = (await state()).http;
  let last = { http: before, atMs: startedMs };
  for (let still = 0; still < STILL_LOOKS; still += 1) {
    await sleep(LOOK_MS);
    const { http } = await state();
    const atMs = performance.now();
    if (atMs - startedMs > EMPTY_WITHIN_MS) throw new Error('deliveries do not come to an end');
    if (http === last.http) continue;
    last = { http, atMs };
    still = 0;
  }
  return last.http === before ? 0 : ((last.http - before) * 1_000) / (last.atMs - startedMs);
}
