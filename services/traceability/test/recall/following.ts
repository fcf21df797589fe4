// Waits until the open cases have been widened by everything that was recorded, and returns what they cover.
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { TestDatabase } from '../engine.ts';

interface Place {
  readonly database: TestDatabase;
}

const LOOK_MS = 10;

/** Returns once every block that is there now was followed, or no case is open. */
export async function caughtUp(hub: Place): Promise<void> {
  const [head] = await hub.database.rows('select height from head');
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await hub.database.rows(
      `select
        (select followed_height from recall_progress) as followed,
        (select count(*) from recall_cases where ended_at is null) as open`,
    );
    if (row?.['open'] === 0 || Number(row?.['followed']) >= Number(head?.['height'])) return;
    if (performance.now() > until) throw new Error('the open cases are not followed');
    await sleep(LOOK_MS);
  }
}

/** The lots that a case covers, by code: `BREAD-1 downstream 2 on_hold`, `… released`. */
export async function coveredLots(hub: Place, caseNo: string): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select l.lot_code, r.relation, r.distance, l.on_hold,
      (select count(*) from lot_holds h
       where h.lot_no = l.lot_no and h.source = c.case_no and h.released_at is null) as holds
    from recall_cases c
    join recall_lots r on r.case_id = c.case_id and r.left_at is null
    join lots l on l.lot_no = r.lot_no
    where c.case_no = ?
    order by l.lot_code`,
    caseNo,
  );
  return rows.map((row) => {
    const hold = row['on_hold'] === 1 && row['holds'] === 1 ? 'on_hold' : 'released';
    return [row['lot_code'], row['relation'], row['distance'], hold].join(' ');
  });
}

/** The notifications of a case: `customer CUST-1 pending`. */
export async function readNotifications(hub: Place, caseNo: string): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select n.audience, n.recipient, n.status
    from recall_cases c
    join recall_notifications n on n.case_id = c.case_id
    where c.case_no = ?
    order by n.audience, n.recipient`,
    caseNo,
  );
  return rows.map((row) => [row['audience'], row['recipient'], row['status']].join(' '));
}
