// Keeps what the checks of a tenant found for as long as its events are the same; and of a tenant with
// much to check for twenty times as long as the checking takes, so that it takes a twentieth of one
// processor at the most, however often somebody asks while events come in.
import type { Clock } from '@lothub/kit/clock';

/** Tenants whose checks are kept: some kilobytes each. */
const TENANTS_MAX = 1_000;
const KEPT_PER_TAKEN = 20;
/** Events and lots that are checked in some milliseconds: of so few the checks are never old. */
const QUICK_ROWS = 1_000;

/** What was checked, and how much of it there was. */
export interface Checked {
  readonly lookedAt: { readonly events: number; readonly lots: number };
}

interface Kept<Result> {
  readonly lastHeight: number;
  readonly result: Result;
  readonly checkedMs: number;
  readonly keptUntilMs: number;
}

export class KeptChecks<Result extends Checked> {
  readonly #clock: Clock;
  readonly #kept = new Map<number, Kept<Result>>();
  readonly #underWay = new Map<number, Promise<Kept<Result>>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * What `check` answers, or answered.
   * @param tenant `lastHeight` is that of its newest block
   */
  async of(
    tenant: { readonly tenantNo: number; readonly lastHeight: number },
    check: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly checkedMs: number }> {
    const { tenantNo, lastHeight } = tenant;
    for (;;) {
      const kept = this.#kept.get(tenantNo);
      if (kept !== undefined && this.#holds(kept, lastHeight)) return kept;
      const others = this.#underWay.get(tenantNo);
      if (others === undefined) break;
      // Whether it saw this tenant's newest block is looked at again when it is there.
      await others;
    }
    const checking = this.#check(tenant, check);
    this.#underWay.set(tenantNo, checking);
    try {
      return await checking;
    } finally {
      this.#underWay.delete(tenantNo);
    }
  }

  /** What was answered last, however old it is; undefined before the first answer. */
  getLast(tenantNo: number): { readonly result: Result; readonly checkedMs: number } | undefined {
    return this.#kept.get(tenantNo);
  }

  #holds({ lastHeight, keptUntilMs }: Kept<Result>, wanted: number): boolean {
    return lastHeight >= wanted || this.#clock.nowMs() < keptUntilMs;
  }

  async #check(
    tenant: { readonly tenantNo: number; readonly lastHeight: number },
    check: () => Promise<Result>,
  ): Promise<Kept<Result>> {
    const { tenantNo, lastHeight } = tenant;
    const checkedMs = this.#clock.nowMs();
    const result = await check();
    const nowMs = this.#clock.nowMs();
    const isQuick = result.lookedAt.events + result.lookedAt.lots <= QUICK_ROWS;
    const keptUntilMs = isQuick ? nowMs : nowMs + KEPT_PER_TAKEN * (nowMs - checkedMs);
    const kept = { lastHeight, result, checkedMs, keptUntilMs };
    // In the order in which they were checked: the first one is the oldest.
    this.#kept.delete(tenantNo);
    this.#kept.set(tenantNo, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > TENANTS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}
