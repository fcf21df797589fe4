// Tampering with the rows of decisions of a hub that runs: each change is made, found by a round of the
// verifier, and undone.
import assert from 'node:assert/strict';
import type { Booted } from '../boot.ts';
import { deriveAgain, roundOver, tamperOpenHub } from './database.ts';

/** Codes that a round finds after these statements, each once. */
export async function codesAfter(
  { database, dataDir }: Booted,
  ...statements: readonly string[]
): Promise<readonly string[]> {
  await using tampering = await tamperOpenHub({ dataDir, databaseUrl: database.databaseUrl });
  return await tampering.undone(async () => {
    for (const statement of statements) await tampering.run(statement);
    return (await roundOver(tampering)).codes;
  });
}

/** Rows of a query before and after the derived rows are made anew are the same. */
export async function assertRebuilt(
  { database, dataDir }: Booted,
  ...queries: readonly string[]
): Promise<void> {
  const read = async (): Promise<readonly unknown[]> => {
    const rows: unknown[] = [];
    for (const query of queries) rows.push(await database.rows(query));
    return rows;
  };
  const before = await read();
  await deriveAgain({ dataDir, databaseUrl: database.databaseUrl });
  assert.deepEqual(await read(), before);
}
