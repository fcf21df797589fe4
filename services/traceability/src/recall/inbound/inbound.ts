// Finds recalls that cross brands: published cases of the brands to which a brand's suppliers are
// linked, that cover a lot whose code came in from them. Everything is read as it is now, so brands
// send each other nothing.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import { parseCaseId } from '../../ledger/record/case-no.ts';
import { newestCasesOfSuppliers, type PublishedCaseRow } from '../../lots/notices/queries.ts';
import type { Notices } from '../../lots/notices/notices.ts';
import { findLot, findTenant, readLotCodes } from '../../lots/queries.ts';
import { findOwnLots, readOwnLots } from './own-lots.ts';
import { newestOwnCases, type OwnCaseRow } from './queries.ts';
import { CoveredBudget, hasReceived, readReceived } from './received.ts';
import type { Received, Receiver } from './received.ts';
import { CODES_SHOWN, NAMES_SHOWN, OWN_CASES_SHOWN, OWN_LOTS_SHOWN } from './schema.ts';
import type { InboundList, InboundRecall } from './schema.ts';

/** Cases of one query. */
const CASES_PER_READ = 50;
/** Maximum number of own lots of one page of recalls; more end the page. */
const OWN_LOTS_PER_PAGE = 100_000;
/** Maximum number of own open cases that are read; people open them. */
const OWN_CASES_MAX = 1_000;
/** Maximum number of suppliers' cases that a count reads. */
const CASES_COUNTED_MAX = 1_000;

const TOP = Number.MAX_SAFE_INTEGER;

export interface InboundDeps {
  readonly database: DatabaseReader;
  readonly notices: Pick<Notices, 'ofCases'>;
}

/** A page of them, newest first. */
export async function listInbound(
  deps: InboundDeps,
  asked: {
    readonly tenantId: string;
    readonly state: 'open' | 'all';
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<InboundList> {
  const { database } = deps;
  const { tenantId, state, before, limit } = asked;
  const receiver = await findReceiver(database, tenantId);
  if (receiver === undefined) return { recalls: [], next: null };
  const ownCases = await readOwnCases(database, receiver);
  const budget = new CoveredBudget();
  const below = before === undefined ? TOP : parseCaseId(before);
  const recalls: InboundRecall[] = [];
  let ownLots = 0;
  let last: string | undefined;
  for await (const recallCase of casesOfSuppliers(database, { tenantId, state, below })) {
    const isFull = recalls.length === limit || ownLots > OWN_LOTS_PER_PAGE;
    if (last !== undefined && (isFull || budget.isSpent)) return { recalls, next: last };
    const received = await readReceived(database, { receiver, recallCase, budget });
    // A case that was not read to its end begins the next page, unless it began this one.
    if (last !== undefined && budget.isSpent) return { recalls, next: last };
    last = recallCase.caseNo;
    if (received.codes.length === 0) continue;
    const found = { receiver, recallCase, received, ownCases };
    const recall = await recallAnswer(deps, found, { above: 0, limit: OWN_LOTS_SHOWN });
    recalls.push(recall);
    ownLots += recall.own_lots.total;
  }
  return { recalls, next: null };
}

/** One of them with a page of the own lots; undefined when there is none of this number for this brand. */
export async function findInbound(
  deps: InboundDeps,
  asked: {
    readonly tenantId: string;
    readonly caseNo: string;
    /** An own lot code of the page before. */
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<InboundRecall | undefined> {
  const { database } = deps;
  const { tenantId, after, limit } = asked;
  const reached = await findReached(database, asked);
  if (reached === undefined) return undefined;
  const ownCases = await readOwnCases(database, reached.receiver);
  const lot =
    after === undefined ? undefined : await findLot(database, { tenantId, lotCode: after });
  return await recallAnswer(deps, { ...reached, ownCases }, { above: lot?.lotNo ?? 0, limit });
}

/** Codes of all own lots that one of them reaches, in no order; undefined as of `findInbound`. */
export async function findInboundLots(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly caseNo: string },
): Promise<readonly string[] | undefined> {
  const reached = await findReached(database, asked);
  if (reached === undefined) return undefined;
  const { receiver, received } = reached;
  const { hops } = await findOwnLots(database, { tenantNo: receiver.tenantNo, received });
  return [...(await readLotCodes(database, [...hops.keys()])).values()];
}

/** Finds the recall of this number and the received lots. */
async function findReached(
  database: DatabaseReader,
  { tenantId, caseNo }: { readonly tenantId: string; readonly caseNo: string },
): Promise<
  | {
      readonly receiver: Receiver;
      readonly recallCase: PublishedCaseRow;
      readonly received: Received;
    }
  | undefined
> {
  const [recallCase] = await newestCasesOfSuppliers(database, {
    ...{ receiver: tenantId, state: 'all', caseNo, below: TOP, limit: 1 },
  });
  const receiver = recallCase && (await findReceiver(database, tenantId));
  if (receiver === undefined || recallCase === undefined) return undefined;
  const budget = new CoveredBudget();
  const received = await readReceived(database, { receiver, recallCase, budget });
  return received.codes.length === 0 ? undefined : { receiver, recallCase, received };
}

/** Counts the open ones. */
export async function countInbound(
  database: DatabaseReader,
  tenantId: string,
): Promise<{ readonly count: number; readonly isExact: boolean }> {
  const receiver = await findReceiver(database, tenantId);
  if (receiver === undefined) return { count: 0, isExact: true };
  const budget = new CoveredBudget();
  let [count, looked] = [0, 0];
  const page = { tenantId, state: 'open', below: TOP } as const;
  for await (const recallCase of casesOfSuppliers(database, page)) {
    if (looked === CASES_COUNTED_MAX || budget.isSpent) return { count, isExact: false };
    looked += 1;
    if (await hasReceived(database, { receiver, recallCase, budget })) count += 1;
  }
  return { count, isExact: !budget.isSpent };
}

/**
 * Finds open cases of suppliers that reached the brand, except known ones; at most as many as are
 * counted.
 */
export async function* casesThatReached(
  database: DatabaseReader,
  tenantId: string,
  isKnown: (caseNo: string) => Promise<boolean>,
): AsyncGenerator<PublishedCaseRow> {
  const receiver = await findReceiver(database, tenantId);
  if (receiver === undefined) return;
  const budget = new CoveredBudget();
  let looked = 0;
  const page = { tenantId, state: 'open', below: TOP } as const;
  for await (const recallCase of casesOfSuppliers(database, page)) {
    if (looked === CASES_COUNTED_MAX || budget.isSpent) return;
    if (await isKnown(recallCase.caseNo)) continue;
    looked += 1;
    if (await hasReceived(database, { receiver, recallCase, budget })) yield recallCase;
  }
}

async function findReceiver(
  database: DatabaseReader,
  tenantId: string,
): Promise<Receiver | undefined> {
  const tenant = await findTenant(database, tenantId);
  return tenant && { tenantId, tenantNo: tenant.tenantNo };
}

function readOwnCases(
  database: DatabaseReader,
  { tenantNo }: Receiver,
): Promise<readonly OwnCaseRow[]> {
  return newestOwnCases(database, { tenantNo, limit: OWN_CASES_MAX });
}

async function* casesOfSuppliers(
  database: DatabaseReader,
  query: { readonly tenantId: string; readonly state: 'open' | 'all'; readonly below: number },
): AsyncGenerator<PublishedCaseRow> {
  const { tenantId: receiver, state } = query;
  for (let { below } = query; ;) {
    const limit = CASES_PER_READ;
    const page = { receiver, state, caseNo: undefined, below, limit };
    const rows = await newestCasesOfSuppliers(database, page);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    below = last.caseId;
    await nextTurn();
  }
}

async function recallAnswer(
  { database, notices }: InboundDeps,
  recall: {
    readonly receiver: Receiver;
    readonly recallCase: PublishedCaseRow;
    readonly received: Received;
    readonly ownCases: readonly OwnCaseRow[];
  },
  page: { readonly above: number; readonly limit: number },
): Promise<InboundRecall> {
  const { recallCase, received } = recall;
  const { tenantNo } = recall.receiver;
  const [notice] = await notices.ofCases([recallCase]);
  const ownLots = await findOwnLots(database, { tenantNo, received });
  const { lots, hasMore } = await readOwnLots(database, ownLots, page);
  const total = ownLots.hops.size;
  const codes = received.codes.slice(0, CODES_SHOWN);
  const names = new Set(received.codes.map(({ supplierName }) => supplierName));
  return {
    notice: present(notice, `the notice of case ${recallCase.caseNo}`),
    ended_at: recallCase.endedAt,
    supplier_names: [...names].slice(0, NAMES_SHOWN),
    received: codes.map(({ code, supplierName, codeField }) => {
      return { lot_code: code, supplier_name: supplierName, field: codeField };
    }),
    received_total: received.codes.length,
    ...(received.isCut ? { received_total_is_exact: false } : {}),
    own_lots: {
      lots: [...lots],
      total,
      ...(ownLots.isCut ? { total_is_exact: false } : {}),
      next: hasMore ? present(lots.at(-1), 'the last lot of a page').lot_code : null,
    },
    own_cases: recall.ownCases
      .filter((own) => beginsAt(own, received))
      .slice(0, OWN_CASES_SHOWN)
      .map(({ caseNo }) => caseNo),
  };
}

/** Whether an own case begins at the received lots: at the supplier's code, or at an own lot. */
function beginsAt(own: OwnCaseRow, { codes, lotNos }: Received): boolean {
  const { seedLotNo, seedLotCode, seedSupplierName } = own;
  if (seedLotNo !== null) return lotNos.includes(seedLotNo);
  return codes.some(
    ({ code, supplierName }) =>
      code === seedLotCode && (seedSupplierName === null || seedSupplierName === supplierName),
  );
}
