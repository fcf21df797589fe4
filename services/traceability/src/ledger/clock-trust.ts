// Decides whether the clock of this machine is trusted. A block never has an earlier time than the
// block before, so one block with a time in the future would set the time of all later blocks until
// then. The thread that serves decides what is accepted (clock-watch.ts), and the writer's thread
// checks before each group. They share the acceptance as memory, so that no group is written in
// between.
import type { MachineClock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';

/**
 * `clock_jumped`: it has advanced further than time has since the start. `clock_differs`: the server of
 * the database shows another time. `clock_behind_tip`: the last block was sealed later.
 */
export type ClockFaultCode = 'clock_jumped' | 'clock_differs' | 'clock_behind_tip';

export interface ClockFault {
  readonly code: ClockFaultCode;
  /** Constant for one fault, up to `TOLERANCE_MS`. */
  readonly readingMs: number;
  /** One clause for operators and callers. */
  readonly message: string;
}

/** The values that a clock is checked against. */
export interface ClockReading {
  readonly nowMs: number;
  readonly uptimeMs: number;
  /** The time of the database server; undefined where there is none. */
  readonly databaseMs: number | undefined;
  /** `recorded_at` of the last block; undefined when it cannot be read. */
  readonly tipMs: number | undefined;
}

const MS_PER_HOUR = 3_600_000;
const HOURS_PER_DAY = 24;
/**
 * A clock with a larger error is not trusted; a reading within this distance of an accepted one is
 * the same.
 */
export const TOLERANCE_MS = MS_PER_HOUR;
/** A block may carry a time of another machine's clock, and clocks are put back by hours. */
export const TIP_AHEAD_MAX_MS = HOURS_PER_DAY * MS_PER_HOUR;

/** Places in the shared memory. */
const STARTED = 0;
const DIFFERENCE = 1;
const TIP = 2;
/** No value is accepted; at the place of the start: no start is trusted. */
const NONE = -(2n ** 63n);

export class ClockTrust {
  /** Given to another thread, it makes the same trust there. */
  readonly shared: SharedArrayBuffer;
  readonly #accepted: BigInt64Array;

  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.#accepted = new BigInt64Array(shared);
  }

  /** Trusts the clock as it is at the start. */
  static begin(clock: MachineClock): ClockTrust {
    const places = [STARTED, DIFFERENCE, TIP].length;
    const trust = new ClockTrust(new SharedArrayBuffer(places * BigInt64Array.BYTES_PER_ELEMENT));
    trust.#accepted.fill(NONE);
    trust.acceptStart(clock.nowMs() - clock.uptimeMs());
    return trust;
  }

  /**
   * @param startedMs time at which the machine was started, by its clock; undefined: no clock is
   * trusted
   */
  acceptStart(startedMs: number | undefined): void {
    this.#store(STARTED, startedMs);
  }

  /** Accepts what a fault reads, as an operator has done. */
  accept(code: ClockFaultCode, readingMs: number): void {
    this.#store(PLACE_OF[code], readingMs);
  }

  /** Returns all faults, the most certain one first. */
  findFaults(reading: ClockReading): readonly ClockFault[] {
    const { nowMs, uptimeMs, databaseMs, tipMs } = reading;
    const faults: ClockFault[] = [];
    if (databaseMs !== undefined) {
      const differenceMs = nowMs - databaseMs;
      const isAccepted = isNear(differenceMs, this.#load(DIFFERENCE));
      if (Math.abs(differenceMs) > TOLERANCE_MS && !isAccepted) {
        faults.push(differs(differenceMs));
      }
    }
    const startedMs = this.#load(STARTED);
    const aheadMs = nowMs - uptimeMs - (startedMs ?? -Infinity);
    if (aheadMs > TOLERANCE_MS) faults.push(jumped(nowMs - uptimeMs, aheadMs));
    // A machine that is behind the server's clock is not reported as behind the chain as well.
    const behindMs = (tipMs ?? -Infinity) - Math.max(nowMs, databaseMs ?? nowMs);
    if (tipMs !== undefined && behindMs > TIP_AHEAD_MAX_MS) {
      if (!isNear(tipMs, this.#load(TIP))) faults.push(behindTip(tipMs, behindMs));
    }
    return faults;
  }

  #load(place: number): number | undefined {
    const value = Atomics.load(this.#accepted, place);
    return value === NONE ? undefined : Number(value);
  }

  #store(place: number, ms: number | undefined): void {
    Atomics.store(this.#accepted, place, ms === undefined ? NONE : BigInt(Math.round(ms)));
  }
}

const PLACE_OF: Readonly<Record<ClockFaultCode, number>> = {
  clock_jumped: STARTED,
  clock_differs: DIFFERENCE,
  clock_behind_tip: TIP,
};

/** Makes the error for writes while the clock is not trusted. */
export function clockUntrusted({ message }: ClockFault): DatabaseError {
  return new DatabaseError('clock_untrusted', message);
}

export function isNear(readingMs: number, acceptedMs: number | undefined): boolean {
  return acceptedMs !== undefined && Math.abs(readingMs - acceptedMs) <= TOLERANCE_MS;
}

function jumped(readingMs: number, aheadMs: number): ClockFault {
  const how = Number.isFinite(aheadMs)
    ? `${durationText(aheadMs)} ahead while the service ran`
    : 'ahead before the service was started';
  return {
    code: 'clock_jumped',
    readingMs,
    message: `the clock of this machine has jumped ${how}`,
  };
}

function differs(readingMs: number): ClockFault {
  const direction = readingMs > 0 ? 'ahead of' : 'behind';
  const by = durationText(Math.abs(readingMs));
  return {
    code: 'clock_differs',
    readingMs,
    message: `the clock of this machine is ${by} ${direction} that of the database server`,
  };
}

function behindTip(tipMs: number, behindMs: number): ClockFault {
  return {
    code: 'clock_behind_tip',
    readingMs: tipMs,
    message: `the clock of this machine is ${durationText(behindMs)} behind the last block`,
  };
}

function durationText(ms: number): string {
  const hours = Math.floor(ms / MS_PER_HOUR);
  if (hours >= 2 * HOURS_PER_DAY) return `${Math.floor(hours / HOURS_PER_DAY)} days`;
  return hours === 1 ? 'over an hour' : `${hours} hours`;
}
