// Whether the chain is known to be sound: one object that every answer asks, that reads, the
// verifier and the start report mismatches to, and that forgets one only on an operator's word.
import type { Clock } from '@lothub/kit/clock';
import { instantText } from '@lothub/kit/clock';
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

/** Where findings are kept. */
export type ChainStateStore = Pick<LedgerStore, 'reader' | 'write'>;

export class ChainState {
  readonly #store: ChainStateStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  #open: readonly Mismatch[] = [];
  /** Of these, those that make the chain invalid. */
  #faults: readonly Mismatch[] = [];
  #timesLost = 0;
  /** Findings of this process that are not known to be stored: in force whatever the table says. */
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

  /** What was found and was not cleared by an operator, up to OPEN_ALARMS_MAX, stored or not. */
  get open(): readonly Mismatch[] {
    return this.#open;
  }

  /** How many they are. */
  get findings(): number {
    return this.#open.length;
  }

  /** How often it ceased to be valid: what was read of derived rows before may have been wrong. */
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

  /** How long the last whole round of this process took; undefined while another process verifies. */
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
    for (const alarm of appeared) this.#log.error(alarm, sentenceOf(alarm));
    const kept = [...new Set([...unstored, ...this.#unstored])];
    const open = [...rows, ...kept.filter((mismatch) => !includes(rows, mismatch))];
    const isAccepted = this.#open.some(isHeld) && !open.some(isHeld);
    if (isAccepted) this.#acceptedMs = this.#clock.nowMs();
    this.#setOpen(open);
  }

  /** Makes `chain_valid` false at once and keeps the finding until an operator clears it. */
  report(mismatch: Mismatch): void {
    // Read before the operator's word, and on its way since: one that is true is found again.
    if (isHeld(mismatch) && this.#clock.nowMs() - this.#acceptedMs < ACCEPTED_SETTLES_MS) return;
    // A finding at the tip moves on with every block; the lowest height is the one that tells.
    const known = this.#open.some(
      ({ height, code }) => code === mismatch.code && height <= mismatch.height,
    );
    if (known || this.#open.length >= OPEN_ALARMS_MAX) return;
    this.#setOpen([...this.#open, mismatch]);
    this.#unstored = [...this.#unstored, mismatch];
    this.#log.error(mismatch, sentenceOf(mismatch));
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

  /** How far the verifier has found everything as it was sealed, of whichever process it is. */
  verified({ verifiedThrough, verifiedAt }: VerifiedProgress): void {
    this.#verifiedThrough = verifiedThrough;
    this.#verifiedAt = verifiedAt;
  }
}

function isHeld({ code }: Mismatch): boolean {
  return isHolding(code);
}

function sentenceOf({ code }: Mismatch): string {
  return isAdvisory(code)
    ? 'a witness of the log reports a fault: see docs/operating.md'
    : 'the chain does not verify: run `lothub verify` and see docs/operating.md';
}

function includes(mismatches: readonly Mismatch[], sought: Mismatch): boolean {
  return mismatches.some(({ height, code }) => height === sought.height && code === sought.code);
}

/** How long a finding about the tip can be on its way from the verifier's thread, and much longer. */
const ACCEPTED_SETTLES_MS = 2_000;
/** Findings kept; one is enough to act on, a thousand tell no more. */
const OPEN_ALARMS_MAX = 100;
