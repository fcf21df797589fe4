// Loaded before the service (`node --import`), in its threads too: kills the process at one of its commits to
// SQLite. The service itself knows nothing of this.
import { DatabaseSync } from 'node:sqlite';
import { KILL_VARIABLE } from './kill-at-commit-name.ts';

const [, when, mark] = /^(\S+) (.+)$/.exec(process.env[KILL_VARIABLE] ?? '') ?? [];
const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')?.value as (
  this: DatabaseSync,
  text: string,
) => void;
/** Whether a statement of the transaction contained the text; a thread has one transaction at a time. */
let isMarked = false;

function watched(this: DatabaseSync, text: string): void {
  if (text === 'begin immediate') isMarked = false;
  if (mark !== undefined && text.includes(mark)) isMarked = true;
  const isDue = text === 'commit' && isMarked;
  if (isDue && when === 'before') process.kill(process.pid, 'SIGKILL');
  exec.call(this, text);
  if (isDue && when === 'after') process.kill(process.pid, 'SIGKILL');
}

Object.defineProperty(DatabaseSync.prototype, 'exec', { value: watched });
