// The text of an audit entry that is hashed (docs/chain-format.md#the-chain-of-the-audit). Pure.
import { ChainError, jsonString, toCanonicalText } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { StoredAuditEntry } from '../tables/audit.ts';

/** The `prev_hash` of the first entry. */
export const NO_HASH = '0'.repeat(64);

/** The place of an entry in the chain. */
export interface ChainPlace {
  /** From 1. */
  readonly sequence: number;
  readonly prevHash: string;
}

/**
 * SHA-256 hex of the text.
 * @throws ChainError when a value has no canonical text, as in a damaged file
 */
export function auditEntryHash(entry: StoredAuditEntry, place: ChainPlace): string {
  return sha256Hex(auditEntryText(entry, place));
}

/** @throws ChainError as `auditEntryHash` */
export function auditEntryText(
  entry: StoredAuditEntry,
  { sequence, prevHash }: ChainPlace,
): string {
  const text = toCanonicalText;
  return (
    `{"entry":{"action":${text(entry.action)},"actor":${text(entry.actor)},"at":${text(entry.at)},` +
    `"block_height":${text(entry.block_height)},"details":${detailsText(entry.details)},` +
    `"entity_id":${text(entry.entity_id)},"entity_type":${text(entry.entity_type)},"id":${text(entry.id)},` +
    `"request_id":${text(entry.request_id)},"tenant_id":${text(entry.tenant_id)}},` +
    `"prev_hash":${text(prevHash)},"sequence":${text(sequence)}}`
  );
}

/**
 * Returns whether details are exactly the text that the hub stores, and not another text of the
 * same value.
 */
export function isStoredDetails(stored: string): boolean {
  return parseDetails(stored) !== undefined;
}

/**
 * Returns the text of details. A value without a canonical text, such as a fraction, is written as
 * a string of its stored text.
 */
function detailsText(stored: string): string {
  const details = parseDetails(stored);
  if (details === undefined) return jsonString(stored);
  try {
    return toCanonicalText(details);
  } catch (error) {
    if (error instanceof ChainError) return jsonString(stored);
    throw error;
  }
}

/** Returns undefined for a text that is not the stored form of its value. */
function parseDetails(stored: string): unknown {
  try {
    const details: unknown = JSON.parse(stored);
    return JSON.stringify(details) === stored ? details : undefined;
  } catch {
    return undefined;
  }
}
