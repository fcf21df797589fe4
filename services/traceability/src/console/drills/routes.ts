// Recall drills: start one, those that were made, and the certificate of each.
import { randomInt } from 'node:crypto';
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import { shownValues, textOrNothing } from '@lothub/design/form-values';
import { toFieldProblems } from '@lothub/kit/http/field-problems';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { fieldsProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import { Refusal, STATUS_OF_REFUSAL } from '../../errors.ts';
import { callerOfPerson, type App } from '../../http.ts';
import { findBrandOfNotices } from '../../lots/notices/queries.ts';
import { toPublicBrand } from '../../lots/profiles/brand-texts.ts';
import { makeDrill, readDrill, walkDrills } from '../../recall/drill/drills.ts';
import {
  DrillListQuerySchema,
  DrillParams,
  DrillRequestSchema,
} from '../../recall/drill/schema.ts';
import type { Drill } from '../../recall/drill/schema.ts';
import { getVisitor, mayIn } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { brandPath, drillPagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { drillPage } from './drill-page.ts';
import { drillsPage } from './drills-page.ts';

const ROUTE = `${BRAND_ROUTE}/drills`;
const READ = 'read';
const RIGHT = 'simulate';
/** Drills of a page. */
const DRILLS_SHOWN = 25;
const DAY_MS = 86_400_000;

const checkDrill = compileValueSchema<{
  readonly lot_code: string | null;
  readonly supplier_name: string | null;
}>(DrillRequestSchema);

export function drillPageRoutes(app: App, deps: ConsoleDeps): void {
  const { store, reader, clock, database } = deps;

  app.get(
    ROUTE,
    {
      schema: {
        hide: true,
        params: Type.Object(BRAND_PARAM),
        querystring: Type.Object({ before: DrillListQuerySchema.properties.before }),
      },
      config: { right: READ },
    },
    async (request, reply) =>
      await sendDrills(
        deps,
        { request, reply },
        { form: EMPTY_FORM, suppliers: [], before: request.query.before },
        200,
      ),
  );

  addForm(app, {
    path: ROUTE,
    right: RIGHT,
    params: Type.Object(BRAND_PARAM),
    refusals: (words) => ({ rule_broken: words.drills.noLots }),
    show: (to, form, status) => sendDrills(deps, to, { form, suppliers: [] }, status),
    run: async (to, values) => {
      const brand = getBrand(to);
      const checked = checkDrill({
        lot_code: textOrNothing(values['lot_code'])?.trim() ?? null,
        supplier_name: textOrNothing(values['supplier_name'])?.trim() ?? null,
      });
      if (checked.kind !== 'valid') throw fieldsProblem(toFieldProblems(checked.errors, 'body'));
      const { lot_code: lotCode, supplier_name: supplierName } = checked.value;
      try {
        const drill = await makeDrill(
          { store, reader, clock, randomInt },
          {
            tenantId: brand,
            lotCode: lotCode ?? undefined,
            supplierName: supplierName ?? undefined,
            caller: callerOfPerson(to.request, getVisitor(to.request).person),
          },
        );
        return await to.reply.redirect(withDone(drillPagePath(brand, drill.id), 'drilled'), 303);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { words } = prepareConsoleReader(to.request, to.reply);
        const { suppliers = [] } = error.facts;
        const isUnknown = error.code === 'not_found';
        if (!isUnknown && error.code !== 'supplier_needed') throw error;
        const errors = isUnknown ? { lot_code: words.console.simulation.unknownLot } : {};
        const form = { values: shownValues(values), errors, problem: undefined };
        return await sendDrills(deps, to, { form, suppliers }, STATUS_OF_REFUSAL[error.code]);
      }
    },
  });

  app.get(
    `${ROUTE}/:id`,
    {
      schema: {
        hide: true,
        params: Type.Object({ ...BRAND_PARAM, ...DrillParams.properties }),
        querystring: Type.Object({ done: Type.Optional(Type.String()) }),
      },
      config: { right: READ },
    },
    async (request, reply) => {
      const to = { request, reply };
      const brand = getBrand(to);
      const page = prepareConsoleReader(request, reply);
      const { drills: words } = page.words.console;
      const drill = await readDrill(database, { tenantId: brand, drillId: request.params.id });
      const row = await findBrandOfNotices(database, brand);
      const body = drillPage(
        {
          ...{ brand, drill, hubName: deps.hubName, publicUrl: deps.publicUrl },
          name: row === undefined ? { name: brand } : toPublicBrand(row),
          maySimulate: mayIn(request, brand, RIGHT),
          done: doneWordsIn(words.done, request.query.done),
        },
        page,
      );
      return await sendFramed(deps, to, { title: words.heading(String(drill.id)), brand, body });
    },
  );
}

async function sendDrills(
  deps: ConsoleDeps,
  to: To,
  page: {
    readonly form: FormState;
    readonly suppliers: readonly string[];
    readonly before?: number | undefined;
  },
  status: number,
): Promise<FastifyReply> {
  const { form, suppliers, before } = page;
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const { drills, next } = await drillsFrom(deps, brand, before ?? Number.MAX_SAFE_INTEGER);
  const newest = before === undefined ? drills[0] : await newestDrill(deps, brand);
  const body = drillsPage(
    {
      ...{ brand, drills, next, form, suppliers },
      daysSinceLast: newest === undefined ? null : daysSince(newest, deps.clock.nowMs()),
      mayStart: mayIn(to.request, brand, RIGHT),
    },
    reader,
  );
  const { title } = reader.words.console.drills;
  return await sendFramed(
    deps,
    to,
    {
      ...{ title, brand, body },
      ...(to.request.method === 'GET' ? {} : { path: brandPath(brand, 'drills') }),
    },
    status,
  );
}

async function drillsFrom(
  { database }: Pick<ConsoleDeps, 'database'>,
  tenantId: string,
  before: number,
): Promise<{ readonly drills: readonly Drill[]; readonly next: number | null }> {
  const drills: Drill[] = [];
  for await (const drill of walkDrills(database, { tenantId, before })) {
    if (drills.length === DRILLS_SHOWN) return { drills, next: drills.at(-1)?.id ?? null };
    drills.push(drill);
  }
  return { drills, next: null };
}

async function newestDrill(
  { database }: Pick<ConsoleDeps, 'database'>,
  tenantId: string,
): Promise<Drill | undefined> {
  const all = walkDrills(database, { tenantId, before: Number.MAX_SAFE_INTEGER });
  for await (const drill of all) return drill;
  return undefined;
}

function daysSince({ drilled_at: at }: Drill, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(at)) / DAY_MS));
}
