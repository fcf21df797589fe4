// Checks that the shapes of decisions share.
import { isSha256Hex } from '@lothub/chain';
import { LOTS_PER_BLOCK_MAX } from './contents.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a content has the members that all decisions have. */
export function hasDecisionMembers(content: Fields): boolean {
  const { at, committed, migrated } = content;
  return (
    isText(at) &&
    (migrated === undefined || migrated === true) &&
    (committed === undefined || isCommitments(committed))
  );
}

function isCommitments(value: unknown): boolean {
  if (!isFields(value)) return false;
  const commitments = Object.values(value);
  return commitments.length > 0 && commitments.every((one) => isText(one) && isSha256Hex(one));
}

/** Returns whether a value is a list of at least one text, each once. */
export function isLotList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= LOTS_PER_BLOCK_MAX &&
    value.every(isText) &&
    new Set(value).size === value.length
  );
}

/** Returns whether a content has no other members than these. */
export function hasOnly(content: Fields, names: readonly string[]): boolean {
  return Object.keys(content).every((name) => names.includes(name));
}

/** Returns whether each of these members is absent or a text. */
export function mayBeText(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => fields[name] === undefined || isText(fields[name]));
}

/** A whole number, not below zero. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The newest block of a moment: its height and its hash. */
export function isTip(value: unknown): boolean {
  return (
    isFields(value) &&
    hasOnly(value, ['hash', 'height']) &&
    isCount(value['height']) &&
    isText(value['hash']) &&
    isSha256Hex(value['hash'])
  );
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
