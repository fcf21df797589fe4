// What is in the database, read the way an auditor would: past the service, by a connection of
// its own.
import { ChainVerifier, type ChainFault, type StoredBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { TestDatabase } from './engine.ts';

/** All blocks from genesis, or those from a height on. */
export async function storedBlocks(
  database: TestDatabase,
  fromHeight = 0,
): Promise<readonly StoredBlock[]> {
  const query = 'select height, hash, canonical from blocks where height >= ? order by height';
  const rows = await database.rows(query, fromHeight);
  return rows.map((row) => ({
    height: Number(row['height']),
    blockHash: String(row['hash']),
    canonical: String(row['canonical']),
  }));
}

export async function storedBlock(database: TestDatabase, height: number): Promise<StoredBlock> {
  const [block] = await storedBlocks(database, height);
  if (block?.height !== height) throw new Error(`no block ${height}`);
  return block;
}

export async function storedHeight(database: TestDatabase): Promise<number> {
  const [row] = await database.rows('select max(height) as height from blocks');
  return Number(row?.['height']);
}

/** The first fault of the whole stored chain, contents included; nothing when it verifies. */
export async function findChainFault(database: TestDatabase): Promise<ChainFault | undefined> {
  const verifier = new ChainVerifier({ hash: sha256Hex, depth: 'contents' });
  return verifier.verifyBlocks(await storedBlocks(database));
}

export interface StoredPrivateLine {
  readonly lineNo: number;
  readonly customerRef: string | null;
  readonly channel: string | null;
  readonly salt: string;
}

/** The side table's rows of one event, in the order of its lines. */
export async function storedPrivateLines(
  database: TestDatabase,
  height: number,
): Promise<readonly StoredPrivateLine[]> {
  const query =
    'select line_no, customer_ref, channel, salt from private_lines where height = ? order by line_no';
  const rows = await database.rows(query, height);
  return rows.map((row) => ({
    lineNo: Number(row['line_no']),
    customerRef: textOrNull(row['customer_ref']),
    channel: textOrNull(row['channel']),
    salt: String(row['salt']),
  }));
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
