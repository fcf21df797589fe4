// GET and PATCH /v1/brand: what consumers see of a tenant, set by the tenant itself.
import type { Clock } from '@lothub/kit/clock';
import { TOO_LARGE, V1_ERRORS, V1_SECURITY, buildCaller, type App } from '../http.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { inLanguages } from '../lots/profiles/brand-texts.ts';
import { EMPTY_PROFILE, changeBrand } from './change-brand.ts';
import { findBrand, type FoundBrand } from './queries.ts';
import { BrandInputSchema, BrandSchema, type BrandAnswer } from './schema.ts';

export function brandRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly clock: Clock },
): void {
  const { reader } = deps.store;

  app.get(
    '/v1/brand',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Brand'],
        operationId: 'getBrand',
        summary: 'What consumers see of the tenant',
        security: V1_SECURITY,
        response: { 200: BrandSchema, ...V1_ERRORS },
      },
    },
    async ({ tenantId }) => buildAnswer(tenantId, await findBrand(reader, tenantId)),
  );

  app.patch(
    '/v1/brand',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Brand'],
        operationId: 'changeBrand',
        summary: 'Set what consumers see of the tenant',
        description:
          'Fields that are absent stay as they are; null takes a field back. A change is sealed in a ' +
          'block; what changes nothing seals nothing.',
        security: V1_SECURITY,
        body: BrandInputSchema,
        response: { 200: BrandSchema, ...TOO_LARGE, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { tenantId } = request;
      await changeBrand(deps, { tenantId, caller: buildCaller(request) }, request.body);
      return buildAnswer(tenantId, await findBrand(reader, tenantId));
    },
  );
}

function buildAnswer(tenantId: string, found: FoundBrand | undefined): BrandAnswer {
  const fields = found ?? EMPTY_PROFILE;
  const { name, website, recall_contact } = fields;
  return {
    id: tenantId,
    name: name ?? tenantId,
    website,
    recall_contact,
    ...inLanguages(fields),
    block_height: found?.height ?? null,
    block_hash: found?.hash ?? null,
  };
}
