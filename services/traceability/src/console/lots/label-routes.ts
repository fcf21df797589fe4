// Labels of a lot: the page with the form, the symbol as a picture, and the sheet to print; drawn as below /v1.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { Type } from '@lothub/kit/json-schema';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { present } from '@lothub/kit/present';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { FieldsRefusal, Refusal } from '../../errors.ts';
import { LotCodeParams, type App } from '../../http.ts';
import { LabelQuery, SheetQuery } from '../../labels/schema.ts';
import { sendLabel, sendSheet } from '../../labels/send.ts';
import { lotRecord } from '../../lots/record.ts';
import { readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { param } from '../params.ts';
import { lotPagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { rememberLabel } from '../today/first-label.ts';
import { labelsPage } from './labels-page.ts';

const LOT_ROUTE = `${BRAND_ROUTE}/lots/:lot_code`;
const LOT_PARAMS = Type.Object({ ...BRAND_PARAM, ...LotCodeParams.properties });
const STATUS_WRONG = 422;
/** Numbers of a sheet; the rest are texts. */
const NUMBERS: ReadonlySet<string> = new Set(['columns', 'rows', 'copies', 'module_mm']);

const checkSheet = compileValueSchema<Static<typeof SheetQuery>>(SheetQuery);

export function labelPageRoutes(app: App, deps: ConsoleDeps): void {
  const labelDeps = { database: deps.reader.database, publicUrl: deps.publicUrl };

  app.get(
    `${LOT_ROUTE}/labels`,
    { schema: { hide: true, params: LOT_PARAMS }, config: { right: 'read' } },
    async (request, reply) => await sendPage(deps, { request, reply }, EMPTY_FORM, 200),
  );

  app.get(
    `${LOT_ROUTE}/label`,
    {
      schema: { hide: true, params: LOT_PARAMS, querystring: LabelQuery },
      config: { right: 'read' },
    },
    async (request, reply) => {
      rememberLabel(reply, request.params.brand);
      return await sendLabel(reply, labelDeps, {
        ...readLot({ request, reply }),
        query: request.query,
      });
    },
  );

  app.get(
    `${LOT_ROUTE}/labels/sheet`,
    {
      schema: {
        hide: true,
        params: LOT_PARAMS,
        querystring: Type.Record(Type.String(), Type.String()),
      },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const to = { request, reply };
      const { query: values } = request;
      const reader = prepareConsoleReader(request, reply);
      const { fields, lot: words } = reader.words.console;
      const wrong = (names: readonly string[], problem?: string) => {
        const errors = Object.fromEntries(names.map((name) => [name, fields.malformed]));
        return sendPage(deps, to, { values, errors, problem }, STATUS_WRONG);
      };
      const { sheet, malformed } = readSheet(values);
      if (malformed.length > 0) return await wrong(malformed);
      const checked = checkSheet(sheet);
      if (checked.kind === 'invalid') {
        return await wrong(
          checked.errors.map(({ instancePath }) => instancePath.replace(/^\//, '')),
        );
      }
      try {
        rememberLabel(reply, request.params.brand);
        return await sendSheet(reply, labelDeps, { ...readLot(to), query: checked.value });
      } catch (error) {
        if (error instanceof FieldsRefusal) {
          return await wrong(
            error.fields.map(({ loc }) => String(loc.at(-1))),
            words.noRoom,
          );
        }
        if (error instanceof Refusal && error.code === 'rule_broken') {
          return await wrong([], words.noSymbol);
        }
        throw error;
      }
    },
  );
}

/** Reads the form of a sheet; empty fields are left out. */
function readSheet(values: Readonly<Record<string, string>>): {
  readonly sheet: Readonly<Record<string, string | number>>;
  readonly malformed: readonly string[];
} {
  const given = Object.entries(values).flatMap(
    ([name, value]): (readonly [string, string | number])[] => {
      const text = value.trim();
      if (text === '' || !Object.hasOwn(SheetQuery.properties, name)) return [];
      return [[name, NUMBERS.has(name) ? Number(text.replace(',', '.')) : text]];
    },
  );
  return {
    sheet: Object.fromEntries(given),
    malformed: given.flatMap(([name, value]) => (Number.isNaN(value) ? [name] : [])),
  };
}

function readLot(to: To): { readonly tenantId: string; readonly lotCode: string } {
  return {
    tenantId: getBrand(to),
    lotCode: present(param(to, 'lot_code'), 'the lot of a label'),
  };
}

/** @throws Refusal `not_found` when the brand has no such lot */
async function sendPage(
  deps: ConsoleDeps,
  to: To,
  form: FormState,
  status: number,
): Promise<FastifyReply> {
  const { tenantId, lotCode } = readLot(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const record = await lotRecord(deps.reader, { tenantId, lotCode });
  const products = await readProductProfiles(deps.reader.database, {
    ...{ tenantId, skus: record.product_skus, publicUrl: deps.publicUrl },
  });
  const body = labelsPage({ brand: tenantId, record, products, form }, reader);
  const path = `${lotPagePath(tenantId, lotCode)}/labels`;
  const title = `${reader.words.console.lot.labels} · ${lotCode}`;
  return await sendFramed(deps, to, { title, path, brand: tenantId, body }, status);
}
