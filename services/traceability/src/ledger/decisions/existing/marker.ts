// The marker that says that this hub has sealed what was decided before decisions were sealed. From it on
// every decision is sealed where it is made, so that a row of one that no block says is a finding.
import type { DatabaseReader } from '@lothub/kit/database';
import { insertRow } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { DecisionMembers } from '../../record/decisions/contents.ts';
import { DECISION_SEALING, type DecisionSealingRow } from '../../tables/off-chain.ts';

/** The marker of a hub that had nothing to seal. */
export const NOTHING_MIGRATED = 0;

/** @returns undefined when there is no marker */
export async function readMarker(
  reader: Pick<DatabaseReader, 'all'>,
): Promise<Pick<DecisionSealingRow, 'migrated_through'> | undefined> {
  const rows = await reader.all<Pick<DecisionSealingRow, 'migrated_through'>>(sql`
    select migrated_through
    from decision_sealing
    where id = 1`);
  return rows[0];
}

/** @param migratedThrough height of the last block with `migrated` */
export function insertMarker(migratedThrough: number): Sql {
  return insertRow(DECISION_SEALING, { id: 1, migrated_through: migratedThrough });
}

/**
 * Computes the marker of a chain from its blocks, for a rebuild. If all decisions are `migrated`,
 * they do not prove that there was a marker: an existing one is updated, and none is inserted.
 */
export class SealingWalk {
  #migratedThrough = NOTHING_MIGRATED;
  #hasMarker = false;

  take(height: number, { migrated }: DecisionMembers): void {
    if (migrated === true) this.#migratedThrough = height;
    // A decision that is not `migrated` proves that all older decisions were sealed before it.
    else this.#hasMarker = true;
  }

  get statement(): Sql {
    const last = this.#migratedThrough;
    if (!this.#hasMarker) {
      return sql`
        update decision_sealing
        set migrated_through = ${last}
        where id = 1`;
    }
    return sql`
      ${insertMarker(last)}
      on conflict (id) do update set migrated_through = ${last}`;
  }
}
