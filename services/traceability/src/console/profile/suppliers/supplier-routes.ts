// Suppliers: list the links of names to brands of the hub, link one, end a link.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { FastifyReply } from 'fastify';
import { FieldsRefusal } from '../../../errors.ts';
import type { App } from '../../../http.ts';
import { LINE_FIELDS } from '../../../ledger/record/fields.ts';
import { findLinkFault, linkSupplier, unlinkSupplier } from '../../../suppliers/link.ts';
import { linksBehind } from '../../../suppliers/links.ts';
import { SupplierInputSchema, SupplierParams } from '../../../suppliers/schema.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../../brand/brand.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addForm, checkInput, type SayFault } from '../../forms.ts';
import { tenantsAfter } from '../../hub/queries.ts';
import { brandPath } from '../../paths.ts';
import { namesOfBrands } from '../../queries.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { changeBy, isAllowed, redirectDone, roomView } from '../room-view.ts';
import { suppliersPage, type LinkableBrand } from './suppliers-page.ts';
import { unlinkedSuppliers } from '../unnamed.ts';

const ROUTE = `${BRAND_ROUTE}/suppliers`;
const LINKS_PER_PAGE = 50;
/** With more brands nobody can find one in a list. */
const BRANDS_TO_CHOOSE_MAX = 200;
const NAME_MAX = LINE_FIELDS.supplier_name.charsMax;

const SuppliersQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: NAME_MAX })),
  name: Type.Optional(Type.String({ maxLength: NAME_MAX })),
  done: Type.Optional(Type.String()),
});

const LinkSchema = Type.Object({ ...SupplierParams.properties, ...SupplierInputSchema.properties });
const checkLink = compileValueSchema<{ readonly name: string; readonly brand: string }>(LinkSchema);

interface Changes {
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  readonly after?: string | undefined;
  /** A name that the form begins with. */
  readonly name?: string | undefined;
  readonly form?: FormState;
}

export function supplierRoutes(app: App, deps: ConsoleDeps): void {
  const show = (to: To, changes: Changes, status: number) =>
    sendSuppliers(deps, to, changes, status);

  app.get(
    ROUTE,
    {
      schema: { hide: true, params: Type.Object(BRAND_PARAM), querystring: SuppliersQuery },
      config: { right: 'read' },
    },
    async (request, reply) => await show({ request, reply }, request.query, 200),
  );

  addForm(app, {
    path: ROUTE,
    right: 'suppliers',
    params: Type.Object(BRAND_PARAM),
    refusals: ({ profile }) => ({ rule_broken: profile.faults.full }),
    sayFault,
    show: (to, form, status) => show(to, { form }, status),
    run: async (to, values) => {
      const { name, brand } = checkInput(checkLink, {
        name: (values['name'] ?? '').trim(),
        brand: (values['brand'] ?? '').trim(),
      });
      const change = { ...changeBy(to), name };
      const fault = await findLinkFault(deps.database, { tenantId: change.tenantId, brand });
      if (fault !== undefined) throw FieldsRefusal.of(['body', 'brand'], fault, `brand_${fault}`);
      const outcome = await linkSupplier(deps, change, brand);
      const done = outcome === 'unchanged' ? 'nothing-changed' : 'supplier-linked';
      return await redirectDone(to, brandPath(getBrand(to), 'suppliers'), done);
    },
  });

  addForm(app, {
    path: `${ROUTE}/unlink`,
    right: 'suppliers',
    params: Type.Object(BRAND_PARAM),
    show: (to, { problem }, status) => show(to, { problem }, status),
    run: async (to, values) => {
      await unlinkSupplier(deps, { ...changeBy(to), name: values['name'] ?? '' });
      return await redirectDone(to, brandPath(getBrand(to), 'suppliers'), 'supplier-unlinked');
    },
  });
}

const sayFault: SayFault = ({ type }, { words }) => {
  const { faults } = words.console.profile;
  if (type === 'brand_own') return { name: 'brand', words: faults.ownBrand };
  if (type === 'brand_unknown') return { name: 'brand', words: faults.unknownBrand };
  return undefined;
};

async function sendSuppliers(
  deps: ConsoleDeps,
  to: To,
  changes: Changes,
  status: number,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const { database } = deps;
  const path = brandPath(brand, 'suppliers');
  const reader = prepareConsoleReader(to.request, to.reply);
  const page = { tenantId: brand, after: changes.after, limit: LINKS_PER_PAGE + 1 };
  const { rows: links, last } = cutPage(await linksBehind(database, page), LINKS_PER_PAGE);
  const mayEdit = isAllowed(to, 'suppliers');
  const begun = { ...EMPTY_FORM, values: { name: changes.name ?? '' } };
  const body = suppliersPage(
    {
      ...(await roomView(deps, to, changes)),
      path,
      mayEdit,
      links,
      next: last?.name ?? null,
      unlinked: mayEdit ? await unlinkedSuppliers(database, brand) : [],
      brands: mayEdit ? await linkableBrands(deps, brand) : [],
      form: changes.form ?? begun,
    },
    reader,
  );
  const title = reader.words.console.profile.tabs.suppliers;
  return await sendFramed(deps, to, { title, path, brand, body }, status);
}

async function linkableBrands(
  { database }: Pick<ConsoleDeps, 'database'>,
  own: string,
): Promise<readonly LinkableBrand[] | undefined> {
  const found = await tenantsAfter(database, { after: '', limit: BRANDS_TO_CHOOSE_MAX + 1 });
  if (found.length > BRANDS_TO_CHOOSE_MAX) return undefined;
  const others = found.filter((id) => id !== own);
  const names = await namesOfBrands(database, others);
  return others.map((id) => ({ id, name: names.get(id) }));
}
