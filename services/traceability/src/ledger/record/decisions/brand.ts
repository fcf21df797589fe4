// The published facts of brands, products and places, as their blocks contain them.
import { isSha256Hex } from '@lothub/chain';
import type { BrandDecision } from './contents.ts';
import { hasDecisionMembers, hasOnly, isFields, isText, type Fields } from './members.ts';

interface Subject {
  /** Names the product or place among those of the brand. */
  readonly keyName?: string;
  readonly isState: (state: Fields) => boolean;
}

const SUBJECTS: Readonly<Record<BrandDecision['about'], Subject>> = {
  brand: {
    isState: ({ names, ...others }) =>
      areNamesIfSet(names) &&
      hasTextsAmong(others, ['language', 'name', 'recall_contact', 'website']),
  },
  product: {
    keyName: 'sku',
    isState: ({ names, ...others }) =>
      areNames(names) &&
      hasTextsAmong(others, ['gtin', 'picture']) &&
      (others['picture'] === undefined || isPictureHash(others['picture'])),
  },
  place: {
    keyName: 'location',
    isState: ({ names, ...others }) =>
      areNamesIfSet(names) &&
      isText(others['name']) &&
      hasTextsAmong(others, ['address', 'gln', 'language', 'name', 'time_zone']),
  },
};

export function isBrandDecision(content: Fields): boolean {
  const {
    about,
    at: _at,
    committed,
    migrated: _migrated,
    changed,
    state,
    removed,
    ...key
  } = content;
  if (!isText(about) || !Object.hasOwn(SUBJECTS, about)) return false;
  const { keyName, isState } = SUBJECTS[about as BrandDecision['about']];
  const isKeyed =
    keyName === undefined
      ? hasOnly(key, []) && removed === undefined
      : hasOnly(key, [keyName]) && isText(key[keyName]);
  if (!isKeyed || !hasDecisionMembers(content) || committed !== undefined) return false;
  return removed === undefined
    ? isNameList(changed) && isFields(state) && isState(state)
    : removed === true && changed === undefined && state === undefined;
}

/** `brand`, `product:<sku>` or `place:<location>`. */
export function subjectOfBrand(decision: BrandDecision): string {
  switch (decision.about) {
    case 'brand':
      return 'brand';
    case 'product':
      return `product:${decision.sku}`;
    case 'place':
      return `place:${decision.location}`;
  }
}

export function summaryOfBrand(decision: BrandDecision, brand: string): string {
  const what = decision.removed === true ? 'removed' : formatChange(decision.changed);
  switch (decision.about) {
    case 'brand':
      return `Brand ${brand}: ${what}`;
    case 'product':
      return `Product ${decision.sku} of ${brand}: ${what}`;
    case 'place':
      return `Place ${decision.location} of ${brand}: ${what}`;
  }
}

function formatChange(changed: readonly string[]): string {
  return changed.length === 0 ? 'nothing set' : `${changed.join(', ')} changed`;
}

/** Returns whether all members are among these names, and texts. */
function hasTextsAmong(fields: Fields, names: readonly string[]): boolean {
  return hasOnly(fields, names) && Object.values(fields).every(isText);
}

/** Texts by language. */
function areNames(value: unknown): boolean {
  return isFields(value) && Object.values(value).every(isText);
}

function areNamesIfSet(value: unknown): boolean {
  return value === undefined || (areNames(value) && !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return isFields(value) && Object.keys(value).length === 0;
}

function isPictureHash(value: unknown): boolean {
  return isText(value) && isSha256Hex(value);
}

/** Texts, each once. */
function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}
