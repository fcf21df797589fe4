// The set-up of an inbox: the first account, and a first group that it owns.
import { checkName, checkNewPerson, type NewPerson } from '@lothub/people/accounts/schema';
import type { Browser, LoggedIn } from '@lothub/people/accounts/begin-session';
import { setUp } from '@lothub/people/accounts/set-up';
import { newId } from '@lothub/kit/secrets/ids';
import { insertGroup } from '../groups/new-group.ts';
import type { EntranceDeps } from './deps.ts';

export interface SetUpInboxRequest {
  readonly secret: string;
  readonly person: NewPerson;
  /** Name of a first group; undefined: none is made. */
  readonly group: string | undefined;
  readonly browser: Browser;
}

export interface SetUpInboxOutcome {
  readonly loggedIn: LoggedIn;
  readonly groupId: string | null;
}

/**
 * @throws PeopleProblem `not_found`, `link_used_up`, `fields_invalid`, `unavailable`; DatabaseError
 */
export async function setUpInbox(
  { people, store, clock }: Pick<EntranceDeps, 'people' | 'store' | 'clock'>,
  { secret, person, group, browser }: SetUpInboxRequest,
): Promise<SetUpInboxOutcome> {
  checkNewPerson(person, '');
  if (group !== undefined) checkName(group, '/group');
  const loggedIn = await setUp(people, { secret, person, browser });
  if (group === undefined) return { loggedIn, groupId: null };
  // A crash here leaves a person without a group, who logs in and makes one.
  const groupId = newId('grp');
  const { accountId, name } = loggedIn;
  const actor = { accountId, name };
  await store.write([
    ...insertGroup({ groupId, name: group, ownerId: accountId, actor, at: clock.nowMs() }),
  ]);
  return { loggedIn, groupId };
}
