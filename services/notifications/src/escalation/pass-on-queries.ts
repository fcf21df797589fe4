// What has still to be posted into other groups.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export interface OpenPost {
  readonly groupId: string;
  readonly seq: number;
  readonly at: number;
  readonly afterMinutes: number;
  readonly keyId: string;
  readonly toGroupId: string;
  readonly groupName: string;
  /** null: the notification is gone. */
  readonly title: string | null;
  readonly createdAt: number | null;
  readonly redactedAt: number | null;
}

/** By their places. */
export function openPosts(
  reader: DatabaseReader,
  page: { readonly after: Pick<OpenPost, 'groupId' | 'seq'>; readonly limit: number },
): Promise<readonly OpenPost[]> {
  return reader.all<OpenPost>(sql`
    select
      x.group_id as "groupId",
      x.seq as "seq",
      x.at as "at",
      x.after_minutes as "afterMinutes",
      x.key_id as "keyId",
      x.to_group_id as "toGroupId",
      g.name as "groupName",
      n.title as "title",
      n.created_at as "createdAt",
      n.redacted_at as "redactedAt"
    from escalated x
    join groups g on g.id = x.group_id
    left join notifications n on n.group_id = x.group_id and n.seq = x.seq
    where x.key_id is not null
      and (x.group_id, x.seq) > (${page.after.groupId}, ${page.after.seq})
    order by x.group_id, x.seq
    limit ${page.limit}`);
}

/** @param toSeq what it became there; null: nothing was posted */
export function endPost({ groupId, seq }: OpenPost, toSeq: number | null): Sql {
  return sql`
    update escalated
    set key_id = null, to_seq = ${toSeq}
    where group_id = ${groupId}
      and seq = ${seq}`;
}

/** What a post with this idempotency key became, as long as that is known. */
export async function findPosted(
  reader: DatabaseReader,
  { groupId, idempotencyKey }: { readonly groupId: string; readonly idempotencyKey: string },
): Promise<number | null> {
  const row = await reader.first<{ readonly seq: number }>(sql`
    select seq as "seq"
    from idempotency_keys
    where group_id = ${groupId}
      and idempotency_key = ${idempotencyKey}`);
  return row?.seq ?? null;
}
