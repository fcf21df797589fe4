// Starts the notification service of a benchmark with an owner, a group and a key, and knows what a
// poster and a reader of it need.
import { join } from 'node:path';
import { startChild, type ServiceChild } from '../kit/child.ts';

export const OWNER = { email: 'owner@bench.example', password: 'bench owner passphrase' } as const;
const KEY = 'bench-group-key-0123456789abcdef0123456789abcdef';
export const POST_HEADERS = { 'x-api-key': KEY } as const;
/** Requests are counted, and none is refused. */
const NEVER_REACHED = '1000000000';
/** Of a service with an owner, a group and its key. */
export const GROUP_SETTINGS = {
  NOTIFICATIONS_OWNER_EMAIL: OWNER.email,
  NOTIFICATIONS_OWNER_PASSWORD: OWNER.password,
  NOTIFICATIONS_GROUP: 'Bench',
  NOTIFICATIONS_API_KEY: KEY,
  NOTIFICATIONS_RATE_KEY_BURST: NEVER_REACHED,
  NOTIFICATIONS_RATE_PERSON_BURST: NEVER_REACHED,
  LOG_LEVEL: 'error',
} as const;

export interface NotifyHub extends AsyncDisposable {
  readonly services: readonly [ServiceChild, ...ServiceChild[]];
  readonly groupId: string;
  /** Headers of a machine that reads. */
  readonly readHeaders: Readonly<Record<string, string>>;
  /** Cookie of the owner's browser. */
  readonly cookie: string;
}

export interface NotifyHubOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  readonly processes?: number;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startNotifyHub(options: NotifyHubOptions): Promise<NotifyHub> {
  await using starting = new AsyncDisposableStack();
  const start = async (n: number): Promise<ServiceChild> =>
    starting.use(
      await startChild({
        module: new URL('./service.ts', import.meta.url),
        execArgv: ['--expose-gc'],
        healthPath: '/api/v1/health',
        env: {
          DATA_DIR: n === 0 ? options.dataDir : join(options.dataDir, String(n)),
          NOTIFICATIONS_DATABASE_URL: options.databaseUrl ?? '',
          ...GROUP_SETTINGS,
          NOTIFICATIONS_STREAMS_PER_PERSON: '1000000',
          ...options.env,
        },
      }),
    );
  const services: [ServiceChild, ...ServiceChild[]] = [await start(0)];
  for (let n = 1; n < (options.processes ?? 1); n += 1) services.push(await start(n));
  const access = await logIn(services[0].address);
  const started = starting.move();
  return { services, ...access, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

async function logIn(address: string) {
  const api = `${address}/api/v1`;
  const session = await fetch(`${api}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify(OWNER),
  });
  const cookie = (session.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  if (!session.ok || cookie === '') throw new Error(`logging in was answered ${session.status}`);
  const headers = { cookie, origin: address, 'content-type': 'application/json' };
  const groups = await read<{ readonly items: readonly { readonly id: string }[] }>(
    `${api}/groups`,
    { headers },
  );
  const groupId = groups.items[0]?.id ?? '';
  // Retention must not delete posts during the benchmark.
  await read(`${api}/groups/${groupId}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ retention_rows: 10_000_000 }),
  });
  const token = await read<{ readonly token: string }>(`${api}/me/tokens`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'bench' }),
  });
  return { groupId, cookie, readHeaders: { authorization: `Bearer ${token.token}` } };
}

async function read<Body>(url: string, init: RequestInit): Promise<Body> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

const SUBJECTS = ['Cold room 2', 'Line 4', 'Gate 7', 'Backup of the till', 'Boiler', 'Silo 3'];

/** A notification as systems send them: three in four without much to say. */
export function benchNotification(n: number): string {
  const subject = SUBJECTS[n % SUBJECTS.length] ?? '';
  return JSON.stringify({
    command: 'notify',
    title: `${subject}: reading ${n} is out of range`,
    ...(n % 4 === 0 ? { body: `Measured ${n % 97}.4, expected at most 5. `.repeat(4) } : {}),
    severity: n % 50 === 0 ? 'critical' : n % 5 === 0 ? 'warning' : 'info',
  });
}
