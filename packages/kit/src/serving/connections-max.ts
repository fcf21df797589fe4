// How many connections a process takes at a time: as many as its descriptors allow, less those that it
// keeps for its databases and files.
import { readFileSync } from 'node:fs';
import { SettingsError } from '../settings.ts';

/**
 * Descriptors that are no client's: threads and databases take up to 100, webhooks 256, connections above
 * the limit 16, and the rest is for files of imports, look-ups of names and the like.
 */
const DESCRIPTORS_KEPT = 512;
/** What is kept at least where there are few: a process that does nothing has about 60 open. */
const DESCRIPTORS_KEPT_MIN = 128;
/** With fewer connections the service would refuse ordinary users. */
const CONNECTIONS_MIN = 32;
/** Maximum of the default. At 25 kB for each stream these take half a gigabyte. */
const CONNECTIONS_DEFAULT_MAX = 20_000;

/**
 * @param setting `MAX_CONNECTIONS`; undefined when it is not set
 * @param descriptors how many the process may open; undefined: any number
 * @throws SettingsError when the process may open too few
 */
export function chooseConnectionsMax(
  setting: number | undefined,
  descriptors: number | undefined,
): number {
  const fitting = descriptors === undefined ? Infinity : descriptors - countKept(descriptors);
  if (fitting < CONNECTIONS_MIN) {
    throw new SettingsError([
      `the process may open only ${descriptors} files and connections: raise that to ` +
        `${DESCRIPTORS_KEPT_MIN + CONNECTIONS_MIN} or more (ulimit -n, LimitNOFILE of systemd)`,
    ]);
  }
  if (setting === undefined) return Math.min(fitting, CONNECTIONS_DEFAULT_MAX);
  if (setting <= fitting) return setting;
  throw new SettingsError([
    `MAX_CONNECTIONS is not usable: give a whole number from 1 to ${fitting}, as the process may ` +
      `open only ${descriptors} files and connections, or leave it unset`,
  ]);
}

/** Half of the descriptors, where that is less than is usually kept. */
function countKept(descriptors: number): number {
  return Math.min(DESCRIPTORS_KEPT, Math.max(DESCRIPTORS_KEPT_MIN, Math.floor(descriptors / 2)));
}

/** The soft limit of descriptors of this process, which Node raises to the hard one at its start. */
export function descriptorLimit(): number | undefined {
  return procLimit() ?? reportedLimit();
}

/** Linux says it in a file, in a hundredth of the time that a report takes. */
function procLimit(): number | undefined {
  try {
    const [, soft] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    // No Linux: the report says it.
    return undefined;
  }
}

/** On Windows there is no such limit. */
function reportedLimit(): number | undefined {
  const report: unknown = process.report.getReport();
  const soft = readMember(readMember(readMember(report, 'userLimits'), 'open_files'), 'soft');
  return typeof soft === 'number' ? soft : undefined;
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
