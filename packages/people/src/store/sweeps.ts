// What of people is kept for a time.
import { MS_PER_DAY, sweepAudit, sweepByKey, type Sweep } from '@lothub/kit/retention/sweeps';
import sql from 'sql-template-tag';

/** How long an ended link is answered as ended. */
const ENDED_KEPT_MS = 30 * MS_PER_DAY;
const AUDIT_KEPT_MS = 2 * 365 * MS_PER_DAY;

export const SWEEPS: readonly Sweep[] = [
  sweepByKey({
    name: 'sessions',
    table: sql`sessions`,
    key: sql`token_hash`,
    keptMs: 0,
    hasEnded: (cutoff) => sql`expires_at <= ${cutoff}`,
  }),
  sweepByKey({
    name: 'sign_on_attempts',
    table: sql`sign_on_attempts`,
    key: sql`state_hash`,
    keptMs: 0,
    hasEnded: (cutoff) => sql`expires_at <= ${cutoff}`,
  }),
  sweepByKey({
    name: 'setup_links',
    table: sql`setup_links`,
    key: sql`token_hash`,
    keptMs: ENDED_KEPT_MS,
    hasEnded: (cutoff) => sql`(used_at <= ${cutoff} or expires_at <= ${cutoff})`,
  }),
  sweepByKey({
    name: 'invitations',
    table: sql`invitations`,
    key: sql`id`,
    keptMs: ENDED_KEPT_MS,
    // One that was accepted and has not let its person in yet is still needed.
    hasEnded: (cutoff) =>
      sql`(
        entered_at <= ${cutoff}
        or revoked_at <= ${cutoff}
        or (expires_at <= ${cutoff} and accepted_at is null)
      )`,
  }),
  sweepAudit({ keptMs: AUDIT_KEPT_MS }),
];
