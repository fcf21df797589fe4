// The simulation of a recall, its lists as CSV files, and the form that holds its lots.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import type { FormValues } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import type { FastifyReply } from 'fastify';
import { sendCsv } from '../../csv-answer.ts';
import { Refusal } from '../../errors.ts';
import { holdMany } from '../../holds/many.ts';
import { callerOfPerson, type App } from '../../http.ts';
import { readRecordedTimes } from '../../ledger/recorded-at.ts';
import { readPlaceProfiles, readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { recallDirection } from '../../recall/direction.ts';
import { noteSimulation } from '../../recall/simulation/noted.ts';
import { getVisitor, mayIn } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { openingRoutes } from './open/routes.ts';
import { ASKED_QUERY, askedPath, readAsked } from './asked.ts';
import { buildCsv } from './csv.ts';
import { readHoldReason } from './hold-reason.ts';
import { inboundPageRoutes } from './inbound/routes.ts';
import { shippingPlaces } from './places.ts';
import { CSV_LISTS, LISTED_MAX } from './result-lists.ts';
import type { ResultView } from './result-view.ts';
import { simulate, type Simulated } from './simulate.ts';
import { askedForm, simulationPage } from './simulation-page.ts';

const ROUTE = `${BRAND_ROUTE}/simulation`;
const RIGHT = 'simulate';
const PARAMS = Type.Object(BRAND_PARAM);

export function simulationPageRoutes(app: App, deps: ConsoleDeps): void {
  openingRoutes(app, deps);
  inboundPageRoutes(app, deps);
  app.get(
    ROUTE,
    {
      schema: {
        hide: true,
        params: PARAMS,
        querystring: Type.Object({ ...ASKED_QUERY, done: Type.Optional(Type.String()) }),
      },
      config: { right: RIGHT },
    },
    async (request, reply) => {
      const { done, ...values } = request.query;
      const { words } = prepareConsoleReader(request, reply);
      return await sendSimulation(
        deps,
        { request, reply },
        { values, holdForm: EMPTY_FORM, done: doneWordsIn(words.console.simulation.done, done) },
      );
    },
  );

  for (const list of CSV_LISTS) {
    app.get(
      `${ROUTE}/${list}.csv`,
      {
        schema: { hide: true, params: PARAMS, querystring: Type.Object(ASKED_QUERY) },
        config: { right: RIGHT },
      },
      async (request, reply) => {
        const to = { request, reply };
        const reader = prepareConsoleReader(request, reply);
        const simulated = await simulate(
          deps,
          { brand: getBrand(to), values: request.query },
          reader,
        );
        if (simulated.kind !== 'found') throw new Refusal('not_found', 'No lot was simulated');
        const name = `simulation-${list}`;
        return await sendCsv(reply, { name, ...buildCsv(list, simulated.simulation) });
      },
    );
  }

  addForm(app, {
    path: `${ROUTE}/hold`,
    right: 'hold',
    params: PARAMS,
    refusals: (words) => ({ rule_broken: words.simulation.tooMany }),
    show: (to, form, status) =>
      sendSimulation(deps, to, { values: form.values, holdForm: form, done: undefined }, status),
    run: async (to, values) => {
      const brand = getBrand(to);
      const asked = present(readAsked(values), 'the lot of a simulation');
      const reason = readHoldReason(values);
      const { lotCode, supplierName, direction } = asked;
      await holdMany(deps, {
        tenantId: brand,
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
        request: {
          state: 'held',
          reason,
          simulation: { lot_code: lotCode, supplier_name: supplierName ?? null, direction },
        },
      });
      const path = askedPath(brand, { ...asked, asOf: undefined });
      return await to.reply.redirect(withDone(path, 'held'), 303);
    },
  });
}

async function sendSimulation(
  deps: ConsoleDeps,
  to: To,
  page: {
    readonly values: FormValues;
    readonly holdForm: FormState;
    readonly done: string | undefined;
  },
  status = 200,
): Promise<FastifyReply> {
  const { values, holdForm, done } = page;
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const simulated = await simulate(deps, { brand, values }, reader);
  const result = await readResult(deps, to, { simulated, holdForm });
  const form = simulated.kind === 'refused' ? simulated.form : askedForm(values);
  const body = simulationPage({ brand, simulated, form, result, done }, reader);
  const { title } = reader.words.console.simulation;
  const path = brandPath(brand, 'simulation');
  return await sendFramed(
    deps,
    to,
    // For an answer to a form, the other languages lead to the page of the simulation.
    { title, brand, body, ...(to.request.method === 'GET' ? {} : { path }) },
    simulated.kind === 'refused' ? simulated.status : status,
  );
}

async function readResult(
  deps: ConsoleDeps,
  to: To,
  result: { readonly simulated: Simulated; readonly holdForm: FormState },
): Promise<ResultView | undefined> {
  const { simulated, holdForm } = result;
  if (simulated.kind !== 'found') return undefined;
  const { asked, simulation } = simulated;
  const tenantId = getBrand(to);
  const { database, publicUrl } = deps;
  const { height } = simulation.chain;
  await noteSimulation(deps, {
    tenantId,
    caller: callerOfPerson(to.request, getVisitor(to.request).person),
    direction: recallDirection(asked.direction),
    simulation,
  });
  const places = shippingPlaces(simulation.impact.shipments);
  const shownPlaces = places.slice(0, LISTED_MAX).map(({ location }) => location);
  const moments = await readRecordedTimes(database, [height]);
  return {
    ...{ brand: tenantId, asked, simulation, places, holdForm },
    recordedAt: present(moments.get(height), `the moment of block ${height}`),
    productProfiles: await readProductProfiles(database, {
      ...{ tenantId, publicUrl },
      skus: shownSkus(simulated),
    }),
    placeProfiles: await readPlaceProfiles(database, { tenantId, locations: shownPlaces }),
    mayHold: mayIn(to.request, tenantId, 'hold'),
    mayOpen: mayIn(to.request, tenantId, 'recall'),
  };
}

function shownSkus({ simulation }: Extract<Simulated, { kind: 'found' }>): readonly string[] {
  const { affectedLots, affectedProducts, impact, suspects } = simulation;
  return [
    ...affectedLots.slice(0, LISTED_MAX).map(({ productSku }) => productSku),
    ...affectedProducts.slice(0, LISTED_MAX),
    ...impact.suppliers.slice(0, LISTED_MAX).map(({ productSku }) => productSku),
    ...suspects.map(({ productSku }) => productSku),
  ];
}
