// Members of a group and who is invited, on its settings.
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { Static } from 'typebox';
import { EMAIL_LENGTH_MAX } from '@lothub/people/access/email';
import type { Group } from '../../groups/groups.ts';
import type { Member } from '../../groups/members.ts';
import type { InvitationSchema, MadeInvitationSchema } from '../../people/invitations/schema.ts';
import { renderTime } from '../browser/notification-item.ts';
import {
  actionButton,
  choice,
  emptyNote,
  field,
  message,
  moreLink,
  renderProblem,
} from '../fragments.ts';
import { said, shownOnce } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import { groupPath } from './frame.ts';

export interface MembersView {
  readonly items: readonly Member[];
  readonly next: string | null;
  /** Account of the person who looks. */
  readonly self: string;
}

export function membersPanel(group: Group, view: MembersView): Html {
  const isOwner = group.role === 'owner';
  return html`<section class="card" id="members" aria-labelledby="members-title">
    <h2 id="members-title">Members</h2>
    ${rowsTable({
      caption: 'Members of this group',
      head: isOwner ? ['Name', 'E-mail', 'Role', 'Since', 'Actions'] : ['Name', 'Role', 'Since'],
      rows: view.items.map((member) => memberRow(group, member, view.self)),
    })}
    ${moreLink(
      view.next === null
        ? undefined
        : `?${new URLSearchParams({ members_after: view.next }).toString()}#members`,
      'More members',
    )}
  </section>`;
}

function memberRow(group: Group, member: Member, self: string): readonly HtmlValue[] {
  const name = html`${said(member.name)}${member.account_id === self ? ' (you)' : ''}`;
  const role = member.role === 'owner' ? 'Owner' : 'Member';
  const since = renderTime(member.joined_at);
  if (group.role !== 'owner') return [name, role, since];
  const path = `${groupPath(group.id, 'settings')}/members/${member.account_id}`;
  const about = member.name;
  return [
    name,
    member.email ?? '',
    role,
    since,
    html`<div class="row-actions">
      ${actionButton({
        action: path,
        label: member.role === 'owner' ? 'Make member' : 'Make owner',
        about,
        fields: { role: member.role === 'owner' ? 'member' : 'owner' },
      })}
      ${
        member.account_id === self
          ? ''
          : html`<a class="button danger" href="${path}/remove"
              >Remove<span class="hidden"> ${about}</span></a
            >`
      }
    </div>`,
  ];
}

export interface InvitationsView {
  readonly items: readonly Static<typeof InvitationSchema>[];
  readonly form: FormState;
  /** One that was made just now. */
  readonly made: Static<typeof MadeInvitationSchema> | undefined;
}

export function invitationsPanel(group: Group, view: InvitationsView): Html {
  const path = `${groupPath(group.id, 'settings')}/invitations`;
  const { form, items, made } = view;
  return html`<section class="card" id="invitations" aria-labelledby="invitations-title">
    <h2 id="invitations-title">Invitations</h2>
    <p class="hint">A link lets one person in, within 7 days. Send it on as you like.</p>
    ${
      made === undefined
        ? ''
        : html`${message('good', 'The invitation is made. Its link is shown this once: copy it now.')}
          ${shownOnce({ id: 'invitation-link', label: 'Invitation link', secret: made.url })}`
    }
    ${
      items.length === 0
        ? emptyNote('Nobody is invited at the moment.')
        : rowsTable({
            caption: 'Open invitations',
            head: ['For', 'Role', 'Made by', 'Ends', 'Actions'],
            rows: items.map((one) => [
              one.email === null ? 'Whoever has the link' : said(one.email),
              one.role === 'owner' ? 'Owner' : 'Member',
              said(one.invited_by),
              renderTime(one.expires_at),
              html`<div class="row-actions">
                ${actionButton({
                  action: `${path}/${one.id}/withdraw`,
                  label: 'Withdraw',
                  about: `the invitation${one.email === null ? '' : ` for ${one.email}`}`,
                  kind: 'danger',
                })}
              </div>`,
            ]),
          })
    }
    <h3>Invite somebody</h3>
    ${renderProblem(form)}
    <form method="post" action="${path}#invitations">
      <div class="fields">
        ${field({
          name: 'email',
          label: 'E-mail (optional)',
          type: 'email',
          form,
          hint: 'Then nobody else can use the link.',
          maxLength: EMAIL_LENGTH_MAX,
          scope: 'invitation',
        })}
        ${choice({
          name: 'role',
          label: 'Role',
          form,
          value: 'member',
          scope: 'invitation',
          choices: [
            { value: 'member', label: 'Member' },
            { value: 'owner', label: 'Owner' },
          ],
        })}
        <button type="submit">Make a link</button>
      </div>
    </form>
  </section>`;
}
