// Walks from lots to the lots that they were made from, or to those made from them, level by level:
// breadth first, each lot once, so that cycles end.
import { cutSlices } from '@lothub/kit/in-list';
import { present } from '@lothub/kit/present';
import type { WalkDirection } from '../../terms.ts';
import type { Link } from './link.ts';
import { LinkReader, PAGE_SIZES, type LinkReaderOptions } from './link-reader.ts';

export interface LotWalkOptions extends LinkReaderOptions {
  /** Lots the walk begins at, each once. */
  readonly seeds: readonly number[];
  /** Hops that are followed; Infinity for all. */
  readonly depthMax: number;
  /** Lots found, without the seeds, before the walk stops. */
  readonly lotsMax: number;
  /**
   * Finds the lots that the walk skips, because another walk has walked from them before; none when
   * absent. It is called with the lots that the walk meets, at most IN_LIST_MAX at a time.
   */
  readonly findWalked?: (lotNos: readonly number[]) => Promise<ReadonlySet<number>>;
}

const NO_LOTS: ReadonlySet<number> = new Set();

export class LotWalk {
  readonly #options: LotWalkOptions;
  readonly #reader: LinkReader;
  readonly #lotsPerPage: number;
  readonly #distances: Map<number, number>;
  /** Hops of shown lots that the walk passed after its last level. */
  readonly #beyond = new Map<number, number>();
  /** Lots whose links have not been read. */
  #open: readonly number[];
  /** Lots whose links were not read to their end, because a bound was met. */
  readonly #unfinished = new Set<number>();

  constructor(options: LotWalkOptions) {
    this.#options = options;
    this.#reader = new LinkReader(options);
    this.#lotsPerPage = (options.pages ?? PAGE_SIZES).lots;
    this.#distances = new Map(options.seeds.map((lotNo) => [lotNo, 0]));
    this.#open = options.seeds;
  }

  get direction(): WalkDirection {
    return this.#options.direction;
  }

  /** Hops of each lot found; 0 of the seeds. Nearest first. */
  get distances(): ReadonlyMap<number, number> {
    return this.#distances;
  }

  /** True when a bound other than the depth was met: there may be more lots than these. */
  get isCut(): boolean {
    return this.#unfinished.size > 0;
  }

  /** Hops of every lot that was reached: `distances`, and the lots that `lookBeyond` went through. */
  *reached(): Generator<readonly [lotNo: number, hops: number]> {
    yield* this.#distances;
    yield* this.#beyond;
  }

  /** Walks to the end. */
  async run(): Promise<void> {
    for await (const _level of this.levels()) continue;
  }

  /**
   * Yields the lots one hop away from the seeds, then those two hops away, and so on. Call it once.
   */
  async *levels(): AsyncGenerator<readonly number[]> {
    const { depthMax } = this.#options;
    for (let distance = 1; distance <= depthMax && this.#open.length > 0; distance += 1) {
      const level = this.#open;
      const next: number[] = [];
      let seen = 0;
      for (const slice of cutSlices(level, this.#lotsPerPage)) {
        seen += slice.length;
        const isWhole = await this.#addLotsBeyond(slice, distance, next);
        if (!isWhole) {
          for (const lotNo of slice) this.#unfinished.add(lotNo);
          break;
        }
      }
      if (next.length > 0) yield next;
      this.#open = this.isCut ? [...level.slice(seen), ...next] : next;
      if (this.isCut) return;
    }
  }

  /** @returns false when a bound was met before all was read */
  async #addLotsBeyond(
    lotNos: readonly number[],
    distance: number,
    next: number[],
  ): Promise<boolean> {
    const { seeds, lotsMax } = this.#options;
    for await (const page of this.#reader.lotsBeyond(lotNos)) {
      const walked = await this.#readWalked(page);
      for (const lotNo of page) {
        if (this.#distances.has(lotNo) || walked.has(lotNo)) continue;
        if (this.#distances.size - seeds.length >= lotsMax) return false;
        this.#distances.set(lotNo, distance);
        next.push(lotNo);
      }
    }
    return !this.#reader.isSpent;
  }

  async #readWalked(page: readonly number[]): Promise<ReadonlySet<number>> {
    const { findWalked } = this.#options;
    if (findWalked === undefined) return NO_LOTS;
    const walked = new Set<number>();
    const met = [...new Set(page)].filter((lotNo) => !this.#distances.has(lotNo));
    for (const slice of cutSlices(met))
      for (const lotNo of await findWalked(slice)) walked.add(lotNo);
    return walked;
  }

  /**
   * Reads the links of the lots at which the walk ended, one hop further, and continues only
   * through lots that are shown for another reason than this walk. After that `links` has every
   * link from a lot that was reached to one that is not shown, unless a bound was met.
   */
  async lookBeyond(isShown: (lotNo: number) => boolean): Promise<void> {
    while (this.#open.length > 0) {
      const { level, later, hops } = this.#nearestOpen();
      const next: number[] = [];
      for (const slice of cutSlices(level, this.#lotsPerPage)) {
        if (!this.#reader.isSpent) {
          for await (const page of this.#reader.lotsBeyond(slice)) {
            for (const lotNo of page) {
              if (this.#findHops(lotNo) !== undefined || !isShown(lotNo)) continue;
              this.#beyond.set(lotNo, hops + 1);
              next.push(lotNo);
            }
          }
        }
        if (this.#reader.isSpent) for (const lotNo of slice) this.#unfinished.add(lotNo);
      }
      this.#open = [...later, ...next];
    }
  }

  /** After a walk that was cut, the open lots have two distances. */
  #nearestOpen(): {
    readonly level: readonly number[];
    readonly later: readonly number[];
    readonly hops: number;
  } {
    const byHops = Map.groupBy(this.#open, (lotNo) =>
      present(this.#findHops(lotNo), `the distance of lot ${lotNo}`),
    );
    const hops = Math.min(...byHops.keys());
    const level = byHops.get(hops) ?? [];
    byHops.delete(hops);
    return { level, later: [...byHops.values()].flat(), hops };
  }

  #findHops(lotNo: number): number | undefined {
    return this.#distances.get(lotNo) ?? this.#beyond.get(lotNo);
  }

  /** Everything that links the lots that were reached; none when links are dropped. */
  links(): Generator<Link> {
    return this.#reader.links();
  }

  /** Every reference by which the lots that were reached may be linked. */
  references(): Iterable<string> {
    return this.#reader.references();
  }

  /** Lots whose links were not all read because a bound was met: more may follow at them. */
  unfinished(): ReadonlySet<number> {
    return this.#unfinished;
  }
}
