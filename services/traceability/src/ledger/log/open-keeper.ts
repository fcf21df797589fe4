// Opens the log in the writer's thread: its name and key, the keeper, and the way to the other thread.
import { parseEpochStatement } from '@lothub/chain/log';
import { instantText, systemClock } from '@lothub/kit/clock';
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { LogEpochRow } from '../tables/log.ts';
import { warnOfTaskFailure } from '../append/task-failures.ts';
import { findCurrentEpoch, readStatements } from './epochs/epochs.ts';
import {
  readStatementsFile,
  statementsFile,
  writeStatementsFile,
} from './epochs/statements-file.ts';
import { findOwner, openIdentity } from './log-identity.ts';
import { LogKeeper } from './log-keeper.ts';
import type { LogDatabase } from './compare-tree.ts';
import { LogNewsSender, type LogWriterData } from './writer-log.ts';

/** @throws DatabaseError when this process may not sign, or the database cannot be read */
export async function openKeeper(options: {
  readonly log: LogWriterData;
  readonly dataDir: string;
  readonly reader: Pick<DatabaseReader, 'first' | 'all'>;
  readonly write: (statement: Sql) => Promise<unknown>;
  readonly database: LogDatabase;
}): Promise<LogKeeper> {
  const { log, dataDir, reader, write, database } = options;
  const genesis = await reader.first<{ readonly hash: string }>(sql`
    select hash
    from blocks
    where height = 0`);
  const current = await findCurrentEpoch(reader);
  assertNewest(dataDir, current);
  // A log that begins now has no signed trees that others can have seen.
  const isBegun = current !== undefined;
  const owner = await openIdentity({
    settings: log.settings,
    chainId: present(genesis, 'the genesis block').hash,
    database: reader,
    write,
    nowText: instantText(systemClock.nowMs()),
  });
  writeStatementsFile(statementsFile(dataDir), await readStatements(reader));
  const sender = new LogNewsSender(log.port);
  const keeper = await LogKeeper.open({
    owner,
    findOwner: (stored) => findOwner(stored, log.settings),
    onOwner: ({ identity }) => sender.identify(identity),
    dataDir,
    isRecordNeeded: isBegun && log.settings.hasWitnesses,
    database,
    onNews: (news) => sender.send(news),
    onClosed: () => sender[Symbol.dispose](),
    onFailure: warnOfTaskFailure,
  });
  sender.identify(owner.identity);
  sender.listen(keeper);
  return keeper;
}

/**
 * A log that has ended is not signed any more, also when its database and its key were put back.
 * @throws DatabaseError
 */
function assertNewest(dataDir: string, current: LogEpochRow | undefined): void {
  const file = statementsFile(dataDir);
  const known = readStatementsFile(file).at(-1);
  if (known === undefined || known.epoch <= (current?.epoch ?? 0)) return;
  const { new: origin } = parseEpochStatement(known.note);
  throw new DatabaseError(
    'database_failed',
    `opening the log: the database is of before the log ${origin} began, which ${file} knows of; put a ` +
      'newer backup back, or begin another log behind that one by `lothub log new-epoch --reason restore` ' +
      '(docs/operating.md, "A bad day")',
  );
}
