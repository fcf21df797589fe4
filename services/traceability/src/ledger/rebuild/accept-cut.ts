// The entry of the audit about blocks that an operator has given up: earlier entries still name
// them.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import { ACCEPTING_CUT, insertAuditEntry } from '../audit.ts';
import type { Caller, Tip } from '../draft.ts';

interface NamedBlocks {
  readonly entries: number;
  /** Null if there are no entries. */
  readonly last: number | null;
}

/**
 * Writes an entry when the audit names blocks behind the last one that is left. The verifier takes entries
 * of before it for entries of lost blocks, whatever is sealed at these heights later.
 */
export async function acceptCut(
  { all }: Pick<DatabaseReader, 'all'>,
  tip: Tip,
  { by, clock }: { readonly by: Caller; readonly clock: Clock },
): Promise<void> {
  const [row] = await all<NamedBlocks>(sql`
    select count(*) as entries, max(block_height) as last
    from audit_entries
    where block_height > ${tip.height}`);
  const { entries, last } = present(row, 'the row of a count');
  if (entries === 0) return;
  await all(
    insertAuditEntry({
      at: instantText(clock.nowMs()),
      tenantId: null,
      caller: by,
      action: ACCEPTING_CUT,
      entityType: 'chain',
      entityId: tip.hash,
      blockHeight: tip.height,
      details: { entries_of_lost_blocks: entries, last_lost_height_named: last },
    }),
  );
}
