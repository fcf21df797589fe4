// Statements on their way to the writer thread of SQLite, and what it does with them: all of them in
// their order, in the transaction of a group, or none while a guard answers no row.
import type { Sql } from 'sql-template-tag';
import type { SqlValue } from '../database.ts';
import type { ChangeOutcome, PlannedChange, WriteOptions } from '../writer/planned-change.ts';
import type { SqliteConnection } from './connection.ts';

/** Plain values only: a job crosses a thread. */
export interface StatementJob {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export interface WriteJob {
  readonly kind: 'write';
  readonly statements: readonly StatementJob[];
  readonly mayBeLost: boolean;
}

export interface ChangeJob {
  readonly kind: 'change';
  readonly prepared:
    { readonly claim: StatementJob; readonly statements: readonly StatementJob[] } | undefined;
  readonly guard: StatementJob;
  readonly statements: readonly StatementJob[];
  readonly rowsPerStatementMax: number | undefined;
  readonly mayBeLost: boolean;
}

/** Of what weighs one by itself in a group commit, such as an event. */
export const WRITE_WEIGHT = 1;
/** A statement of a change may write some hundreds of rows. */
export const STATEMENT_WEIGHT = 20;
/** Rows that weigh as much as an event with all of its rows. */
const ROWS_OF_WEIGHT = 10;

/** Of a change in a group commit. */
export function weightOfChange({ prepared, statements, rowsPerStatementMax }: ChangeJob): number {
  const count = Math.max(1, (prepared?.statements.length ?? 0) + statements.length);
  if (rowsPerStatementMax === undefined) return count * STATEMENT_WEIGHT;
  return count * Math.min(STATEMENT_WEIGHT, Math.ceil(rowsPerStatementMax / ROWS_OF_WEIGHT));
}

export function statementJob(statement: Sql): StatementJob {
  return { text: statement.sql, values: statement.values as SqlValue[] };
}

export function writeJob(
  statements: readonly Sql[],
  { mayBeLost = false }: WriteOptions = {},
): WriteJob {
  return { kind: 'write', statements: statements.map(statementJob), mayBeLost };
}

export function changeJob(change: PlannedChange): ChangeJob {
  const { prepared, guard, statements, rowsPerStatementMax, mayBeLost = false } = change;
  return {
    kind: 'change',
    prepared: prepared && {
      claim: statementJob(prepared.claim),
      statements: prepared.statements.map(statementJob),
    },
    guard: statementJob(guard),
    statements: statements.map(statementJob),
    rowsPerStatementMax,
    mayBeLost,
  };
}

/** @returns the rows that each statement answered, in order */
export function runStatements(
  connection: SqliteConnection,
  statements: readonly StatementJob[],
): readonly (readonly unknown[])[] {
  return statements.map((statement) => run(connection, statement));
}

/**
 * The writer is alone: nothing is written before the guard, so that a stale change leaves nothing.
 * @param listStatements makes the last statements, once nothing keeps the change from being written
 */
export function runChange(
  connection: SqliteConnection,
  { prepared, guard, statements }: ChangeJob,
  listStatements: () => readonly StatementJob[] = () => statements,
): ChangeOutcome {
  if (run(connection, guard).length === 0) return { kind: 'stale' };
  if (prepared !== undefined) {
    if (run(connection, prepared.claim).length === 0) return { kind: 'stale' };
    runStatements(connection, prepared.statements);
  }
  return { kind: 'done', rows: runStatements(connection, listStatements()) };
}

function run(connection: SqliteConnection, statement: StatementJob): readonly unknown[] {
  return connection.statement(statement.text).all(...statement.values);
}
