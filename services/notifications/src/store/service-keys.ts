// Keys of the service itself: made once, by the first process that needs them, and kept for all processes.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { NotificationStore } from './store.ts';

export interface ServiceKeyDeps {
  readonly store: Pick<NotificationStore, 'reader' | 'write'>;
  readonly clock: Clock;
}

/**
 * The value of a key, made when there is none. Of processes that make one at the same moment, the first to write
 * has made it for all.
 * @throws DatabaseError as the store's `write`
 */
export async function ensureServiceKey(
  { store, clock }: ServiceKeyDeps,
  { name, make }: { readonly name: string; readonly make: () => string },
): Promise<string> {
  const { reader } = store;
  const known = await findServiceKey(reader, name);
  if (known !== undefined) return known;
  const value = make();
  await store.write([
    sql`
      insert into service_keys (name, value, created_at)
      values (${name}, ${value}, ${clock.nowMs()})
      on conflict (name) do nothing`,
  ]);
  return present(await findServiceKey(reader, name), `the key ${name} of the service`);
}

async function findServiceKey(reader: DatabaseReader, name: string): Promise<string | undefined> {
  const row = await reader.first<{ readonly value: string }>(sql`
    select value
    from service_keys
    where name = ${name}`);
  return row?.value;
}
