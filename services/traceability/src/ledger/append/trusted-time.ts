// Reads the time at which a group is recorded. It is read right before the group is sealed, so that
// no block has a time of a clock that is not trusted.
import type { MachineClock } from '@lothub/kit/clock';
import { clockUntrusted, type ClockTrust } from '../clock-trust.ts';
import type { Head } from './group-rows.ts';
import { parseRecordedMs } from './recorded-at.ts';

/**
 * Reads the clock.
 * @param group `databaseMs`: what the server of the database showed a moment ago
 * @throws DatabaseError `clock_untrusted`
 */
export function readTrusted(
  clock: MachineClock,
  group: {
    readonly trust: ClockTrust;
    readonly head: Head;
    readonly databaseMs: number | undefined;
  },
): number {
  const nowMs = clock.nowMs();
  const [fault] = group.trust.findFaults({
    nowMs,
    uptimeMs: clock.uptimeMs(),
    databaseMs: group.databaseMs,
    tipMs: parseRecordedMs(group.head.recordedAt),
  });
  if (fault !== undefined) throw clockUntrusted(fault);
  return nowMs;
}
