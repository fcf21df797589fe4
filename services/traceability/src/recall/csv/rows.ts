// The lots, the distribution and the notifications of a recall case as rows of CSV files.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { Refusal } from '../../errors.ts';
import type { Row } from '../../csv-answer.ts';
import { PAGE_MAX } from '../../http.ts';
import { findPart, leavesHouse } from '../../ledger/record/event-types.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { readLotCodes } from '../../lots/queries.ts';
import { caseLot } from '../case-answers/answers.ts';
import { readLotsOfCase } from '../case/lots.ts';
import { lotsOfCase, type RecallCase } from '../case/rows.ts';
import { pageOfNotifications, readReachOfCase } from '../outbox/notifications.ts';
import type { NotificationFilter } from '../outbox/queries.ts';
import { ERASED } from '../trace/impact-schema.ts';
import { isHandedOver } from '../trace/handovers.ts';
import { pagesOfLines, type ImpactLine } from '../trace/impact-lines.ts';
import { readSales, type Sale } from '../trace/sales.ts';
import { readShipments } from '../trace/shipments.ts';

/** Lines of the lots of a case: their places are kept while they are written, 8 bytes each. */
const LINES_MAX = 5_000_000;

export const CASE_LOT_COLUMNS = [
  'lot_code',
  'product_sku',
  'relation',
  'distance',
  'in_snapshot',
  'entered_at',
  'left_at',
  'status',
  'hold_status',
] as const;

/** Lots that the case covers or covered, as they were first recorded. */
export async function* caseLotRows(
  database: DatabaseReader,
  list: { readonly caseId: number; readonly which: 'covered' | 'left' | 'all' },
): AsyncGenerator<readonly Row[]> {
  for (let above: number | undefined = 0; above !== undefined;) {
    const rows = await lotsOfCase(database, { ...list, above, limit: PAGE_MAX });
    yield rows.map((row) => {
      const lot = caseLot(row);
      return CASE_LOT_COLUMNS.map((name) => lot[name]);
    });
    above = rows.length < PAGE_MAX ? undefined : rows.at(-1)?.lotNo;
  }
}

export const DISTRIBUTION_COLUMNS = [
  'event_id',
  'event_type',
  'occurred_at',
  'location',
  'reference',
  'lot_code',
  'product_sku',
  'quantity',
  'unit',
  'customer_ref',
  'channel',
] as const;

/**
 * Reads what left the brand of the lots that a case covers, line by line in the order of the
 * blocks: what was sold or delivered and to which customer, and what was shipped.
 * @throws Refusal `rule_broken` when the lots have too many lines to be listed
 */
export async function* distributionRows(
  reader: LedgerReader,
  { caseId }: Pick<RecallCase, 'caseId'>,
): AsyncGenerator<readonly Row[]> {
  const lots = await readLotsOfCase(reader.database, caseId);
  const pages = pagesOfLines(reader.database, {
    lotNos: [...lots.keys()],
    linesMax: LINES_MAX,
    wanted: ({ eventType }) => eventType !== null && leavesHouse(eventType),
  });
  for await (const page of pages) {
    if (page.isCut) {
      throw new Refusal(
        'rule_broken',
        `The lots of this case have more than ${LINES_MAX} lines: read the chain of each lot`,
      );
    }
    yield await rowsOfLines(reader, page.lines.filter(hasLeft));
  }
}

function hasLeft(line: ImpactLine): boolean {
  return isPart(line, 'sold') || isPart(line, 'shipped');
}

function isPart({ eventType, direction }: ImpactLine, part: 'sold' | 'shipped'): boolean {
  return eventType !== null && findPart(eventType, direction) === part;
}

async function rowsOfLines(
  reader: LedgerReader,
  lines: readonly ImpactLine[],
): Promise<readonly Row[]> {
  const codes = await readLotCodes(
    reader.database,
    lines.map(({ lotNo }) => lotNo),
  );
  const getCode = (lotNo: number): string => present(codes.get(lotNo), 'the code of a lot');
  const places = await readShipments(reader, { lines, getCode, atMost: Number.MAX_SAFE_INTEGER });
  const placeOf = new Map(places.map((place) => [placeKey(place), place]));
  const sold = lines.filter(isHandedOver);
  const sales = await readSales(reader, sold);
  const saleOf = new Map(sold.map((line, index) => [placeKey(line), sales[index]]));
  return lines.map((line) => {
    const place = placeOf.get(placeKey(line));
    const sale = saleOf.get(placeKey(line));
    return [
      line.height,
      line.eventType,
      line.occurredAt,
      place?.location ?? null,
      place?.reference ?? null,
      getCode(line.lotNo),
      line.productSku,
      Number(line.quantity),
      line.unit,
      formatCustomer(sale),
      sale?.channel ?? null,
    ];
  });
}

function formatCustomer(sale: Sale | undefined): string | null {
  return sale?.isErased === true ? ERASED : (sale?.customerRef ?? null);
}

function placeKey({ height, lineNo }: Pick<ImpactLine, 'height' | 'lineNo'>): string {
  return `${height}.${lineNo}`;
}

export const NOTIFICATION_COLUMNS = [
  'id',
  'audience',
  'recipient',
  'lots',
  'quantity',
  'unit',
  'status',
  'created_at',
  'ready_at',
  'sent_at',
  'acknowledged_at',
  'resolved_at',
  'response',
] as const;

/** The recipients of the case, in the order in which they were found; one row for each unit that reached them. */
export async function* notificationRows(
  reader: LedgerReader,
  asked: NotificationFilter & { readonly recallCase: RecallCase },
): AsyncGenerator<readonly Row[]> {
  const reach = await readReachOfCase(reader, asked.recallCase.caseId);
  for (let after: number | null = 0; after !== null;) {
    const page = await pageOfNotifications(reader, { ...asked, reach, after, limit: PAGE_MAX });
    yield page.notifications.flatMap((one) => {
      const quantities =
        one.quantities.length === 0 ? [{ quantity: null, unit: null }] : one.quantities;
      return quantities.map((reached) =>
        NOTIFICATION_COLUMNS.map((name) => ({ ...one, ...reached })[name]),
      );
    });
    after = page.next;
  }
}
