// The lots of a brand: the list with its search, and one lot with its holds.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { fieldsProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import { sendCsv } from '../../csv-answer.ts';
import { Refusal, STATUS_OF_REFUSAL } from '../../errors.ts';
import { LotCodeParams, callerOfPerson, type App } from '../../http.ts';
import { MANUAL_HOLD } from '../../ledger/draft.ts';
import { LOT_COLUMNS, lotRows } from '../../lots/csv.ts';
import { changeHold } from '../../lots/holds.ts';
import { listLots } from '../../lots/list.ts';
import { REASON_MAX } from '../../lots/lot-schema.ts';
import { readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { getVisitor, mayIn } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { param } from '../params.ts';
import { lotPagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { labelPageRoutes } from './label-routes.ts';
import { LotListQuery, listColumns, readLotListQuery, type LotListAsked } from './list-query.ts';
import { lotListPage, lotRowsFragment, type LotListView } from './list-page.ts';
import { lotPage, noLotPage } from './lot-page.ts';
import { readLotView } from './lot-view.ts';
import { findAlsoMeant } from './wider-search.ts';

const LOTS_ROUTE = `${BRAND_ROUTE}/lots`;
const LOT_ROUTE = `${LOTS_ROUTE}/:lot_code`;
const LOT_PARAMS = Type.Object({ ...BRAND_PARAM, ...LotCodeParams.properties });
const LIST_SCHEMA = { hide: true, params: Type.Object(BRAND_PARAM), querystring: LotListQuery };
const LotQuery = Type.Object({
  done: Type.Optional(Type.String()),
  before: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

export function lotPageRoutes(app: App, deps: ConsoleDeps): void {
  labelPageRoutes(app, deps);
  const { store, clock } = deps;

  app.get(
    LOTS_ROUTE,
    { schema: LIST_SCHEMA, config: { right: 'read' } },
    async (request, reply) => {
      const { brand } = request.params;
      const reader = prepareConsoleReader(request, reply);
      const view = await readList(deps, { request, reply }, request.query);
      return await sendFramed(
        deps,
        { request, reply },
        {
          title: reader.words.console.lots.title,
          brand,
          body: lotListPage(view, reader),
          modules: ['lot-search'],
        },
      );
    },
  );

  app.get(
    // This address is not below the list: there it would be the page of a lot with this code.
    `${BRAND_ROUTE}/lots.rows`,
    { schema: LIST_SCHEMA, config: { right: 'read' } },
    async (request, reply) => {
      const reader = prepareConsoleReader(request, reply);
      const view = await readList(deps, { request, reply }, request.query);
      return await reply.type('text/html; charset=utf-8').send(lotRowsFragment(view, reader).text);
    },
  );

  app.get(
    `${BRAND_ROUTE}/lots.csv`,
    { schema: LIST_SCHEMA, config: { right: 'read' } },
    async (request, reply) => {
      const tenantId = request.params.brand;
      const { q, status, holdStatus } = readLotListQuery(request.query);
      const also = await alsoMeant(deps, tenantId, q);
      return await sendCsv(reply, {
        name: 'lots',
        columns: LOT_COLUMNS,
        pages: lotRows(listDeps(deps), {
          ...{ tenantId, q, status, holdStatus },
          ...(also === undefined ? {} : { also }),
        }),
      });
    },
  );

  app.get(
    LOT_ROUTE,
    {
      schema: { hide: true, params: LOT_PARAMS, querystring: LotQuery },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const { words } = prepareConsoleReader(request, reply);
      const { done, before } = request.query;
      const changes = { done: doneWordsIn(words.console.lot.done, done), before };
      return await sendLot(deps, { request, reply }, changes, 200);
    },
  );

  addForm(app, {
    path: `${LOT_ROUTE}/hold`,
    right: 'hold',
    params: LOT_PARAMS,
    show: (to, form, status) => sendLot(deps, to, { form }, status),
    run: async (to, values) => {
      const reason = readReason(values);
      if (reason === null) throw reasonProblem('required');
      return await change(to, { state: 'held', caseNo: null, reason });
    },
  });

  addForm(app, {
    path: `${LOT_ROUTE}/release`,
    right: 'hold',
    params: LOT_PARAMS,
    refusals: (words) => ({ rule_broken: words.lot.heldInConfidence }),
    show: (to, form, status) => sendLot(deps, to, { form }, status),
    run: async (to, values) => {
      const source = values['case_no'] ?? MANUAL_HOLD;
      const caseNo = source === MANUAL_HOLD ? null : source;
      return await change(to, { state: 'released', caseNo, reason: readReason(values) });
    },
  });

  async function change(
    to: To,
    hold: {
      readonly state: 'held' | 'released';
      readonly caseNo: string | null;
      readonly reason: string | null;
    },
  ): Promise<FastifyReply> {
    const brand = getBrand(to);
    const answer = await changeHold(
      { store, clock },
      {
        ...hold,
        tenantId: brand,
        lotCode: getLotCode(to),
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
      },
    );
    const done = answer.block_height === null ? 'unchanged' : hold.state;
    return await to.reply.redirect(withDone(lotPagePath(brand, answer.lot_code), done), 303);
  }
}

/** Returns what reading and searching lots needs. */
function listDeps({ reader, store }: ConsoleDeps) {
  return { database: reader.database, lotSearch: store.lotSearch };
}

async function alsoMeant({ reader }: ConsoleDeps, tenantId: string, q: string | undefined) {
  return q === undefined ? undefined : await findAlsoMeant(reader.database, { tenantId, q });
}

async function readList(
  deps: ConsoleDeps,
  to: To,
  query: Parameters<typeof readLotListQuery>[0],
): Promise<LotListView> {
  const brand = getBrand(to);
  const asked: LotListAsked = readLotListQuery(query);
  const also = await alsoMeant(deps, brand, asked.q);
  const list = await listLots(listDeps(deps), {
    ...asked,
    tenantId: brand,
    ...(also === undefined ? {} : { also }),
  });
  const skus = [...list.lots.flatMap((lot) => lot.product_skus), ...(also?.skus ?? [])];
  const { publicUrl } = deps;
  return {
    ...{ brand, asked, list, also },
    columns: listColumns(to, query.column, { isSecure: publicUrl.startsWith('https:') }),
    profiles: await readProductProfiles(deps.reader.database, { tenantId: brand, skus, publicUrl }),
    mayImport: mayIn(to.request, brand, 'import'),
  };
}

function getLotCode(to: To): string {
  return present(param(to, 'lot_code'), 'the lot of a page');
}

/** @throws PeopleProblem when it is too long */
function readReason(values: FormValues): string | null {
  const reason = textOrNothing(values['reason'])?.trim() ?? null;
  if (reason !== null && reason.length > REASON_MAX) throw reasonProblem('too_long');
  return reason;
}

function reasonProblem(code: 'required' | 'too_long') {
  const limit = code === 'too_long' ? REASON_MAX : null;
  return fieldsProblem([{ pointer: '/reason', code, limit, actual: null }]);
}

/** Sends the page of a lot; for a code that no lot has, or several have, a page to choose from. */
async function sendLot(
  deps: ConsoleDeps,
  to: To,
  changes: {
    readonly form?: FormState;
    readonly done?: string | undefined;
    readonly before?: number | undefined;
  },
  status: number,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const lotCode = getLotCode(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const path = lotPagePath(brand, lotCode);
  try {
    const { before } = changes;
    const view = await readLotView(deps, { tenantId: brand, lotCode, before });
    const found = view.record.lot_code;
    // A supplier's lot code leads to the lot that was received under it.
    if (found !== lotCode) return await to.reply.redirect(lotPagePath(brand, found), 303);
    const body = lotPage(
      {
        ...view,
        brand,
        mayHold: mayIn(to.request, brand, 'hold'),
        maySimulate: mayIn(to.request, brand, 'simulate'),
        form: changes.form ?? EMPTY_FORM,
        done: changes.done,
      },
      reader,
    );
    return await sendFramed(deps, to, { title: lotCode, path, brand, body }, status);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, facts } = error;
    if (code !== 'not_found' && code !== 'several_lots') throw error;
    const kind = code === 'not_found' ? 'unknown' : 'several';
    const codes = (kind === 'unknown' ? facts.similar : facts.lots) ?? [];
    const body = noLotPage({ brand, lotCode, codes, kind }, reader);
    const page = { title: lotCode, path, brand, body };
    return await sendFramed(deps, to, page, STATUS_OF_REFUSAL[code]);
  }
}
