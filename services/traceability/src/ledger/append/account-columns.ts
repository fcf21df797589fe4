// An account of a lot as the columns of its row: sums as decimal texts, null where nothing moved, and
// the removal that occurred last.
import Big from 'big.js';
import type { Account, Removal, Sums } from '../record/quantities.ts';
import { PARTS } from '../record/event-types.ts';
import type { Part } from '../record/event-types.ts';
import type { StoredAccount } from './group-rows.ts';

/** Columns of `lot_quantities` behind its key, in the order of `valuesOfAccount`. */
export const ACCOUNT_COLUMNS: readonly string[] = [
  ...PARTS,
  'removed_at',
  'removed_height',
  'removed_part',
];

type Row = Readonly<Record<string, unknown>>;

export function storedAccountOf(row: Row): StoredAccount {
  return { sums: sumsOf(row), removal: removalOf(row) };
}

export function removalOf(row: Row): Removal | undefined {
  const moment = row['removed_at'];
  if (typeof moment !== 'string') return undefined;
  return {
    moment,
    height: Number(row['removed_height']),
    part: String(row['removed_part']) as Part,
  };
}

export function valuesOfAccount({ sums, removal }: Account): readonly (string | number | null)[] {
  return [
    ...PARTS.map((part) => sums[part]?.toFixed() ?? null),
    removal?.moment ?? null,
    removal?.height ?? null,
    removal?.part ?? null,
  ];
}

function sumsOf(row: Row): Sums {
  const sums: Sums = {};
  for (const part of PARTS) {
    const text = row[part];
    if (typeof text === 'string') sums[part] = new Big(text);
  }
  return sums;
}
