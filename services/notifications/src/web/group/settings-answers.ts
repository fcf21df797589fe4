// How the settings of a group answer a form: by leading back to them, or by showing them again with what
// is wrong or with what is shown once.
import { INVITATIONS_MAX } from '@lothub/people/invitations/invitations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { readMute } from '../../devices/mute.ts';
import { getGroup, type Group } from '../../groups/groups.ts';
import { findEscalation } from '../../escalation/rules.ts';
import { listMembers, type Member } from '../../groups/members.ts';
import { listKeys } from '../../keys/keys.ts';
import { listGroupInvitations } from '../../people/invitations/invitations.ts';
import { withDone, type Done } from '../done.ts';
import { refusedForm, type FormValues } from '../forms.ts';
import { EMPTY_FORM } from '../fragments.ts';
import { groupPath } from './frame.ts';
import { groupSettingsPage, type SettingsView } from './settings-page.ts';
import type { KeysView } from './keys-panel.ts';
import type { InvitationsView } from './members-panel.ts';
import { groupsOfPerson, sendFramed, type WebDeps } from '../web-deps.ts';

const MEMBERS_PER_PAGE = 100;
const KEYS_PER_PAGE = 50;

export interface To {
  readonly request: FastifyRequest<{ Params: { group_id: string } }>;
  readonly reply: FastifyReply;
}

/** Executes a form and redirects to the settings, or shows them with the problems of the form. */
export async function submit(
  deps: WebDeps,
  to: To,
  values: FormValues,
  what: {
    readonly run: () => Promise<unknown>;
    readonly done: Done;
    readonly refused?: (form: SettingsView['form']) => SettingsChanges;
  },
): Promise<FastifyReply> {
  try {
    await what.run();
  } catch (error) {
    const refused = refusedForm(error, values);
    if (refused === undefined || what.refused === undefined) {
      return await sendRefused(deps, to, error);
    }
    const { form, status } = refused;
    return await sendSettings(deps, to, { ...what.refused(form), status });
  }
  const path = groupPath(to.request.params.group_id, 'settings');
  return await to.reply.redirect(withDone(path, what.done), 303);
}

/** Shows why a button was refused above the page, because a button has no field to show it at. */
export async function sendRefused(deps: WebDeps, to: To, error: unknown): Promise<FastifyReply> {
  const refused = refusedForm(error, {});
  if (refused === undefined) throw error;
  const words = refused.form.problem ?? Object.values(refused.form.errors)[0];
  return await sendSettings(deps, to, { problem: words, status: refused.status });
}

/** What the settings show besides what is stored. */
export interface SettingsChanges {
  readonly form?: SettingsView['form'];
  readonly keys?: Partial<Pick<KeysView, 'form' | 'issued'>>;
  readonly invitations?: Partial<Pick<InvitationsView, 'form' | 'made'>>;
  readonly escalation?: SettingsView['form'];
  readonly ending?: SettingsView['form'];
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  readonly membersAfter?: string | undefined;
  readonly keysAfter?: string | undefined;
  readonly status?: number;
}

export async function sendSettings(
  deps: WebDeps,
  to: To,
  changes: SettingsChanges,
): Promise<FastifyReply> {
  const person = getPerson(to.request);
  const { accountId } = person;
  const { reader } = deps.store;
  const key = { accountId, groupId: to.request.params.group_id };
  const group = await getGroup(reader, key);
  const members = await listMembers(reader, {
    ...key,
    after: changes.membersAfter,
    limit: MEMBERS_PER_PAGE,
  });
  const page = groupSettingsPage({
    group,
    form: changes.form ?? EMPTY_FORM,
    members: { ...members, self: accountId },
    mute: await readMute(deps, key),
    owned:
      group.role === 'owner'
        ? await readOwned(deps, to, { group, members: members.items }, changes)
        : undefined,
    done: changes.done,
    problem: changes.problem,
  });
  return await sendFramed(deps, to, page, { status: changes.status ?? 200 });
}

async function readOwned(
  deps: WebDeps,
  to: To,
  { group, members }: { readonly group: Group; readonly members: readonly Member[] },
  changes: SettingsChanges,
): Promise<NonNullable<SettingsView['owned']>> {
  const person = getPerson(to.request);
  const groupId = group.id;
  const keys = await listKeys(deps, {
    actor: toActor(person),
    groupId,
    after: changes.keysAfter,
    limit: KEYS_PER_PAGE,
  });
  const groups = await groupsOfPerson(deps, person.accountId);
  const invitations = await listGroupInvitations(deps, person, { groupId, limit: INVITATIONS_MAX });
  return {
    keys: {
      ...keys,
      publicUrl: deps.people.publicUrl,
      form: EMPTY_FORM,
      issued: undefined,
      ...changes.keys,
    },
    invitations: {
      items: invitations.items,
      form: EMPTY_FORM,
      made: undefined,
      ...changes.invitations,
    },
    ending: changes.ending ?? EMPTY_FORM,
    escalation: {
      rule: await findEscalation(deps, { actor: toActor(person), groupId }),
      form: changes.escalation ?? EMPTY_FORM,
      members,
      groups: groups.filter(({ id, role }) => id !== groupId && role === 'owner'),
    },
  };
}
