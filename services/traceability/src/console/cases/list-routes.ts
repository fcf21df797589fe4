// Reads the list of the recall cases of a brand, by the filters in its address.
import { askTogether } from '@lothub/kit/database';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { App } from '../../http.ts';
import { parseCaseId } from '../../ledger/record/case-no.ts';
import { newestCases } from '../../recall/case/rows.ts';
import { CaseListQuerySchema } from '../../recall/case/schema.ts';
import { CASE_STATUSES, SEVERITIES } from '../../terms.ts';
import { mayIn } from '../access.ts';
import { BRAND_PARAM, getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { prepareConsoleReader, sendFramed } from '../send.ts';
import { CASES_ROUTE } from './case.ts';
import { STATES, listPage, type CaseGroup, type ListView, type State } from './list-page.ts';
import { countsOfCase } from './queries.ts';

/** Cases of one group on a page; the counts of each case take a query. */
const CASES_PER_PAGE = 25;

const ListQuery = Type.Object({
  // A form sends an empty text where nothing is chosen.
  status: Type.Optional(Type.Enum(['', ...STATES])),
  severity: Type.Optional(Type.Enum(['', ...SEVERITIES])),
  seed_lot_code: Type.Optional(Type.String({ maxLength: 200 })),
  before: CaseListQuerySchema.properties.before,
});

export function listRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    CASES_ROUTE,
    {
      schema: { hide: true, params: Type.Object(BRAND_PARAM), querystring: ListQuery },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const to = { request, reply };
      const brand = getBrand(to);
      const { status, severity, seed_lot_code: seed, before } = request.query;
      const filter = {
        status: STATES.find((one) => one === status),
        severity: SEVERITIES.find((one) => one === severity),
        seed_lot_code: seed === '' ? undefined : seed,
      };
      const isNarrowed = Object.values(filter).some((value) => value !== undefined);
      const states: readonly (State | undefined)[] = isNarrowed
        ? [filter.status]
        : ['open', 'ended'];
      const groups: CaseGroup[] = [];
      for (const state of states) {
        groups.push(await readGroup(deps, { brand, filter: { ...filter, status: state }, before }));
      }
      const reader = prepareConsoleReader(request, reply);
      const body = listPage(
        {
          ...{ brand, filter, isNarrowed, groups },
          name: await readName(deps, brand),
          mayRecall: mayIn(request, brand, 'recall'),
        },
        reader,
      );
      const { title } = reader.words.console.cases;
      return await sendFramed(deps, to, { title, brand, body });
    },
  );
}

async function readGroup(
  { database }: ConsoleDeps,
  asked: {
    readonly brand: string;
    readonly filter: ListView['filter'];
    readonly before: string | undefined;
  },
): Promise<CaseGroup> {
  const { brand, filter, before } = asked;
  const { status: state } = filter;
  const rows = await newestCases(database, {
    tenantId: brand,
    status: CASE_STATUSES.find((one) => one === state),
    isOpen: state === 'open' ? true : state === 'ended' ? false : undefined,
    severity: filter.severity,
    seedLotCode: filter.seed_lot_code,
    below: before === undefined ? Number.MAX_SAFE_INTEGER : parseCaseId(before),
    offset: 0,
    limit: CASES_PER_PAGE + 1,
  });
  const { rows: shown, last } = cutPage(rows, CASES_PER_PAGE);
  const counts = await askTogether(database, (one) =>
    Promise.all(shown.map(({ caseId }) => countsOfCase(one, caseId))),
  );
  const cases = shown.map((recallCase, index) => ({
    recallCase,
    ...present(counts[index], 'the counts of a case'),
  }));
  return { state, cases, next: last?.caseNo };
}
