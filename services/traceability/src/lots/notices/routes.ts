// GET /public/notices, /public/notices/{case_no} and its history (docs/interface/traceability.md#notices).
import { Type } from '@lothub/kit/json-schema';
import { Refusal } from '../../errors.ts';
import {
  BrandQuery,
  CaseNoParams,
  LimitQuery,
  LotCodeParams,
  NOT_FOUND,
  PAGE_DEFAULT,
  PUBLIC_ERRORS,
} from '../../http.ts';
import type { App } from '../../http.ts';
import {
  CaseNoBefore,
  HISTORY_MAX,
  NoticeDetailSchema,
  NoticeHistorySchema,
  NoticePageSchema,
} from './schema.ts';
import type { ProofUrlOf } from './history.ts';
import type { Notices } from './notices.ts';

const LotCode = LotCodeParams.properties.lot_code;

export function noticeRoutes(
  app: App,
  deps: {
    readonly notices: Notices;
    readonly buildProofUrl: ProofUrlOf;
  },
): void {
  const { notices, buildProofUrl } = deps;

  app.get(
    '/public/notices',
    {
      schema: {
        tags: ['Public'],
        operationId: 'listNotices',
        summary: 'Open recall notices, newest first',
        description:
          'A notice is listed from the moment its case is opened until it is closed or cancelled. ' +
          '`lot_code` finds the notices that cover a lot, also a supplier’s.',
        querystring: Type.Object({
          brand: BrandQuery,
          lot_code: Type.Optional(LotCode),
          limit: LimitQuery,
          before: Type.Optional(CaseNoBefore),
        }),
        response: { 200: NoticePageSchema, ...PUBLIC_ERRORS },
      },
    },
    ({ query }) =>
      notices.page({
        brand: query.brand,
        lotCode: query.lot_code,
        before: query.before,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );

  app.get(
    '/public/notices/:case_no',
    {
      schema: {
        tags: ['Public'],
        operationId: 'getNotice',
        summary: 'One open recall notice with all its lot codes',
        params: CaseNoParams,
        querystring: Type.Object({
          limit: LimitQuery,
          after: Type.Optional({
            ...LotCode,
            description: 'A lot code: `next` of the page before',
          }),
        }),
        response: { 200: NoticeDetailSchema, ...NOT_FOUND, ...PUBLIC_ERRORS },
      },
    },
    async ({ params, query }) => {
      const notice = await notices.find({
        caseNo: params.case_no,
        after: query.after,
        limit: query.limit ?? PAGE_DEFAULT,
      });
      if (notice === undefined) {
        throw new Refusal('not_found', 'There is no open notice of this case number');
      }
      return notice;
    },
  );

  app.get(
    '/public/notices/:case_no/history',
    {
      schema: {
        tags: ['Public'],
        operationId: 'getNoticeHistory',
        summary: 'What was decided on a recall case, with the block of each step',
        description:
          'The opening, each move and edit, and each time that lots came into its scope or left it; also of a ' +
          'case that has ended. The blocks themselves are at `/public/explorer/block/{height}`.',
        params: CaseNoParams,
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: HISTORY_MAX })),
          after: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              description: '`next` of the page before',
            }),
          ),
        }),
        response: { 200: NoticeHistorySchema, ...NOT_FOUND, ...PUBLIC_ERRORS },
      },
    },
    async ({ params, query }) => {
      const { case_no: caseNo } = params;
      const { after = 0, limit = HISTORY_MAX } = query;
      const found = await notices.history({ caseNo, after, limit, buildProofUrl });
      if (found === undefined) throw new Refusal('not_found', 'No case of this number is known');
      return found.history;
    },
  );
}
