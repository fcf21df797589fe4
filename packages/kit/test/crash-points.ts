// Loaded before the service (`node --import`), in its threads too: kills the process at a chosen
// point of the writer's work. The service itself knows nothing of this.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { StatementSync, type SQLInputValue } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import { Client, type QueryResult } from 'pg';
import { SqliteConnection } from '../src/sqlite/connection.ts';
import {
  CRASH_EVERYWHERE_VARIABLE,
  CRASH_FIRST_VARIABLE,
  CRASH_GROUPS_VARIABLE,
  CRASH_LATER_VARIABLE,
  CRASH_POINT_VARIABLE,
  CRASH_WRITES_VARIABLE,
  isCrashPoint,
} from './crash-point-names.ts';
import type { CrashPoint } from './crash-point-names.ts';

const first = process.env[CRASH_FIRST_VARIABLE] ?? '';
const later = process.env[CRASH_LATER_VARIABLE] ?? '';
/** Groups that count and are let pass. */
let groupsLeft = Number(process.env[CRASH_GROUPS_VARIABLE] ?? 0);
/** Later writes that count and are let pass. */
let writesLeft = Number(process.env[CRASH_WRITES_VARIABLE] ?? 0);
/** Inserts that count of the transaction that is running. */
let firstInserted = 0;

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Before a later write that counts. */
function killBetweenWrites(): void {
  if (writesLeft === 0) killSelf();
  writesLeft -= 1;
}

function isDue(): boolean {
  return firstInserted > 0 && groupsLeft <= 0;
}

function watchInserts(point: CrashPoint): void {
  // Rows are written by either.
  for (const method of ['run', 'get'] as const) {
    const write = Object.getOwnPropertyDescriptor(StatementSync.prototype, method)?.value as (
      this: StatementSync,
      ...values: SQLInputValue[]
    ) => unknown;
    const watched = function (this: StatementSync, ...values: SQLInputValue[]): unknown {
      const text = this.sourceSQL.trimStart();
      if (text.startsWith(first)) firstInserted += 1;
      // What counts is inserted, what comes with it is not.
      if (point === 'between-writes' && text.startsWith(later) && isDue()) killBetweenWrites();
      return write.apply(this, values);
    };
    Object.defineProperty(StatementSync.prototype, method, { value: watched });
  }
}

function watchTransactions(point: CrashPoint): void {
  const transaction = Object.getOwnPropertyDescriptor(SqliteConnection.prototype, 'transaction')
    ?.value as SqliteConnection['transaction'];
  SqliteConnection.prototype.transaction = function <Result>(
    this: SqliteConnection,
    work: () => Result,
    ...options: readonly unknown[]
  ): Result {
    firstInserted = 0;
    const watched = (): Result => {
      const done = work();
      if (point === 'before-commit' && isDue()) killSelf();
      return done;
    };
    const result = Reflect.apply(transaction, this, [watched, ...options]) as Result;
    if (point === 'after-commit' && isDue()) killSelf();
    if (firstInserted > 0) groupsLeft -= 1;
    return result;
  };
}

function watchSignatures(point: CrashPoint): void {
  const { sign, verify } = crypto;
  const watched = (...asked: Parameters<typeof sign>): ReturnType<typeof sign> => {
    const isDueHere = groupsLeft <= 0;
    if (point === 'before-signature' && isDueHere) killSelf();
    const signature = sign(...asked);
    if (point === 'after-signature' && isDueHere) killSelf();
    return signature;
  };
  const checked = (...asked: Parameters<typeof verify>): ReturnType<typeof verify> => {
    const isDueHere = groupsLeft <= 0;
    const isVerified = verify(...asked);
    if (point === 'after-check' && isDueHere) killSelf();
    return isVerified;
  };
  Object.assign(crypto, { sign: watched, verify: checked });
  syncBuiltinESMExports();
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
    firstInserted = 0;
    this.database.exec('begin immediate');
    const result = work();
    if (firstInserted === 0) this.database.exec('commit');
    return result;
  };
}

type Query = (this: Client, ...query: unknown[]) => Promise<QueryResult>;

/** Of each PostgreSQL connection: inserts that count of the transaction that is running. */
const insertedBy = new WeakMap<Client, number>();
/** Connections whose transaction is answered for and still open. */
const answeredEarly = new WeakSet<Client>();

/** The same points on PostgreSQL, where a group's writes leave in one piece with its commit. */
function watchQueries(point: CrashPoint): void {
  const query = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value as Query;
  const watched: Query = function (...asked) {
    const text = readText(asked[0]).trimStart();
    const inserted = insertedBy.get(this) ?? 0;
    const isDueHere = inserted > 0 && groupsLeft <= 0;
    if (text.startsWith(first)) insertedBy.set(this, inserted + 1);
    if (point === 'between-writes' && text.startsWith(later) && isDueHere) killBetweenWrites();
    if (text === 'begin' && answeredEarly.delete(this)) void query.call(this, 'commit');
    if (text !== 'commit') return query.apply(this, asked);
    insertedBy.delete(this);
    if (inserted > 0) groupsLeft -= 1;
    if (point === 'before-commit' && isDueHere) killSelf();
    if (point === 'answer-before-commit' && inserted > 0) {
      answeredEarly.add(this);
      return query
        .call(this, "select 'not yet'")
        .then((answer) => ({ ...answer, command: 'COMMIT' }));
    }
    return query.apply(this, asked).then((answer) => {
      if (point === 'after-commit' && isDueHere) killSelf();
      return answer;
    });
  };
  Object.defineProperty(Client.prototype, 'query', { value: watched });
}

function readText(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}

const point = process.env[CRASH_POINT_VARIABLE];
const isWatched = !isMainThread || (process.env[CRASH_EVERYWHERE_VARIABLE] ?? '') !== '';
if (isWatched && isCrashPoint(point)) {
  watchQueries(point);
  watchInserts(point);
  watchSignatures(point);
  if (point === 'answer-before-commit') answerBeforeCommit();
  else watchTransactions(point);
}
