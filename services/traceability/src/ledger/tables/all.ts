// Every table of the ledger, and the lists of tables that are treated alike: copied, emptied before
// a rebuild, searched for rows without a block. A table of one engine alone is no table of the
// ledger: its room defines it, and schema.test.ts names it.
import { AUDIT_BLOCKS, AUDIT_CHAIN, AUDIT_ENTRIES, AUDIT_PROGRESS } from './audit.ts';
import {
  API_KEYS,
  CHAIN_ALARMS,
  CLOCK_ALARMS,
  DECISION_SEALING,
  KEY_USES,
  SUPPLIERS,
} from './off-chain.ts';
import { BRANDS, PICTURES, PLACES, PRODUCTS } from './brands.ts';
import {
  BLOCKS,
  CORRECTIONS,
  DECISIONS,
  EVENTS,
  HEAD,
  IMPORT_KEYS,
  LINES,
  LOT_MENTIONS,
  PROVENANCES,
  TENANTS,
} from './chain.ts';
import { IMPORTS, IMPORT_MAPPINGS } from './imports.ts';
import { LOG_CHECKPOINTS, LOG_EPOCHS, LOG_TILES, LOG_TIMESTAMPS, LOG_WITNESSES } from './log.ts';
import { LOTS, LOT_HOLDS, LOT_QUANTITIES, LOT_TEXTS } from './lots.ts';
import { POSTINGS } from './postings.ts';
import {
  ERASED_HEIGHTS,
  PRIVATE_CHANGES,
  PRIVATE_DECISIONS,
  PRIVATE_LINES,
  PRIVATE_NOTES,
  PRIVATE_RECIPIENTS,
  PRIVATE_REQUESTS,
} from './private.ts';
import {
  RECALL_CASES,
  RECALL_DRILLS,
  RECALL_EDITS,
  RECALL_LOTS,
  RECALL_LOTS_BY_HAND,
  RECALL_LOTS_NAMED,
  RECALL_MOVES,
  RECALL_NOTIFICATIONS,
  RECALL_PARTS,
  RECALL_PROGRESS,
} from './recall.ts';
import { WATCHES, WATCH_DELIVERIES, WATCH_KEYS, WATCH_MESSAGES } from './watching.ts';
import { WEBHOOKS, WEBHOOK_ATTEMPTS, WEBHOOK_DELIVERIES, WEBHOOK_LOOKS } from './webhooks.ts';

/** Derived from the blocks alone. A table comes behind those that its rows refer to. */
export const DERIVED_TABLES = [
  HEAD,
  TENANTS,
  EVENTS,
  LOTS,
  LINES,
  LOT_QUANTITIES,
  LOT_TEXTS,
  LOT_MENTIONS,
  PROVENANCES,
  CORRECTIONS,
  DECISIONS,
  AUDIT_BLOCKS,
  LOG_TILES,
] as const;

/** Each row opens a commitment of one block. */
export const PRIVATE_TABLES = [
  PRIVATE_LINES,
  PRIVATE_NOTES,
  PRIVATE_REQUESTS,
  PRIVATE_CHANGES,
  PRIVATE_DECISIONS,
] as const;

/** Tables in which each row is from the last block about its subject. */
export const PROFILE_TABLES = [BRANDS, PRODUCTS, PLACES] as const;

/** In an order in which they can be filled. */
export const LEDGER_TABLES = [
  BLOCKS,
  ...DERIVED_TABLES,
  ...PRIVATE_TABLES,
  ERASED_HEIGHTS,
  /** Only this table says which events were imported; the key of each is derived. */
  IMPORT_KEYS,
  LOT_HOLDS,
  RECALL_CASES,
  RECALL_MOVES,
  RECALL_EDITS,
  RECALL_LOTS,
  RECALL_LOTS_BY_HAND,
  RECALL_LOTS_NAMED,
  RECALL_PARTS,
  RECALL_PROGRESS,
  RECALL_NOTIFICATIONS,
  PRIVATE_RECIPIENTS,
  RECALL_DRILLS,
  AUDIT_ENTRIES,
  AUDIT_CHAIN,
  AUDIT_PROGRESS,
  CHAIN_ALARMS,
  CLOCK_ALARMS,
  DECISION_SEALING,
  API_KEYS,
  KEY_USES,
  SUPPLIERS,
  IMPORTS,
  IMPORT_MAPPINGS,
  POSTINGS,
  ...PROFILE_TABLES,
  PICTURES,
  LOG_EPOCHS,
  LOG_CHECKPOINTS,
  LOG_WITNESSES,
  LOG_TIMESTAMPS,
  WEBHOOKS,
  WEBHOOK_DELIVERIES,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_LOOKS,
  WATCHES,
  WATCH_MESSAGES,
  WATCH_DELIVERIES,
  WATCH_KEYS,
] as const;

/** Tables in which each row belongs to the block of its height. */
export const HEIGHT_TABLES = [
  BLOCKS,
  EVENTS,
  LINES,
  PROVENANCES,
  CORRECTIONS,
  DECISIONS,
  AUDIT_BLOCKS,
  LOT_MENTIONS,
  ...PRIVATE_TABLES,
  ERASED_HEIGHTS,
  IMPORT_KEYS,
  RECALL_PARTS,
] as const;
