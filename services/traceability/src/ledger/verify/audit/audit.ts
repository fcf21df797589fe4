// The part of a round that follows the blocks: the audit and its chain, entry by entry, the blocks that entries
// name and the entries that blocks must have, the stored keys and suppliers. Few entries at a time, each page of one moment.
import { NO_HASH, auditEntryHash, isStoredDetails } from '../../audit-chain/entry-hash.ts';
import type { StoredAuditEntry } from '../../tables/audit.ts';
import { findHash } from '../find-hash.ts';
import type { Findings, LedgerMismatchCode } from '../mismatch.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';
import { NumberSet } from '../number-set.ts';
import type { RoundTotals } from '../totals.ts';
import { KeyStates } from './keys.ts';
import { AuditQueries, type AcceptedCut, type AuditBeginning, type PlaceRow } from './queries.ts';
import { findRule, fitsBlock } from './rules.ts';
import { SupplierLinks } from './suppliers.ts';

/** The start of the ids, so that a negative id is not skipped. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
/**
 * Maximum number of passes over entries that were chained meanwhile; the next round reads the rest.
 */
const LAPS_MAX = 100;

interface AuditSlice {
  /** Entries to read at most. */
  readonly rowsMax: number;
  /** Height of the last block that was verified. */
  readonly tip: number;
  readonly findings: Findings;
}

export class AuditVerification {
  readonly #reader: SnapshotReader;
  readonly #queries: AuditQueries;
  /** Blocks that must have an entry, among those that were verified. */
  readonly #audited: RoundTotals['audited'];
  readonly #auditedBlocks: number;
  /** The blocks among them that have an entry. */
  readonly #entered = new NumberSet();
  #enteredCount = 0;
  readonly #keys = new KeyStates();
  readonly #suppliers = new SupplierLinks();
  #phase: 'begin' | 'chain' | 'ids' | 'tail' = 'begin';
  #beginning: AuditBeginning | undefined;
  #cuts: readonly AcceptedCut[] = [];
  /** True once the audit is chained; before that, entries have nothing to be compared with. */
  #isBegun = false;
  /** The last place that was compared. */
  #sequence = 0;
  /** Undefined after a gap, where the hash is unknown. */
  #prevHash: string | undefined = NO_HASH;
  /** The last id that was read in the current phase. */
  #id = BEFORE_ALL;
  #laps = 0;
  #rowsDoubted = false;

  constructor(options: {
    readonly reader: SnapshotReader;
    readonly totals: Pick<RoundTotals, 'audited' | 'auditedBlocks'>;
  }) {
    this.#reader = options.reader;
    this.#queries = new AuditQueries(options.reader);
    this.#audited = options.totals.audited;
    this.#auditedBlocks = options.totals.auditedBlocks;
  }

  /**
   * Takes the next slice, of one moment.
   *
   * @throws DatabaseError when rows cannot be read; nothing of the slice has been judged then
   */
  advance(slice: AuditSlice): Promise<'more' | 'complete'> {
    return this.#reader.inSnapshot(() => this.#step(slice));
  }

  async #step(slice: AuditSlice): Promise<'more' | 'complete'> {
    switch (this.#phase) {
      case 'begin':
        this.#beginning = await this.#queries.beginning();
        this.#cuts = await this.#queries.acceptedCuts();
        this.#isBegun = this.#beginning !== undefined || (await this.#queries.newestPlace()) > 0;
        this.#phase = 'chain';
        return 'more';
      case 'chain':
        return await this.#compareChain(slice);
      case 'ids':
        return await this.#findUnplaced(slice);
      case 'tail':
        return await this.#compareTail(slice);
    }
  }

  async #compareChain(slice: AuditSlice): Promise<'more'> {
    const rows = await this.#queries.places({ sequence: this.#sequence, limit: slice.rowsMax });
    const found: Found[] = [];
    const entries: StoredAuditEntry[] = [];
    for (const row of rows) {
      const entry = this.#comparePlace(row, found);
      if (entry !== undefined) entries.push(entry);
    }
    found.push(...(await this.#judge(entries)));
    await this.#report(found, slice);
    if (rows.length < slice.rowsMax) {
      this.#phase = this.#laps === 0 ? 'ids' : 'tail';
      this.#id = this.#laps === 0 ? BEFORE_ALL : await this.#queries.through();
    }
    return 'more';
  }

  #comparePlace(row: PlaceRow, found: Found[]): StoredAuditEntry | undefined {
    const { sequence } = row;
    const place = { sequence };
    if (sequence !== this.#sequence + 1) {
      const message = `behind entry ${this.#sequence} of the audit comes entry ${sequence}`;
      found.push({ ...place, code: 'audit_chain_gap', message });
      this.#prevHash = undefined;
    }
    const prevHash = this.#prevHash;
    this.#sequence = sequence;
    this.#prevHash = row.hash;
    if (row.id === null) {
      const message = `entry ${sequence} of the audit is gone`;
      found.push({ ...place, code: 'audit_entry_missing', message });
      return undefined;
    }
    const entry = row as StoredAuditEntry;
    if (prevHash !== undefined && computeHash(entry, { sequence, prevHash }) !== row.hash) {
      const message = `entry ${sequence} of the audit is not what was chained`;
      found.push({ ...place, code: 'audit_entry_differs', message });
    }
    return entry;
  }

  /** Finds entries that have no place although all entries up to them were chained. */
  async #findUnplaced(slice: AuditSlice): Promise<'more'> {
    const through = await this.#queries.through();
    const limit = slice.rowsMax;
    const rows = await this.#queries.ids({ id: this.#id, through, limit });
    const found = rows
      .filter(({ sequence }) => sequence === null)
      .map(({ id }): Found => ({
        code: 'audit_entry_extra',
        message: `entry ${id} is in the audit and not in its chain`,
      }));
    await this.#report(found, slice);
    this.#id = rows.at(-1)?.id ?? this.#id;
    if (rows.length < limit) {
      this.#phase = 'tail';
      this.#id = through;
    }
    return 'more';
  }

  /**
   * Reads the entries that have no place yet. After the last one it compares what all entries together must
   * say.
   */
  async #compareTail(slice: AuditSlice): Promise<'more' | 'complete'> {
    const rows = await this.#queries.entries({ id: this.#id, limit: slice.rowsMax });
    const found = await this.#judge(rows.filter(({ sequence }) => sequence === null));
    this.#id = rows.at(-1)?.id ?? this.#id;
    const isEnd = rows.length < slice.rowsMax;
    const hasGrown = isEnd && (await this.#queries.newestPlace()) !== this.#sequence;
    const outcome = !isEnd || hasGrown ? 'more' : await this.#compareEnd(slice, found);
    await this.#report(found, slice);
    if (outcome === 'more' && hasGrown) this.#lap();
    return this.#laps > LAPS_MAX ? 'complete' : outcome;
  }

  /** Goes back to the chain, for the entries that were chained meanwhile. */
  #lap(): void {
    this.#laps += 1;
    this.#phase = 'chain';
  }

  async #compareEnd(slice: AuditSlice, found: Found[]): Promise<'more' | 'complete'> {
    if (!this.#isBegun) return 'complete';
    const links = this.#queries.suppliers(slice.rowsMax);
    const mismatches = [
      ...this.#keys.compare(await this.#queries.keys(), slice.tip),
      ...(await this.#suppliers.compare(links, slice.tip)),
    ];
    if (mismatches.length > 0 && !this.#rowsDoubted) {
      // An entry may have appeared behind those that were looked at: all without a place are read again.
      this.#rowsDoubted = true;
      this.#lap();
      return 'more';
    }
    found.push(...mismatches);
    if (this.#enteredCount < this.#auditedBlocks) this.#findMissingEntries(slice.tip, found);
    return 'complete';
  }

  #findMissingEntries(tip: number, found: Found[]): void {
    for (let height = (this.#beginning?.height ?? -1) + 1; height <= tip; height += 1) {
      if (!this.#audited.has(height) || this.#entered.has(height)) continue;
      const message = `no entry of the audit is about block ${height}`;
      found.push({ height, code: 'audit_entry_of_block_missing', message });
    }
  }

  /** Compares entries with the blocks that they name, and takes what they say of keys and suppliers. */
  async #judge(entries: readonly StoredAuditEntry[]): Promise<Found[]> {
    const found: Found[] = [];
    for (const entry of entries) {
      this.#keys.take(entry);
      this.#suppliers.take(entry);
    }
    const judged = entries.filter((entry) => !this.#isOfBefore(entry) && !this.#isOfLost(entry));
    const heights = judged.flatMap(({ block_height: height }) => height ?? []);
    const payloads = await this.#queries.payloads(heights);
    for (const entry of judged) {
      const { block_height: height, action } = entry;
      if (height === null) {
        if (findRule(action)?.names !== 'each') continue;
        const message = `entry ${entry.id} of the audit (${action}) names no block`;
        found.push({ code: 'audit_block_unfit', message });
        continue;
      }
      const payload = payloads.get(height);
      if (payload === undefined || !fitsBlock(entry, payload)) {
        const message = `entry ${entry.id} of the audit (${action}) does not fit block ${height}`;
        const at = payload === undefined ? {} : { height };
        found.push({ ...at, code: 'audit_block_unfit', message });
        continue;
      }
      const isDue = findRule(action) !== undefined && this.#audited.has(height);
      if (isDue && this.#entered.add(height)) this.#enteredCount += 1;
    }
    return found;
  }

  /**
   * Returns whether an entry is from before the chain was begun: when decisions were not sealed.
   */
  #isOfBefore({ id }: StoredAuditEntry): boolean {
    return !this.#isBegun || (this.#beginning !== undefined && id < this.#beginning.id);
  }

  /** An operator has given the block up; another block may have its height now. */
  #isOfLost({ id, block_height: height }: StoredAuditEntry): boolean {
    return height !== null && this.#cuts.some((cut) => id < cut.id && height > cut.height);
  }

  async #report(found: readonly Found[], { tip, findings }: AuditSlice): Promise<void> {
    for (const { code, message, sequence, height } of found) {
      const sealing =
        sequence === undefined ? undefined : await this.#queries.sealingHeight(sequence);
      findings.add({ height: Math.min(height ?? sealing ?? tip, tip), code, message });
    }
  }
}

/** A fault at a block, or at a place of the chain; without both it is reported at the tip. */
interface Found {
  readonly code: LedgerMismatchCode;
  readonly message: string;
  readonly sequence?: number;
  readonly height?: number;
}

/** Undefined when a damaged file gives a value of a kind that no entry has, such as bytes. */
function computeHash(
  entry: StoredAuditEntry,
  place: { readonly sequence: number; readonly prevHash: string },
): string | undefined {
  return isStoredDetails(entry.details) ? findHash(() => auditEntryHash(entry, place)) : undefined;
}
