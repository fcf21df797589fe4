// GET, PUT and DELETE /v1/suppliers/{name}, and their list: which brand of the hub a supplier's name means.
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
import { linkSupplier, noSuchSupplier, unlinkSupplier } from './link.ts';
import { countLinks, findLink, linksBehind, type SupplierLink } from './queries.ts';
import {
  SupplierInputSchema,
  SupplierListQuery,
  SupplierListSchema,
  SupplierParams,
  SupplierSchema,
  UnlinkedSchema,
} from './schema.ts';
import type { SupplierAnswer } from './schema.ts';

const TAGS = ['Suppliers'];

export function supplierRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly clock: Clock },
): void {
  const { reader } = deps.store;

  app.get(
    '/v1/suppliers',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listSuppliers',
        summary: 'Suppliers that are linked to brands of the hub, by name',
        security: V1_SECURITY,
        querystring: SupplierListQuery,
        response: { 200: SupplierListSchema, ...V1_ERRORS },
      },
    },
    async ({ tenantId, query }) => {
      const { after, limit = PAGE_DEFAULT } = query;
      const found = await linksBehind(reader, { tenantId, after, limit: limit + 1 });
      const { rows, last } = cutPage(found, limit);
      return {
        suppliers: rows.map(supplierAnswer),
        total: await countLinks(reader, tenantId),
        next: last?.name ?? null,
      };
    },
  );

  app.get(
    '/v1/suppliers/:name',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'getSupplier',
        summary: 'The brand that a supplier’s name stands for',
        security: V1_SECURITY,
        params: SupplierParams,
        response: { 200: SupplierSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params }) => {
      const found = await findLink(reader, { tenantId, name: params.name });
      if (found === undefined) throw noSuchSupplier();
      return supplierAnswer(found);
    },
  );

  app.put(
    '/v1/suppliers/:name',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: TAGS,
        operationId: 'linkSupplier',
        summary: 'Link a supplier’s name to a brand of the hub',
        description:
          'From then on `/v1/recall/inbound` lists that brand’s recalls of what you received under this ' +
          'name. Several names may stand for one brand. The link is not public and no block has it; the ' +
          'audit does. What changes nothing writes nothing. 201: the name was not linked before.',
        security: V1_SECURITY,
        params: SupplierParams,
        body: SupplierInputSchema,
        response: {
          200: SupplierSchema,
          201: SupplierSchema,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const subject = { tenantId, name: params.name, caller: buildCaller(request) };
      const outcome = await linkSupplier(deps, subject, body.brand);
      const found = await findLink(reader, subject);
      if (found === undefined) throw noSuchSupplier();
      return reply.code(outcome === 'created' ? 201 : 200).send(supplierAnswer(found));
    },
  );

  app.delete(
    '/v1/suppliers/:name',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: TAGS,
        operationId: 'unlinkSupplier',
        summary: 'End the link of a supplier’s name',
        security: V1_SECURITY,
        params: SupplierParams,
        response: { 200: UnlinkedSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { tenantId, params } = request;
      await unlinkSupplier(deps, { tenantId, name: params.name, caller: buildCaller(request) });
      return { removed: true };
    },
  );
}

function supplierAnswer({ name, brand, brandName, linkedAt }: SupplierLink): SupplierAnswer {
  return { name, brand: { id: brand, name: brandName }, linked_at: linkedAt };
}
