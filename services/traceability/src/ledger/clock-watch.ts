// Watches the clock for the thread that serves: raises an alarm when it is not trusted, applies the
// acceptance of an operator, and ends the alarm when the clock is right again. While an alarm of
// this machine is open nothing is written (clock-trust.ts); reads continue.
import { setTimeout as sleep } from 'node:timers/promises';
import type { MachineClock } from '@lothub/kit/clock';
import type { Logger } from 'pino';
import { endClockAlarm, insertClockAlarm, readClockAlarms } from './clock-alarms.ts';
import type { ClockAlarm } from './clock-alarms.ts';
import { TIP_AHEAD_MAX_MS, TOLERANCE_MS, clockUntrusted, isNear } from './clock-trust.ts';
import type { ClockFault, ClockReading, ClockTrust } from './clock-trust.ts';
import type { LedgerStore } from './store.ts';

/** Interval of checks, which find a fault without any write, and read an operator's acceptance. */
const CHECK_EVERY_MS = 500;
/**
 * An older last block causes a warning: it is no fault, but with a clock that runs ahead it looks the same.
 */
const TIP_OLD_MS = TIP_AHEAD_MAX_MS;

export interface ClockWatchOptions {
  readonly store: Pick<LedgerStore, 'reader' | 'write' | 'clockTrust' | 'clockFacts'>;
  readonly clock: MachineClock;
  /** The name of this machine: alarms of other machines are not about its clock. */
  readonly machine: string;
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>;
}

export class ClockWatch implements AsyncDisposable {
  readonly #options: ClockWatchOptions;
  readonly #trust: ClockTrust;
  readonly #end = new AbortController();
  #faults: readonly ClockFault[] = [];
  /** An alarm from before this process began that is neither accepted nor over. */
  #inherited: ClockAlarm | undefined;
  /**
   * The state of the clock until it is trusted for the first time. `doubted`: at the start there
   * was another fault than a jump.
   */
  #start: 'unchecked' | 'doubted' | 'believed' = 'unchecked';
  #isFailing = false;
  #last: Promise<void> = Promise.resolve();
  #running: Promise<void> | undefined;

  private constructor(options: ClockWatchOptions) {
    this.#options = options;
    this.#trust = options.store.clockTrust;
  }

  /**
   * Checks once, and then at intervals.
   * @throws DatabaseError when the database cannot be read
   */
  static async open(options: ClockWatchOptions): Promise<ClockWatch> {
    const watch = new ClockWatch(options);
    await watch.#begin();
    watch.#running = watch.#run();
    return watch;
  }

  /** The fault of the clock; nothing is written meanwhile. */
  get fault(): ClockFault | undefined {
    return this.#faults[0];
  }

  /** @throws DatabaseError `clock_untrusted` while nothing is written */
  assertTrusted(): void {
    if (this.fault !== undefined) throw clockUntrusted(this.fault);
  }

  /**
   * Compares the clock, the alarms and what is accepted. A crash at any place leaves an alarm that the
   * next check finds, or none, which it raises.
   */
  check(): Promise<void> {
    // One after the other: two at a time would raise an alarm twice.
    const checked = this.#last.catch(() => undefined).then(() => this.#compare());
    this.#last = checked;
    return checked;
  }

  async #compare(): Promise<void> {
    const { store, clock } = this.#options;
    const alarms = await readClockAlarms(store.reader);
    const { databaseMs, tipMs } = await store.clockFacts();
    const reading = { nowMs: clock.nowMs(), uptimeMs: clock.uptimeMs(), databaseMs, tipMs };
    this.#heedInherited(alarms, reading);
    this.#heedStart(reading);
    for (const fault of this.#trust.findFaults(reading)) this.#heedAcceptance(fault, alarms);
    // A fault counts at once, whether its alarm can be stored or not.
    const before = this.#faults;
    this.#faults = this.#trust.findFaults(reading);
    if (before.length > 0 && this.#faults.length === 0) {
      this.#options.log.warn('the clock of this machine is believed again: writing goes on');
    }
    await this.#keepAlarms(alarms, reading.nowMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #begin(): Promise<void> {
    const { store, clock, log } = this.#options;
    const { tipMs } = await store.clockFacts();
    if (tipMs !== undefined && clock.nowMs() - tipMs > TIP_OLD_MS) {
      log.warn(
        { recorded_at_ms: tipMs },
        'the last block is more than a day old: see that the clock of this machine is right',
      );
    }
    const alarms = await readClockAlarms(store.reader);
    this.#inherited = alarms.find(
      (alarm) => this.#isOwn(alarm) && alarm.code === 'clock_jumped' && alarm.acceptedAt === null,
    );
    if (this.#inherited !== undefined) this.#trust.acceptStart(undefined);
    await this.check();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await sleep(CHECK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.check();
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) {
          this.#options.log.warn({ err: error }, 'checking the clock failed; it is tried again');
        }
        this.#isFailing = true;
      }
    }
  }

  /** A restart of the process does not make a clock trusted that has jumped. */
  #heedInherited(alarms: readonly ClockAlarm[], { nowMs, uptimeMs }: ClockReading): void {
    const inherited = this.#inherited;
    if (inherited === undefined) return;
    const isOpen = alarms.some(({ id, acceptedAt }) => id === inherited.id && acceptedAt === null);
    // Time has passed since then, so a clock that shows an earlier time was put right.
    const isOver = nowMs < Date.parse(inherited.foundAt) - TOLERANCE_MS;
    if (isOpen && !isOver) return;
    this.#inherited = undefined;
    this.#trust.acceptStart(nowMs - uptimeMs);
  }

  /** A clock that was wrong when the process began may be put right by a jump. */
  #heedStart(reading: ClockReading): void {
    if (this.#start === 'believed' || this.#inherited !== undefined) return;
    const others = this.#trust.findFaults(reading).filter(({ code }) => code !== 'clock_jumped');
    if (others.length > 0) {
      this.#start = 'doubted';
      return;
    }
    if (this.#start === 'doubted') this.#trust.acceptStart(reading.nowMs - reading.uptimeMs);
    this.#start = 'believed';
  }

  #heedAcceptance(fault: ClockFault, alarms: readonly ClockAlarm[]): void {
    const isAccepted = alarms.some((alarm) => this.#isAcceptedBy(fault, alarm));
    if (isAccepted) this.#trust.accept(fault.code, fault.readingMs);
  }

  async #keepAlarms(alarms: readonly ClockAlarm[], nowMs: number): Promise<void> {
    const { store, machine, log } = this.#options;
    const open = alarms.filter((alarm) => this.#isOwn(alarm) && alarm.acceptedAt === null);
    const inherited = this.#inherited;
    const raised = this.#faults.filter(
      (fault) => fault.code !== inherited?.code && !open.some((alarm) => isSameAlarm(alarm, fault)),
    );
    const ended = open.filter(
      (alarm) =>
        alarm.id !== inherited?.id && !this.#faults.some((fault) => isSameAlarm(alarm, fault)),
    );
    for (const { code, message } of raised) {
      log.error(
        { code },
        `${message}: nothing is written until it is right, or \`lothub clock accept\` says it is`,
      );
    }
    const statements = [
      ...raised.map((fault) => insertClockAlarm(fault, { machine, atMs: nowMs })),
      ...ended.map((alarm) => endClockAlarm(alarm, nowMs)),
    ];
    if (statements.length > 0) await store.write(statements);
  }

  /**
   * An acceptance of `clock_behind_tip` is valid for all machines; that of another fault only for
   * its machine.
   */
  #isAcceptedBy(fault: ClockFault, alarm: ClockAlarm): boolean {
    if (alarm.acceptedAt === null || !isSameAlarm(alarm, fault)) return false;
    return fault.code === 'clock_behind_tip' || this.#isOwn(alarm);
  }

  #isOwn({ machine }: ClockAlarm): boolean {
    return machine === this.#options.machine;
  }
}

function isSameAlarm(alarm: ClockAlarm, fault: ClockFault): boolean {
  return alarm.code === fault.code && isNear(fault.readingMs, alarm.readingMs);
}
