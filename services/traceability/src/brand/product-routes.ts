// GET, PUT and DELETE /v1/products/{sku}, and their list: what consumers read about a brand's products.
import type { Clock } from '@lothub/kit/clock';
import { cutPage } from '@lothub/kit/rows/cut-page';
import {
  NOT_FOUND,
  PAGE_DEFAULT,
  RULE_BROKEN,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  buildCaller,
} from '../http.ts';
import type { App } from '../http.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { noSuchProduct, productAnswer, removeProduct, setProduct } from './products.ts';
import { countProducts, findProduct, productsBehind } from './queries.ts';
import {
  ProductInputSchema,
  ProductListSchema,
  ProductParams,
  ProductSchema,
  ProfileListQuery,
  RemovedSchema,
} from './schema.ts';

export function productRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly clock: Clock; readonly publicUrl: string },
): void {
  const { store, publicUrl } = deps;
  const { reader } = store;

  app.get(
    '/v1/products',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Brand'],
        operationId: 'listProducts',
        summary: 'Profiles of products, by SKU',
        security: V1_SECURITY,
        querystring: ProfileListQuery,
        response: { 200: ProductListSchema, ...V1_ERRORS },
      },
    },
    async ({ tenantId, query }) => {
      const { after, limit = PAGE_DEFAULT } = query;
      const found = await productsBehind(reader, { tenantId, after, limit: limit + 1 });
      const { rows, last } = cutPage(found, limit);
      return {
        products: rows.map((row) => productAnswer(row, publicUrl)),
        total: await countProducts(reader, tenantId),
        next: last?.sku ?? null,
      };
    },
  );

  app.get(
    '/v1/products/:sku',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Brand'],
        operationId: 'getProduct',
        summary: 'The profile of a product',
        security: V1_SECURITY,
        params: ProductParams,
        response: { 200: ProductSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params }) => {
      const found = await findProduct(reader, { tenantId, sku: params.sku });
      if (found === undefined) throw noSuchProduct();
      return productAnswer(found, publicUrl);
    },
  );

  app.put(
    '/v1/products/:sku',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Brand'],
        operationId: 'setProduct',
        summary: 'Set the profile of a product',
        description:
          'Takes the place of names and GTIN that were there; the picture stays. A change is sealed in a ' +
          'block; what changes nothing seals nothing. 201: the product had no profile before.',
        security: V1_SECURITY,
        params: ProductParams,
        body: ProductInputSchema,
        response: {
          200: ProductSchema,
          201: ProductSchema,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const subject = { tenantId, sku: params.sku, caller: buildCaller(request) };
      const outcome = await setProduct(deps, subject, body);
      const found = await findProduct(reader, subject);
      if (found === undefined) throw noSuchProduct();
      return reply.code(outcome === 'created' ? 201 : 200).send(productAnswer(found, publicUrl));
    },
  );

  app.delete(
    '/v1/products/:sku',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Brand'],
        operationId: 'removeProduct',
        summary: 'Remove the profile of a product',
        description: 'Its picture goes with it. The blocks before still say what they said.',
        security: V1_SECURITY,
        params: ProductParams,
        response: { 200: RemovedSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { tenantId, params } = request;
      const subject = { tenantId, sku: params.sku, caller: buildCaller(request) };
      const { height, hash } = await removeProduct(deps, subject);
      return { removed: true, block_height: height, block_hash: hash };
    },
  );
}
