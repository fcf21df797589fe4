// What consumers read about a product: how its changes are judged and planned.
import { insertRow } from '@lothub/kit/rows/stored-table';
import type { FieldError } from '@lothub/kit/http/field-errors';
import { present } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { Caller, Tip } from '../ledger/draft.ts';
import { codeFault } from '../ledger/record/code-text.ts';
import type { ProductState } from '../ledger/record/decisions/contents.ts';
import { PICTURES } from '../ledger/tables/brands.ts';
import { parseNames, picturePath } from '../lots/profiles/names.ts';
import { countProducts, findProduct, type FoundProduct } from './queries.ts';
import { checkDigitFault } from '../lots/profiles/gs1.ts';
import { readNames } from './names.ts';
import { PROFILES_MAX, SKU_MAX, type ProductAnswer, type ProductInput } from './schema.ts';
import { changedMembers, changeProfile } from './change-profile.ts';
import type { PlannedProfile, ProfileDeps } from './change-profile.ts';

export interface ProductChange {
  readonly tenantId: string;
  readonly sku: string;
  readonly caller: Caller;
}

/** @throws FieldsRefusal; Refusal `rule_broken` when the brand has too many; DatabaseError as the store's */
export async function setProduct(
  deps: ProfileDeps,
  change: ProductChange,
  input: ProductInput,
): Promise<'created' | 'changed' | 'unchanged'> {
  const given = readProduct(change.sku, input);
  let isNew = false;
  const block = await changeProfile(deps, change, async (database, at) => {
    const found = await findProduct(database, change);
    isNew = found === undefined;
    if (isNew && (await countProducts(database, change.tenantId)) >= PROFILES_MAX) {
      throw new Refusal('rule_broken', `A brand has at most ${PROFILES_MAX} products`);
    }
    const picture = found?.picture ?? null;
    const state = { ...given, ...(picture === null ? {} : { picture }) };
    return planState(change, { at, found, state, action: 'set_product' });
  });
  if (block === undefined) return 'unchanged';
  return isNew ? 'created' : 'changed';
}

/** @throws Refusal `not_found`; DatabaseError as the store's */
export async function removeProduct(deps: ProfileDeps, change: ProductChange): Promise<Tip> {
  const { sku } = change;
  const block = await changeProfile(deps, change, async (database, at) => {
    const found = await findProduct(database, change);
    if (found === undefined) throw noSuchProduct();
    return {
      decision: { about: 'product', at, removed: true, sku },
      foundHeight: found.height,
      behind: dropUnused(found.picture),
      audit: { action: 'remove_product', entityType: 'product', entityId: sku, details: {} },
    };
  });
  return present(block, 'the block of a removal');
}

/**
 * @param bytes of a picture that was checked; undefined: it shall have none
 * @throws Refusal `not_found`; DatabaseError as the store's
 */
export async function setPicture(
  deps: ProfileDeps,
  change: ProductChange,
  bytes: Buffer | undefined,
): Promise<'changed' | 'unchanged'> {
  const picture = bytes && sha256Bytes(bytes).toHex();
  const block = await changeProfile(deps, change, async (database, at) => {
    const found = await findProduct(database, change);
    if (found === undefined) throw noSuchProduct();
    if (picture === undefined && found.picture === null) {
      throw new Refusal('not_found', 'The product has no picture');
    }
    const { picture: _before, ...others } = toState(found);
    const state = { ...others, ...(picture === undefined ? {} : { picture }) };
    const action = picture === undefined ? 'remove_picture' : 'set_picture';
    const planned = planState(change, { at, found, state, action });
    if (planned === undefined) return undefined;
    const before = picture === undefined || bytes === undefined ? [] : [keepBytes(picture, bytes)];
    return { ...planned, before, behind: dropUnused(found.picture) };
  });
  return block === undefined ? 'unchanged' : 'changed';
}

export function noSuchProduct(): Refusal {
  return new Refusal('not_found', 'No product of this SKU has a profile');
}

export function productAnswer(row: FoundProduct, publicUrl: string): ProductAnswer {
  const { sku, gtin, picture, updated_at, height, hash } = row;
  return {
    sku,
    names: parseNames(row),
    gtin,
    picture: picture === null ? null : { sha256: picture, url: picturePath(picture, publicUrl) },
    updated_at,
    block_height: height,
    block_hash: hash,
  };
}

function planState(
  { sku }: ProductChange,
  change: {
    readonly at: string;
    readonly found: FoundProduct | undefined;
    readonly state: ProductState;
    readonly action: PlannedProfile['audit']['action'];
  },
): PlannedProfile | undefined {
  const { at, found, state, action } = change;
  const changed = changedMembers(found && toState(found), state);
  if (changed.length === 0) return undefined;
  return {
    decision: { about: 'product', at, changed, sku, state },
    foundHeight: found?.height ?? null,
    audit: {
      action,
      entityType: 'product',
      entityId: sku,
      details: { changed: changed.join(', ') },
    },
  };
}

function toState(row: FoundProduct): ProductState {
  const { gtin, picture } = row;
  return {
    ...(gtin === null ? {} : { gtin }),
    names: parseNames(row),
    ...(picture === null ? {} : { picture }),
  };
}

/** @throws FieldsRefusal */
function readProduct(sku: string, { names: sent, gtin = null }: ProductInput): ProductState {
  const names = readNames(sent, ['body', 'names']);
  const errors: FieldError[] = names.kind === 'invalid' ? [...names.errors] : [];
  const fault = codeFault(sku);
  if (fault !== undefined) errors.push({ loc: ['path', 'sku'], msg: fault, type: 'code_invalid' });
  if (sku.length > SKU_MAX) {
    const msg = `String should have at most ${SKU_MAX} characters`;
    errors.push({ loc: ['path', 'sku'], msg, type: 'string_too_long' });
  }
  const digitFault = gtin === null ? undefined : checkDigitFault(gtin);
  if (digitFault !== undefined) {
    errors.push({ loc: ['body', 'gtin'], msg: digitFault, type: 'check_digit' });
  }
  if (names.kind === 'invalid' || errors.length > 0) throw new FieldsRefusal(errors);
  return { ...(gtin === null ? {} : { gtin }), names: names.names };
}

function keepBytes(sha256: string, bytes: Buffer): Sql {
  return sql`${insertRow(PICTURES, { sha256, bytes })} on conflict (sha256) do nothing`;
}

/** Deletes a picture that no product has any more, behind the row that had it. */
function dropUnused(picture: string | null): readonly Sql[] {
  if (picture === null) return [];
  return [
    sql`
      delete from pictures
      where sha256 = ${picture} and not exists (select 1 from products where picture = ${picture})`,
  ];
}
