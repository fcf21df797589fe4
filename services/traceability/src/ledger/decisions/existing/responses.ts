// The states of notifications from before they were sealed.
import { buildRecord } from '@lothub/kit/build-record';
import sql, { raw, type Sql } from 'sql-template-tag';
import { CONFIRMED_STATUSES, NOTIFICATION_STATUSES } from '../../../terms.ts';
import type { ConfirmedStatus, NotificationStatus } from '../../../terms.ts';
import type { ResponseDecision } from '../../record/decisions/contents.ts';
import { draftDecision, sealedHeight, type DecisionDraft } from '../draft.ts';
import { ROWS_PER_BATCH, type ExistingDecisions } from './planner.ts';

/** The condition of the index in the schema that finds such rows. */
const IS_UNSEALED = raw(
  `response_height is null and status in (${CONFIRMED_STATUSES.map((one) => `'${one}'`).join(', ')})`,
);

interface ResponseRow {
  readonly notificationId: number;
  readonly caseId: number;
  readonly caseNo: string;
  readonly tenantId: string;
  readonly audience: string;
  readonly recipient: string | null;
  readonly status: ConfirmedStatus;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly acknowledgedAt: string | null;
  readonly resolvedAt: string | null;
  readonly response: string | null;
}

interface CountRow {
  readonly caseId: number;
  readonly status: NotificationStatus;
  readonly notifications: number;
}

export const EXISTING_RESPONSES: ExistingDecisions = {
  table: 'recall_notifications',
  unsealed: sql`
    select count(*) as unsealed
    from recall_notifications
    where ${IS_UNSEALED}`,
  next: async (reader) => {
    const rows = await reader.all<ResponseRow>(sql`
      select
        n.notification_id as "notificationId", n.case_id as "caseId", c.case_no as "caseNo",
        t.tenant_id as "tenantId", n.audience, n.recipient, n.status, n.created_at as "createdAt",
        n.sent_at as "sentAt", n.acknowledged_at as "acknowledgedAt",
        n.resolved_at as "resolvedAt", n.response
      from (
        select notification_id, case_id, audience, recipient, status, created_at, sent_at, acknowledged_at,
          resolved_at, response
        from recall_notifications
        where ${IS_UNSEALED}
        order by notification_id
        limit ${ROWS_PER_BATCH}
      ) n
      join recall_cases c on c.case_id = n.case_id
      join tenants t on t.tenant_no = c.tenant_no
      order by n.notification_id`);
    if (rows.length === 0) return undefined;
    const counts: CountRow[] = [];
    for (const caseId of new Set(rows.map((row) => row.caseId))) {
      counts.push(
        ...(await reader.all<CountRow>(sql`
          select case_id as "caseId", status, count(*) as notifications
          from recall_notifications
          where case_id = ${caseId}
          group by case_id, status`)),
      );
    }
    return {
      decisions: rows.map((row) => buildDraft(row, counts)),
      statements: rows.map(heightStatement),
    };
  },
};

/**
 * Makes the draft with the counts at the time of the upgrade: the counts at the time of each answer
 * are not stored.
 */
function buildDraft(row: ResponseRow, counts: readonly CountRow[]): DecisionDraft {
  const ofCase = counts.filter(({ caseId }) => caseId === row.caseId);
  const content: ResponseDecision = {
    at: row.resolvedAt ?? row.acknowledgedAt ?? row.sentAt ?? row.createdAt,
    case_no: row.caseNo,
    counts: buildRecord(NOTIFICATION_STATUSES, (status) =>
      Number(ofCase.find((one) => one.status === status)?.notifications ?? 0),
    ),
    migrated: true,
    notification: row.notificationId,
    status: row.status,
    ...(row.sentAt === null ? {} : { sent_at: row.sentAt }),
    ...(row.acknowledgedAt === null ? {} : { acknowledged_at: row.acknowledgedAt }),
    ...(row.resolvedAt === null ? {} : { resolved_at: row.resolvedAt }),
  };
  const { audience, recipient, response } = row;
  return draftDecision(
    { brand: row.tenantId, type: 'response', content },
    { audience, recipient, response },
  );
}

function heightStatement({ notificationId }: ResponseRow, index: number): Sql {
  return sql`
    update recall_notifications
    set response_height = ${sealedHeight(index)}
    where notification_id = ${notificationId}`;
}
