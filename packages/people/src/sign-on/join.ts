// Which account somebody from the provider has: the one that was joined before, else the one with the same
// verified e-mail, else perhaps a new one.
import type { Clock } from '@lothub/kit/clock';
import { newId } from '@lothub/kit/secrets/ids';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { Sql } from 'sql-template-tag';
import { endSessions } from '../access/session-ends.ts';
import { newAccount } from '../accounts/new-account.ts';
import { accountOfEmail, accountOfId, type Account } from '../accounts/queries.ts';
import { insertAuditEntry } from '../store/audit.ts';
import type { PeopleStore } from '../store/store.ts';
import type { Identity } from './claims.ts';
import { SignOnProblem } from './problems.ts';
import {
  findSignOn,
  insertSignOn,
  removePassword,
  signOnsOfAccount,
  touchSignOn,
  whileApart,
  whileJoined,
  whileUnknown,
} from './sign-on-queries.ts';
import type { ProviderPerson, SignOnRow } from './sign-on-queries.ts';

interface JoinDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
}

export interface JoinRequest {
  readonly issuer: string;
  readonly identity: Identity;
  /** The account of the browser's session: being logged in proves that the account is theirs. */
  readonly loggedInAs: string | undefined;
  /** Whether a person without an account gets one; called only for such a person. */
  readonly mayHaveAccount: (email: string) => Promise<boolean>;
}

export interface Joined {
  readonly account: Account;
  readonly signOnId: string;
}

interface PlannedJoin {
  readonly guard: Sql;
  readonly statements: readonly Sql[];
  readonly result: Joined;
}

/** @throws SignOnProblem `email_unverified`, `no_account`, `other_person` */
export async function joinAccount(deps: JoinDeps, request: JoinRequest): Promise<Joined> {
  const { reader } = deps.store;
  const { issuer, identity } = request;
  const person: ProviderPerson = { issuer, subject: identity.subject };
  return await changePlanned(deps.store, async () => {
    const at = deps.clock.nowMs();
    const known = await findSignOn(reader, person);
    if (known !== undefined) return await planReturn(deps, { known, at });
    const { verifiedEmail: email } = identity;
    if (email === undefined) throw new SignOnProblem('email_unverified');
    const account = await accountOfEmail(reader, email);
    return account === undefined
      ? await planNewAccount(request, { person, email, at })
      : await planJoin(deps, { account, person, loggedInAs: request.loggedInAs, at });
  });
}

/** The subject identifies the person: the e-mail at the provider may have changed. */
async function planReturn(
  { store }: JoinDeps,
  { known, at }: { readonly known: SignOnRow; readonly at: number },
): Promise<PlannedJoin> {
  const account = await accountOfId(store.reader, known.accountId);
  // Erasing an account takes its sign-ons along.
  if (account === undefined) throw new Error(`the sign-on ${known.id} is of no account`);
  return {
    guard: whileJoined(known),
    statements: [touchSignOn({ id: known.id, at })],
    result: { account, signOnId: known.id },
  };
}

/**
 * Nobody verified the e-mail when the account was made: somebody else may have made it with this address, and
 * wait. So the password and all sessions end, unless the browser is logged in to the account.
 */
async function planJoin(
  { store }: JoinDeps,
  joining: {
    readonly account: Account;
    readonly person: ProviderPerson;
    readonly loggedInAs: string | undefined;
    readonly at: number;
  },
): Promise<PlannedJoin> {
  const { account, person, at } = joining;
  const others = await signOnsOfAccount(store.reader, account.id);
  if (others.some(({ issuer }) => issuer === person.issuer))
    throw new SignOnProblem('other_person');
  const row = newSignOn({ accountId: account.id, person, at });
  const isProven = joining.loggedInAs === account.id;
  const shut = isProven
    ? []
    : [removePassword(account.id), ...endSessions({ accountId: account.id, staying: null })];
  return {
    guard: whileApart({ ...person, accountId: account.id, email: account.email }),
    statements: [
      insertSignOn(row),
      insertAuditEntry({
        at,
        actor: { accountId: account.id, name: account.name },
        action: 'sign_on_joined',
        place: null,
        subject: account.id,
        details: { issuer: person.issuer, password_removed: !isProven },
      }),
      ...shut,
    ],
    result: {
      account: isProven ? account : { ...account, passwordHash: null },
      signOnId: row.id,
    },
  };
}

async function planNewAccount(
  request: JoinRequest,
  {
    person,
    email,
    at,
  }: { readonly person: ProviderPerson; readonly email: string; readonly at: number },
): Promise<PlannedJoin> {
  if (!(await request.mayHaveAccount(email))) throw new SignOnProblem('no_account');
  const { name } = request.identity;
  const { account, actor, statements } = newAccount({ name, email, passwordHash: null }, at);
  const row = newSignOn({ accountId: account.id, person, at });
  return {
    guard: whileUnknown({ ...person, email }),
    statements: [
      ...statements,
      insertSignOn(row),
      insertAuditEntry({
        at,
        actor,
        action: 'sign_on_joined',
        place: null,
        subject: account.id,
        details: { issuer: person.issuer, password_removed: false },
      }),
    ],
    result: { account, signOnId: row.id },
  };
}

function newSignOn({
  accountId,
  person,
  at,
}: {
  readonly accountId: string;
  readonly person: ProviderPerson;
  readonly at: number;
}): SignOnRow {
  return { id: newId('sgn'), accountId, ...person, joinedAt: at, lastUsedAt: at };
}
