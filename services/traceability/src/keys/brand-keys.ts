// The keys of one brand, as its managers list, issue, rotate and revoke them. Keys of other brands, and those
// that are bound to none, are the operator's: here they are not there.
import type { DatabaseReader } from '@lothub/kit/database';
import { instantText } from '@lothub/kit/clock';
import { selectList } from '@lothub/kit/rows/stored-table';
import { cutPage } from '@lothub/kit/rows/cut-page';
import sql, { empty, type Sql } from 'sql-template-tag';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { Caller } from '../ledger/draft.ts';
import { API_KEYS, type KeyLimit } from '../ledger/tables/off-chain.ts';
import { LABEL_MAX, isKeyLabel } from './key-label.ts';
import {
  BRAND_KEYS_MAX,
  KeyNotFoundError,
  TooManyKeysError,
  findKey,
  isActiveAt,
  issueKey,
  keyStanding,
  revokeKey,
  rotateKey,
} from './key-store.ts';
import type { KeyDatabase, KeyRecord, KeyStanding } from './key-store.ts';
import { readLastUses } from './key-uses.ts';

/** Ended keys on one page of the list. */
export const ENDED_KEYS_PER_PAGE = 50;

/** A key as its brand may see it: without anything that it could be looked up by. */
export interface BrandKey {
  readonly keyId: string;
  readonly label: string;
  readonly limitedTo: KeyLimit;
  readonly state: KeyStanding;
  readonly createdAt: string;
  /** The end of validity of a rotated key. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute, and behind by seconds; null: never, as far as is known. */
  readonly lastUsedAt: string | null;
}

export interface BrandKeys {
  /** All that are valid, newest first: BRAND_KEYS_MAX at most. */
  readonly active: readonly BrandKey[];
  /** A page of those that ended, newest first. */
  readonly ended: readonly BrandKey[];
  /** Send it as `before` for the ended keys behind these; null at the end. */
  readonly next: string | null;
}

export interface IssuedBrandKey {
  /** The key itself: shown now and never again. */
  readonly key: string;
  readonly brandKey: BrandKey;
}

/** @param asked `before`: `next` of the page before; null of the first one */
export async function listBrandKeys(
  reader: Pick<DatabaseReader, 'all'>,
  asked: { readonly tenantId: string; readonly before: string | null; readonly nowMs: number },
): Promise<BrandKeys> {
  const { tenantId, before, nowMs } = asked;
  const isActiveNow = isActiveAt(instantText(nowMs));
  const behind =
    before === null
      ? empty
      : sql`
        and (created_at, key_id) < (
          select created_at, key_id from api_keys where key_id = ${before}
        )`;
  const active = await newestKeys(reader, {
    condition: sql`tenant_id = ${tenantId} and ${isActiveNow}`,
    // A key that takes another's place at once may be beside it for a moment.
    limit: BRAND_KEYS_MAX + 1,
  });
  const found = await newestKeys(reader, {
    condition: sql`tenant_id = ${tenantId} and not (${isActiveNow}) ${behind}`,
    limit: ENDED_KEYS_PER_PAGE + 1,
  });
  const { rows: ended, last } = cutPage(found, ENDED_KEYS_PER_PAGE);
  const uses = await readLastUses(
    reader,
    [...active, ...ended].map((record) => record.key_id),
  );
  const shown = (record: KeyRecord): BrandKey =>
    describeBrandKey(record, { nowMs, lastUsedAt: uses.get(record.key_id) ?? null });
  return { active: active.map(shown), ended: ended.map(shown), next: last?.key_id ?? null };
}

/** @throws FieldsRefusal of a label that is none; Refusal `rule_broken` when the brand has too many keys */
export async function issueBrandKey(
  database: KeyDatabase,
  request: {
    readonly tenantId: string;
    readonly label: string;
    readonly limitedTo: KeyLimit;
    readonly caller: Caller;
    readonly nowMs: number;
  },
): Promise<IssuedBrandKey> {
  if (!isKeyLabel(request.label)) {
    const message = `Label should be 1 to ${LABEL_MAX} printable characters`;
    throw FieldsRefusal.of(['body', 'label'], message, 'string_pattern_mismatch');
  }
  const issuing = issueKey(database, { ...request, role: 'tenant' });
  const { key, record } = await issuing.catch(refuseAsBrand);
  return { key, brandKey: describeBrandKey(record, { nowMs: request.nowMs, lastUsedAt: null }) };
}

/**
 * Issues a key with the same label and limit; the old one stays valid for `overlapMs` more.
 * @throws Refusal `not_found` when the brand has no such valid key; `rule_broken` when it has too many keys
 */
export async function rotateBrandKey(
  database: KeyDatabase,
  request: BrandKeyChange & { readonly overlapMs: number },
): Promise<IssuedBrandKey> {
  await assertOfBrand(database, request);
  const { key, record } = await rotateKey(database, request).catch(refuseAsBrand);
  return { key, brandKey: describeBrandKey(record, { nowMs: request.nowMs, lastUsedAt: null }) };
}

/** @throws Refusal `not_found` when the brand has no such valid key */
export async function revokeBrandKey(
  database: KeyDatabase,
  request: BrandKeyChange,
): Promise<void> {
  await assertOfBrand(database, request);
  await revokeKey(database, request).catch(refuseAsBrand);
}

export interface BrandKeyChange {
  readonly tenantId: string;
  readonly keyId: string;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** A key never changes its brand, so that nothing can happen between this look and the change. */
async function assertOfBrand(
  database: Pick<KeyDatabase, 'reader'>,
  { tenantId, keyId }: Pick<BrandKeyChange, 'tenantId' | 'keyId'>,
): Promise<void> {
  const record = await findKey(database, keyId);
  if (record?.tenant_id !== tenantId) throw noSuchKey();
}

function refuseAsBrand(error: unknown): never {
  if (error instanceof KeyNotFoundError) throw noSuchKey();
  if (error instanceof TooManyKeysError) {
    throw new Refusal('rule_broken', error.message);
  }
  throw error;
}

const noSuchKey = (): Refusal => new Refusal('not_found', 'The brand has no such key');

async function newestKeys(
  reader: Pick<DatabaseReader, 'all'>,
  { condition, limit }: { readonly condition: Sql; readonly limit: number },
): Promise<readonly KeyRecord[]> {
  return await reader.all<KeyRecord>(sql`
    select ${selectList(API_KEYS)}
    from api_keys
    where ${condition}
    order by created_at desc, key_id desc
    limit ${limit}`);
}

export function describeBrandKey(
  record: KeyRecord,
  at: { readonly nowMs: number; readonly lastUsedAt: string | null },
): BrandKey {
  return {
    keyId: record.key_id,
    label: record.label,
    limitedTo: record.limited_to,
    state: keyStanding(record, at.nowMs),
    createdAt: record.created_at,
    expiresAt: record.expires_at,
    revokedAt: record.revoked_at,
    lastUsedAt: at.lastUsedAt,
  };
}
