// Figures of watching for Prometheus: how many people watch, and the results of notifying them.
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import sql from 'sql-template-tag';
import { CHANNELS, type Channel } from './watch-queries.ts';
import type { TriedOutcome } from './sending/worker.ts';

export interface WatchFigures {
  readonly countTry: (channel: Channel, outcome: TriedOutcome) => void;
}

export function watchFigures(metrics: Metrics, database: DatabaseReader): WatchFigures {
  const watches = metrics.gauge({
    name: 'lothub_watches',
    help: 'Watches of lots and products, by the way that messages take',
    labelNames: ['channel'],
  });
  const waiting = metrics.gauge({
    name: 'lothub_watch_deliveries_waiting',
    help: 'Messages to people that are to be sent',
  });
  const tries = metrics.counter({
    name: 'lothub_watch_tries_total',
    help: 'Tries of this process to send a message, by their outcome',
    labelNames: ['channel', 'outcome'],
  });
  metrics.onCollect(async () => {
    // While the database is unreachable the last figures stay.
    const counts = await readCounts(database).catch((error: unknown) => {
      if (!(error instanceof DatabaseError)) throw error;
      return undefined;
    });
    if (counts === undefined) return;
    for (const channel of CHANNELS) watches.set({ channel }, counts.get(channel) ?? 0);
    waiting.set(counts.get('waiting') ?? 0);
  });
  return { countTry: (channel, outcome) => tries.inc({ channel, outcome }) };
}

async function readCounts(database: DatabaseReader): Promise<ReadonlyMap<string, number>> {
  const rows = await database.all<{ readonly name: string; readonly count: number }>(
    sql`
    select channel as "name", count(*) as "count"
    from watches
    where status = 'active'
    group by channel
    union all
    select 'waiting' as "name", count(*) as "count"
    from watch_deliveries`,
    { timeoutMs: HEALTH_WAIT_MS },
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
