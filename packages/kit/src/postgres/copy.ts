// Rows in bulk: PostgreSQL's COPY in its text format, a slice of a table at a time.
import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Names exactly as in the schema files: they become part of the statement. */
export interface CopyTarget {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Values in the order of the target's columns; text without NUL, which PostgreSQL cannot hold. */
export type CopyRow = readonly (string | number | bigint | Uint8Array | null)[];

/** Sends rows and waits until the server has them; all of them are in memory meanwhile. */
export async function copyRowsIn(
  client: ClientBase,
  { table, columns }: CopyTarget,
  rows: readonly CopyRow[],
): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  // Listening before anything is sent: a refusal may come at once.
  const copied = finished(stream);
  stream.end(rows.map(copyLine).join(''));
  await copied;
}

/** One row in the text format: values parted by tabs, the row ended by a newline. */
export function copyLine(row: CopyRow): string {
  return `${row.map(copyField).join('\t')}\n`;
}

/** What would part values or rows, and the sign that escapes it; also that of null and of the end. */
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function copyField(value: CopyRow[number]): string {
  if (value === null) return '\\N';
  // The backslash of bytea's own format is escaped like any other.
  if (value instanceof Uint8Array) return `\\\\x${value.toHex()}`;
  return String(value).replace(SPECIAL, (character) => ESCAPED[character] ?? character);
}
