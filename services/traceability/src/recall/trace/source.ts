// The source in which a recall is traced: what counts now, or what was recorded at an earlier block
// (past/source.ts).
import type { LedgerReader } from '../../ledger/read.ts';
import { STORED_LINKS, type LinkSource } from '../../lots/genealogy/link-reader.ts';
import type { DeliveryOverlay } from '../../lots/genealogy/supplier-lots.ts';
import { HandoverCount } from './handovers.ts';
import { pagesOfLines, type LinesPage, type SoughtLines } from './impact-lines.ts';
import { readLotStandings, type LotStandings } from './standings.ts';

export interface TraceSource {
  /** Blocks above this height do not count. */
  readonly atMost: number;
  readonly links: LinkSource;
  readonly deliveries: DeliveryOverlay | undefined;
  readonly standings: (reader: LedgerReader, lotNos: readonly number[]) => Promise<LotStandings>;
  /** The amounts that lines to customers add for these lots. */
  readonly handovers: (reader: LedgerReader, lotNos: readonly number[]) => Promise<HandoverCount>;
  readonly pagesOfLines: (reader: LedgerReader, sought: SoughtLines) => AsyncGenerator<LinesPage>;
}

/** Reads what counts now. */
export const NOW: TraceSource = {
  atMost: Number.MAX_SAFE_INTEGER,
  links: STORED_LINKS,
  deliveries: undefined,
  standings: ({ database }, lotNos) => readLotStandings(database, lotNos),
  handovers: ({ database }, lotNos) => HandoverCount.ofLots(database, lotNos),
  pagesOfLines: ({ database }, sought) => pagesOfLines(database, sought),
};
