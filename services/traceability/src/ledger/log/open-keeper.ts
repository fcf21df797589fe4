// Opens the log in the writer's thread: its name and key, the keeper, and the way to the other thread.
import { instantText, systemClock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { warnBesideWriting } from '../append/beside-writing.ts';
import { findCurrentEpoch } from './epochs/epochs.ts';
import { findOwner, openIdentity } from './log-identity.ts';
import { LogKeeper } from './log-keeper.ts';
import type { LogDatabase } from './log-keeper.ts';
import { LogTeller } from './writer-log.ts';
import type { LogWriterData } from './writer-log.ts';

/** @throws DatabaseError when this process may not sign, or the database cannot be read */
export async function openKeeper(options: {
  readonly log: LogWriterData;
  readonly dataDir: string;
  readonly reader: Pick<DatabaseReader, 'first'>;
  readonly write: (statement: Sql) => Promise<unknown>;
  readonly database: LogDatabase;
}): Promise<LogKeeper> {
  const { log, dataDir, reader, write, database } = options;
  const genesis = await reader.first<{ readonly hash: string }>(sql`
    select hash
    from blocks
    where height = 0`);
  // Of a log that begins now nobody can have seen anything.
  const isBegun = (await findCurrentEpoch(reader)) !== undefined;
  const owner = await openIdentity({
    settings: log.settings,
    chainId: present(genesis, 'the genesis block').hash,
    database: reader,
    write,
    nowText: instantText(systemClock.nowMs()),
  });
  const teller = new LogTeller(log.port);
  const keeper = await LogKeeper.open({
    owner,
    findOwner: (stored) => findOwner(stored, log.settings),
    onOwner: ({ identity }) => teller.identify(identity),
    dataDir,
    isRecordNeeded: isBegun && log.settings.hasWitnesses,
    database,
    onNews: (news) => teller.tell(news),
    onClosed: () => teller[Symbol.dispose](),
    onFailure: warnBesideWriting,
  });
  teller.identify(owner.identity);
  teller.listen(keeper);
  return keeper;
}
