// What retention deletes besides notifications: every kind of row that is kept for a limited time.
import { MS_PER_DAY, sweepAudit, sweepByKey, sweepByTime } from '@lothub/kit/retention/sweeps';
import type { Sweep } from '@lothub/kit/retention/sweeps';
import {
  WEBHOOK_DELIVERIES_KEPT_MS,
  sweepDeliveries,
} from '@lothub/delivery/outbox/clearing-queries';
import sql from 'sql-template-tag';
import { IDEMPOTENCY_TTL_MS } from '../store/post.ts';

/** A reader that reconnects later than this begins with the state of its groups. */
const SIGNALS_KEPT_MS = MS_PER_DAY;
/** No page shows them: they show an operator whether pushes were delivered. */
const PUSHES_KEPT_MS = 7 * MS_PER_DAY;
/** As long as pushes. */
const MAILS_KEPT_MS = PUSHES_KEPT_MS;
/** How long an ended link or token is still answered with the reason that it has ended. */
const ENDED_KEPT_MS = 30 * MS_PER_DAY;
const AUDIT_KEPT_MS = 2 * 365 * MS_PER_DAY;

export const SWEEPS: readonly Sweep[] = [
  sweepByTime({
    name: 'idempotency_keys',
    isRare: false,
    table: sql`idempotency_keys`,
    time: sql`created_at`,
    keptMs: IDEMPOTENCY_TTL_MS,
  }),
  sweepByTime({
    name: 'signals',
    isRare: false,
    table: sql`signals`,
    time: sql`at`,
    keptMs: SIGNALS_KEPT_MS,
  }),
  sweepDeliveries('deliveries', WEBHOOK_DELIVERIES_KEPT_MS),
  sweepDeliveries('device_deliveries', PUSHES_KEPT_MS),
  sweepDeliveries('mail_deliveries', MAILS_KEPT_MS),
  sweepByKey({
    name: 'read_tokens',
    table: sql`read_tokens`,
    key: sql`id`,
    keptMs: ENDED_KEPT_MS,
    hasEnded: (cutoff) => sql`(revoked_at <= ${cutoff} or expires_at <= ${cutoff})`,
  }),
  sweepAudit({ keptMs: AUDIT_KEPT_MS }),
];
