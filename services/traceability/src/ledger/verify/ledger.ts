// Verifies a whole stored ledger, slice by slice: hashes and links of the blocks, the derived rows
// and private rows against their blocks, what must add up, and the tip against its record outside.
// The background verifier and `lothub verify` both go through here; nothing is ever changed.
import type { ChainPosition, JsonObject, VerificationDepth } from '@lothub/chain';
import { readSharedSizes, readSignedHeads } from '../log/epochs/signed-heads.ts';
import type { LogRecordReading } from '../log/log-record.ts';
import { AuditVerification } from './audit/audit.ts';
import { StoredChain } from './chain.ts';
import { toLeaf } from '../log/leaf.ts';
import { LotsVerification, allLots } from './lots/lots.ts';
import { Findings, type LedgerMismatch } from './mismatch.ts';
import type { NumberSet } from './number-set.ts';
import { PicturesVerification } from './pictures.ts';
import { VerificationQueries } from './queries.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import { attempt, unreadableRows } from './reading.ts';
import { compareRows } from './rows/rows.ts';
import { readSlice } from './slice.ts';
import { findStrayCaseRows } from './decided/recall/stray.ts';
import { findUnsealed } from './decided/sealing.ts';
import { findStrayRows } from './stray.ts';
import { readStable } from '@lothub/kit/record-file';
import { TreeVerification, findStrayTiles, readTiles } from './tiles.ts';
import { findTipMismatch, type TipRecordSource } from './tip.ts';
import { RoundTotals, findHeadMismatch, findTenantMismatches } from './totals.ts';

export interface LedgerVerificationOptions {
  readonly reader: SnapshotReader;
  /**
   * The depth of the check of each block; `links` is enough to notice any change to sealed text.
   */
  readonly depth: VerificationDepth;
  /** `ledger`: blocks, all rows, totals and tip record. `blocks`: the blocks alone. */
  readonly scope: 'ledger' | 'blocks';
  readonly tipRecord: TipRecordSource;
  /** Reads the head that the log signed last; undefined where it is not compared. */
  readonly logRecord?: (() => LogRecordReading | undefined) | undefined;
  /** Blocks that were signed were given up: the trees that the database keeps are not compared. */
  readonly isCutAccepted?: boolean | undefined;
  /** Blocks that were found good already; left out, the first one is genesis. */
  readonly begin?: LedgerBeginning | undefined;
  /**
   * Compares all lots and their texts in another way, once the blocks are compared.
   * @returns false when something is not right, which is then found here
   */
  readonly compareLots?: ((lots: ComparedLots) => Promise<boolean>) | undefined;
}

/** The state of a verification through a block. */
export interface LedgerBeginning {
  readonly chain: StoredChain;
  readonly totals: RoundTotals;
  readonly tree: TreeVerification;
}

export interface ComparedLots {
  /** Numbers of the lots that the blocks have named. */
  readonly seenLots: NumberSet;
  /** The greatest number of a lot at the tip, if there is one. */
  readonly lastLotNo: number | undefined;
}

export interface LedgerSlice {
  /**
   * `more`: call `advance` again. `complete`: everything up to the newest block was compared; later
   * calls follow the blocks appended since. `broken`: the chain does not hold, and nothing after
   * the last good block was looked at.
   */
  readonly status: 'more' | 'complete' | 'broken';
  readonly mismatches: readonly LedgerMismatch[];
  /** Number of all findings of this slice; the list is bounded. */
  readonly mismatchCount: number;
}

const NO_RECORD: LogRecordReading = { kind: 'absent' };

/** One round over the chain from genesis; afterwards it can follow the chain's growth. */
export class LedgerVerification {
  readonly #reader: SnapshotReader;
  readonly #queries: VerificationQueries;
  readonly #chain: StoredChain;
  readonly #scope: LedgerVerificationOptions['scope'];
  readonly #tipRecord: TipRecordSource;
  readonly #totals: RoundTotals;
  readonly #tree: TreeVerification;
  /** The signed trees that the database keeps are still to be read, before the chain. */
  #areHeadsMissing: boolean;
  #phase: 'blocks' | 'audit' | 'lots' | 'pictures' | 'following' | 'broken' = 'blocks';
  /** True after faults in rows of blocks: sums of these rows have no meaning then. */
  #rowsDiffer = false;
  /** The phase after the blocks. */
  #audit: AuditVerification | undefined;
  /** The phase after the audit, if the rows of the blocks are right. */
  #lots: ComparedLots | undefined;
  #lotsByRow: LotsVerification | undefined;
  readonly #compareLotsElsewhere: LedgerVerificationOptions['compareLots'];
  readonly #pictures: PicturesVerification;
  /** Findings of the current slice, or of one whose read was interrupted. */
  #findings = new Findings();
  /** Blocks still to be read one by one, to find the one whose rows cannot be read. */
  #oneByOne = 0;
  /** A fault that was read once: it is read again before it counts. */
  #doubted = '';

  constructor(options: LedgerVerificationOptions) {
    this.#reader = options.reader;
    this.#queries = new VerificationQueries(options.reader);
    this.#compareLotsElsewhere = options.compareLots;
    const { begin } = options;
    this.#chain = begin?.chain ?? new StoredChain({ depth: options.depth });
    this.#totals = begin?.totals ?? new RoundTotals();
    this.#scope = options.scope;
    this.#pictures = new PicturesVerification(options.reader);
    this.#tipRecord = options.tipRecord;
    // The record is read before the chain, which only grows: so the record is never ahead of it.
    this.#tree = begin?.tree ?? new TreeVerification(options.logRecord?.() ?? NO_RECORD);
    this.#areHeadsMissing =
      begin === undefined && options.scope === 'ledger' && options.isCutAccepted !== true;
  }

  /** The last block that was found good; height -1 before genesis. */
  get position(): ChainPosition {
    return this.#chain.position;
  }

  /** Good blocks of a later format, at the depth `contents`: their contents were not judged. */
  get contentsNotJudged(): number {
    return this.#chain.contentsNotJudged;
  }

  /**
   * Takes the next slice.
   *
   * @param rowsMax blocks and lines to compare at most; one event is never divided
   * @throws DatabaseError `database_busy`, `database_full`: call again later; what was found until
   *   then is in the next answer
   */
  async advance(rowsMax: number): Promise<LedgerSlice> {
    const findings = this.#findings;
    const status = await this.#step(rowsMax, findings);
    this.#findings = new Findings();
    return { status, mismatches: findings.list, mismatchCount: findings.count };
  }

  async #step(rowsMax: number, findings: Findings): Promise<LedgerSlice['status']> {
    if (this.#phase === 'broken') return 'broken';
    if (this.#phase === 'audit' && this.#audit !== undefined) {
      return this.#compareAudit(this.#audit, rowsMax, findings);
    }
    if (this.#phase === 'lots' && this.#lots !== undefined) {
      return this.#compareLots(this.#lots, rowsMax, findings);
    }
    if (this.#phase === 'pictures') return this.#comparePictures(rowsMax, findings);
    if (this.#areHeadsMissing) {
      this.#tree.expect(await readSignedHeads(this.#reader));
      this.#areHeadsMissing = false;
    }
    const reached = await this.#reader.inSnapshot(() => this.#compareSlice(rowsMax, findings));
    if (reached !== 'tip') return reached;
    await this.#compareTipRecord(findings);
    if (this.#scope === 'ledger') {
      this.#tree.compareSigned(await readSharedSizes(this.#reader), findings);
    }
    if (this.#scope === 'blocks' || this.#phase === 'following') return 'complete';
    this.#phase = 'audit';
    return 'more';
  }

  /**
   * Reads all rows of the slice before it checks any, so that a failed read leaves no half of it.
   */
  async #compareSlice(rowsMax: number, findings: Findings): Promise<'more' | 'tip' | 'broken'> {
    const budget = this.#oneByOne > 0 ? 1 : rowsMax;
    const next = { after: this.position.height, rowsMax: budget, scope: this.#scope };
    const read = await attempt(async () => {
      const slice = await readSlice(this.#queries, next);
      const hasTiles = slice.rows !== undefined;
      return { ...slice, tiles: hasTiles ? await readTiles(this.#reader, slice.range) : [] };
    });
    if (read.kind === 'unreadable') {
      if (budget === 1) return this.#doubt(findings, unreadableRows(next.after + 1, read.cause));
      this.#oneByOne = budget;
      return 'more';
    }
    this.#oneByOne = Math.max(0, this.#oneByOne - 1);
    const { range, blocks, rows, tiles } = read.value;
    const payloads: JsonObject[] = [];
    const fault = this.#chain.verifyRows(blocks, payloads);
    const good =
      fault === undefined ? blocks : blocks.filter(({ height }) => height < fault.height);
    const foundBefore = findings.count;
    const foreign =
      rows === undefined
        ? undefined
        : compareRows({ blocks: good, payloads, rows, totals: this.#totals, findings });
    if (findings.count > foundBefore) this.#rowsDiffer = true;
    if (rows !== undefined) {
      const leaves = good.map(({ blockHash }) => toLeaf(blockHash));
      this.#tree.take(leaves, tiles, findings);
    }
    if (foreign !== undefined) return this.#break(findings, foreign);
    if (fault !== undefined) return this.#doubt(findings, fault);
    if (blocks.length > 0 && this.position.height === range.through) return 'more';
    return await this.#compareEnd(blocks.length, findings);
  }

  /** The slice ended at the newest block of this snapshot: compares what must add up there. */
  async #compareEnd(blocksRead: number, findings: Findings): Promise<'more' | 'tip' | 'broken'> {
    const { height, blockHash } = this.position;
    const anchored = await attempt(() => this.#queries.blockHashAt(height));
    if (anchored.kind === 'unreadable') {
      return this.#doubt(findings, unreadableRows(height + 1, anchored.cause));
    }
    const anchor = anchored.value;
    if (blocksRead === 0 && anchor.hash !== blockHash) {
      const missing = anchor.lastHeight + 1;
      return this.#break(findings, {
        height: Math.min(missing, Math.max(0, height)),
        code: anchor.hash === undefined ? 'tail_missing' : 'tip_differs',
        message: `block ${Math.max(0, height)} was verified and is not there any more`,
      });
    }
    if (anchor.lastHeight > height) {
      return this.#break(findings, {
        height: height + 1,
        code: 'height_gap',
        message: `block ${height + 1} is not there, but block ${anchor.lastHeight} is`,
      });
    }
    return this.#scope === 'ledger' ? await this.#compareTotals(findings) : 'tip';
  }

  async #compareTotals(findings: Findings): Promise<'more' | 'tip' | 'broken'> {
    const { height, blockHash } = this.position;
    const read = await attempt(() => this.#readTotals(height));
    if (read.kind === 'unreadable') {
      return this.#doubt(findings, unreadableRows(height, read.cause));
    }
    const { head, tenants, stray, lastLotNo } = read.value;
    const headMismatch = findHeadMismatch(head, { height, blockHash }, this.#totals);
    // If the tail is missing, the totals differ as well, at heights that have no fault themselves.
    if (headMismatch?.code === 'tail_missing') return this.#break(findings, headMismatch);
    if (headMismatch !== undefined) findings.add(headMismatch);
    for (const mismatch of findTenantMismatches(tenants, height, this.#totals)) {
      findings.add(mismatch);
    }
    for (const mismatch of stray) findings.add(mismatch);
    this.#tree.compareEnd(head, findings);
    if (this.#phase === 'blocks') {
      this.#lots = { seenLots: this.#totals.seenLots, lastLotNo };
      this.#audit = new AuditVerification({ reader: this.#reader, totals: this.#totals });
    }
    return 'tip';
  }

  async #readTotals(tipHeight: number) {
    return {
      head: await this.#queries.head(),
      tenants: await this.#queries.tenants(),
      stray: [
        ...(await findStrayRows(this.#reader, tipHeight)),
        ...(await findStrayTiles(this.#reader, tipHeight)),
        // These read whole tables, so they run once a round, and not at each tip that is followed.
        ...(this.#phase === 'blocks' ? await findStrayCaseRows(this.#reader, tipHeight) : []),
        ...(await findUnsealed(this.#reader, tipHeight)),
      ],
      lastLotNo: await this.#queries.lastLotNo(),
    };
  }

  /** The record is read before the chain: it is written after each commit, so it is never ahead. */
  async #compareTipRecord(findings: Findings): Promise<void> {
    if (this.#tipRecord === null) return;
    const reading = readStable(this.#tipRecord);
    if (reading === undefined) return;
    const height = reading.kind === 'read' ? reading.value.height : this.position.height;
    const stored = await this.#reader.inSnapshot(() => this.#queries.blockHashAt(height));
    const mismatch = findTipMismatch(reading, {
      lastHeight: stored.lastHeight,
      recordedHash: stored.hash,
    });
    if (mismatch !== undefined) findings.add(mismatch);
  }

  async #compareAudit(
    audit: AuditVerification,
    rowsMax: number,
    findings: Findings,
  ): Promise<LedgerSlice['status']> {
    const tip = Math.max(0, this.position.height);
    const read = await attempt(() => audit.advance({ rowsMax, tip, findings }));
    if (read.kind === 'unreadable') return this.#doubt(findings, unreadableRows(tip, read.cause));
    if (read.value === 'more') return 'more';
    this.#phase = this.#rowsDiffer ? 'pictures' : 'lots';
    return 'more';
  }

  async #compareLots(
    compared: ComparedLots,
    rowsMax: number,
    findings: Findings,
  ): Promise<LedgerSlice['status']> {
    if (this.#lotsByRow === undefined && (await this.#compareLotsElsewhere?.(compared)) === true) {
      this.#phase = 'pictures';
      return 'more';
    }
    this.#lotsByRow ??= new LotsVerification({
      reader: this.#reader,
      seenLots: compared.seenLots,
      lots: allLots(compared.lastLotNo),
      texts: 'follow',
    });
    const lots = this.#lotsByRow;
    const tip = Math.max(0, this.position.height);
    const read = await attempt(() => lots.advance({ rowsMax, tip, findings }));
    if (read.kind === 'unreadable') return this.#doubt(findings, unreadableRows(tip, read.cause));
    if (read.value === 'complete') this.#phase = 'pictures';
    return 'more';
  }

  async #comparePictures(rowsMax: number, findings: Findings): Promise<LedgerSlice['status']> {
    const tip = Math.max(0, this.position.height);
    const slice = { rowsMax, tip, findings };
    const read = await attempt(() => this.#pictures.advance(slice));
    if (read.kind === 'unreadable') return this.#doubt(findings, unreadableRows(tip, read.cause));
    if (read.value === 'complete') this.#phase = 'following';
    return read.value;
  }

  /**
   * A disk or a network that errs once is no finding: what was read badly is read again, in a snapshot
   * of its own. The second time it counts.
   */
  #doubt(findings: Findings, mismatch: LedgerMismatch): 'more' | 'broken' {
    const doubted = `${mismatch.height}:${mismatch.code}`;
    if (this.#doubted === doubted) return this.#break(findings, mismatch);
    this.#doubted = doubted;
    this.#chain.retract();
    return 'more';
  }

  #break(findings: Findings, mismatch: LedgerMismatch): 'broken' {
    this.#phase = 'broken';
    findings.add(mismatch);
    return 'broken';
  }
}
