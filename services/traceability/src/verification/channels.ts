// The classes of channels through which what was made of a lot was sold
// (docs/interface/traceability.md#journey). Those of the lot itself are read along with its own blocks.
import { askForEach } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { placesOfCorrections } from '../ledger/effective-reader.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { LINKS_BY_REFERENCE, LINKS_NOTHING } from '../ledger/record/link-basis.ts';
import { isSale } from '../ledger/record/event-types.ts';
import type { LastingAnswer } from '../lots/lasting-answers.ts';
import { PUBLIC_WALK } from '../lots/genealogy/links.ts';
import { lotLabels } from '../lots/queries.ts';
import { LotWalk } from '../lots/genealogy/walk.ts';
import { BLOCKS_CHECKED_PER_TURN, readCertainEvents } from './certain-events.ts';
import { readLotEvents } from './lot-events.ts';
import { salesOfLots } from './queries.ts';

/** Sales read of all lots together. */
const SALES_MAX = 2_000;

export interface ChannelsBeyond {
  readonly classes: ReadonlySet<string>;
  /** True when there may be more lots or sales. */
  readonly truncated: boolean;
}

export async function readChannelsBeyond(
  reader: LedgerReader,
  lot: { readonly tenantNo: number; readonly lotNo: number },
): Promise<LastingAnswer<ChannelsBeyond>> {
  const { database } = reader;
  const walk = new LotWalk({
    database,
    tenantNo: lot.tenantNo,
    direction: 'downstream',
    seeds: [lot.lotNo],
    depthMax: Infinity,
    links: 'dropped',
    ...PUBLIC_WALK,
  });
  await walk.run();
  const lotNos = [...walk.distances.keys()].filter((lotNo) => lotNo !== lot.lotNo);
  const sales = await readSales(reader, lotNos);
  const labels = await askForEach(database, cutSlices([...sales.lotNos]), lotLabels);
  const codes = new Set(labels.flat().map((label) => label.lotCode));
  const classes = await readClasses(reader, sales.heights, codes);
  const lots = new Set(walk.distances.keys());
  const references = new Set(walk.references());
  return {
    value: { classes, truncated: walk.isCut || sales.isCut },
    isChangedBy: ({ lotNo, side, linkBasis, eventType, reference }) => {
      if (linkBasis === LINKS_BY_REFERENCE && references.has(reference)) return true;
      if (!lots.has(lotNo)) return false;
      return isSale(eventType) || (side === 'in' && linkBasis !== LINKS_NOTHING);
    },
    weight: lots.size,
  };
}

interface Sales {
  readonly heights: readonly number[];
  readonly lotNos: ReadonlySet<number>;
  readonly isCut: boolean;
}

async function readSales(reader: LedgerReader, lotNos: readonly number[]): Promise<Sales> {
  const { events, isCut } = await readLotEvents(reader.database, lotNos, salesOfLots);
  const sold = new Set(events.map((event) => event.lotNo));
  const heights = [...new Set(events.map((event) => event.height))];
  return {
    heights: heights.slice(0, SALES_MAX),
    lotNos: sold,
    isCut: isCut || heights.length > SALES_MAX,
  };
}

async function readClasses(
  reader: LedgerReader,
  heights: readonly number[],
  lotCodes: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const classes = new Set<string>();
  for await (const slice of slicesInTurns(heights, BLOCKS_CHECKED_PER_TURN)) {
    const [blocks, corrections] = await reader.together((one) =>
      Promise.all([one.blocks(slice), placesOfCorrections(one.database, slice)]),
    );
    const { events } = await readCertainEvents(reader, { blocks, corrections });
    for (const { effective } of events) {
      if (effective.voided) continue;
      for (const { lot_code: code, channel } of effective.event.lines) {
        if (channel !== undefined && lotCodes.has(code)) classes.add(channel);
      }
    }
  }
  return classes;
}
