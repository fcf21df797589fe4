// Before the first signature of a machine that has a key and no record of what was signed with it: asks the
// witnesses what they have seen. A chain that was cut, and a hub that was restored, would otherwise sign a
// second tree under the same name.
import { sameBytes, type PolicyWitness } from '@lothub/chain/log';
import { instantText, monotonicClock, type Clock } from '@lothub/kit/clock';
import { rest } from '@lothub/kit/lifecycle';
import type { Logger } from 'pino';
import sql from 'sql-template-tag';
import type { LogIdentity, SignedCheckpoint } from '../ledger/log/signed-log.ts';
import { TreeReader } from '../ledger/log/tree-reader.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { parseConflictSize, type AskedWitnesses } from './ask-witness.ts';
import { judgeIndependent } from './cosigners.ts';
import type { HubPolicy } from './hub-policy.ts';
import { readWitnesses } from './memory.ts';
import { newestPublished } from './published.ts';
import { EXCHANGE_TIMEOUT_MS, sendToWitness, WitnessFailure } from './witness-http.ts';
import { listAddresses, vkeyText } from './witness-seat.ts';
import { buildAheadMismatch, readWitnessed } from './witnessed-size.ts';

/** How long witnesses are waited for before an operator has to decide. */
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 2_000;
/** How often it is looked at whether the machine asks at all. */
const LOOK_EVERY_MS = 100;

const UNCONFIRMED = 'log_unconfirmed';

export interface FirstSignatureOptions {
  readonly store: Pick<LedgerStore, 'reader' | 'write' | 'log'>;
  readonly reader: LedgerReader;
  readonly state: Pick<ChainState, 'report' | 'refresh'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly policy: HubPolicy;
  readonly patienceMs?: number | undefined;
}

/** What the witnesses of one address have seen. */
interface Seen {
  readonly witnesses: readonly PolicyWitness[];
  readonly size: number;
  /** Its root, when the witness showed it with the log's own signature. */
  readonly root?: Uint8Array;
}

export class FirstSignature implements AsyncDisposable {
  readonly #options: FirstSignatureOptions;
  readonly #closing = new AbortController();
  readonly #askedSinceMs = monotonicClock.elapsedMs();
  #running: Promise<void> = Promise.resolve();

  private constructor(options: FirstSignatureOptions) {
    this.#options = options;
  }

  /** Asks until the log is confirmed, or there is nothing to confirm. */
  static start(options: FirstSignatureOptions): FirstSignature {
    const first = new FirstSignature(options);
    first.#running = first.#run();
    return first;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { log } = this.#options.store;
    while (!signal.aborted && log.state !== 'signing') {
      const { unconfirmed, identity } = log;
      try {
        if (unconfirmed !== undefined && identity !== undefined) {
          await this.#ask(unconfirmed, identity);
        }
      } catch (error) {
        if (!signal.aborted)
          this.#options.log.warn({ err: error }, 'asking what was signed failed');
      }
      await rest(log.unconfirmed === undefined ? LOOK_EVERY_MS : ASK_EVERY_MS, signal);
    }
  }

  async #ask(empty: SignedCheckpoint, identity: LogIdentity): Promise<void> {
    const { store, policy, state, patienceMs = PATIENCE_MS } = this.#options;
    const rows = await readWitnesses(store.reader, identity.epoch);
    const cosigned = new Set(rows.flatMap(({ vkey, size }) => (size > 0 ? [vkey] : [])));
    const answers = await Promise.all(
      listAddresses(policy).map((asked) => this.#seenBy(asked, { empty, identity, cosigned })),
    );
    if (this.#closing.signal.aborted) return;
    const seen = answers.flatMap((answer) => answer ?? []);
    if (await this.#isContradicted(seen)) return;
    if (isEnough(policy, seen) || (await this.#isAccepted(identity))) {
      await this.#confirm();
      return;
    }
    if (monotonicClock.elapsedMs() - this.#askedSinceMs < patienceMs) return;
    const height = (await this.#options.reader.head()).height;
    state.report({
      height,
      code: UNCONFIRMED,
      message: `this machine has no record of what the log signed, and ${seen.length} of ${answers.length} witnesses say what they have seen`,
    });
  }

  /** @returns undefined when it does not say */
  async #seenBy(
    asked: AskedWitnesses,
    by: {
      readonly empty: SignedCheckpoint;
      readonly identity: LogIdentity;
      /** Keys that have cosigned something, as far as is stored. */
      readonly cosigned: ReadonlySet<string>;
    },
  ): Promise<Seen | undefined> {
    const { witnesses, url } = asked;
    const signal = AbortSignal.any([
      this.#closing.signal,
      AbortSignal.timeout(EXCHANGE_TIMEOUT_MS),
    ]);
    const shown = await readWitnessed(url, { identity: by.identity, signal });
    if (shown !== undefined) return { witnesses, size: shown.size, root: shown.root };
    try {
      // Every tree continues the empty tree, so a signature of the empty one cannot contradict anything.
      const body = `old 0\n\n${by.empty.note}`;
      const response = await sendToWitness({ url: `${url}/add-checkpoint`, body, signal });
      if (response.status === 200) return { witnesses, size: 0 };
      if (response.status === 409) {
        const size = parseConflictSize(response);
        return size === undefined ? undefined : { witnesses, size };
      }
      // A witness that never received the log has seen nothing of it; one that has forgotten it cannot say.
      const isNew = witnesses.every((witness) => !by.cosigned.has(vkeyText(witness)));
      return response.status === 404 && isNew ? { witnesses, size: 0 } : undefined;
    } catch (error) {
      if (error instanceof WitnessFailure) return undefined;
      throw error;
    }
  }

  /** Reports a tree that a witness has seen and that is not stored. */
  async #isContradicted(seen: readonly Seen[]): Promise<boolean> {
    const { reader, state, store } = this.#options;
    const ours = (await reader.head()).height + 1;
    const ahead = seen.find(({ size }) => size > ours);
    if (ahead !== undefined) {
      const names = ahead.witnesses.map(({ name }) => name);
      state.report(buildAheadMismatch(ours, { size: ahead.size, names }));
      return true;
    }
    for (const { size, root } of seen) {
      if (root === undefined) continue;
      const tree = new TreeReader({ database: store.reader });
      if (sameBytes(await tree.rootAt(size), root)) continue;
      const message = `the first ${size} blocks are not those that a witness has cosigned`;
      state.report({ height: size - 1, code: 'log_forked', message });
      return true;
    }
    return false;
  }

  /** An operator has accepted it since anything was published (`lothub log accept`). */
  async #isAccepted({ epoch }: LogIdentity): Promise<boolean> {
    const { reader } = this.#options.store;
    const alarm = await reader.first<{ readonly cleared_at: string | null }>(sql`
      select cleared_at
      from chain_alarms
      where code = ${UNCONFIRMED}
      order by id desc
      limit 1`);
    const clearedAt = alarm?.cleared_at ?? null;
    if (clearedAt === null) return false;
    const published = await newestPublished(reader, epoch);
    return published === undefined || published.published_at < clearedAt;
  }

  /** What was confirmed by witnesses needs no operator any more. */
  async #confirm(): Promise<void> {
    const { store, state, clock, log } = this.#options;
    const [cleared] = await store.write([
      sql`
        update chain_alarms
        set cleared_at = ${instantText(clock.nowMs())}
        where cleared_at is null and code = ${UNCONFIRMED}
        returning id`,
    ]);
    if ((cleared?.length ?? 0) > 0) await state.refresh();
    log.info(
      'the witnesses of the log have seen nothing that is not stored: it is signed from now on',
    );
    store.log.confirm();
  }
}

function isEnough(policy: HubPolicy, seen: readonly Seen[]): boolean {
  const answered = seen.flatMap((one) => one.witnesses.map((witness) => ({ witness, time: 0 })));
  return judgeIndependent(policy, answered).state !== 'missed';
}
