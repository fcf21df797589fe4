// Stores how people of a brand mapped the columns of files, under the names of a header in any
// order, and uses it for the next file with the same names.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { plainName, type Column } from '../form/header-names.ts';
import type { FormQuery } from '../form/options.ts';

/** Maximum number for one brand; the oldest ones are removed. */
const MAPPINGS_MAX = 200;

/** The mapping of all files with these names. */
export interface KeptMapping {
  /** The columns by the plain names of the header; null for those that are left out. */
  readonly columns: Readonly<Record<string, Column | null>>;
  readonly same: Readonly<Partial<Record<Column, string>>>;
  readonly timeOfDay: string | null;
  readonly form: FormQuery;
}

/** Equal names are distinguished by their places. */
export function namesOfHeaders(headers: readonly string[]): readonly string[] {
  const plain = headers.map(plainName);
  return plain.map((name, place) => {
    const isAlone = plain.indexOf(name) === plain.lastIndexOf(name);
    return isAlone && name !== '' ? name : `${name}#${place}`;
  });
}

function buildKey(headers: readonly string[]): string {
  return sha256Hex(JSON.stringify(namesOfHeaders(headers).toSorted()));
}

export async function findMapping(
  database: Pick<DatabaseReader, 'first'>,
  wanted: { readonly tenantId: string; readonly headers: readonly string[] },
): Promise<KeptMapping | undefined> {
  const row = await database.first<{ readonly mapping: string }>(sql`
    select mapping
    from import_mappings
    where tenant_id = ${wanted.tenantId} and headers = ${buildKey(wanted.headers)}`);
  // Written below.
  return row === undefined ? undefined : (JSON.parse(row.mapping) as KeptMapping);
}

export function saveMapping(saved: {
  readonly tenantId: string;
  readonly headers: readonly string[];
  readonly mapping: KeptMapping;
  readonly actor: string;
  readonly nowMs: number;
}): readonly Sql[] {
  const { tenantId, headers, mapping, actor, nowMs } = saved;
  return [
    sql`
      insert into import_mappings (tenant_id, headers, mapping, actor, saved_at)
      values (${tenantId}, ${buildKey(headers)}, ${JSON.stringify(mapping)}, ${actor}, ${instantText(nowMs)})
      on conflict (tenant_id, headers) do update
      set mapping = excluded.mapping, actor = excluded.actor, saved_at = excluded.saved_at`,
    sql`
      delete from import_mappings
      where tenant_id = ${tenantId} and headers in (
        select headers from import_mappings
        where tenant_id = ${tenantId}
        order by saved_at desc, headers
        limit 1000 offset ${MAPPINGS_MAX}
      )`,
  ];
}
