// What stands in the database file, read the way an auditor would: past the service, by its own
// connection.
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { ChainVerifier } from '@lothub/chain';
import type { ChainFault, StoredBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/hash';
import { databaseFile } from '../src/ledger/sqlite/store.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows of any query; for tables that have no reader below. */
export function storedRows(
  dataDir: string,
  query: string,
  ...values: readonly SQLInputValue[]
): readonly Row[] {
  const database = new DatabaseSync(databaseFile(dataDir), { readOnly: true });
  try {
    return database.prepare(query).all(...values);
  } finally {
    database.close();
  }
}

/** All blocks from genesis, or those from a height on. */
export function storedBlocks(dataDir: string, fromHeight = 0): readonly StoredBlock[] {
  const query = 'select height, hash, canonical from blocks where height >= ? order by height';
  return storedRows(dataDir, query, fromHeight).map((row) => ({
    height: Number(row['height']),
    blockHash: String(row['hash']),
    canonical: String(row['canonical']),
  }));
}

export function storedBlock(dataDir: string, height: number): StoredBlock {
  const block = storedBlocks(dataDir, height)[0];
  if (block?.height !== height) throw new Error(`no block ${height}`);
  return block;
}

export function storedHeight(dataDir: string): number {
  const [row] = storedRows(dataDir, 'select max(height) as height from blocks');
  return Number(row?.['height']);
}

/** The first fault of the whole stored chain, contents included; nothing when it verifies. */
export function findChainFault(dataDir: string): ChainFault | undefined {
  const verifier = new ChainVerifier({ hash: sha256Hex, depth: 'contents' });
  return verifier.verifyBlocks(storedBlocks(dataDir));
}

export interface StoredPrivateLine {
  readonly lineNo: number;
  readonly customerRef: string | null;
  readonly channel: string | null;
  readonly salt: string;
}

/** The side table's rows of one event, in the order of its lines. */
export function storedPrivateLines(dataDir: string, height: number): readonly StoredPrivateLine[] {
  const query =
    'select line_no, customer_ref, channel, salt from private_lines where height = ? order by line_no';
  return storedRows(dataDir, query, height).map((row) => ({
    lineNo: Number(row['line_no']),
    customerRef: textOrNull(row['customer_ref']),
    channel: textOrNull(row['channel']),
    salt: String(row['salt']),
  }));
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
