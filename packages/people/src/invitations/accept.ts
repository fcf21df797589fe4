// Accepting an invitation, as a new person or as who is logged in. Of several who use one link at the
// same moment one gets in.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import { present } from '@lothub/kit/present';
import type { Sql } from 'sql-template-tag';
import { foldEmail } from '../access/email.ts';
import { toActor, type Person } from '../access/person.ts';
import { beginSession, type Browser, type LoggedIn } from '../accounts/begin-session.ts';
import { assertPasswordLogin, type LogInDeps } from '../accounts/log-in.ts';
import { newAccount } from '../accounts/new-account.ts';
import { accountOfEmail, accountOfId } from '../accounts/queries.ts';
import { checkNewPerson, type NewPerson } from '../accounts/schema.ts';
import { PeopleProblem } from '../errors.ts';
import { placeText, readPlace, type Place, type PlaceKindName } from '../places/place.ts';
import type { Acceptance, PlaceKind, PlaceRole } from '../places/places.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { InvitationDeps } from './deps.ts';
import { ENTERING_MS_MAX, finishEntering, settleEntering } from './enter.ts';
import { isMakerAble } from './invitations.ts';
import { acceptInvitationRow, invitationOfSecret, whileAcceptable } from './queries.ts';
import type { FoundInvitation } from './queries.ts';

const TOO_LATE = 'accepting an invitation: others changed its place at the same moment, each time';

/** What the holder of the link sees. */
export interface InvitationView {
  readonly place: Place;
  readonly placeName: string;
  readonly role: PlaceRole;
  /** The name of its maker; null: the command line. */
  readonly invitedBy: string | null;
  /** The e-mail of the invited person; null: everybody with the link may accept. */
  readonly email: string | null;
}

/** @throws PeopleProblem `not_found`, `link_used_up` */
export async function viewInvitation(
  deps: InvitationDeps,
  secret: string,
): Promise<InvitationView> {
  const { row, kind, place, placeName } = await getOpenInvitation(deps, secret);
  return {
    place,
    placeName,
    role: getRole(kind, row),
    invitedBy: row.inviterName,
    email: row.email,
  };
}

export type Accepting =
  | { readonly kind: 'new'; readonly person: NewPerson; readonly browser: Browser }
  | { readonly kind: 'known'; readonly person: Pick<Person, 'accountId' | 'email' | 'name'> };

export interface Accepted {
  readonly place: Place;
  readonly role: PlaceRole;
  readonly person: { readonly accountId: string; readonly email: string; readonly name: string };
  /** Set for a new person, who is logged in now. */
  readonly loggedIn: LoggedIn | undefined;
}

/**
 * @throws PeopleProblem `not_found`; `link_used_up`; `conflict` when it is for another e-mail, the person is
 * in the place, or the e-mail of a new person has an account; `limit_reached`, `fields_invalid`,
 * `password_login_off` for a new person
 */
export async function acceptInvitation(
  deps: InvitationDeps & Pick<LogInDeps, 'passwords' | 'signOn'>,
  request: {
    readonly secret: string;
    readonly as: Accepting;
    /** The only places that the caller lets anybody into; undefined: all. */
    readonly into?: PlaceKindName;
  },
): Promise<Accepted> {
  const { secret, as, into } = request;
  if (as.kind === 'new') assertPasswordLogin(deps);
  if (as.kind === 'new') checkNewPerson(as.person, '/person');
  let passwordHash: string | undefined;
  return await repeatWhileStale({ busy: TOO_LATE }, async () => {
    const open = await getOpenInvitation(deps, secret, into);
    await assertMeant(deps, { open, as });
    // The expensive hash is computed once, and only for somebody who will be let in.
    if (as.kind === 'new') passwordHash ??= await deps.passwords.hash(as.person.password);
    return await tryAccept(deps, { open, as, passwordHash });
  });
}

/** @returns `stale` when the rows have changed meanwhile: then the invitation is checked again */
async function tryAccept(
  deps: InvitationDeps,
  {
    open,
    as,
    passwordHash,
  }: {
    readonly open: OpenInvitation;
    readonly as: Accepting;
    /** Set for a new person. */
    readonly passwordHash: string | undefined;
  },
): Promise<Accepted | 'stale'> {
  const { row, kind, place } = open;
  const { id } = row;
  const role = getRole(kind, row);
  const at = deps.clock.nowMs();
  const coming = await comeIn(deps, { as, passwordHash, at });
  const { person, actor } = coming;
  const acceptance: Acceptance = {
    invitationId: id,
    placeId: place.id,
    role,
    invitedBy: row.invitedBy,
    person,
    at,
  };
  const { entering } = kind;
  const here = entering.kind === 'here' ? entering.plan(acceptance) : undefined;
  const { accountId } = person;
  const { kind: outcome } = await deps.store.change({
    guard: whileAcceptable({
      id,
      nowMs: at,
      as: as.kind === 'new' ? { kind: 'new', email: person.email } : { kind: 'known', accountId },
      conditions: here?.conditions ?? [],
    }),
    statements: [
      ...coming.statements,
      acceptInvitationRow({ id, accountId, at, enteredAt: here === undefined ? null : at }),
      insertAuditEntry({
        at,
        actor,
        action: 'invitation_accepted',
        place: placeText(place),
        subject: id,
        details: { role },
      }),
      ...(here?.statements ?? []),
    ],
  });
  if (outcome === 'stale') return 'stale';
  if (entering.kind === 'elsewhere') {
    // A crash from here on leaves an invitation that was accepted and not entered: `finishEntering`
    // decides at the next start, or a minute later when somebody opens the link.
    const isNew = as.kind === 'new';
    const entered = await settleEntering(deps, { entering, acceptance, place, isNew });
    if (entered !== 'entered') return 'stale';
  }
  return { place, role, person, loggedIn: coming.loggedIn };
}

/** Who accepts: with a new account, or with the one they have. */
async function comeIn(
  { store }: InvitationDeps,
  person: {
    readonly as: Accepting;
    readonly passwordHash: string | undefined;
    readonly at: number;
  },
): Promise<
  Pick<Accepted, 'person' | 'loggedIn'> & {
    readonly actor: Actor;
    readonly statements: readonly Sql[];
  }
> {
  const { as, at } = person;
  if (as.kind === 'known') {
    const { accountId, email, name } = as.person;
    const person = { accountId, email, name };
    return { person, loggedIn: undefined, actor: toActor(as.person), statements: [] };
  }
  const passwordHash = present(person.passwordHash, 'the password of a new person');
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

/** @throws PeopleProblem `conflict`, `limit_reached` */
async function assertMeant(
  { store }: InvitationDeps,
  { as, open }: { readonly open: OpenInvitation; readonly as: Accepting },
): Promise<void> {
  const { row, kind, place } = open;
  const email = foldEmail(as.person.email);
  if (row.email !== null && row.email !== email) {
    throw new PeopleProblem('conflict', 'The invitation is for another e-mail address');
  }
  if (as.kind === 'new' && (await accountOfEmail(store.reader, email)) !== undefined) {
    throw new PeopleProblem(
      'conflict',
      'There is an account with this e-mail: log in, and open the invitation again',
    );
  }
  const accountId = as.kind === 'known' ? as.person.accountId : null;
  if (accountId !== null && (await accountOfId(store.reader, accountId)) === undefined) {
    throw new PeopleProblem('login_required', 'Your account was erased: log in with another');
  }
  await kind.assertRoom({ placeId: place.id, accountId });
}

interface OpenInvitation {
  readonly row: FoundInvitation;
  readonly kind: PlaceKind;
  readonly place: Place;
  readonly placeName: string;
}

/** @throws PeopleProblem `not_found`, `link_used_up` */
async function getOpenInvitation(
  deps: InvitationDeps,
  secret: string,
  into?: PlaceKindName,
): Promise<OpenInvitation> {
  const { store, clock, places } = deps;
  const tokenHash = sha256Hex(secret);
  const find = () => invitationOfSecret(store.reader, { tokenHash, nowMs: clock.nowMs() });
  let row = await find();
  if (row !== undefined && row.acceptedAt !== null && row.enteredAt === null) {
    const acceptedBefore = clock.nowMs() - ENTERING_MS_MAX;
    await finishEntering(deps, { id: row.id, acceptedBefore });
    row = await find();
  }
  const place = row === undefined ? undefined : readPlace(row.place);
  const isMeant = into === undefined || place?.kind === into;
  const kind = place === undefined || !isMeant ? undefined : places.find(place);
  const described = place === undefined ? undefined : await kind?.describe(place.id);
  if (row === undefined || place === undefined || kind === undefined || described === undefined) {
    throw new PeopleProblem('not_found', 'There is no such invitation');
  }
  if (row.isUnused !== 1 || !(await isMakerAble(kind, { placeId: place.id, row }))) {
    throw new PeopleProblem(
      'link_used_up',
      `The invitation was used, has expired or was withdrawn: ask ${kind.words.inviter} for another`,
    );
  }
  return { row, kind, place, placeName: described.name };
}

/** The role that it gives, of those that the place knows. */
function getRole({ roles }: PlaceKind, { id, role }: FoundInvitation): PlaceRole {
  const known = roles.find((one) => one === role);
  return present(known, `a role ${role} of the place of the invitation ${id}`);
}
