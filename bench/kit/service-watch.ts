// Watches the processors of a benchmark by who uses them: the service, PostgreSQL, and the benchmark
// itself, which makes the load.
import type { ServiceChild } from './child.ts';
import type { DatabaseServer } from './database-server.ts';
import { ProcessorWatch, withChildren } from './processor-time.ts';

export function watchServices(
  services: readonly ServiceChild[],
  database: DatabaseServer | undefined,
): ProcessorWatch {
  const pids = services.flatMap(({ process: { pid } }) => (pid === undefined ? [] : [pid]));
  return new ProcessorWatch([
    { name: 'service', pids: () => pids },
    ...(database === undefined
      ? []
      : [{ name: 'PostgreSQL', pids: () => withChildren(database.pid) }]),
    { name: 'load generator', pids: () => [process.pid] },
  ]);
}
