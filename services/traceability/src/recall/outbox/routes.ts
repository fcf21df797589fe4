// /v1/recall/cases/{case_no}/notifications: what the brand's own tools pull and confirm
// (docs/interface/traceability.md#notifications-of-a-case).
import type { Clock } from '@lothub/kit/clock';
import {
  CaseNoParams,
  NOT_FOUND,
  PAGE_DEFAULT,
  RULE_BROKEN,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  buildCaller,
} from '../../http.ts';
import type { App } from '../../http.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { getCase } from '../case/move-case.ts';
import {
  NotificationListQuerySchema,
  NotificationListSchema,
  NotificationParams,
  NotificationUpdateSchema,
  UpdatedNotificationSchema,
} from './schema.ts';
import { confirmNotification } from './confirm.ts';
import { listNotifications } from './notifications.ts';
import type { OneAfterAnother } from './one-after-another.ts';
import { warnOfUnknownKeys } from '../unknown-keys.ts';

const TAGS = ['Recall'];

export function notificationRoutes(
  app: App,
  deps: {
    readonly store: LedgerStore;
    readonly reader: LedgerReader;
    readonly clock: Clock;
    /** The queues of this process. */
    readonly turns: OneAfterAnother;
  },
): void {
  const { reader } = deps;

  app.get(
    '/v1/recall/cases/:case_no/notifications',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listCaseNotifications',
        summary: 'The notifications of a recall case, and how far each of them is',
        description:
          'One notification for each customer, channel and supplier, and for internal ' +
          'QA, the regulator and the public. `ready` ones wait to be sent by the brand’s own tools.',
        security: V1_SECURITY,
        params: CaseNoParams,
        querystring: NotificationListQuerySchema,
        response: { 200: NotificationListSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params, query }) =>
      await listNotifications(reader, {
        recallCase: await getCase(reader.database, { tenantId, caseNo: params.case_no }),
        audience: query.audience,
        status: query.status,
        after: query.after,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );

  app.patch(
    '/v1/recall/cases/:case_no/notifications/:id',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: TAGS,
        operationId: 'confirmCaseNotification',
        summary: 'Confirm that a notification was sent, acknowledged or resolved',
        description:
          'Forward only; the status that it has changes nothing. Also of a case that has ended: ' +
          'answers come late. A block of type `response` says the new status and how many ' +
          'notifications of the case have each status; who answered, and what, it only commits to. ' +
          'Unknown keys are ignored and named in `warnings`.',
        security: V1_SECURITY,
        params: NotificationParams,
        body: NotificationUpdateSchema,
        response: {
          200: UpdatedNotificationSchema,
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request) => {
      const { tenantId, params, body } = request;
      const confirmed = await confirmNotification(deps, {
        tenantId,
        caseNo: params.case_no,
        notificationId: params.id,
        to: body.status,
        response: body.response ?? undefined,
        caller: buildCaller(request, body.changed_by ?? undefined),
      });
      return { ...confirmed, ...warnOfUnknownKeys(body, NotificationUpdateSchema) };
    },
  );
}
