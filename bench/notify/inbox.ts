// Pages of the inbox of a group with a million notifications, as REST and as HTML: newest first, from
// anywhere, and with each filter.
import { join } from 'node:path';
import type { DatabaseServer } from '../kit/database-server.ts';
import { load } from '../kit/load.ts';
import { benchNotification, startNotifyHub, type NotifyHub } from './child.ts';
import { fillGroup } from './fill.ts';
import { Random } from '../kit/random.ts';
import type { Figure } from '../kit/report.ts';

/** Promised is the server's time of a page at a million rows. */
export const INBOX_ROWS = 1_000_000;
const PAGE_P95_MS = 50;
const REQUESTS = 400;
const SECONDS_MAX = 30;
const SEED = 20_261_121;
/** Cursors leave out both ends, where a page may be empty. */
const ENDS = 1_000;

export async function benchNotifyInbox(options: {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
  readonly rows: number;
}): Promise<readonly Figure[]> {
  const { dir, server, rows } = options;
  await using hub = await startNotifyHub({
    dataDir: join(dir, 'inbox'),
    databaseUrl: (await server?.createDatabase())?.url,
  });
  const startedAt = performance.now();
  await fillGroup({
    address: hub.services[0].address,
    count: rows,
    body: benchNotification,
    onProgress: (done) => console.error(`  ${done} of ${rows} notifications are there`),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const random = new Random(SEED);
  const seq = (): number => random.integer(ENDS, rows - ENDS);
  const list = `/api/v1/groups/${hub.groupId}/notifications`;
  const page = `/inbox/groups/${hub.groupId}`;
  const kinds: readonly (readonly [string, Asked, () => string])[] = [
    ['list, newest', 'machine', () => list],
    ['list, before any', 'machine', () => `${list}?before=${seq()}`],
    ['list, after any', 'machine', () => `${list}?after=${seq()}`],
    ['list, critical before any', 'machine', () => `${list}?severity=critical&before=${seq()}`],
    ['list, unread', 'machine', () => `${list}?unread=true`],
    ['list, text that most have', 'machine', () => `${list}?q=out+of+range&before=${seq()}`],
    ['list, text that none has', 'machine', () => `${list}?q=nowhere+to+be+found`],
    ['unread of all groups', 'machine', () => '/api/v1/unread'],
    ['HTML page, newest', 'browser', () => page],
    ['HTML page, before any', 'browser', () => `${page}?before=${seq()}`],
  ];
  const figures: Figure[] = [
    { name: `${rows} notifications: posted`, value: rows / seconds, unit: '/s' },
  ];
  for (const [name, asked, path] of kinds) figures.push(...(await measure(hub, name, asked, path)));
  return figures.map(({ target, ...figure }) =>
    target === undefined || rows < INBOX_ROWS ? figure : { ...figure, target },
  );
}

type Asked = 'machine' | 'browser';

async function measure(
  hub: NotifyHub,
  name: string,
  asked: Asked,
  path: () => string,
): Promise<readonly Figure[]> {
  const finds = !name.endsWith('none has') && !name.startsWith('unread of');
  const result = await load({
    url: hub.services[0].address,
    connections: 1,
    seconds: SECONDS_MAX,
    requestsMax: REQUESTS,
    method: 'GET',
    headers: asked === 'machine' ? hub.readHeaders : { cookie: hub.cookie },
    path,
    check: (_n, { status, bytes }) => {
      if (status !== 200) throw new Error(`${name} was answered ${status}`);
      if (finds && !bytes.includes(' is out of range')) throw new Error(`${name} showed nothing`);
    },
  });
  return [
    { name: `inbox, ${name}: p50`, value: result.p50Ms, unit: 'ms' },
    {
      name: `inbox, ${name}: p95`,
      value: result.p95Ms,
      unit: 'ms',
      target: { kind: 'at_most', value: PAGE_P95_MS },
    },
  ];
}
