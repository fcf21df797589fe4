// Erasing an account: its roles and sessions end, its e-mail and password go, and its id and name stay where
// they say who did what. The last owner, manager or operator of a place is refused.
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { endSessions } from '../access/session-ends.ts';
import { accountOfId } from '../accounts/queries.ts';
import { whileAccount } from '../brands/queries.ts';
import { PeopleProblem } from '../errors.ts';
import type { HereWriting, Leaver, PlaceKind } from '../places/places.ts';
import { deleteSignOns } from '../sign-on/sign-on-queries.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { DepartureDeps } from './deps.ts';
import { eraseAccountRow, forgetInvitations } from './queries.ts';

/**
 * A crash leaves an account that is out of some places already; it can be erased again.
 * @param actor the person, or the operator at the command line
 * @throws PeopleProblem `not_found`; `role_required` for somebody else's account; what a place throws that
 * would lose its last owner, manager or operator: nothing is changed then
 */
export async function eraseAccount(
  deps: DepartureDeps,
  actor: Actor,
  accountId: string,
): Promise<void> {
  const { store, clock, places } = deps;
  if (actor.accountId !== null && actor.accountId !== accountId) {
    throw new PeopleProblem('role_required', 'Nobody erases the account of somebody else');
  }
  const kinds = places.all();
  const leaver: Leaver = { accountId, actor, at: clock.nowMs() };
  await getAccount(deps, accountId);
  await planLeaving(kinds, leaver);
  for (const { leaving } of kinds) {
    if (leaving.kind === 'elsewhere') await leaving.assertMayLeave(leaver);
  }
  for (const kind of kinds) {
    if (kind.leaving.kind === 'elsewhere') await kind.leaving.leave(leaver);
    await kind.endAccess?.(accountId, leaver.at);
  }
  await changePlanned(store, async () => {
    const { email } = await getAccount(deps, accountId);
    const { at } = leaver;
    const here = await planLeaving(kinds, leaver);
    return {
      guard: whileAccount(accountId, here.conditions),
      statements: [
        ...here.statements,
        eraseAccountRow(accountId, at),
        deleteSignOns(accountId),
        ...forgetInvitations({ accountId, email, at }),
        insertAuditEntry({
          at,
          actor,
          action: 'account_erased',
          place: null,
          subject: accountId,
          details: {},
        }),
        ...endSessions({ accountId, staying: null }),
      ],
      result: undefined,
    };
  });
}

/** What ends in the places whose people are kept here. */
async function planLeaving(kinds: readonly PlaceKind[], leaver: Leaver): Promise<HereWriting> {
  const plans: HereWriting[] = [];
  for (const { leaving } of kinds) {
    if (leaving.kind === 'here') plans.push(await leaving.plan(leaver));
  }
  return {
    conditions: plans.flatMap(({ conditions }) => conditions),
    statements: plans.flatMap(({ statements }) => statements),
  };
}

/** @throws PeopleProblem `not_found` */
async function getAccount({ store }: DepartureDeps, accountId: string) {
  const account = await accountOfId(store.reader, accountId);
  if (account !== undefined) return account;
  throw new PeopleProblem('not_found', 'There is no such account');
}
