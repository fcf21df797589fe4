// Customers who were erased while it was looked for whom a case concerns: their new notifications forget them,
// in the transaction that inserted them.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { ERASING } from '../../ledger/audit.ts';
import { CUSTOMER } from '../../ledger/record/delivery.ts';
import type { NewNotification } from './scope-writes.ts';

/** New notifications of a case, and which customers of them may have been erased. */
interface WrittenNotifications {
  readonly caseId: number;
  readonly tenantNo: number;
  readonly notifications: readonly NewNotification[];
  /** When they were inserted. */
  readonly at: string;
}

/** As `dropErased`, when the tenant has erased customers since the audit entry; that alone takes no time. */
export function dropErasedSince(
  written: WrittenNotifications,
  erasure: { readonly tenantId: string; readonly entryId: number },
): readonly Sql[] {
  return dropErasedWhere(
    written,
    sql`
      exists (
        select 1
        from audit_entries
        where tenant_id = ${erasure.tenantId} and action = ${ERASING} and -id < ${-erasure.entryId}
      )`,
  );
}

/**
 * A customer may have been erased since somebody read that the case concerns it. Those that were inserted
 * just now are known by their time: given as lists, PostgreSQL compared each customer of the case with
 * each of its list, 1.2 s for 4,000 of them.
 */
export function dropErased(written: WrittenNotifications): readonly Sql[] {
  return dropErasedWhere(written, sql`true`);
}

function dropErasedWhere(
  { caseId, tenantNo, notifications, at }: WrittenNotifications,
  condition: Sql,
): readonly Sql[] {
  if (!notifications.some(({ audience }) => audience === 'customer')) return [];
  const written = sql`
    case_id = ${caseId} and audience = 'customer' and created_at = ${at} and ${condition}`;
  return [
    sql`
      delete from private_recipients
      where notification_id in (
        select notification_id
        from recall_notifications
        where ${written}
          and not exists (
            select 1
            from private_lines p
            join events e on e.height = p.height
            where ${CUSTOMER} = recall_notifications.recipient and e.tenant_no = ${tenantNo}
          )
          and not exists (
            select 1
            from private_changes p
            join corrections c on c.height = p.height
            where p.to_text = recall_notifications.recipient
              -- In the words of the index, which holds no text that is longer; no customer is.
              and length(p.to_text) <= 200
              and c.tenant_no = ${tenantNo}
          )
      )`,
    sql`
      update recall_notifications
      set recipient = null
      where ${written} and recipient is not null
        and not exists (
          select 1
          from private_recipients p
          where p.notification_id = recall_notifications.notification_id
        )`,
  ];
}
