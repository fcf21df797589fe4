// The pages of recalls: the list, which can be searched, and each case.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import { CaseNoParams, LotCodeParams, TENANT_ID_PATTERN, type App } from '../../http.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { PublicLog } from '../../log/public-log.ts';
import { readStanding } from '../../log/standing.ts';
import type { Notices } from '../../lots/notices/notices.ts';
import { CaseNoBefore, HISTORY_MAX } from '../../lots/notices/schema.ts';
import { RECALL_SEARCH_MAX } from '../../lots/notices/search.ts';
import type { ShownRecalls } from '../../lots/notices/shown.ts';
import { sendPage } from '../layout.ts';
import { recallPage, recallsPage } from '../recall-pages.ts';
import { prepareReader } from '../words/reader.ts';

const RECALLS_PER_PAGE = 20;
/** Lots on a page of one recall. */
const LOTS_PER_PAGE = 200;

const Searched = Type.Optional(
  Type.String({ maxLength: RECALL_SEARCH_MAX, pattern: TEXT_PATTERN }),
);

interface RecallPageDeps {
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly notices: Notices;
  readonly shown: ShownRecalls;
  readonly reader: LedgerReader;
  readonly log: PublicLog;
  readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export function recallRoutes(app: App, deps: RecallPageDeps): void {
  app.get(
    '/recalls',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        // A form also sends its empty fields.
        querystring: Type.Object({
          q: Searched,
          brand: Type.Optional(Type.String({ pattern: `^$|${TENANT_ID_PATTERN}` })),
          lot_code: Searched,
          before: Type.Optional(CaseNoBefore),
          after: Type.Optional(CaseNoBefore),
        }),
      },
    },
    async (request, reply) => {
      const { q, brand, lot_code: lotCode, before, after } = request.query;
      const asked = {
        ...{ q: given(q), brand: given(brand), lotCode: given(lotCode), before, after },
      };
      const page = await deps.shown.list({ ...asked, limit: RECALLS_PER_PAGE });
      const reader = prepareReader(request, reply);
      return sendPage(reply, recallsPage(page, asked, reader), { ...deps, reader });
    },
  );

  app.get(
    '/recalls/:case_no',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        params: CaseNoParams,
        querystring: Type.Object({
          after: Type.Optional(LotCodeParams.properties.lot_code),
          steps_after: Type.Optional(
            Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const { case_no: caseNo } = params;
      const recall = await deps.shown.find({ caseNo, after: query.after, limit: LOTS_PER_PAGE });
      const steps = await deps.notices.history({
        caseNo,
        after: query.steps_after ?? 0,
        limit: HISTORY_MAX,
        buildProofUrl: () => null,
      });
      if (recall === undefined || steps === undefined) {
        throw new Refusal('not_found', 'There is no recall of this case number');
      }
      const standing = await readStanding(deps, steps.history.steps.at(-1)?.block_height ?? 0);
      const reader = prepareReader(request, reply);
      const page = recallPage(recall, { ...steps, standing }, reader);
      return sendPage(reply, page, { ...deps, reader });
    },
  );
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}
