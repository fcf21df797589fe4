// The rows of blocks about responses: the whole state of a notification.
import sql from 'sql-template-tag';
import type { DecisionKind } from './kind.ts';

export const RESPONSE_KIND: DecisionKind<'response'> = {
  rowsOf: ({ decision, opened, height }) => [
    sql`
      update recall_notifications
      set status = ${decision.status}, sent_at = ${decision.sent_at ?? null},
        acknowledged_at = ${decision.acknowledged_at ?? null},
        resolved_at = ${decision.resolved_at ?? null}, response = ${opened['response'] ?? null},
        response_height = ${height}
      where notification_id = ${decision.notification}
        and case_id = (select case_id from recall_cases where case_no = ${decision.case_no})`,
  ],
  // Only a notification that is ready can be answered.
  clear: [
    sql`
      update recall_notifications
      set status = 'ready', sent_at = null, acknowledged_at = null, resolved_at = null,
        response = null, response_height = null
      where response_height is not null`,
  ],
};
