// Where the chained audit of an older hub begins: one entry says so, and one describes each key.
import { instantText, type Clock } from '@lothub/kit/clock';
import sql from 'sql-template-tag';
import { insertAuditEntry } from '../ledger/audit.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { adoptingEntry } from './key-entries.ts';
import { listKeys } from './key-store.ts';

/**
 * Does nothing on a new hub, and nothing when it was done before: of several processes one does it.
 * Blocks up to the one that the entry names may have no entry of the audit, and entries before it name none.
 */
export async function beginAuditChain(
  store: Pick<LedgerStore, 'change' | 'reader' | 'write'>,
  clock: Clock,
): Promise<void> {
  const [found] = await store.reader.all<{ readonly height: number }>(sql`
    select height
    from head
    where id = 1 and ${IS_DUE}`);
  if (found === undefined) return;
  const keys = await listKeys(store);
  const at = instantText(clock.nowMs());
  await store.change({
    guard: sql`
      select id
      from head
      where id = 1 and ${IS_DUE}`,
    statements: [
      insertAuditEntry({
        at,
        tenantId: null,
        caller: { actor: 'start', requestId: null },
        action: 'chain_audit',
        entityType: 'audit',
        entityId: '',
        blockHeight: found.height,
        details: { keys: keys.length },
      }),
      ...keys.map((record) => insertAuditEntry(adoptingEntry(record, at))),
    ],
  });
}

/** Whether something was written before the chain was begun. */
const IS_DUE = sql`
  not exists (select 1 from audit_chain)
  and not exists (
    select 1 from audit_entries where tenant_id is null and action = 'chain_audit'
  )
  and (exists (select 1 from audit_entries) or exists (select 1 from api_keys))`;
