// GET /v1/recall/inbound and /v1/recall/inbound/{case_no}: recalls of suppliers that reach the brand.
import type { DatabaseReader } from '@lothub/kit/database';
import { Refusal } from '../../errors.ts';
import { CaseNoParams, NOT_FOUND, PAGE_DEFAULT, V1_ERRORS, V1_SECURITY } from '../../http.ts';
import type { App } from '../../http.ts';
import type { Notices } from '../../lots/notices/notices.ts';
import { findInbound, listInbound } from './inbound.ts';
import {
  InboundListQuery,
  InboundListSchema,
  InboundRecallQuery,
  InboundRecallSchema,
  RECALLS_DEFAULT,
} from './schema.ts';

const TAGS = ['Recall'];

export function inboundRoutes(
  app: App,
  deps: { readonly database: DatabaseReader; readonly notices: Notices },
): void {
  app.get(
    '/v1/recall/inbound',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listInboundRecalls',
        summary: 'Recalls of your suppliers that reach your lots, newest first',
        description:
          'Published cases of the brands that `/v1/suppliers` links, as soon as they are published: those ' +
          'that cover a lot whose code you received under a linked name, as `supplier_lot_code` or, of a ' +
          'line without one, as `lot_code`. Corrections count.',
        security: V1_SECURITY,
        querystring: InboundListQuery,
        response: { 200: InboundListSchema, ...V1_ERRORS },
      },
    },
    ({ tenantId, query }) =>
      listInbound(deps, {
        tenantId,
        state: query.state ?? 'open',
        before: query.before,
        limit: query.limit ?? RECALLS_DEFAULT,
      }),
  );

  app.get(
    '/v1/recall/inbound/:case_no',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'getInboundRecall',
        summary: 'One recall of a supplier with all your lots that it reaches',
        description: 'Also of a case that has ended.',
        security: V1_SECURITY,
        params: CaseNoParams,
        querystring: InboundRecallQuery,
        response: { 200: InboundRecallSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params, query }) => {
      const found = await findInbound(deps, {
        tenantId,
        caseNo: params.case_no,
        after: query.after,
        limit: query.limit ?? PAGE_DEFAULT,
      });
      if (found === undefined) {
        throw new Refusal('not_found', 'No recall of a supplier of this number reaches your lots');
      }
      return found;
    },
  );
}
