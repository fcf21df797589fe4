// The chain filtered to one lot and everything it is related to
// (docs/interface/traceability.md#blocks-of-a-lot). Which lots and which heights these are is kept for as
// long as it is so; the blocks are read and re-hashed each time.
import { askForEach } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import type { Static } from 'typebox';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { LINKS_BY_REFERENCE, LINKS_NOTHING } from '../ledger/record/link-basis.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { LastingAnswers, type LastingAnswer } from '../lots/lasting-answers.ts';
import { PUBLIC_WALK, relatedLots, type RelatedLot } from '../lots/genealogy/links.ts';
import { newestDecidedHeights } from '../lots/decided/heights.ts';
import { findLot, lotLabels, type LotRow } from '../lots/queries.ts';
import { noSuchLot } from '../lots/similar-codes.ts';
import type { RecordedLine } from '../lots/recorded-since.ts';
import { newestHeightsOfLots, readPage, toBlockItems } from './pages.ts';
import type { LotBlocksSchema } from './schema.ts';

/** Related lots, and heights of pages, that are kept of all answers: some megabytes each. */
const KEPT_MAX = 50_000;

type Answer = Static<typeof LotBlocksSchema>;

interface Relations {
  /** Another one each time that the relations are read. */
  readonly id: number;
  readonly lotNos: readonly number[];
  readonly shown: Pick<Answer, 'related_lots' | 'truncated'>;
}

export class LotBlocks {
  readonly #reader: LedgerReader;
  readonly #relations: LastingAnswers<Relations>;
  readonly #heights: LastingAnswers<readonly number[]>;
  #lastId = 0;

  constructor(options: { readonly reader: LedgerReader; readonly state: ChainState }) {
    this.#reader = options.reader;
    const { database } = options.reader;
    const kept = { database, state: options.state, weightMax: KEPT_MAX };
    this.#relations = new LastingAnswers(kept);
    this.#heights = new LastingAnswers(kept);
  }

  /** @throws Refusal `not_found` when no brand, or not the one asked for, has a lot of this code */
  async page(query: {
    readonly lotCode: string;
    readonly brand: string | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Promise<Answer> {
    const { before, limit } = query;
    const lot = await findLot(this.#reader.database, {
      lotCode: query.lotCode,
      tenantId: query.brand,
    });
    if (lot === undefined) {
      throw await noSuchLot(this.#reader.database, query);
    }
    const { tenantNo } = lot;
    const { id, lotNos, shown } = await this.#relations.get(
      { tenantNo, key: String(lot.lotNo) },
      () => this.#readRelations(lot),
    );
    const heights = await this.#heights.get(
      { tenantNo, key: `${id} ${before ?? ''} ${limit}` },
      () => this.#readHeights(lotNos, { before, limit: limit + 1 }),
    );
    // Never kept: what is decided is no line of an event, which would make it read anew.
    const decided = await newestDecidedHeights(this.#reader.database, {
      lotNo: lot.lotNo,
      below: before ?? Number.MAX_SAFE_INTEGER,
      limit: limit + 1,
    });
    const newest = [...new Set([...heights, ...decided])].sort((a, b) => b - a);
    const found = await readPage(this.#reader, newest.slice(0, limit + 1), limit);
    const { next } = found;
    return {
      lot_code: lot.lotCode,
      brand: lot.tenantId,
      ...shown,
      blocks: toBlockItems(found),
      next,
    };
  }

  async #readRelations(lot: LotRow): Promise<LastingAnswer<Relations>> {
    const { database } = this.#reader;
    const { lots, references, truncated } = await relatedLots({
      database,
      tenantNo: lot.tenantNo,
      lotNo: lot.lotNo,
      direction: 'both',
      ...PUBLIC_WALK,
    });
    const lotNos = lots.map((one) => one.lotNo);
    const rows = await askForEach(database, cutSlices(lotNos), lotLabels);
    const labels = new Map(rows.flat().map((label) => [label.lotNo, label]));
    this.#lastId += 1;
    return {
      value: {
        id: this.#lastId,
        lotNos,
        shown: {
          related_lots: lots.flatMap(({ lotNo, relation, distance }) => {
            const label = labels.get(lotNo);
            if (label === undefined) return [];
            return [{ lot_code: label.lotCode, product_sku: label.productSku, relation, distance }];
          }),
          truncated,
        },
      },
      isChangedBy: changesRelations(lots, references),
      weight: lots.length,
    };
  }

  async #readHeights(
    lotNos: readonly number[],
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<LastingAnswer<readonly number[]>> {
    const related = new Set(lotNos);
    const heights = await newestHeightsOfLots(this.#reader.database, { lotNos, ...page });
    return {
      value: heights,
      isChangedBy: ({ lotNo, height }) =>
        related.has(lotNo) && (page.before === undefined || height < page.before),
      weight: heights.length + 1,
    };
  }
}

/** An ancestor may get ancestors, and a descendant descendants; their other relatives are not shown. */
function changesRelations(
  lots: readonly RelatedLot[],
  references: ReadonlySet<string>,
): (line: RecordedLine) => boolean {
  const up = new Set<number>();
  const down = new Set<number>();
  for (const { lotNo, relation, bothWays } of lots) {
    if (relation !== 'downstream' || bothWays) up.add(lotNo);
    if (relation !== 'upstream' || bothWays) down.add(lotNo);
  }
  // A lot that no event names any more is of the SKU of the next one that does, and has no relatives.
  const lonely = lots.length === 1 ? lots[0]?.lotNo : undefined;
  return ({ lotNo, side, linkBasis, reference }) => {
    if (lotNo === lonely) return true;
    if (linkBasis === LINKS_NOTHING) return false;
    if (linkBasis === LINKS_BY_REFERENCE && references.has(reference)) return true;
    return side === 'out' ? up.has(lotNo) : down.has(lotNo);
  };
}
