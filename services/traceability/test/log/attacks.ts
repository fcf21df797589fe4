// The attacks of the table in docs/trust.md. Each attacker can write every file of the hub; the key stays
// the hub's.
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GENESIS_PREV_HASH, parseBlock, sealBlock } from '@lothub/chain';
import { bytesOfHex, leafHash, sameBytes } from '@lothub/chain/log';
import { rootOfLeaves, sha256Bytes } from '@lothub/chain/test/log/naive-tree';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { LogRecordWriter } from '../../src/ledger/log/log-record.ts';
import { rebuildDerived } from '../../src/ledger/rebuild/rebuild.ts';
import { SqliteRebuild } from '../../src/ledger/sqlite/rebuild.ts';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { TipRecordWriter } from '../../src/ledger/tip-record.ts';
import { openTampering } from '../tampering/ledger.ts';

export { post } from './readers.ts';

export const EVENTS = 12;
/** Of the hub when its older copy was taken. */
export const EVENTS_BEFORE = 8;

export interface Attacked {
  readonly dataDir: string;
  /** A copy of the data directory of an earlier hour. */
  readonly olderDir: string;
}

/** Seals the chain anew from other texts, as whoever has the program can, and makes all rows anew. */
async function sealAnew(
  dataDir: string,
  change: (payloads: readonly string[]) => readonly string[],
): Promise<void> {
  await using connection = openTampering(dataDir);
  const { database } = connection;
  const texts = database
    .prepare('select canonical from blocks order by height')
    .all()
    .map((row) => String(row['canonical']));
  let prevHash = GENESIS_PREV_HASH;
  for (const [height, payload] of change(
    texts.map((text) => parseBlock(text).payloadText),
  ).entries()) {
    const block = sealBlock({ height, payloadText: payload, prevHash, hash: sha256Hex });
    database
      .prepare('update blocks set hash = ?, canonical = ? where height = ?')
      .run(block.blockHash, block.canonical, height);
    prevHash = block.blockHash;
  }
  const tip = await rebuildDerived({ ledger: new SqliteRebuild(connection) });
  using record = new TipRecordWriter(dataDir);
  record.write(tip);
}

async function cutTail(dataDir: string): Promise<void> {
  await using connection = openTampering(dataDir);
  connection.database.exec(`delete from blocks where height > ${EVENTS_BEFORE}`);
  await rebuildDerived({ ledger: new SqliteRebuild(connection) });
}

async function removeRecords(dataDir: string): Promise<void> {
  for (const name of ['tip.json', 'log.json']) await rm(join(dataDir, name));
}

/** Of the trees that the database keeps as signed, those that its blocks do not hold. */
function removeUnfitTrees({ database }: ReturnType<typeof openTampering>): void {
  const leaves = leavesIn(database);
  const isUnfit = ({ size, root }: Readonly<Record<string, unknown>>): boolean =>
    Number(size) > leaves.length ||
    !sameBytes(rootOfLeaves(leaves.slice(0, Number(size))), root as Uint8Array);
  const published = database.prepare('select size, root from log_checkpoints').all();
  for (const { size } of published.filter(isUnfit)) {
    database.prepare('delete from log_checkpoints where size = ?').run(size!);
  }
  const noted = database
    .prepare(
      'select signed_size as size, signed_root as root from log_epochs where signed_size > 0',
    )
    .all();
  if (noted.some(isUnfit)) {
    database.exec('update log_epochs set signed_size = null, signed_root = null');
  }
}

function leavesIn(database: ReturnType<typeof openTampering>['database']): readonly Uint8Array[] {
  return database
    .prepare('select hash from blocks order by height')
    .all()
    .map((row) => leafHash(bytesOfHex(String(row['hash'])), sha256Bytes));
}

/** Puts the database of an earlier hour back, without the files beside it. */
export async function putBack({ dataDir, olderDir }: Attacked): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('lothub.db')) await rm(join(dataDir, name));
  }
  await cp(databaseFile(olderDir), databaseFile(dataDir));
}

const changeOne = (payloads: readonly string[]): readonly string[] =>
  payloads.map((payload) => payload.replace('"reference":"PO-3"', '"reference":"PO-9"'));
/** Each at the time of the other: time on the chain goes forward. */
const swapTwo = (payloads: readonly string[]): readonly string[] => {
  const [a, b] = [payloads[4]!, payloads[5]!];
  return payloads.with(4, at(b, findTime(a))).with(5, at(a, findTime(b)));
};
const RECORDED_AT = /"recorded_at":"[^"]+"/;
const findTime = (payload: string): string => RECORDED_AT.exec(payload)![0];
const at = (payload: string, time: string): string => payload.replace(RECORDED_AT, time);

/** Makes rows and records fit the blocks that are there, so that the hub finds nothing wrong by itself. */
export async function coverUp({ dataDir }: Attacked): Promise<void> {
  await using connection = openTampering(dataDir);
  const { database } = connection;
  const tip = await rebuildDerived({ ledger: new SqliteRebuild(connection) });
  using tipRecord = new TipRecordWriter(dataDir);
  tipRecord.write(tip);
  removeUnfitTrees(connection);
  const leaves = leavesIn(database);
  const origin = String(database.prepare('select origin from log_epochs').get()!['origin']);
  using logRecord = new LogRecordWriter(dataDir);
  logRecord.write({ origin, size: leaves.length, root: rootOfLeaves(leaves) });
}

/** By what the attacker does. */
export const ATTACKS = {
  changed: {
    name: 'a block changed, everything hashed anew and the record of the tip put right',
    attack: ({ dataDir }) => sealAnew(dataDir, changeOne),
  },
  changedWithoutRecord: {
    name: 'the same, with the record of the log taken away',
    attack: async ({ dataDir }) => {
      await sealAnew(dataDir, changeOne);
      await rm(join(dataDir, 'log.json'));
    },
  },
  changedWithoutTrace: {
    name: 'the same, with the signed trees that the database keeps taken away, too',
    attack: async ({ dataDir }) => {
      await sealAnew(dataDir, changeOne);
      await rm(join(dataDir, 'log.json'));
      await using connection = openTampering(dataDir);
      removeUnfitTrees(connection);
    },
  },
  swapped: {
    name: 'two blocks swapped and everything hashed anew',
    attack: ({ dataDir }) => sealAnew(dataDir, swapTwo),
  },
  cut: {
    name: 'the tail cut',
    attack: ({ dataDir }) => cutTail(dataDir),
  },
  cutWithRecords: {
    name: 'the tail cut with the files beside the database',
    attack: async ({ dataDir }) => {
      await cutTail(dataDir);
      await removeRecords(dataDir);
    },
  },
  putBack: {
    name: 'an older database put back',
    attack: putBack,
  },
  putBackWithFiles: {
    name: 'an older database put back with the files beside it',
    attack: async ({ dataDir, olderDir }) => {
      await rm(dataDir, { recursive: true });
      await cp(olderDir, dataDir, { recursive: true });
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly attack: (attacked: Attacked) => Promise<void> }>
>;
export type Attack = keyof typeof ATTACKS;
