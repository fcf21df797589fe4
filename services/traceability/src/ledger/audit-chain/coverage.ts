// Finds the place up to which blocks have sealed the audit, and decides whether another block is
// due: a minute after a change. A hub without changes never seals one.
import type { Clock } from '@lothub/kit/clock';
import { pagesInTurns } from '@lothub/kit/in-turns';
import sql from 'sql-template-tag';
import { isChange } from '../audit.ts';
import { sealedHeight } from '../decisions/draft.ts';
import { parsePayload } from '../record/payload.ts';
import type { LedgerStore } from '../store.ts';
import { chainedActions, lastAuditBlock, newestOfChain, type PlacedEntry } from './queries.ts';

/** Entries that are looked at in one query. */
const ENTRIES_PER_PAGE = 500;
/** Before the first block of the audit. */
const NONE = { height: 0, sequence: 0, sealedMs: -Infinity };

export type CoverageStore = Pick<LedgerStore, 'reader' | 'decide'>;

export class Coverage {
  readonly #store: CoverageStore;
  readonly #clock: Clock;
  readonly #sealAfterMs: number;
  #sealed: typeof NONE;
  /** The time of the first change that no block covers; undefined: there is none. */
  #sinceMs: number | undefined;

  private constructor({ store, clock, sealAfterMs }: CoverageOptions, sealed: typeof NONE) {
    this.#store = store;
    this.#clock = clock;
    this.#sealAfterMs = sealAfterMs;
    this.#sealed = sealed;
  }

  /** Reads the current coverage. */
  static async read(options: CoverageOptions): Promise<Coverage> {
    const { reader } = options.store;
    const last = await lastAuditBlock(reader);
    const sealed =
      last === undefined
        ? NONE
        : { ...last, sealedMs: Date.parse(parsePayload(last.canonical).recorded_at) };
    const coverage = new Coverage(options, sealed);
    const pages = pagesInTurns({
      start: { sequence: sealed.sequence } as Pick<PlacedEntry, 'action' | 'at' | 'sequence'>,
      limit: ENTRIES_PER_PAGE,
      read: (end, limit) => chainedActions(reader, { sequence: end.sequence ?? 0, limit }),
    });
    for await (const page of pages) {
      coverage.take(page);
      if (coverage.#sinceMs !== undefined) break;
    }
    return coverage;
  }

  /** @param entries the next ones in the chain */
  take(entries: readonly Pick<PlacedEntry, 'action' | 'at'>[]): void {
    if (this.#sinceMs !== undefined) return;
    const change = entries.find(({ action }) => isChange(action));
    if (change === undefined) return;
    const nowMs = this.#clock.nowMs();
    const madeMs = Date.parse(change.at);
    this.#sinceMs = madeMs < nowMs ? madeMs : nowMs;
  }

  /**
   * Seals a block of the audit when one is due.
   * @returns false when another process has sealed one meanwhile: then everything has to be read
   * again
   * @throws DatabaseError as the store's
   */
  async sealWhenDue(): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    if (this.#sinceMs === undefined) return true;
    if (nowMs - Math.max(this.#sinceMs, this.#sealed.sealedMs) < this.#sealAfterMs) return true;
    const newest = await newestOfChain(this.#store.reader);
    if (newest === undefined) return false;
    const outcome = await this.#store.decide({
      guard: sql`
        select id
        from head
        where id = 1
          and not exists (select 1 from audit_blocks where height > ${this.#sealed.height})`,
      decisions: [{ type: 'audit', audit: newest }],
      statements: [
        sql`
          insert into audit_blocks (height, sequence, hash)
          values (${sealedHeight(0)}, ${newest.sequence}, ${newest.hash})`,
      ],
    });
    if (outcome.kind === 'stale') return false;
    const [{ height } = NONE] = outcome.blocks;
    this.#sealed = { height, sequence: newest.sequence, sealedMs: nowMs };
    this.#sinceMs = undefined;
    return true;
  }
}

export interface CoverageOptions {
  readonly store: CoverageStore;
  readonly clock: Clock;
  /** Time for which changes wait before a block covers them. */
  readonly sealAfterMs: number;
}
