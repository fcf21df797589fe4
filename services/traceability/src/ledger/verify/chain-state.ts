// The state of the chain: sound or not. Every response reads this one object. Reads, the verifier
// and the start report mismatches to it, and only an operator can clear one.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { Logger } from 'pino';
import sql from 'sql-template-tag';
import { raiseAlarm } from '../chain-alarms.ts';
import type { LedgerStore } from '../store.ts';
import { isAdvisory, isHolding } from './mismatch.ts';
import type { VerifiedProgress } from './background/turns.ts';

export interface Mismatch {
  readonly height: number;
  readonly code: string;
  readonly message: string;
}

export interface ChainCondition {
  readonly valid: boolean;
  readonly firstBadHeight: number | null;
  readonly verifiedThrough: number;
  /** ISO 8601; null until the verifier has looked for the first time. */
  readonly verifiedAt: string | null;
}

/** The store of findings. */
export type ChainStateStore = Pick<LedgerStore, 'reader' | 'write'>;

export class ChainState {
  readonly #store: ChainStateStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  #open: readonly Mismatch[] = [];
  /** The open findings that make the chain invalid. */
  #faults: readonly Mismatch[] = [];
  #timesLost = 0;
  /**
   * Findings of this process that may not be stored yet: they count whatever the table contains.
   */
  #unstored: readonly Mismatch[] = [];
  /** When an operator's acceptance of the tip was noticed. */
  #acceptedMs = -Infinity;
  #verifiedThrough = 0;
  #verifiedAt: string | null = null;
  #lastRoundMs: number | undefined;

  constructor(options: {
    readonly store: ChainStateStore;
    readonly clock: Clock;
    readonly log: Logger;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  get valid(): boolean {
    return this.#faults.length === 0;
  }

  /** The findings that no operator has cleared, up to OPEN_ALARMS_MAX, stored or not. */
  get open(): readonly Mismatch[] {
    return this.#open;
  }

  /** The number of open findings. */
  get findings(): number {
    return this.#open.length;
  }

  /**
   * The number of times that the chain became invalid: derived rows that were read before may have
   * been wrong.
   */
  get timesLost(): number {
    return this.#timesLost;
  }

  get condition(): ChainCondition {
    return {
      valid: this.valid,
      firstBadHeight: this.valid ? null : Math.min(...this.#faults.map(({ height }) => height)),
      verifiedThrough: this.#verifiedThrough,
      verifiedAt: this.#verifiedAt,
    };
  }

  /** The duration of this process's last whole round; undefined while another process verifies. */
  get lastRoundMs(): number | undefined {
    return this.#lastRoundMs;
  }

  /** Loads the open alarms; also how an operator's full verification reaches a running service. */
  async refresh(): Promise<void> {
    // Taken before the query: a finding stored while it runs may be missing from its answer.
    const unstored = this.#unstored;
    const rows = await this.#store.reader.all<Mismatch>(sql`
      select height, code, message from chain_alarms
      where cleared_at is null order by height limit ${OPEN_ALARMS_MAX}`);
    const appeared = rows.filter((row) => !includes(this.#open, row));
    for (const alarm of appeared) this.#log.error(alarm, chooseSentence(alarm));
    const kept = [...new Set([...unstored, ...this.#unstored])];
    const open = [...rows, ...kept.filter((mismatch) => !includes(rows, mismatch))];
    const isAccepted = this.#open.some(isHeld) && !open.some(isHeld);
    if (isAccepted) this.#acceptedMs = this.#clock.nowMs();
    this.#setOpen(open);
  }

  /** Makes `chain_valid` false at once and keeps the finding until an operator clears it. */
  report(mismatch: Mismatch): void {
    // It was read before the operator's acceptance and arrives after it. A true finding is found
    // again.
    if (isHeld(mismatch) && this.#clock.nowMs() - this.#acceptedMs < ACCEPTED_SETTLES_MS) return;
    // A finding at the tip is reported again with every block; the lowest height is the useful one.
    const known = this.#open.some(
      ({ height, code }) => code === mismatch.code && height <= mismatch.height,
    );
    if (known || this.#open.length >= OPEN_ALARMS_MAX) return;
    this.#setOpen([...this.#open, mismatch]);
    this.#unstored = [...this.#unstored, mismatch];
    this.#log.error(mismatch, chooseSentence(mismatch));
    this.#store
      .write([raiseAlarm({ ...mismatch, found_at: instantText(this.#clock.nowMs()) })])
      .then(() => {
        this.#unstored = this.#unstored.filter((other) => other !== mismatch);
      })
      .catch((error: unknown) => {
        this.#log.error(
          { err: error },
          'keeping the finding failed; it stays in force until restart',
        );
      });
  }

  #setOpen(open: readonly Mismatch[]): void {
    const wasValid = this.valid;
    this.#open = open;
    this.#faults = open.filter(({ code }) => !isAdvisory(code));
    if (wasValid && !this.valid) this.#timesLost += 1;
  }

  roundEnded({ tookMs }: { readonly tookMs: number }): void {
    this.#lastRoundMs = tookMs;
  }

  /**
   * Sets the height through which the verifier, in whichever process, has found everything as it
   * was sealed.
   */
  verified({ verifiedThrough, verifiedAt }: VerifiedProgress): void {
    this.#verifiedThrough = verifiedThrough;
    this.#verifiedAt = verifiedAt;
  }
}

function isHeld({ code }: Mismatch): boolean {
  return isHolding(code);
}

function chooseSentence({ code }: Mismatch): string {
  return isAdvisory(code)
    ? 'a witness of the log reports a fault: see docs/operating.md'
    : 'the chain does not verify: run `lothub verify` and see docs/operating.md';
}

function includes(mismatches: readonly Mismatch[], sought: Mismatch): boolean {
  return mismatches.some(({ height, code }) => height === sought.height && code === sought.code);
}

/**
 * The longest time that a finding about the tip needs from the verifier's thread, with a large
 * margin.
 */
const ACCEPTED_SETTLES_MS = 2_000;
/** Maximum number of findings kept; one is enough to act on, and a thousand say no more. */
const OPEN_ALARMS_MAX = 100;
