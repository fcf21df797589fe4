// The hook in front of requests that change something: while the clock of this machine is not believed
// they are refused, and reading continues. The writer looks again before each block (trusted-time.ts).
import type { FastifyRequest } from 'fastify';
import type { ClockWatch } from './ledger/clock-watch.ts';

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The `preHandler` hook of the endpoints of tenants. */
export function clockGate(
  clockWatch: Pick<ClockWatch, 'assertTrusted'>,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (!changesNothing(request)) clockWatch.assertTrusted();
  };
}

function changesNothing({ method, query, routeOptions }: FastifyRequest): boolean {
  if (READING_METHODS.has(method) || routeOptions.config.changesNothing === true) return true;
  // Of an import that only checks its file.
  return (
    typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === true
  );
}
