// Accepting an invitation, as a new person or as who is logged in. Of several who use one link at the
// same moment one gets in.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Sql } from 'sql-template-tag';
import type { Passwords } from '../../access/passwords.ts';
import { foldEmail } from '../../access/email.ts';
import { membershipOf } from '../../access/membership.ts';
import { actorOf } from '../../access/person.ts';
import type { Person, Role } from '../../access/person.ts';
import { Problem } from '../../errors.ts';
import { GROUPS_PER_PERSON_MAX, MEMBERS_PER_GROUP_MAX } from '../../groups/limits.ts';
import { insertMember } from '../../groups/new-group.ts';
import { insertAuditEntry } from '../../store/audit.ts';
import type { Actor } from '../../store/audit.ts';
import { changePlanned } from '../../store/planned-change.ts';
import { beginSession } from '../begin-session.ts';
import type { Browser, LoggedIn } from '../begin-session.ts';
import { acceptInvitationRow, fullnessOf, invitationOfSecret, whileAcceptable } from './queries.ts';
import type { FoundInvitation } from './queries.ts';
import type { InvitationDeps } from './invitations.ts';
import { newAccount } from '../new-account.ts';
import { accountOfEmail } from '../people-queries.ts';
import { checkNewPerson } from '../people-schema.ts';
import type { NewPerson } from '../people-schema.ts';

/** What whoever has the link is shown. */
export interface InvitationView {
  readonly groupName: string;
  readonly role: Role;
  readonly invitedBy: string;
  /** Whom it is for; null: whoever has the link. */
  readonly email: string | null;
}

/** @throws Problem `not_found`, `link_used_up` */
export async function viewInvitation(
  deps: InvitationDeps,
  secret: string,
): Promise<InvitationView> {
  const { groupName, role, invitedBy, email } = await getOpenInvitation(deps, secret);
  return { groupName, role, invitedBy, email };
}

export type Accepting =
  | { readonly kind: 'new'; readonly person: NewPerson; readonly browser: Browser }
  | { readonly kind: 'known'; readonly person: Person };

export interface Accepted {
  readonly groupId: string;
  readonly role: Role;
  readonly person: { readonly accountId: string; readonly email: string; readonly name: string };
  /** Of a new person, who is logged in now. */
  readonly loggedIn: LoggedIn | undefined;
}

/**
 * @throws Problem `not_found`; `link_used_up`; `conflict` when it is for another e-mail, the person is in
 * the group, or the e-mail of a new person has an account; `limit_reached`, `fields_invalid`
 */
export async function acceptInvitation(
  deps: InvitationDeps & { readonly passwords: Passwords },
  request: { readonly secret: string; readonly as: Accepting },
): Promise<Accepted> {
  const { store, clock } = deps;
  const { secret, as } = request;
  if (as.kind === 'new') checkNewPerson(as.person, '/person');
  let passwordHash: string | undefined;
  return await changePlanned(store, async () => {
    const invitation = await getOpenInvitation(deps, secret);
    await assertMeant(deps, { invitation, as });
    // Only who will be let in makes the service work so hard, and once.
    if (as.kind === 'new') passwordHash ??= await deps.passwords.hash(as.person.password);
    const at = clock.nowMs();
    const entering = await enter(deps, { as, passwordHash: passwordHash ?? '', at });
    const { accountId } = entering.person;
    const { id, groupId, role } = invitation;
    return {
      guard: whileAcceptable({
        id,
        nowMs: at,
        accountId,
        newEmail: as.kind === 'new' ? entering.person.email : null,
        membersMax: MEMBERS_PER_GROUP_MAX,
        groupsMax: GROUPS_PER_PERSON_MAX,
      }),
      statements: [
        ...entering.statements,
        acceptInvitationRow({ id, accountId, at }),
        insertAuditEntry({
          at,
          actor: entering.actor,
          action: 'invitation_accepted',
          groupId,
          subject: id,
          details: { role },
        }),
        insertAuditEntry({
          at,
          actor: entering.actor,
          action: 'member_added',
          groupId,
          subject: accountId,
          details: { name: entering.person.name, role },
        }),
        ...insertMember({ groupId, accountId, role, at }),
      ],
      result: { groupId, role, person: entering.person, loggedIn: entering.loggedIn },
    };
  });
}

/** Who comes in: with an account made along the way, or with the one there is. */
async function enter(
  { store }: InvitationDeps,
  of: { readonly as: Accepting; readonly passwordHash: string; readonly at: number },
): Promise<
  Pick<Accepted, 'person' | 'loggedIn'> & {
    readonly actor: Actor;
    readonly statements: readonly Sql[];
  }
> {
  const { as, passwordHash, at } = of;
  if (as.kind === 'known') {
    const { accountId, email, name } = as.person;
    const person = { accountId, email, name };
    return { person, loggedIn: undefined, actor: actorOf(as.person), statements: [] };
  }
  const { account, actor, statements } = newAccount({ ...as.person, passwordHash }, at);
  const begun = await beginSession(store.reader, { account, browser: as.browser, nowMs: at });
  const { id: accountId, email, name } = account;
  return {
    person: { accountId, email, name },
    loggedIn: begun.loggedIn,
    actor,
    statements: [...statements, ...begun.statements],
  };
}

/** @throws Problem `conflict`, `limit_reached` */
async function assertMeant(
  { store }: InvitationDeps,
  of: { readonly invitation: FoundInvitation; readonly as: Accepting },
): Promise<void> {
  const { invitation, as } = of;
  const { groupId } = invitation;
  const email = foldEmail(as.person.email);
  if (invitation.email !== null && invitation.email !== email) {
    throw new Problem('conflict', 'The invitation is for another e-mail address');
  }
  if (as.kind === 'new') {
    if ((await accountOfEmail(store.reader, email)) !== undefined) {
      throw new Problem(
        'conflict',
        'There is an account with this e-mail: log in, and open the invitation again',
      );
    }
  } else if ((await membershipOf(store.reader, { ...as.person, groupId })) !== undefined) {
    throw new Problem('conflict', 'You are in the group already; the invitation stays open');
  }
  const accountId = as.kind === 'known' ? as.person.accountId : '';
  const { members, groups } = await fullnessOf(store.reader, { groupId, accountId });
  if (members >= MEMBERS_PER_GROUP_MAX) {
    throw new Problem('limit_reached', `A group has at most ${MEMBERS_PER_GROUP_MAX} members`);
  }
  if (groups >= GROUPS_PER_PERSON_MAX) {
    throw new Problem('limit_reached', `A person is in at most ${GROUPS_PER_PERSON_MAX} groups`);
  }
}

async function getOpenInvitation(
  { store, clock }: InvitationDeps,
  secret: string,
): Promise<FoundInvitation> {
  const tokenHash = sha256Hex(secret);
  const found = await invitationOfSecret(store.reader, { tokenHash, nowMs: clock.nowMs() });
  if (found === undefined) throw new Problem('not_found', 'There is no such invitation');
  if (found.isOpen !== 1) {
    throw new Problem(
      'link_used_up',
      'The invitation was used, has expired or was withdrawn: ask an owner for another',
    );
  }
  return found;
}
