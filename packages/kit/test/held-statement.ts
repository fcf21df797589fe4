// Loaded before the service (`node --import`), in its threads too: a writer stops before a chosen statement
// for as long as a file exists. The service itself knows nothing of this.
import { existsSync, writeFileSync } from 'node:fs';
import { StatementSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { Client, type QueryResult } from 'pg';
import {
  HELD_FILE_VARIABLE,
  HELD_STATEMENT_VARIABLE,
  reachedFile,
} from './held-statement-names.ts';

const LOOK_EVERY_MS = 10;

const file = process.env[HELD_FILE_VARIABLE] ?? '';
const beginning = process.env[HELD_STATEMENT_VARIABLE];

function isHeld(text: string): boolean {
  if (beginning === undefined || !text.trimStart().startsWith(beginning)) return false;
  if (!existsSync(file)) return false;
  writeFileSync(reachedFile(file), '');
  return true;
}

type All = (this: StatementSync, ...values: SQLInputValue[]) => unknown[];

function holdStatements(): void {
  const all = Object.getOwnPropertyDescriptor(StatementSync.prototype, 'all')?.value as All;
  const held: All = function (...values) {
    const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    while (isHeld(this.sourceSQL)) Atomics.wait(cell, 0, 0, LOOK_EVERY_MS);
    return all.apply(this, values);
  };
  Object.defineProperty(StatementSync.prototype, 'all', { value: held });
}

type Query = (this: Client, ...query: unknown[]) => Promise<QueryResult>;

function holdQueries(): void {
  const query = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value as Query;
  const held = function (this: Client, ...asked: unknown[]): Promise<QueryResult> {
    // Only what is held waits: everything else is sent in the turn it was asked in.
    if (!isHeld(readText(asked[0]))) return query.apply(this, asked);
    return untilReleased(readText(asked[0])).then(() => query.apply(this, asked));
  };
  Object.defineProperty(Client.prototype, 'query', { value: held });
}

async function untilReleased(text: string): Promise<void> {
  while (isHeld(text)) await sleep(LOOK_EVERY_MS);
}

function readText(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}

if (!isMainThread) {
  holdStatements();
  holdQueries();
}
