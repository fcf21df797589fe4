// The audit of a group: who did what, newest first, in words.
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { AuditEntry, AuditList } from '../../audit/audit.ts';
import type { Group } from '../../groups/groups.ts';
import type { AuditAction } from '../../store/audit.ts';
import { renderTime } from '../browser/notification-item.ts';
import { emptyNote, moreLink, said } from '../fragments.ts';
import { groupPage } from './frame.ts';
import type { Page } from '../layout.ts';

/** What happened, to be read behind the name of who did it. */
const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  account_changed: 'changed an account',
  account_created: 'made an account',
  account_password_changed: 'changed a password',
  account_password_reset: 'set a new password for somebody',
  sessions_ended: 'ended sessions',
  setup_link_made: 'made a set-up link',
  group_created: 'made the group',
  group_changed: 'changed the group',
  member_added: 'joined',
  member_role_changed: 'changed a role',
  member_removed: 'removed a member',
  invitation_made: 'made an invitation',
  invitation_accepted: 'accepted an invitation',
  invitation_revoked: 'withdrew an invitation',
  key_issued: 'issued a key',
  key_changed: 'changed a key',
  key_rotated: 'rotated a key',
  key_revoked: 'revoked a key',
  token_issued: 'issued a read token',
  device_added: 'added a device',
  device_removed: 'removed a device',
  device_disabled: 'disabled a device',
  token_revoked: 'revoked a read token',
  webhook_created: 'made a webhook',
  webhook_changed: 'changed a webhook',
  webhook_disabled: 'disabled a webhook',
  webhook_secret_rotated: 'rotated the secret of a webhook',
  webhook_deleted: 'deleted a webhook',
  delivery_replayed: 'sent a delivery again',
  webhook_tested: 'sent a test to a webhook',
  notification_redacted: 'took away the texts of a notification',
  escalation_set: 'set the escalation',
  escalation_removed: 'ended the escalation',
  notification_escalated: 'escalated a notification',
  group_exported: 'exported the group',
  group_deleted: 'deleted the group',
};

export function auditPage(view: { readonly group: Group; readonly list: AuditList }): Page {
  const { group, list } = view;
  return groupPage({
    group,
    tab: 'audit',
    title: 'Audit',
    body: html`<section class="card" aria-labelledby="audit-title">
      <h2 id="audit-title">Who did what</h2>
      ${
        list.items.length === 0
          ? emptyNote('Nothing here.')
          : rowsTable({
              caption: 'Audit of this group',
              head: ['When', 'Who', 'What', 'Details'],
              rows: list.items.map((entry) => [
                renderTime(entry.at),
                said(entry.actor),
                ACTION_WORDS[entry.action],
                renderDetails(entry),
              ]),
            })
      }
      ${moreLink(list.next === null ? undefined : `?after=${list.next}`)}
    </section>`,
  });
}

function renderDetails({ subject, details }: AuditEntry): Html {
  const parts = Object.entries(details).map(
    ([name, value]) =>
      html`<span class="pair">${name.replaceAll('_', ' ')}: ${said(toWords(value))}</span> `,
  );
  return html`${parts}${subject === null ? '' : html`<code class="id">${subject}</code>`}`;
}

function toWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';
}
