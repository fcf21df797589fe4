// GET and PATCH /v1/brand: what consumers see of a tenant, set by the tenant itself.
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import type { DatabaseReader } from '@lothub/kit/database';
import {
  differingColumns,
  insertRow,
  namesWithout,
  onConflictReplace,
  selectList,
} from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';
import sql, { raw } from 'sql-template-tag';
import { Type } from '@lothub/kit/json-schema';
import { TOO_LARGE, V1_ERRORS, V1_SECURITY, callerOf } from '../http.ts';
import type { App } from '../http.ts';
import { insertAuditEntry } from '../ledger/audit.ts';
import { BRANDS } from '../ledger/tables/beside.ts';
import type { LedgerStore } from '../ledger/store.ts';

const NAME_MAX = 200;
const CONTACT_MAX = 500;

const nullableText = (maxLength: number, example: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength,
    pattern: TEXT_PATTERN,
    examples: [example],
  });

const Website = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: CONTACT_MAX,
  pattern: '^https?://[^\\s\\0]+$',
  examples: ['https://bakery.example'],
});

const BrandSchema = Type.Object(
  {
    id: Type.String({ examples: ['bakery'] }),
    name: Type.String({ examples: ['Old Mill Bakery'] }),
    website: Type.Union([Type.String(), Type.Null()]),
    recall_contact: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'Brand' },
);

/** What consumers see. */
const SHOWN = namesWithout(BRANDS, ['tenant_id', 'updated_at']);
type BrandRow = Pick<RowOf<typeof BRANDS>, (typeof SHOWN)[number]>;

const EMPTY: BrandRow = { name: null, website: null, recall_contact: null };

async function findBrand(database: DatabaseReader, tenantId: string): Promise<BrandRow> {
  const row = await database.first<BrandRow>(sql`
    select ${selectList({ names: SHOWN })} from brands where tenant_id = ${tenantId}`);
  return row ?? EMPTY;
}

function answer(tenantId: string, row: BrandRow) {
  return {
    id: tenantId,
    name: row.name ?? tenantId,
    website: row.website,
    recall_contact: row.recall_contact,
  };
}

/** What a change sets; everything of a brand is shown to consumers, so nothing of it is private. */
function changesOf(before: BrandRow, after: BrandRow): Readonly<Record<string, string | null>> {
  const changed = differingColumns(SHOWN, before, after);
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}

export function brandRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly clock: Clock },
): void {
  const { store, clock } = deps;

  app.get(
    '/v1/brand',
    {
      schema: {
        tags: ['Brand'],
        operationId: 'getBrand',
        summary: 'What consumers see of the tenant',
        security: V1_SECURITY,
        response: { 200: BrandSchema, ...V1_ERRORS },
      },
    },
    async (request) => answer(request.tenantId, await findBrand(store.reader, request.tenantId)),
  );

  app.patch(
    '/v1/brand',
    {
      schema: {
        tags: ['Brand'],
        operationId: 'changeBrand',
        summary: 'Set what consumers see of the tenant',
        description: 'Fields that are absent stay as they are; null takes a field back.',
        security: V1_SECURITY,
        body: Type.Object(
          {
            name: Type.Optional(nullableText(NAME_MAX, 'Old Mill Bakery')),
            website: Type.Optional(Website),
            recall_contact: Type.Optional(nullableText(CONTACT_MAX, 'recall@bakery.example')),
          },
          {
            additionalProperties: false,
            examples: [{ name: 'Old Mill Bakery', website: 'https://bakery.example' }],
          },
        ),
        response: { 200: BrandSchema, ...TOO_LARGE, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { tenantId } = request;
      const before = await findBrand(store.reader, tenantId);
      const after: BrandRow = { ...before, ...request.body };
      const changes = changesOf(before, after);
      if (Object.keys(changes).length === 0) return answer(tenantId, before);
      const at = instantText(clock.nowMs());
      await store.write([
        sql`
          ${insertRow(BRANDS, { tenant_id: tenantId, ...after, updated_at: at })}
          ${raw(onConflictReplace(BRANDS))}`,
        insertAuditEntry({
          at,
          tenantId,
          caller: callerOf(request),
          action: 'update_brand',
          entityType: 'brand',
          entityId: tenantId,
          blockHeight: null,
          details: changes,
        }),
      ]);
      return answer(tenantId, after);
    },
  );
}
