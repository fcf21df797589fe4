// Asks the witnesses to cosign, round by round, and publishes what satisfies the hub's policy. Of several
// processes one does so at a time; two would only ask twice. Nobody who posts waits for it.
//
// A crash anywhere leaves a witness that has seen a larger tree than is remembered of it: it says so with
// its first answer, and is sent the proof from there.
import { sameBytes } from '@lothub/chain/log';
import { instantText, monotonicClock, type Clock } from '@lothub/kit/clock';
import { rest } from '@lothub/kit/lifecycle';
import type { Turn } from '@lothub/kit/turn';
import type { Logger } from 'pino';
import type { LogIdentity } from '../ledger/log/signed-log.ts';
import { TreeReader } from '../ledger/log/tree-reader.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { LogCheckpointRow, LogWitnessRow } from '../ledger/tables/log.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { askWitness, type Exchange } from './ask-witness.ts';
import type { HubPolicy } from './hub-policy.ts';
import { readWitnesses, rememberWitness } from './memory.ts';
import { publish } from './published.ts';
import type { WitnessAnswer } from './witness-answers.ts';
import type { WitnessCounts } from './witness-figures.ts';
import { EXCHANGE_TIMEOUT_MS } from './witness-http.ts';
import { WitnessRound } from './witness-round.ts';
import { listAddresses, WitnessSeat } from './witness-seat.ts';
import { buildAheadMismatch, readWitnessed } from './witnessed-size.ts';

/** How often the turn is requested: a lease that is not renewed for seconds goes to another process. */
const TICK_MS = 1_000;
/** A tree that does not grow is cosigned again after this time, as a proof that it has not changed. */
const REFRESH_MS = 3_600_000;
/** Answers that come within this time are stored together. */
const GATHER_MS = 50;

export interface WitnessRoundsOptions {
  readonly store: Pick<LedgerStore, 'reader' | 'write' | 'turn' | 'log'>;
  readonly state: Pick<ChainState, 'report'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly policy: HubPolicy;
  readonly intervalMs: number;
  /** Notified of each round that begins, and of each answer. */
  readonly counts?: WitnessCounts | undefined;
}

export class WitnessRounds implements AsyncDisposable {
  readonly #options: WitnessRoundsOptions;
  readonly #turn: Turn;
  readonly #closing = new AbortController();
  readonly #asking = new Set<Promise<void>>();
  readonly #unsaved = new Map<string, LogWitnessRow>();
  #running: Promise<void> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  #saveTimer: NodeJS.Timeout | undefined;
  #seats: readonly WitnessSeat[] | undefined;
  #epoch = 0;
  #round: WitnessRound | undefined;
  #publishable: WitnessRound | undefined;
  #nextMs = 0;

  private constructor(options: WitnessRoundsOptions) {
    this.#options = options;
    this.#turn = options.store.turn('witnesses');
  }

  /** Runs until it is closed; errors are logged, and failed rounds are retried. */
  static start(options: WitnessRoundsOptions): WitnessRounds {
    const rounds = new WitnessRounds(options);
    rounds.#running = rounds.#run();
    return rounds;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#running;
    await Promise.all(this.#asking);
    clearTimeout(this.#saveTimer);
    await this.#saving;
    await this.#save();
    await this.#turn.release().catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'giving up the turn to ask witnesses failed');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        if (await this.#turn.take()) await this.#step();
        else this.#seats = undefined;
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) this.#options.log.warn({ err: error }, 'asking the witnesses failed');
        hasFailed = true;
      }
      await rest(Math.min(TICK_MS, this.#options.intervalMs), signal);
    }
  }

  /** Begins a round when it is time for one, with the witnesses that are due. */
  async #step(): Promise<void> {
    const { store, intervalMs, counts } = this.#options;
    const now = monotonicClock.elapsedMs();
    const { identity } = store.log;
    if (now < this.#nextMs || identity === undefined) return;
    const head = await store.log.newest();
    if (head === undefined) return;
    this.#nextMs = now + intervalMs;
    const seats = await this.#readSeats(identity);
    const isOver =
      this.#round === undefined ||
      head.size > this.#round.head.size ||
      now - this.#round.begunMs >= REFRESH_MS;
    if (isOver) {
      this.#round = new WitnessRound(head, { epoch: identity.epoch, begunMs: now });
      counts?.round();
    }
    for (const seat of seats) {
      if (seat.isDue(now)) this.#begin(seat, identity);
    }
    if (this.#unsaved.size > 0) this.#saveSoon();
  }

  /** What is remembered is read again when the turn comes back, or the log continues as another one. */
  async #readSeats({ epoch }: LogIdentity): Promise<readonly WitnessSeat[]> {
    if (this.#seats !== undefined && this.#epoch === epoch) return this.#seats;
    const rows = await readWitnesses(this.#options.store.reader, epoch);
    this.#epoch = epoch;
    this.#round = undefined;
    this.#seats = listAddresses(this.#options.policy).map(
      (asked) => new WitnessSeat(asked, { epoch, rows }),
    );
    return this.#seats;
  }

  #begin(seat: WitnessSeat, identity: LogIdentity): void {
    const round = this.#round;
    if (round === undefined || round.has(seat)) return;
    seat.isBusy = true;
    const asking = this.#ask(seat, round, identity)
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error, witnesses: seat.names }, 'asking a witness failed');
      })
      .finally(() => {
        seat.isBusy = false;
        this.#asking.delete(asking);
      });
    this.#asking.add(asking);
  }

  async #ask(seat: WitnessSeat, round: WitnessRound, identity: LogIdentity): Promise<void> {
    const { store, clock } = this.#options;
    const { signal: closing } = this.#closing;
    const signal = AbortSignal.any([closing, AbortSignal.timeout(EXCHANGE_TIMEOUT_MS)]);
    const tree = new TreeReader({ database: store.reader });
    const exchange = await askWitness({
      asked: seat,
      checkpoint: round.head,
      vkeys: identity.vkeys,
      size: seat.size,
      consistency: (from) => round.proofFrom(from, (size, to) => tree.consistency(size, to)),
      nowMs: clock.nowMs,
      signal,
    });
    if (closing.aborted && exchange.answer !== 'cosigned') return;
    const answer = await this.#judge(exchange, { seat, round, identity, signal });
    this.#note(seat, answer, exchange);
  }

  async #judge(
    exchange: Exchange,
    asked: {
      readonly seat: WitnessSeat;
      readonly round: WitnessRound;
      readonly identity: LogIdentity;
      readonly signal: AbortSignal;
    },
  ): Promise<WitnessAnswer> {
    const { seat, round } = asked;
    switch (exchange.answer) {
      case 'cosigned':
        seat.size = round.head.size;
        round.add(seat, exchange.cosignatures);
        if (round.noteFor(this.#options.policy) !== undefined) this.#publishable = round;
        return 'cosigned';
      case 'ahead':
        return await this.#judgeAhead(exchange.size, asked);
      case 'refuses':
        await this.#judgeRefusal(exchange.size, asked);
        return 'refuses';
      default:
        return exchange.answer;
    }
  }

  /** A tree that is larger than ours was signed with our key, unless the witness is wrong. */
  async #judgeAhead(
    size: number,
    asked: {
      readonly seat: WitnessSeat;
      readonly round: WitnessRound;
      readonly identity: LogIdentity;
      readonly signal: AbortSignal;
    },
  ): Promise<WitnessAnswer> {
    const { store, state } = this.#options;
    // Another process may have signed what came meanwhile; nothing is while the log is held.
    const ours = (await store.log.newest({ size }))?.size ?? asked.round.head.size;
    if (ours >= size) return 'unsettled';
    const proven = await readWitnessed(asked.seat.url, asked);
    // Its own checkpoint, with our signature, is not so large.
    if (proven !== undefined && proven.size < size) return 'invalid';
    state.report(buildAheadMismatch(ours, { size, names: asked.seat.names }));
    return 'ahead';
  }

  async #judgeRefusal(
    size: number,
    { seat, round: { head } }: { readonly seat: WitnessSeat; readonly round: WitnessRound },
  ): Promise<void> {
    const { store, state } = this.#options;
    // A new reader: nothing that was read before may hide what is stored now.
    const root = await new TreeReader({ database: store.reader }).rootAt(head.size);
    const height = head.size - 1;
    if (!sameBytes(root, head.root)) {
      const message = `what is stored of the tree does not make up the signed root of ${head.size}`;
      state.report({ height, code: 'tile_differs', message });
      return;
    }
    const names = seat.names.join(', ');
    const message = `the witness ${names} refuses the proof from ${size} to ${head.size}, and what is stored is sound`;
    state.report({ height, code: 'witness_refuses', message });
  }

  #note(seat: WitnessSeat, answer: WitnessAnswer, exchange: Exchange): void {
    const { clock, log, counts } = this.#options;
    const { names } = seat;
    if (seat.answer !== answer) {
      const reason = 'reason' in exchange ? exchange.reason : undefined;
      const facts = { witnesses: names, answer, reason };
      if (answer === 'cosigned') log.info(facts, 'a witness cosigns');
      else log.warn(facts, 'a witness does not cosign: see docs/operating.md');
    }
    for (const name of names) counts?.answer(name, answer);
    const at = { nowMs: clock.nowMs(), elapsedMs: monotonicClock.elapsedMs() };
    const cosignatures = exchange.answer === 'cosigned' ? exchange.cosignatures : [];
    for (const row of seat.note(answer, at, cosignatures)) this.#unsaved.set(row.vkey, row);
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#saveTimer ??= setTimeout(() => {
      this.#saveTimer = undefined;
      this.#saving = this.#saving.then(() => this.#save());
    }, GATHER_MS);
  }

  /** What fails stays to be stored with what comes next. */
  async #save(): Promise<void> {
    const { store, log, clock, policy } = this.#options;
    const rows = [...this.#unsaved.values()];
    // While the log is held what is published stays what it was.
    const round = store.log.state === 'signing' ? this.#publishable : undefined;
    const note = round?.noteFor(policy);
    this.#unsaved.clear();
    this.#publishable = undefined;
    const published_at = instantText(clock.nowMs());
    const published =
      round === undefined || note === undefined
        ? []
        : publish({ ...pickHead(round), note, published_at });
    const statements = [...rows.map(rememberWitness), ...published];
    if (statements.length === 0) return;
    try {
      await store.write(statements);
    } catch (error) {
      log.warn({ err: error }, 'storing what witnesses answered failed');
      this.#publishable ??= round;
      for (const row of rows) {
        if (!this.#unsaved.has(row.vkey)) this.#unsaved.set(row.vkey, row);
      }
    }
  }
}

function pickHead({
  epoch,
  head: { size, root },
}: WitnessRound): Pick<LogCheckpointRow, 'epoch' | 'size' | 'root'> {
  return { epoch, size, root };
}
