// The products of a brand: list, name, picture, remove.
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import { textOrNothing } from '@lothub/design/form-values';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import { EMPTY_PROFILE } from '../../../brand/change-brand.ts';
import { removeProduct, setProduct } from '../../../brand/products.ts';
import { countProducts, findBrand, findProduct, productsBehind } from '../../../brand/profiles.ts';
import { ProductInputSchema, type ProductInput } from '../../../brand/schema.ts';
import type { App } from '../../../http.ts';
import { parseNames } from '../../../lots/profiles/names.ts';
import { inLanguages } from '../../../lots/profiles/brand-texts.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../../brand/brand.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addForm, checkInput, type SayFault } from '../../forms.ts';
import { brandPath } from '../../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { exampleLot } from '../example-lot.ts';
import { readNameFields, sayNameFault } from '../names-form.ts';
import { pictureRoutes } from './picture-routes.ts';
import { ProductParams, productPath, readProduct, type ProductChanges } from './product-subject.ts';
import { productPage } from './product-page.ts';
import { productsPage } from './products-page.ts';
import {
  ListQuery,
  SubjectQuery,
  buildAuditPath,
  isAllowed,
  redirectDone,
  roleFor,
  roomView,
  saidDigit,
} from '../room-view.ts';
import type { ListChanges } from '../room-view.ts';
import { searchProfiles } from '../search.ts';
import { codePath } from '../profile-list.ts';
import { readProfileHistory } from '../profile-history.ts';
import { unnamedSkus } from '../unnamed.ts';

const ROUTE = `${BRAND_ROUTE}/products`;
const PRODUCT_ROUTE = `${ROUTE}/:sku`;
const PRODUCTS_PER_PAGE = 50;
const checkProduct = compileValueSchema<ProductInput>(ProductInputSchema);

export function productRoutes(app: App, deps: ConsoleDeps): void {
  const show = (to: To, changes: ProductChanges, status: number) =>
    sendProduct(deps, to, changes, status);

  app.get(
    ROUTE,
    {
      schema: { hide: true, params: Type.Object(BRAND_PARAM), querystring: ListQuery },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const { open } = request.query;
      const code = textOrNothing(open)?.trim();
      const to = { request, reply };
      if (code === undefined) return await sendProducts(deps, to, request.query);
      return await reply.redirect(codePath(brandPath(getBrand(to), 'products'), code), 303);
    },
  );

  app.get(
    PRODUCT_ROUTE,
    {
      schema: { hide: true, params: ProductParams, querystring: SubjectQuery },
      config: { right: 'read' },
    },
    async (request, reply) => await show({ request, reply }, request.query, 200),
  );

  addForm(app, {
    path: PRODUCT_ROUTE,
    right: 'products',
    params: ProductParams,
    refusals: ({ profile }) => ({ rule_broken: profile.faults.full }),
    sayFault,
    show: (to, form, status) => show(to, { form }, status),
    run: async (to, values) => {
      const input = checkInput(checkProduct, {
        names: readNameFields(values),
        gtin: textOrNothing(values['gtin'])?.replaceAll(/\s/g, '') ?? null,
      });
      const outcome = await setProduct(deps, readProduct(to), input);
      const done = outcome === 'unchanged' ? 'nothing-changed' : 'product-saved';
      return await redirectDone(to, productPath(to), done);
    },
  });

  addForm(app, {
    path: `${PRODUCT_ROUTE}/remove`,
    right: 'products',
    params: ProductParams,
    show: (to, { problem }, status) => show(to, { problem }, status),
    run: async (to) => {
      await removeProduct(deps, readProduct(to));
      return await redirectDone(to, brandPath(getBrand(to), 'products'), 'product-removed');
    },
  });

  pictureRoutes(app, deps, { route: `${PRODUCT_ROUTE}/picture`, params: ProductParams, show });
}

const sayFault: SayFault = (fault, reader) => {
  const { faults } = reader.words.console.profile;
  const [part, name] = fault.loc;
  // A code that no event can have is in the address, so its error is shown at the first name.
  if (part === 'path') return { name: `name_${reader.language}`, words: faults.code };
  if (name !== 'gtin') return sayNameFault(fault, reader);
  return { name, words: faults.gtinForm };
};

async function sendProducts(
  deps: ConsoleDeps,
  to: To,
  { q: typed, after, done }: ListChanges,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const { database } = deps;
  const reader = prepareConsoleReader(to.request, to.reply);
  const q = textOrNothing(typed);
  const found = await searchProfiles(
    { q, after, limit: PRODUCTS_PER_PAGE },
    {
      read: (behind, limit) => productsBehind(database, { tenantId: brand, after: behind, limit }),
      getKey: ({ sku }) => sku,
      listTexts: (row) => [row.sku, row.gtin, ...Object.values(parseNames(row))],
    },
  );
  const mayEdit = isAllowed(to, 'products');
  const body = productsPage(
    {
      ...(await roomView(deps, to, { done })),
      path: brandPath(brand, 'products'),
      q,
      products: found.rows,
      next: found.next,
      total: await countProducts(database, brand),
      mayEdit,
      unnamed: mayEdit ? await unnamedSkus(database, brand) : [],
      publicUrl: deps.publicUrl,
    },
    reader,
  );
  const title = reader.words.console.profile.tabs.products;
  return await sendFramed(deps, to, { title, brand, body });
}

async function sendProduct(
  deps: ConsoleDeps,
  to: To,
  changes: ProductChanges,
  status: number,
): Promise<FastifyReply> {
  const { database, publicUrl } = deps;
  const { tenantId: brand, sku } = readProduct(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const product = await findProduct(database, { tenantId: brand, sku });
  const own = (await findBrand(database, brand)) ?? EMPTY_PROFILE;
  const subject = { tenantId: brand, subject: `product:${sku}`, entityId: sku };
  const body = productPage(
    {
      ...(await roomView(deps, to, changes)),
      sku,
      product,
      mayEdit: isAllowed(to, 'products'),
      publicUrl,
      own: { name: own.name ?? brand, ...inLanguages(own) },
      lotCode: (await exampleLot(deps, { tenantId: brand, sku }))?.lotCode,
      form: saidDigit(changes.form ?? EMPTY_FORM, 'gtin', reader),
      pictureForm: changes.pictureForm ?? EMPTY_FORM,
      history: await readProfileHistory(deps.reader, subject, changes.before),
      auditPath: buildAuditPath(brand, 'product', sku),
      manager: roleFor('products', reader),
    },
    reader,
  );
  return await sendFramed(deps, to, { title: sku, path: productPath(to), brand, body }, status);
}
