// The genealogy of a lot as a drawing and a table, and what its module asks for while somebody works with it.
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import { PeopleProblem } from '@lothub/people/errors';
import type { App } from '../../http.ts';
import { findLot } from '../../lots/queries.ts';
import type { LotRow } from '../../lots/queries.ts';
import { noSuchLot } from '../../lots/similar-codes.ts';
import { BRAND_PARAM, BRAND_ROUTE, brandOf, nameOf } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { lotPagePath } from '../paths.ts';
import { consoleReaderOf, sendFramed } from '../send.ts';
import type { To } from '../send.ts';
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

export function genealogyPageRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    ROUTE,
    { schema: { hide: true, params: PARAMS }, config: { right: 'read' } },
    async (request, reply) => {
      const { lot, reading } = await lotOf(deps, { request, reply }, request.params.lot);
      const query = new URLSearchParams(request.url.split('?')[1] ?? '');
      const { brand, reader } = reading;
      const asked = readAsked(query);
      const text = (query.get('q') ?? '').trim().slice(0, SEARCH_CHARS_MAX);
      const path = lotPagePath(brand, lot.lotCode, 'genealogy');
      const [drawing, found, brandName] = await Promise.all([
        readDrawing(reading, lot.lotNo, asked),
        text === '' ? undefined : searchGenealogy(reading, lot.lotNo, text),
        nameOf(deps, brand),
      ]);
      const search = found === undefined ? undefined : { text, found };
      const view = { brand, brandName, lotCode: lot.lotCode, path, asked, drawing, search };
      const title = `${reader.words.console.genealogy.title} ${lot.lotCode}`;
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
      const { lot, reading } = await lotOf(deps, { request, reply }, request.params.lot);
      const step = readStep(request.query.step);
      const answer = step && (await readAnswer(reading, step, lot.lotNo));
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
      const { lot, reading } = await lotOf(deps, { request, reply }, request.params.lot);
      return await sendJson(reply, await searchGenealogy(reading, lot.lotNo, request.query.q));
    },
  );
}

/** @throws Refusal `not_found` when the brand has no lot of this code */
async function lotOf(
  { database, publicUrl }: ConsoleDeps,
  to: To,
  lotCode: string,
): Promise<{ readonly lot: LotRow; readonly reading: Reading }> {
  const brand = brandOf(to);
  const reader = consoleReaderOf(to.request, to.reply);
  const asked = { lotCode, tenantId: brand };
  const lot = await findLot(database, asked);
  if (lot === undefined) throw await noSuchLot(database, asked);
  const { tenantNo } = lot;
  return { lot, reading: { database, publicUrl, tenantNo, brand, reader } };
}

async function sendJson(reply: FastifyReply, answer: object): Promise<FastifyReply> {
  return await reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
}
