// Settings of a group: what it is called and keeps, its keys, its members and who is invited.
import { html, type Html } from '@lothub/kit/html';
import type { Group } from '../../groups/groups.ts';
import { RETENTION_DAYS, RETENTION_ROWS } from '../../groups/limits.ts';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import { actionButton, EMPTY_FORM, field, flag, renderProblem } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import { endingPanel } from './ending-panel.ts';
import { escalationPanel, type EscalationView } from './escalation-panel.ts';
import { groupPage, groupPath } from './frame.ts';
import { keysPanel, type KeysView } from './keys-panel.ts';
import type { Page } from '../layout.ts';
import type { MuteAnswer } from '../../devices/mute.ts';
import { mutePanel } from './mute-panel.ts';
import { invitationsPanel, membersPanel } from './members-panel.ts';
import type { InvitationsView, MembersView } from './members-panel.ts';

export interface SettingsView {
  readonly group: Group;
  readonly form: FormState;
  readonly members: MembersView;
  readonly mute: MuteAnswer;
  /** For owners alone. */
  readonly owned:
    | {
        readonly keys: KeysView;
        readonly invitations: InvitationsView;
        readonly escalation: EscalationView;
        readonly ending: FormState;
      }
    | undefined;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function groupSettingsPage(view: SettingsView): Page {
  const { group, owned, members, mute, done, problem } = view;
  return groupPage({
    group,
    tab: 'settings',
    title: 'Settings',
    done,
    problem,
    body: html`
      ${owned === undefined ? '' : keysPanel(group, owned.keys)} ${membersPanel(group, members)}
      ${owned === undefined ? '' : invitationsPanel(group, owned.invitations)}
      ${owned === undefined ? '' : escalationPanel(group, owned.escalation)}
      ${owned === undefined ? '' : groupForm(view)} ${mutePanel(group, mute)} ${leaving(group)}
      ${owned === undefined ? '' : endingPanel(group, owned.ending)}
    `,
  });
}

function groupForm({ group, form }: SettingsView): Html {
  return html`<section class="card" id="group" aria-labelledby="group-title">
    <h2 id="group-title">Group</h2>
    ${renderProblem(form)}
    <form method="post" action="${groupPath(group.id, 'settings')}">
      ${field({
        name: 'name',
        label: 'Name',
        form,
        value: group.name,
        required: true,
        maxLength: NAME_MAX,
        scope: 'group',
      })}
      <div class="fields">
        ${field({
          name: 'retention_days',
          label: 'Days to keep',
          type: 'number',
          form,
          value: String(group.retention_days),
          min: RETENTION_DAYS.min,
          max: RETENTION_DAYS.max,
          required: true,
          scope: 'group',
        })}
        ${field({
          name: 'retention_rows',
          label: 'Notifications to keep',
          type: 'number',
          form,
          value: String(group.retention_rows),
          min: RETENTION_ROWS.min,
          max: RETENTION_ROWS.max,
          required: true,
          scope: 'group',
        })}
      </div>
      <p class="hint">What is older, or beyond that number, is deleted.</p>
      <p>
        <label class="check" for="group-paused">
          <input
            id="group-paused"
            type="checkbox"
            name="paused"
            value="true"
            ${flag('checked', group.paused)}
          />
          Paused: posts are refused, what is here stays
        </label>
      </p>
      <button type="submit">Save</button>
    </form>
  </section>`;
}

function leaving(group: Group): Html {
  return html`<section class="card" aria-labelledby="leave-title">
    <h2 id="leave-title">Leave this group</h2>
    <p>You no longer see what comes in, and come back only with an invitation.</p>
    ${actionButton({
      action: `${groupPath(group.id, 'settings')}/leave`,
      label: 'Leave the group',
      kind: 'danger',
      confirm: 'Leave this group?',
    })}
  </section>`;
}

export function newGroupPage(form: FormState = EMPTY_FORM): Page {
  return {
    title: 'New group',
    current: 'new',
    body: html`<div class="card">
      <h1>New group</h1>
      <p>
        Systems post into a group with a key of it; its members see what they post. You become its
        owner.
      </p>
      ${renderProblem(form)}
      <form method="post" action="/inbox/new-group">
        ${field({
          name: 'name',
          label: 'Name',
          form,
          required: true,
          maxLength: NAME_MAX,
        })}
        <button type="submit">Make the group</button>
      </form>
    </div>`,
  };
}
