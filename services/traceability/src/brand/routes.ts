// GET and PATCH /v1/brand: what consumers see of a tenant, set by the tenant itself.
import type { Clock } from '@lothub/kit/clock';
import { differingColumns } from '@lothub/kit/rows/stored-table';
import { TOO_LARGE, V1_ERRORS, V1_SECURITY, callerOf } from '../http.ts';
import type { App } from '../http.ts';
import type { Caller } from '../ledger/draft.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { inLanguages } from '../lots/told/own-words.ts';
import { findBrand } from './queries.ts';
import type { FoundBrand } from './queries.ts';
import { BrandInputSchema, BrandSchema } from './schema.ts';
import type { BrandAnswer, BrandInput } from './schema.ts';
import { readInLanguages } from './in-languages.ts';
import { brandState } from './state.ts';
import type { BrandFields } from './state.ts';
import { changedMembers, tell } from './tell.ts';
import type { TellDeps } from './tell.ts';

/** What consumers see. */
const SHOWN = ['name', 'website', 'recall_contact', 'language', 'names'] as const;

const EMPTY: BrandFields = {
  name: null,
  website: null,
  recall_contact: null,
  language: null,
  names: null,
};

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
    async ({ tenantId }) => answerOf(tenantId, await findBrand(reader, tenantId)),
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
      const fields = readBrand(request.body);
      await changeBrand(deps, { tenantId, caller: callerOf(request), fields });
      return answerOf(tenantId, await findBrand(reader, tenantId));
    },
  );
}

async function changeBrand(
  deps: TellDeps,
  change: {
    readonly tenantId: string;
    readonly caller: Caller;
    readonly fields: Partial<BrandFields>;
  },
): Promise<void> {
  const { tenantId, fields } = change;
  await tell(deps, change, async (database, at) => {
    const found = await findBrand(database, tenantId);
    const before = found ?? EMPTY;
    const after: BrandFields = { ...before, ...fields };
    const differing = differingColumns(SHOWN, before, after);
    if (differing.length === 0) return undefined;
    const state = brandState(after);
    const changed = changedMembers(brandState(before), state);
    return {
      decision: { about: 'brand', at, changed, state },
      foundHeight: found?.height ?? null,
      audit: {
        action: 'update_brand',
        entityType: 'brand',
        entityId: tenantId,
        // Everything of a brand is shown to consumers, so nothing of it is private.
        details: Object.fromEntries(differing.map((field) => [field, after[field]])),
      },
    };
  });
}

/** @throws FieldsRefusal */
function readBrand({ language, names, ...fields }: BrandInput): Partial<BrandFields> {
  return { ...fields, ...readInLanguages({ language, names }) };
}

function answerOf(tenantId: string, found: FoundBrand | undefined): BrandAnswer {
  const fields = found ?? EMPTY;
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
