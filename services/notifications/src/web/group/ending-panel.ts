// What ends on the settings of a group: the group itself with its export, and a person's part in it.
import { html, type Html } from '@lothub/kit/html';
import type { Webhook } from '../../delivery/webhooks/webhooks.ts';
import type { Group } from '../../groups/groups.ts';
import type { Member } from '../../groups/members.ts';
import type { Key } from '../../keys/keys.ts';
import { actionButton, emptyNote, field, flag, renderProblem, said } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import { groupPage, groupPath } from './frame.ts';
import type { Page } from '../layout.ts';
import { webhookPath } from './webhook-pages.ts';

export function endingPanel(group: Group, form: FormState): Html {
  return html`<section class="card" id="ending" aria-labelledby="ending-title">
    <h2 id="ending-title">Export and delete</h2>
    <p class="hint">
      The export holds everything of this group but its secrets, as lines of JSON. Deleting ends the
      group for everybody at once, and nothing brings it back.
    </p>
    <p>
      <a class="button quiet" href="/api/v1/groups/${group.id}/export" download
        >Export the whole group</a
      >
    </p>
    ${renderProblem(form)}
    <form method="post" action="${groupPath(group.id, 'settings')}/delete#ending">
      ${field({
        name: 'name',
        label: 'Name of the group that is to be deleted',
        form,
        required: true,
        scope: 'ending',
      })}
      <p>
        <label class="check" for="ending-without-export">
          <input
            id="ending-without-export"
            type="checkbox"
            name="without_export"
            value="true"
            ${flag('checked', form.values['without_export'] === 'true')}
          />
          Nobody wants an export of what came
        </label>
      </p>
      <button type="submit" class="danger">Delete this group</button>
    </form>
  </section>`;
}

export interface RemovalView {
  readonly group: Group;
  readonly member: Member;
  /** Active ones that the person made. */
  readonly keys: readonly Key[];
  readonly webhooks: readonly Webhook[];
}

/** Asks before somebody is removed, and says what stays. */
export function removalPage({ group, member, keys, webhooks }: RemovalView): Page {
  const settings = groupPath(group.id, 'settings');
  const { name } = member;
  return groupPage({
    group,
    tab: 'settings',
    title: `Remove ${name}`,
    body: html`<section class="card" aria-labelledby="removal-title">
      <h2 id="removal-title">Remove ${said(name)} from this group?</h2>
      <p>
        ${said(name)} sees nothing of this group any more, within a second. What waits for
        telephones and mail is not sent, and nothing is escalated to ${said(name)}. Coming back
        takes an invitation.
      </p>
      <h3>What stays</h3>
      <p>Acknowledgements and the audit keep the name.</p>
      ${
        keys.length + webhooks.length === 0
          ? emptyNote('No active key and no webhook was made by this person.')
          : html`<p>These go on. Revoke or rotate what this person knows and should not use.</p>
              <ul>
                ${keys.map(
                  (key) => html`<li>Key <a href="${settings}#keys">${said(key.name)}</a></li>`,
                )}
                ${webhooks.map(
                  (webhook) =>
                    html`<li>
                      Webhook
                      <a href="${webhookPath(group.id, webhook.id)}">${said(webhook.name)}</a>
                    </li>`,
                )}
              </ul>`
      }
      <div class="row-actions">
        ${actionButton({
          action: `${settings}/members/${member.account_id}/remove`,
          label: 'Remove from the group',
          kind: 'danger',
        })}
        <a class="button quiet" href="${settings}#members">Back to the settings</a>
      </div>
    </section>`,
  });
}
