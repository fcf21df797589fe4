// Loaded before the service (`node --import`), in its threads too: kills the process at a chosen
// point of the writer's work. The service itself knows nothing of this.
import { StatementSync } from 'node:sqlite';
import type { SQLInputValue, StatementResultingChanges } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { CRASH_GROUPS_VARIABLE, CRASH_POINT_VARIABLE, isCrashPoint } from './crash-point-names.ts';
import type { CrashPoint } from './crash-point-names.ts';

/** Groups that append blocks and are let pass. */
let groupsLeft = Number(process.env[CRASH_GROUPS_VARIABLE] ?? 0);
/** Blocks inserted by the transaction that is running. */
let blocksInserted = 0;

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

function isDue(): boolean {
  return blocksInserted > 0 && groupsLeft <= 0;
}

function watchInserts(point: CrashPoint): void {
  const run = Object.getOwnPropertyDescriptor(StatementSync.prototype, 'run')?.value as (
    this: StatementSync,
    ...values: SQLInputValue[]
  ) => StatementResultingChanges;
  const watched = function (
    this: StatementSync,
    ...values: SQLInputValue[]
  ): StatementResultingChanges {
    if (this.sourceSQL.startsWith('insert into blocks')) blocksInserted += 1;
    // The block is inserted, its lines are not.
    if (point === 'between-inserts' && this.sourceSQL.startsWith('insert into lines') && isDue()) {
      killSelf();
    }
    return run.apply(this, values);
  };
  Object.defineProperty(StatementSync.prototype, 'run', { value: watched });
}

function watchTransactions(point: CrashPoint): void {
  const transaction = Object.getOwnPropertyDescriptor(SqliteConnection.prototype, 'transaction')
    ?.value as <Result>(this: SqliteConnection, work: () => Result) => Result;
  SqliteConnection.prototype.transaction = function <Result>(
    this: SqliteConnection,
    work: () => Result,
  ): Result {
    blocksInserted = 0;
    const result = transaction.call(this, () => {
      const done = work();
      if (point === 'before-commit' && isDue()) killSelf();
      return done;
    }) as Result;
    if (point === 'after-commit' && isDue()) killSelf();
    if (blocksInserted > 0) groupsLeft -= 1;
    return result;
  };
}

/**
 * What must never be: a group is answered while its transaction is open, and committed only when the
 * next one begins. The negative control of the crash test.
 */
function answerBeforeCommit(): void {
  SqliteConnection.prototype.transaction = function <Result>(
    this: SqliteConnection,
    work: () => Result,
  ): Result {
    if (this.database.isTransaction) this.database.exec('commit');
    blocksInserted = 0;
    this.database.exec('begin immediate');
    const result = work();
    if (blocksInserted === 0) this.database.exec('commit');
    return result;
  };
}

const point = process.env[CRASH_POINT_VARIABLE];
if (!isMainThread && isCrashPoint(point)) {
  watchInserts(point);
  if (point === 'answer-before-commit') answerBeforeCommit();
  else watchTransactions(point);
}
