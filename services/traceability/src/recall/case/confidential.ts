// A case in confidence: what discloses it when it moves to `notification`.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { isHidden } from '../../ledger/decisions/hidden-cases.ts';
import { draftDisclosures } from '../../ledger/decisions/confidential.ts';
import type { ConfidentialOpening, Disclosure } from '../../ledger/decisions/confidential.ts';
import { CONFIDENTIAL_PARTS } from '../../ledger/record/decisions/confidential.ts';
import { NOTIFIED } from '../../terms.ts';
import type { CaseStatus } from '../../terms.ts';
import type { RecallCase } from './rows.ts';

/**
 * Reads the blocks that disclose everything that was sealed of a case in confidence, for the
 * transaction of its move; none when there is nothing to disclose. They are those at the revision
 * that was read before.
 */
export async function readDisclosures(
  database: DatabaseReader,
  recallCase: RecallCase,
  move: { readonly brand: string; readonly to: CaseStatus; readonly at: string },
): Promise<readonly Disclosure[]> {
  if (move.to !== NOTIFIED || !isHidden(recallCase)) return [];
  const { brand, at } = move;
  const { caseNo } = recallCase;
  const openings = await database.all<ConfidentialOpening>(sql`
    select p.height, p.value, p.salt
    from decisions d
    join private_decisions p on p.height = d.height and p.name = ${CONFIDENTIAL_PARTS}
    where d.tenant_id = ${brand} and d.type = 'recall' and d.subject = ${caseNo}
    order by d.height`);
  return draftDisclosures({ brand, caseNo, at }, openings);
}
