// The timeline of a case, its report, and its lists as files.
import { Type } from '@lothub/kit/json-schema';
import { sendCsv } from '../../csv-answer.ts';
import type { App } from '../../http.ts';
import { readStanding } from '../../log/standing.ts';
import { readStepBlocks } from '../../lots/notices/step-blocks.ts';
import { readTimeline } from '../../recall/case/timeline.ts';
import { CaseLotsQuerySchema } from '../../recall/case/schema.ts';
import {
  CASE_LOT_COLUMNS,
  DISTRIBUTION_COLUMNS,
  NOTIFICATION_COLUMNS,
  caseLotRows,
  distributionRows,
  notificationRows,
} from '../../recall/csv/rows.ts';
import { sendReport } from '../../recall/report/send-report.ts';
import { getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addressWith } from '../filters.ts';
import { casePagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed } from '../send.ts';
import { CASE_PARAMS, CASE_ROUTE, getCaseNo, readShownCase } from './case.ts';
import { NotificationFilterQuery, filterOfQuery } from './notifications/filter.ts';
import { timelinePage } from './timeline-page.ts';

/** Blocks of steps on one page: a part of 1,000 lots has 150 kB, which is read in a few milliseconds. */
const BLOCKS_PER_PAGE = 12;

export function timelineRoutes(app: App, deps: ConsoleDeps): void {
  const { database, reader: ledger } = deps;
  const config = { right: 'read' } as const;
  const params = Type.Object(CASE_PARAMS);

  app.get(
    `${CASE_ROUTE}/timeline`,
    {
      schema: {
        hide: true,
        params,
        querystring: Type.Object({
          after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
        }),
      },
      config,
    },
    async (request, reply) => {
      const to = { request, reply };
      const shownCase = await readShownCase(deps, to);
      const { brand, recallCase } = shownCase;
      const { caseNo, caseId, title } = recallCase;
      const { steps, next } = await readStepBlocks(database, {
        ...{ tenantId: brand, caseNo, reader: 'brand' },
        after: request.query.after ?? 0,
        limit: BLOCKS_PER_PAGE,
      });
      const timeline = await readTimeline(database, caseId);
      const newest = steps.at(-1);
      const path = casePagePath(brand, caseNo, 'timeline');
      const reader = prepareConsoleReader(request, reply);
      const body = timelinePage(
        {
          ...shownCase,
          blocks: steps,
          decided: new Map(
            timeline.steps.flatMap((step) =>
              step.blockHeight === null ? [] : [[step.blockHeight, step]],
            ),
          ),
          standing: newest && (await readStanding(deps, newest.height)),
          nextPath: next === null ? undefined : addressWith(path, { after: next }),
        },
        reader,
      );
      const { timeline: name } = reader.words.console.cases;
      return await sendFramed(deps, to, { title: `${name} · ${caseNo} ${title}`, brand, body });
    },
  );

  app.get(
    `${CASE_ROUTE}/report`,
    { schema: { hide: true, params }, config },
    async (request, reply) => {
      const to = { request, reply };
      return await sendReport(deps, reply, { tenantId: getBrand(to), caseNo: getCaseNo(to) });
    },
  );

  app.get(
    `${CASE_ROUTE}/scope.csv`,
    {
      schema: {
        hide: true,
        params,
        querystring: Type.Object({ which: CaseLotsQuerySchema.properties.which }),
      },
      config,
    },
    async (request, reply) => {
      const { caseId, caseNo } = (await readShownCase(deps, { request, reply })).recallCase;
      return await sendCsv(reply, {
        name: `${caseNo}-lots`,
        columns: CASE_LOT_COLUMNS,
        pages: caseLotRows(database, { caseId, which: request.query.which ?? 'all' }),
      });
    },
  );

  app.get(
    `${CASE_ROUTE}/distribution.csv`,
    { schema: { hide: true, params }, config },
    async (request, reply) => {
      const { recallCase } = await readShownCase(deps, { request, reply });
      return await sendCsv(reply, {
        name: `${recallCase.caseNo}-distribution`,
        columns: DISTRIBUTION_COLUMNS,
        pages: distributionRows(ledger, recallCase),
      });
    },
  );

  app.get(
    `${CASE_ROUTE}/notifications.csv`,
    { schema: { hide: true, params, querystring: NotificationFilterQuery }, config },
    async (request, reply) => {
      const { recallCase } = await readShownCase(deps, { request, reply });
      return await sendCsv(reply, {
        name: `${recallCase.caseNo}-notifications`,
        columns: NOTIFICATION_COLUMNS,
        pages: notificationRows(ledger, { recallCase, ...filterOfQuery(request.query) }),
      });
    },
  );
}
