// The keys of the hub, as its operators list, issue, rotate and revoke them on their page. An operator never gets a
// key that reads what a brand keeps to itself: of keys of brands those that post events alone are issued and rotated
// here. All others are issued by the managers of a brand, or at the machine (`lothub keys`); any key can be revoked.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { Caller } from '../ledger/draft.ts';
import { API_KEYS } from '../ledger/tables/off-chain.ts';
import { describeBrandKey, type BrandKey } from './brand-keys.ts';
import { LABEL_MAX, isKeyLabel } from './key-label.ts';
import {
  KeyNotFoundError,
  TooManyKeysError,
  findKey,
  issueKey,
  revokeKey,
  rotateKey,
} from './key-store.ts';
import type { IssuedKey, KeyDatabase, KeyRecord, KeyRole } from './key-store.ts';
import { readLastUses } from './key-uses.ts';

export const HUB_KEYS_PER_PAGE = 50;

/** What the page issues: for the administration of the hub, for one brand, for any brand. */
export const HUB_KEY_KINDS = ['admin', 'brand', 'any'] as const;
export type HubKeyKind = (typeof HUB_KEY_KINDS)[number];

export interface HubKey extends BrandKey {
  readonly role: KeyRole;
  /** The brand that it is bound to; null: none. */
  readonly tenantId: string | null;
  /** Set in the settings, which make it valid again at each start. */
  readonly isOfSettings: boolean;
  /** For a key that is bound to no brand: the first two brands that wrote with it. */
  readonly writers: readonly string[];
  readonly mayRotate: boolean;
}

export interface HubKeys {
  /** Newest first, ended ones among them. */
  readonly items: readonly HubKey[];
  /** Send it as `before` for the keys behind these; null at the end. */
  readonly next: string | null;
}

/**
 * A page of the keys.
 * @param asked `tenantId`: only those of this brand; `before`: `next` of the page before, null of the first one
 */
export async function listHubKeys(
  reader: Pick<DatabaseReader, 'all' | 'first'>,
  asked: {
    readonly tenantId: string | undefined;
    readonly before: string | null;
    readonly nowMs: number;
  },
): Promise<HubKeys> {
  const { tenantId, before, nowMs } = asked;
  const behind = before === null ? undefined : await findKeyPlace(reader, before);
  if (before !== null && behind === undefined) return { items: [], next: null };
  const found = await newestKeysBehind(reader, { tenantId, behind });
  const { rows, last } = cutPage(found, HUB_KEYS_PER_PAGE);
  const uses = await readLastUses(
    reader,
    rows.map((record) => record.key_id),
  );
  return {
    items: rows.map((record) =>
      toHubKey(record, { nowMs, lastUsedAt: uses.get(record.key_id) ?? null }),
    ),
    next: last?.key_id ?? null,
  };
}

/** Where a key is in the order of the list. */
interface KeyPlace {
  readonly createdAt: string;
  readonly keyId: string;
}

async function findKeyPlace(
  reader: Pick<DatabaseReader, 'first'>,
  keyId: string,
): Promise<KeyPlace | undefined> {
  return await reader.first<KeyPlace>(sql`
    select created_at as "createdAt", key_id as "keyId"
    from api_keys
    where key_id = ${keyId}`);
}

/**
 * Reads one key more than a page has, behind the last key of the page before. PostgreSQL uses an index for that place
 * only as values: it would filter all newer keys against a subquery.
 */
export async function newestKeysBehind(
  reader: Pick<DatabaseReader, 'all'>,
  {
    tenantId,
    behind,
  }: { readonly tenantId: string | undefined; readonly behind: KeyPlace | undefined },
): Promise<readonly KeyRecord[]> {
  const conditions: readonly Sql[] = [
    ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`]),
    ...(behind === undefined
      ? []
      : [sql`(created_at, key_id) < (${behind.createdAt}, ${behind.keyId})`]),
  ];
  return await reader.all<KeyRecord>(sql`
    select ${selectList(API_KEYS)}
    from api_keys
    ${conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`}
    order by created_at desc, key_id desc
    limit ${HUB_KEYS_PER_PAGE + 1}`);
}

/**
 * Issues a key: one of brands posts events and does nothing else.
 * @param request `tenantId`: the brand, of the kind `brand` alone
 * @throws FieldsRefusal of a label that is none; Refusal `rule_broken` when there are too many keys
 */
export async function issueHubKey(
  database: KeyDatabase,
  request: {
    readonly kind: HubKeyKind;
    readonly tenantId: string | null;
    readonly label: string;
    readonly caller: Caller;
    readonly nowMs: number;
  },
): Promise<IssuedKey> {
  const { kind, tenantId, label, caller, nowMs } = request;
  if (!isKeyLabel(label)) {
    const message = `Label should be 1 to ${LABEL_MAX} printable characters`;
    throw FieldsRefusal.of(['body', 'label'], message, 'string_pattern_mismatch');
  }
  const issuing = issueKey(database, {
    ...{ label, caller, nowMs },
    role: kind === 'admin' ? 'admin' : 'tenant',
    tenantId: kind === 'brand' ? tenantId : null,
    limitedTo: kind === 'admin' ? 'all' : 'post-events',
  });
  return await issuing.catch(refuse);
}

export interface HubKeyChange {
  readonly keyId: string;
  readonly caller: Caller;
  readonly nowMs: number;
}

/**
 * Issues a key in place of another, which stays valid for `overlapMs` more.
 * @throws Refusal `not_found` when there is no such valid key, or none that may be rotated here; `rule_broken` when
 *   there are too many keys
 */
export async function rotateHubKey(
  database: KeyDatabase,
  request: HubKeyChange & { readonly overlapMs: number },
): Promise<IssuedKey> {
  const record = await findKey(database, request.keyId);
  // A key never changes what it may do, so that nothing can happen between this look and the change.
  if (record === undefined || !mayRotate(record)) throw noSuchKey();
  return await rotateKey(database, request).catch(refuse);
}

/** @throws Refusal `not_found` when there is no such valid key */
export async function revokeHubKey(
  database: KeyDatabase,
  request: HubKeyChange,
): Promise<KeyRecord> {
  return await revokeKey(database, request).catch(refuse);
}

/** Whoever rotates a key gets all that the key may do. */
function mayRotate({ role, limited_to: limit }: KeyRecord): boolean {
  return role === 'admin' || limit === 'post-events';
}

function toHubKey(
  record: KeyRecord,
  at: { readonly nowMs: number; readonly lastUsedAt: string | null },
): HubKey {
  const { first_tenant_id: first, second_tenant_id: second } = record;
  return {
    ...describeBrandKey(record, at),
    role: record.role,
    tenantId: record.tenant_id,
    isOfSettings: record.origin === 'settings',
    writers: [first, second].filter((tenantId) => tenantId !== null),
    mayRotate: mayRotate(record),
  };
}

function refuse(error: unknown): never {
  if (error instanceof KeyNotFoundError) throw noSuchKey();
  if (error instanceof TooManyKeysError) throw new Refusal('rule_broken', error.message);
  throw error;
}

const noSuchKey = (): Refusal => new Refusal('not_found', 'The hub has no such key');
