// The genealogy of a lot as a drawing and a table, and what its module requests while a person works with it.
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import { PeopleProblem } from '@lothub/people/errors';
import type { App } from '../../http.ts';
import { PAGE_SIZES } from '../../lots/genealogy/link-reader.ts';
import { NEIGHBOURS_MAX } from '../../lots/genealogy/neighbours.ts';
import { deliveriesOfCode } from '../../lots/genealogy/supplier-lots.ts';
import { findLot, findTenant } from '../../lots/queries.ts';
import { noSuchLot } from '../../lots/similar-codes.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { lotPagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { SEARCH_CHARS_MAX, genealogyPage } from './genealogy-page.ts';
import { readAnswer } from './read-answers.ts';
import { readDrawing } from './read-drawing.ts';
import type { Reading } from './read-lots.ts';
import { searchGenealogy } from './read-search.ts';
import { readAsked, readStep } from './steps.ts';

const ROUTE = `${BRAND_ROUTE}/lots/:lot/genealogy`;
const PARAMS = Type.Object({ ...BRAND_PARAM, lot: Type.String({ minLength: 1, maxLength: 200 }) });
/** A code and the key of a group, each with its percent signs. */
const STEP_CHARS_MAX = 2_000;
/** Lines in which a supplier's lot came in that are looked at. */
const DELIVERY_LINES_MAX = 20_000;

export function genealogyPageRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    ROUTE,
    { schema: { hide: true, params: PARAMS }, config: { right: 'read' } },
    async (request, reply) => {
      const lotCode = request.params.lot;
      const reading = await beginReading(deps, { request, reply }, lotCode);
      const query = new URLSearchParams(request.url.split('?')[1] ?? '');
      const { brand, reader } = reading;
      const asked = readAsked(query);
      const text = (query.get('q') ?? '').trim().slice(0, SEARCH_CHARS_MAX);
      const path = lotPagePath(brand, lotCode, 'genealogy');
      const [drawing, found, brandName] = await Promise.all([
        readDrawing(reading, asked),
        text === '' ? undefined : searchGenealogy(reading, text),
        readName(deps, brand),
      ]);
      const search = found === undefined ? undefined : { text, found };
      const view = { brand, brandName, lotCode, path, asked, drawing, search };
      const title = `${reader.words.console.genealogy.title} ${lotCode}`;
      const body = genealogyPage(view, reader);
      const page = { title, brand, body, modules: ['genealogy'] as const };
      return await sendFramed(deps, { request, reply }, page);
    },
  );

  app.get(
    `${ROUTE}/neighbours`,
    {
      schema: {
        hide: true,
        params: PARAMS,
        querystring: Type.Object({ step: Type.String({ maxLength: STEP_CHARS_MAX }) }),
      },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const reading = await beginReading(deps, { request, reply }, request.params.lot);
      const step = readStep(request.query.step);
      const answer = step && (await readAnswer(reading, step));
      if (answer === undefined) throw new PeopleProblem('not_found', 'There is no such step');
      return await sendJson(reply, answer);
    },
  );

  app.get(
    `${ROUTE}/search`,
    {
      schema: {
        hide: true,
        params: PARAMS,
        querystring: Type.Object({ q: Type.String({ minLength: 1, maxLength: SEARCH_CHARS_MAX }) }),
      },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const reading = await beginReading(deps, { request, reply }, request.params.lot);
      return await sendJson(reply, await searchGenealogy(reading, request.query.q));
    },
  );
}

/**
 * Begins with an own lot, or with a supplier's lot if the brand has no own lot of this code.
 * @throws Refusal `not_found` when the brand has neither
 */
async function beginReading(
  { database, ways, publicUrl }: ConsoleDeps,
  to: To,
  lotCode: string,
): Promise<Reading> {
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const asked = { lotCode, tenantId: brand };
  const around = { database, ways, publicUrl, brand, reader };
  const lot = await findLot(database, asked);
  if (lot !== undefined) {
    const { tenantNo, lotNo } = lot;
    return { ...around, tenantNo, seed: { kind: 'lot', lotNo } };
  }
  const tenant = await findTenant(database, brand);
  if (tenant === undefined) throw await noSuchLot(database, asked);
  const { tenantNo } = tenant;
  const { list, isCut } = await deliveriesOfCode({
    ...{ database, tenantNo, supplierLotCode: lotCode, pages: PAGE_SIZES },
    ...{ lotsMax: NEIGHBOURS_MAX, linesMax: DELIVERY_LINES_MAX },
  });
  if (list.length === 0) throw await noSuchLot(database, asked);
  const supplierLots = [...new Set(list.map(({ supplierLot }) => supplierLot))];
  const lotNos = [...new Set(list.map(({ lotNo }) => lotNo))].sort((a, b) => b - a);
  const seed = { kind: 'supplier', code: lotCode, supplierLots, lotNos, isCut } as const;
  return { ...around, tenantNo, seed };
}

async function sendJson(reply: FastifyReply, answer: object): Promise<FastifyReply> {
  return await reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
}
