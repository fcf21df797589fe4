// GET /v1/recall/cases/{case_no}/lots.csv, /distribution.csv and /notifications.csv.
import type { FastifySchema } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import { CSV_FORM, csvAnswer, sendCsv } from '../../csv-answer.ts';
import { CaseNoParams, NOT_FOUND, RULE_BROKEN, V1_ERRORS, V1_SECURITY } from '../../http.ts';
import type { App } from '../../http.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { getCase } from '../case/move-case.ts';
import { CaseLotsQuerySchema } from '../case/schema.ts';
import { NotificationListQuerySchema } from '../outbox/schema.ts';
import {
  CASE_LOT_COLUMNS,
  DISTRIBUTION_COLUMNS,
  NOTIFICATION_COLUMNS,
  caseLotRows,
  distributionRows,
  notificationRows,
} from './rows.ts';

const PATH = '/v1/recall/cases/:case_no';
const SCHEMA = {
  tags: ['Recall'],
  security: V1_SECURITY,
  params: CaseNoParams,
} satisfies FastifySchema;

export function caseCsvRoutes(app: App, { reader }: { readonly reader: LedgerReader }): void {
  const { database } = reader;

  app.get(
    `${PATH}/lots.csv`,
    {
      config: { keyNeeds: 'read' },
      schema: {
        ...SCHEMA,
        operationId: 'exportCaseLots',
        summary: 'The lots of a recall case as CSV',
        description: CSV_FORM,
        querystring: Type.Object({ which: CaseLotsQuerySchema.properties.which }),
        response: { 200: csvAnswer('One row for each lot'), ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params, query }, reply) => {
      const { caseId, caseNo } = await getCase(database, { tenantId, caseNo: params.case_no });
      return await sendCsv(reply, {
        name: `${caseNo}-lots`,
        columns: CASE_LOT_COLUMNS,
        pages: caseLotRows(database, { caseId, which: query.which ?? 'all' }),
      });
    },
  );

  app.get(
    `${PATH}/distribution.csv`,
    {
      config: { keyNeeds: 'read' },
      schema: {
        ...SCHEMA,
        operationId: 'exportCaseDistribution',
        summary: 'The distribution list of a recall case as CSV',
        description:
          'What was shipped and sold of the lots that the case covers, as it counts now, in the order of ' +
          'the blocks. A lot that was shipped and then sold has rows of both. It names customers: keep it ' +
          `as confidential as they are. ${CSV_FORM}`,
        response: {
          200: csvAnswer('One row for each line of an event'),
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...V1_ERRORS,
        },
      },
    },
    async ({ tenantId, params }, reply) => {
      const recallCase = await getCase(database, { tenantId, caseNo: params.case_no });
      return await sendCsv(reply, {
        name: `${recallCase.caseNo}-distribution`,
        columns: DISTRIBUTION_COLUMNS,
        pages: distributionRows(reader, recallCase),
      });
    },
  );

  app.get(
    `${PATH}/notifications.csv`,
    {
      config: { keyNeeds: 'read' },
      schema: {
        ...SCHEMA,
        operationId: 'exportCaseNotifications',
        summary: 'The notifications of a recall case as CSV',
        description: `One row for each unit that reached a recipient. ${CSV_FORM}`,
        querystring: Type.Object({
          audience: NotificationListQuerySchema.properties.audience,
          status: NotificationListQuerySchema.properties.status,
        }),
        response: { 200: csvAnswer('Rows of recipients'), ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params, query }, reply) => {
      const recallCase = await getCase(database, { tenantId, caseNo: params.case_no });
      const { audience, status } = query;
      return await sendCsv(reply, {
        name: `${recallCase.caseNo}-notifications`,
        columns: NOTIFICATION_COLUMNS,
        pages: notificationRows(reader, { recallCase, audience, status }),
      });
    },
  );
}
