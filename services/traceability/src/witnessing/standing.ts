// How far the witnesses are behind what is signed, and what each of them answered last: for /health and
// /metrics of every process, whichever of them asks the witnesses.
import { instantText, monotonicClock, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader, TimeLimit } from '@lothub/kit/database';
import type { LogIdentity, SignedLog } from '../ledger/log/signed-log.ts';
import { readRecordedTimes } from '../ledger/recorded-at.ts';
import type { LogCheckpointRow, LogWitnessRow } from '../ledger/tables/log.ts';
import { countingWitnesses, type CosignerFinder } from './cosigners.ts';
import type { HubPolicy, HubWitness } from './hub-policy.ts';
import { readWitnesses } from './memory.ts';
import { newestPublished } from './published.ts';
import { vkeyText } from './witness-seat.ts';

/** How far behind the log may be before an operator should look. */
export const BEHIND_SECONDS_MAX = 300;
const MS_PER_SECOND = 1_000;
/** Without a policy. */
const NO_QUORUM = 'none';

export interface WitnessAnswered {
  readonly witness: HubWitness;
  /** A kind of answer; null before the first. */
  readonly answer: string | null;
  /** Since when it answers so. */
  readonly since: string | null;
  /** Size of the tree that it cosigned last. */
  readonly size: number;
}

export interface QuorumCounts {
  readonly cosigned: number;
  /** Witnesses that count. */
  readonly counting: number;
}

export interface WitnessedStanding {
  /** Size of the newest published checkpoint; null while there is none. */
  readonly size: number | null;
  /** When its quorum was reached, in ISO 8601. */
  readonly at: string | null;
  /** How many of the witnesses that count have cosigned it: `2 of 3`; `none` without a policy. */
  readonly quorum: string;
  /** The same as numbers; null without a policy. */
  readonly counts: QuorumCounts | null;
  /** For how long blocks have been signed that it does not cover; null without a policy. */
  readonly behindSeconds: number | null;
  readonly witnesses: readonly WitnessAnswered[];
}

const WITHOUT_POLICY: WitnessedStanding = {
  size: null,
  at: null,
  quorum: NO_QUORUM,
  counts: null,
  behindSeconds: null,
  witnesses: [],
};

export interface WitnessWatchOptions {
  readonly database: DatabaseReader;
  readonly signed: Pick<SignedLog, 'identity' | 'last'>;
  readonly policy: HubPolicy | undefined;
  /** Finds cosigners by the policy. */
  readonly cosigners: CosignerFinder | undefined;
  readonly clock: Clock;
}

export class WitnessWatch {
  readonly #options: WitnessWatchOptions;
  readonly #startedMs = monotonicClock.elapsedMs();

  constructor(options: WitnessWatchOptions) {
    this.#options = options;
  }

  /** @throws DatabaseError */
  async read(limit?: TimeLimit): Promise<WitnessedStanding> {
    const { database, policy, cosigners, signed } = this.#options;
    const { identity } = signed;
    if (policy === undefined || cosigners === undefined || identity === undefined) {
      return WITHOUT_POLICY;
    }
    const published = await newestPublished(database, identity.epoch, limit);
    const rows = await readWitnesses(database, identity.epoch, limit);
    const behindMs = await this.#behindMs(published?.size ?? 0);
    const { counts, at } = await judge(published, { policy, cosigners, identity });
    return {
      size: published?.size ?? null,
      at,
      quorum: `${counts.cosigned} of ${counts.counting}`,
      counts,
      behindSeconds: Math.round(behindMs / MS_PER_SECOND),
      witnesses: policy.witnesses.map((one) => answeredBy(one, rows)),
    };
  }

  /** Since the first block that is signed and not covered was recorded. */
  async #behindMs(covered: number): Promise<number> {
    const { database, clock, signed } = this.#options;
    if ((signed.last?.size ?? 0) <= covered) return 0;
    // Blocks that were there before anybody asked a witness are behind since this process asks.
    const sinceStartMs = monotonicClock.elapsedMs() - this.#startedMs;
    if (covered === 0) return sinceStartMs;
    const recordedAt = (await readRecordedTimes(database, [covered])).get(covered);
    return recordedAt === undefined ? 0 : Math.max(0, clock.nowMs() - Date.parse(recordedAt));
  }
}

async function judge(
  published: LogCheckpointRow | undefined,
  by: {
    readonly policy: HubPolicy;
    readonly cosigners: CosignerFinder;
    readonly identity: LogIdentity;
  },
): Promise<{ readonly counts: QuorumCounts; readonly at: string | null }> {
  if (published === undefined) {
    const counting = countingWitnesses(by.policy).length;
    return { counts: { cosigned: 0, counting }, at: null };
  }
  const { quorum } = await by.cosigners.find(published.note, by.identity.vkeys);
  return {
    counts: { cosigned: quorum.witnessed.length, counting: quorum.witnesses },
    at: quorum.at === undefined ? null : instantText(quorum.at * MS_PER_SECOND),
  };
}

function answeredBy(witness: HubWitness, rows: readonly LogWitnessRow[]): WitnessAnswered {
  const vkey = vkeyText(witness.witness);
  const row = rows.find((one) => one.vkey === vkey);
  return {
    witness,
    answer: row?.answer ?? null,
    since: row?.answered_at ?? null,
    size: row?.size ?? 0,
  };
}
