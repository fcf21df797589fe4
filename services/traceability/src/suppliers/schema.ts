// The shapes of the links of suppliers' names to brands of the hub.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { LimitQuery, TENANT_ID_PATTERN, nullableText, text } from '../http.ts';
import { LINE_FIELDS } from '../ledger/record/fields.ts';

/** Links of a brand: few of its suppliers are brands of the same hub. */
export const LINKS_MAX = 10_000;

const NAME_MAX = LINE_FIELDS.supplier_name.charsMax;
const NAME = LINE_FIELDS.supplier_name.example;

export const SupplierInputSchema = Type.Object(
  {
    brand: Type.String({
      pattern: TENANT_ID_PATTERN,
      description: 'Tenant id of the brand that the name stands for',
      examples: ['mill-brandt'],
    }),
  },
  { additionalProperties: false, title: 'SupplierInput', examples: [{ brand: 'mill-brandt' }] },
);

const EXAMPLE_SUPPLIER = {
  name: NAME,
  brand: { id: 'mill-brandt', name: 'Brandt Mill' },
  linked_at: '2026-03-02T08:00:00.000Z',
};

export const SupplierSchema = Type.Object(
  {
    name: Type.String({ description: 'As `supplier_name` of events' }),
    brand: Type.Object({
      id: Type.String({ description: 'Tenant id' }),
      name: Type.String({ description: 'The name in its profile; its id while it has none' }),
    }),
    linked_at: Type.String({ description: 'When it was linked to this brand' }),
  },
  { title: 'Supplier', examples: [EXAMPLE_SUPPLIER] },
);
export type SupplierAnswer = Static<typeof SupplierSchema>;

export const SupplierListSchema = Type.Object(
  {
    suppliers: Type.Array(SupplierSchema),
    total: Type.Integer({ description: 'On all pages' }),
    next: nullableText('Send it as `after` for the next page; null at the end'),
  },
  { title: 'SupplierList', examples: [{ suppliers: [EXAMPLE_SUPPLIER], total: 1, next: null }] },
);

export const SupplierParams = Type.Object({
  name: text(NAME_MAX, 'As `supplier_name` of events; a slash in it is written %2F', NAME),
});

export const SupplierListQuery = Type.Object({
  after: Type.Optional(text(NAME_MAX, '`next` of the page before', NAME)),
  limit: LimitQuery,
});

export const UnlinkedSchema = Type.Object(
  { removed: Type.Literal(true) },
  { title: 'Unlinked', examples: [{ removed: true }] },
);
