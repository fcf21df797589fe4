// Recalls of suppliers that reach the brand, and the form that holds the lots that a recall reaches.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import { shownValues } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import { STATUS_OF_REFUSAL } from '../../../errors.ts';
import { holdMany } from '../../../holds/many.ts';
import { HELD_LOTS_MAX } from '../../../holds/schema.ts';
import { CaseNoParams, callerOfPerson, type App } from '../../../http.ts';
import { findInboundLots, listInbound } from '../../../recall/inbound/inbound.ts';
import { InboundListQuery } from '../../../recall/inbound/schema.ts';
import { getVisitor, mayIn } from '../../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../../brand/brand.ts';
import { getCaseNo } from '../../cases/case.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addForm } from '../../forms.ts';
import { inboundPath } from '../../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { readHoldReason } from '../hold-reason.ts';
import { inboundPage, type InboundState } from './inbound-page.ts';

const ROUTE = `${BRAND_ROUTE}/recalls/inbound`;
/** Recalls of a page: the lots of each are traced. */
const RECALLS_SHOWN = 10;

export function inboundPageRoutes(app: App, deps: ConsoleDeps): void {
  const { database } = deps;

  app.get(
    ROUTE,
    {
      schema: {
        hide: true,
        params: Type.Object(BRAND_PARAM),
        querystring: Type.Object({
          state: InboundListQuery.properties.state,
          before: InboundListQuery.properties.before,
          done: Type.Optional(Type.String()),
        }),
      },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const { words } = prepareConsoleReader(request, reply);
      const { state = 'open', before, done } = request.query;
      const said = doneWordsIn(words.console.inbound.done, done);
      const listed = { state, before, form: EMPTY_FORM, formOf: undefined, done: said };
      return await sendInbound(deps, { request, reply }, listed, 200);
    },
  );

  addForm(app, {
    path: `${ROUTE}/:case_no/hold`,
    right: 'hold',
    params: Type.Object({ ...BRAND_PARAM, ...CaseNoParams.properties }),
    show: (to, form, status) => sendRefused(deps, to, form, status),
    run: async (to, values) => {
      const brand = getBrand(to);
      const { words } = prepareConsoleReader(to.request, to.reply);
      const reason = readHoldReason(values);
      const lots = await findInboundLots(database, { tenantId: brand, caseNo: getCaseNo(to) });
      const refuse = (problem: string): Promise<FastifyReply> => {
        const form = { values: shownValues(values), errors: {}, problem };
        return sendRefused(deps, to, form, STATUS_OF_REFUSAL.rule_broken);
      };
      if (lots === undefined || lots.length === 0) return await refuse(words.console.inbound.gone);
      if (lots.length > HELD_LOTS_MAX) return await refuse(words.console.simulation.tooMany);
      await holdMany(deps, {
        tenantId: brand,
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
        request: { state: 'held', reason, lots: [...lots] },
      });
      return await to.reply.redirect(withDone(inboundPath(brand), 'held'), 303);
    },
  });
}

async function sendRefused(
  deps: ConsoleDeps,
  to: To,
  form: FormState,
  status: number,
): Promise<FastifyReply> {
  // The recall may have ended since: it is shown in any state.
  const all = {
    state: 'all',
    before: undefined,
    form,
    formOf: getCaseNo(to),
    done: undefined,
  } as const;
  return await sendInbound(deps, to, all, status);
}

async function sendInbound(
  deps: ConsoleDeps,
  to: To,
  page: {
    readonly state: InboundState;
    readonly before: string | undefined;
    readonly form: FormState;
    readonly formOf: string | undefined;
    readonly done: string | undefined;
  },
  status: number,
): Promise<FastifyReply> {
  const { state, before, ...shown } = page;
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const { database, notices } = deps;
  const list = await listInbound(
    { database, notices },
    { tenantId: brand, state, before, limit: RECALLS_SHOWN },
  );
  const body = inboundPage(
    {
      ...{ brand, list, state, ...shown },
      mayHold: mayIn(to.request, brand, 'hold'),
      maySimulate: mayIn(to.request, brand, 'simulate'),
      mayLink: mayIn(to.request, brand, 'suppliers'),
    },
    reader,
  );
  const { title } = reader.words.console.inbound;
  const path = to.request.method === 'GET' ? {} : { path: inboundPath(brand) };
  return await sendFramed(deps, to, { title, brand, body, ...path }, status);
}
