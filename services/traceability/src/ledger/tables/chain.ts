// The tables of the chain, and of what is derived from each of its blocks. The order of columns is that
// of the schema, which schema.test.ts compares.
import { bytes, integer, left, nullable, storedTable, text } from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';
import type { DecisionType } from '../record/decisions/contents.ts';
import type { LinkBasis } from '../record/link-basis.ts';
import type { Direction, EventType } from '../record/event-types.ts';

export const BLOCKS = storedTable('blocks', ['height'], {
  height: integer(),
  hash: text(),
  canonical: text(),
});
export type BlockRow = RowOf<typeof BLOCKS>;

/** One row: the last block, and counters of the hub. */
export const HEAD = storedTable('head', ['id'], {
  id: integer<1>(),
  height: integer(),
  hash: text(),
  recorded_at: text(),
  transactions: integer(),
  lots: integer(),
  tenants: integer(),
  derived_version: integer(),
  /**
   * Frontier of the tree whose leaves are the blocks through `height`; null while that tree is
   * being built.
   */
  frontier: nullable(bytes()),
});
export type HeadRow = RowOf<typeof HEAD>;

export const TENANTS = storedTable('tenants', ['tenant_no'], {
  tenant_no: integer(),
  tenant_id: text(),
  first_height: integer(),
  last_height: integer(),
  events: integer(),
  transactions: integer(),
  lots: integer(),
  corrections: integer(),
});
export type TenantRow = RowOf<typeof TENANTS>;

export const EVENTS = storedTable('events', ['height'], {
  height: integer(),
  tenant_no: integer(),
  event_type: text<EventType>(),
  external_id: nullable(text()),
  occurred_at: text(),
  reference: text(),
  line_count: integer(),
  link_basis: integer<LinkBasis>(),
  correction_count: left(integer()),
  voided: left(integer<0 | 1>()),
});
export type EventRow = RowOf<typeof EVENTS>;

export const LINES = storedTable('lines', ['height', 'line_no'], {
  height: integer(),
  line_no: integer(),
  lot_no: integer(),
  product_sku: text(),
  direction: text<Direction>(),
  quantity: text(),
  unit: text(),
  link_basis: integer<LinkBasis>(),
  /** A line that commits to a consignee (record/delivery.ts). */
  is_delivery: integer<0 | 1>(),
});
export type LineRow = RowOf<typeof LINES>;

/** The origins of the lots of lines. */
export const PROVENANCES = storedTable('provenances', ['height', 'line_no'], {
  height: integer(),
  line_no: integer(),
  tenant_no: integer(),
  lot_no: integer(),
  is_leaf: integer<0 | 1>(),
  supplier_name: nullable(text()),
  origin_facility: nullable(text()),
  supplier_lot_code: nullable(text()),
});
export type ProvenanceRow = RowOf<typeof PROVENANCES>;

export const CORRECTIONS = storedTable('corrections', ['height'], {
  height: integer(),
  tenant_no: integer(),
  corrects_height: integer(),
  change_count: integer(),
  /** Unique among events and corrections. */
  external_id: nullable(text()),
});
export type CorrectionRow = RowOf<typeof CORRECTIONS>;

/** Blocks that concern a lot besides those whose lines name it. */
export const LOT_MENTIONS = storedTable('lot_mentions', ['height', 'lot_no'], {
  height: integer(),
  lot_no: integer(),
});
export type MentionRow = RowOf<typeof LOT_MENTIONS>;

/** Blocks of decisions (record/decisions). */
export const DECISIONS = storedTable('decisions', ['height'], {
  height: integer(),
  tenant_id: text(),
  type: text<DecisionType>(),
  /** The subject; it is unique for a tenant and a type. */
  subject: text(),
});
export type DecisionRow = RowOf<typeof DECISIONS>;

/** The keys of imported events without an external id. */
export const IMPORT_KEYS = storedTable('import_keys', ['height'], {
  height: integer(),
  tenant_no: integer(),
  group_key: text(),
});
export type ImportKeyRow = RowOf<typeof IMPORT_KEYS>;
