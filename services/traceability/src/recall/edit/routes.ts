// Serves PATCH /v1/recall/cases/{case_no} and the lots that people added and excluded.
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
import { readDetail } from '../case-answers/detail.ts';
import { warnOfUnknownKeys } from '../unknown-keys.ts';
import { pageOfLotsByHand } from './answers.ts';
import { editCase } from './edit-case.ts';
import {
  CaseEditSchema,
  EditedCaseSchema,
  LotsByHandQuerySchema,
  LotsByHandSchema,
} from './schema.ts';

const TAGS = ['Recall'];

export function caseEditRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly reader: LedgerReader; readonly clock: Clock },
): void {
  const { reader } = deps;
  const { database } = reader;

  app.patch(
    '/v1/recall/cases/:case_no',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: TAGS,
        operationId: 'editCase',
        summary: 'Edit an open recall case: its texts, and which lots it covers',
        description:
          'A lot that is added is a further seed: what it leads to in the direction of the case is ' +
          'covered, too, now and later. A lot that is excluded is not covered, wherever it is traced: ' +
          'its hold of this case ends, and it is not recalled by it. Adding an excluded lot covers it ' +
          'again, excluding an added one ends that. What changes nothing is sealed in no block. Unknown ' +
          'keys are ignored and named in `warnings`.',
        security: V1_SECURITY,
        params: CaseNoParams,
        body: CaseEditSchema,
        response: {
          200: EditedCaseSchema,
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request) => {
      const { tenantId, params, body } = request;
      const { recallCase, block } = await editCase(deps, {
        tenantId,
        caseNo: params.case_no,
        edit: body,
        caller: buildCaller(request, body.changed_by ?? undefined),
      });
      return {
        ...(await readDetail(reader, recallCase)),
        block_height: block?.height ?? null,
        block_hash: block?.hash ?? null,
        ...warnOfUnknownKeys(body, CaseEditSchema),
      };
    },
  );

  app.get(
    '/v1/recall/cases/:case_no/lots/by-hand',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listCaseLotsByHand',
        summary: 'The lots that were added to a recall case by hand, or excluded from it',
        security: V1_SECURITY,
        params: CaseNoParams,
        querystring: LotsByHandQuerySchema,
        response: { 200: LotsByHandSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params, query }) =>
      pageOfLotsByHand(database, {
        tenantId,
        recallCase: await getCase(database, { tenantId, caseNo: params.case_no }),
        said: query.said,
        after: query.after,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );
}
