// Writes of the unattended set-up.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry, type Actor } from '../store/audit.ts';

/** How the key of the settings is called in lists. */
const FIRST_KEY_NAME = 'first key';

/** A condition of a guard: there is no group yet. Rows of groups are never deleted. */
export function whileNoGroup(): Sql {
  return sql`
    select 1 as held
    from feed_head
    where id = 1
      and not exists (select 1 from groups)`;
}

/** A key that is given by settings, of any form. */
export function insertFirstKey(key: {
  readonly id: string;
  readonly groupId: string;
  readonly secretHash: string;
  readonly actor: Actor;
  readonly at: number;
}): readonly Sql[] {
  const { id, groupId, actor, at } = key;
  return [
    sql`
      insert into group_keys (id, group_id, name, secret_hash, created_by, created_at)
      values (${id}, ${groupId}, ${FIRST_KEY_NAME}, ${key.secretHash}, ${actor.accountId}, ${at})`,
    insertAuditEntry({
      at,
      actor,
      action: 'key_issued',
      groupId,
      subject: id,
      details: { name: FIRST_KEY_NAME },
    }),
  ];
}
