// What only an owner of a group may do, or the operator: asked before, and asked again as a guard of the
// change itself, because an owner may be removed in between.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { getOwnership } from '../access/membership.ts';
import { Problem } from '../errors.ts';
import type { Actor } from '../store/audit.ts';

/** Somebody at the command line: no account, and may do what any owner may. */
export const OPERATOR: Actor = { accountId: null, name: 'operator' };

export interface OwnedGroup {
  readonly actor: Actor;
  readonly groupId: string;
}

/** @throws Problem `not_found`, `owner_only` */
export async function assertOwner(
  reader: DatabaseReader,
  { actor, groupId }: OwnedGroup,
): Promise<void> {
  if (actor.accountId !== null) {
    await getOwnership(reader, { accountId: actor.accountId, groupId });
    return;
  }
  const group = await reader.first(sql`
    select id from groups where id = ${groupId} and deleted_at is null`);
  if (group === undefined) throw new Problem('not_found', 'There is no such group');
}

/**
 * The guard of a change: the group is still owned by `ownerId` (null: by anybody), and what else is
 * asked holds as well.
 * @param conditions each begins with `and`, and sees the group as `g`
 */
export function whileOwned(
  { ownerId, groupId }: { readonly ownerId: string | null; readonly groupId: string },
  ...conditions: readonly Sql[]
): Sql {
  const stillOwned = sql`
    and exists (
      select 1
      from members owner
      where owner.group_id = g.id
        and owner.account_id = ${ownerId}
        and owner.role = 'owner'
    )`;
  return sql`
    select 1 as held
    from groups g
    where g.id = ${groupId}
      ${join([ownerId === null ? empty : stillOwned, ...conditions], ' ')}`;
}
