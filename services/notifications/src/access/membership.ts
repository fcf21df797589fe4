// Who is in which group, and as what. A group one is not in answers as one that does not exist.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { Problem } from '../errors.ts';
import type { Role } from './person.ts';

export interface Membership {
  readonly accountId: string;
  readonly groupId: string;
  readonly role: Role;
  /** Milliseconds since the Unix epoch, UTC. */
  readonly joinedAt: number;
  /** Everything up to this seq is read, but for exceptions. */
  readonly readUpTo: number;
  readonly readRevision: number;
}

export interface MembershipKey {
  readonly accountId: string;
  readonly groupId: string;
}

export async function findMembership(
  reader: DatabaseReader,
  { accountId, groupId }: MembershipKey,
): Promise<Membership | undefined> {
  const row = await reader.first<{
    readonly role: Role;
    readonly joined_at: number;
    readonly read_up_to: number;
    readonly read_revision: number;
  }>(sql`
    select role, joined_at, read_up_to, read_revision
    from members
    where group_id = ${groupId}
      and account_id = ${accountId}`);
  if (row === undefined) return undefined;
  return {
    accountId,
    groupId,
    role: row.role,
    joinedAt: row.joined_at,
    readUpTo: row.read_up_to,
    readRevision: row.read_revision,
  };
}

/** @throws Problem `not_found`, in the same words whether there is such a group or not */
export async function getMembership(
  reader: DatabaseReader,
  key: MembershipKey,
): Promise<Membership> {
  const membership = await findMembership(reader, key);
  if (membership === undefined) throw noSuchGroup();
  return membership;
}

export function noSuchGroup(): Problem {
  return new Problem('not_found', 'There is no such group, or you are not a member of it');
}

/** @throws Problem `not_found` as `getMembership`, `owner_only` for members that do not own the group */
export async function getOwnership(
  reader: DatabaseReader,
  key: MembershipKey,
): Promise<Membership> {
  const membership = await getMembership(reader, key);
  if (membership.role !== 'owner') {
    throw new Problem('owner_only', 'Only an owner of the group may do this: ask one of them');
  }
  return membership;
}
