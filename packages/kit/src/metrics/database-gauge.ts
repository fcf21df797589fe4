// The gauge that says whether the database of a service answers. It is set when figures are read from the database.
import { DatabaseError } from '../database.ts';
import type { Metrics } from './metrics.ts';

/** @returns runs what reads the database, and notes whether it could */
export function databaseGauge({
  metrics,
  service,
}: {
  readonly metrics: Metrics;
  readonly service: string;
}): (read: () => Promise<void>) => Promise<void> {
  const up = metrics.gauge({
    name: 'lothub_database_up',
    help: '1 while the database answers within two seconds',
    labelNames: ['service'],
  });
  return async (read) => {
    try {
      await read();
      up.set({ service }, 1);
    } catch (error) {
      // Away is a figure as well; anything else is a defect.
      if (!(error instanceof DatabaseError)) throw error;
      up.set({ service }, 0);
    }
  };
}
