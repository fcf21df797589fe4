// The stored findings about the clock of a machine: an alarm is open until an operator accepts it
// or it is over. An acceptance survives restarts.
import { instantText } from '@lothub/kit/clock';
import { camelList, type CamelRowOf } from '@lothub/kit/rows/camel-rows';
import type { DatabaseReader } from '@lothub/kit/database';
import { insertRow } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry } from './audit.ts';
import type { ClockFault } from './clock-trust.ts';
import { CLOCK_ALARMS } from './tables/off-chain.ts';

export type ClockAlarm = CamelRowOf<typeof CLOCK_ALARMS>;

/** Maximum number of alarms in one read; more of them say nothing new. */
const ALARMS_MAX = 100;

/** Reads the open and the accepted alarms, newest first. */
export async function readClockAlarms(reader: DatabaseReader): Promise<readonly ClockAlarm[]> {
  return await reader.all<ClockAlarm>(sql`
    select ${camelList(CLOCK_ALARMS, 'a')}
    from clock_alarms a
    where a.ended_at is null
    order by a.id desc
    limit ${ALARMS_MAX}`);
}

/** Reads the alarms that stop a machine from writing, newest first. */
export async function readOpenClockAlarms(reader: DatabaseReader): Promise<readonly ClockAlarm[]> {
  return (await readClockAlarms(reader)).filter(({ acceptedAt }) => acceptedAt === null);
}

export function insertClockAlarm(
  fault: ClockFault,
  found: { readonly machine: string; readonly atMs: number },
): Sql {
  return insertRow(CLOCK_ALARMS, {
    machine: found.machine,
    code: fault.code,
    reading_ms: Math.round(fault.readingMs),
    message: fault.message,
    found_at: instantText(found.atMs),
  });
}

/** Ends an alarm: the clock is right again, or what was accepted of it is over. */
export function endClockAlarm({ id }: ClockAlarm, atMs: number): Sql {
  return sql`
    update clock_alarms
    set ended_at = ${instantText(atMs)}
    where id = ${id} and ended_at is null`;
}

/** Accepts alarms: an operator says that these clocks are right. */
export function acceptClockAlarms(
  alarms: readonly ClockAlarm[],
  accepted: { readonly actor: string; readonly atMs: number },
): readonly Sql[] {
  const at = instantText(accepted.atMs);
  return alarms.flatMap(({ id, machine, code, message }) => [
    sql`
      update clock_alarms
      set accepted_at = ${at}
      where id = ${id} and accepted_at is null and ended_at is null`,
    insertAuditEntry({
      at,
      tenantId: null,
      caller: { actor: accepted.actor, requestId: null },
      action: 'accept_clock',
      entityType: 'clock',
      entityId: machine,
      blockHeight: null,
      details: { code, message },
    }),
  ]);
}
