// Compares stored keys with the entries of the audit: the entries of a key, in their order, result in its
// row.
import { differingColumns } from '@lothub/kit/rows/stored-table';
import {
  KEY_DIGEST,
  STATE_BEFORE,
  STATE_NAMES,
  buildKeyState,
} from '../../audit-chain/key-state.ts';
import type { KeyState } from '../../audit-chain/key-state.ts';
import type { StoredAuditEntry } from '../../tables/audit.ts';
import type { KeyRow } from '../../tables/off-chain.ts';
import type { LedgerMismatch } from '../mismatch.ts';

const COMPARED = [...STATE_NAMES, KEY_DIGEST] as const;
const COMPARED_NAMES: ReadonlySet<string> = new Set(COMPARED);

/** The state of every key by the entries. */
export class KeyStates {
  readonly #states = new Map<string, KeyState>();

  /** Takes one entry. Callers pass the entries in the order in which they were written. */
  take({ entity_type: type, entity_id: keyId, details }: StoredAuditEntry): void {
    if (type !== 'key') return;
    const said = statedIn(details);
    const known = this.#states.get(keyId);
    if (known !== undefined) this.#states.set(keyId, { ...known, ...said });
    // Entries of before the chain was begun say too little of a key.
    else if (KEY_DIGEST in said) this.#states.set(keyId, { ...STATE_BEFORE, ...said });
  }

  /** @param rows all stored keys, of the moment at which all entries were taken */
  compare(rows: readonly KeyRow[], height: number): readonly LedgerMismatch[] {
    const missing = new Map(this.#states);
    const found: LedgerMismatch[] = [];
    for (const row of rows) {
      const { key_id: keyId } = row;
      const state = missing.get(keyId);
      missing.delete(keyId);
      if (state === undefined) {
        const message = `key ${keyId} is stored, and no entry of the audit is about it`;
        found.push({ height, code: 'key_row_extra', message });
        continue;
      }
      const differing = differingColumns(COMPARED, buildKeyState(row), asStated(state));
      if (differing.length === 0) continue;
      const message = `key ${keyId} is not what the audit says of it: ${differing.join(', ')}`;
      found.push({ height, code: 'key_row_differs', message });
    }
    for (const keyId of missing.keys()) {
      const message = `key ${keyId}, which the audit has, is not stored`;
      found.push({ height, code: 'key_row_missing', message });
    }
    return found;
  }
}

function asStated(state: KeyState): Readonly<Record<(typeof COMPARED)[number], string | null>> {
  return Object.fromEntries(COMPARED.map((name) => [name, state[name] ?? null])) as Record<
    (typeof COMPARED)[number],
    string | null
  >;
}

function statedIn(details: string): KeyState {
  let parsed: unknown;
  try {
    parsed = JSON.parse(details);
  } catch {
    // A changed entry is a finding of its own.
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null) return {};
  const stated = Object.entries(parsed).filter(
    (one): one is [string, string | null] =>
      COMPARED_NAMES.has(one[0]) && (one[1] === null || typeof one[1] === 'string'),
  );
  return Object.fromEntries(stated);
}
