// Cases that were made before their steps were sealed: each is sealed whole, one in a transaction.
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { ExistingDecisions } from '../../ledger/decisions/existing/planner.ts';
import { planExistingCase } from './existing.ts';
import { findCase } from './rows.ts';

export const EXISTING_CASES: ExistingDecisions = {
  table: 'recall_cases',
  unsealed: sql`
    select count(*) as unsealed
    from recall_cases
    where step_no is null`,
  next: async (reader) => {
    const next = await reader.first<{ readonly caseNo: string; readonly tenantId: string }>(sql`
      select c.case_no as "caseNo", t.tenant_id as "tenantId"
      from recall_cases c
      join tenants t on t.tenant_no = c.tenant_no
      where c.step_no is null
      order by c.case_id
      limit 1`);
    if (next === undefined) return undefined;
    const recallCase = present(await findCase(reader, next), `the case ${next.caseNo}`);
    return await planExistingCase(reader, next.tenantId, recallCase);
  },
};
