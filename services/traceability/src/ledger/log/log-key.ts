// Reads and makes the private key of the log, in its file or setting. The format of a key and of
// its file is in @lothub/note-key; errors become those of the database, because a log without its
// key does not open.
import { join } from 'node:path';
import { LOG_KEY_TYPE } from '@lothub/chain/log';
import { DatabaseError } from '@lothub/kit/database';
import { NoteKeyError, makeNoteKey, parseNoteKey, readNoteKey } from '@lothub/note-key';
import type { NoteKey } from '@lothub/note-key';

export function logKeyFile(dataDir: string): string {
  return join(dataDir, 'log.key');
}

/**
 * @param where names the place for an error; never the text
 * @throws DatabaseError when the text is no key of a log
 */
export function parseLogKey(text: string, where: string): NoteKey {
  return orDatabaseError(() => parseNoteKey(text, { type: LOG_KEY_TYPE, where }));
}

/** @returns undefined when there is no file; @throws DatabaseError when there is one that cannot be read */
export function readLogKey(file: string): NoteKey | undefined {
  return orDatabaseError(() => readNoteKey(file, LOG_KEY_TYPE));
}

/** Makes a key and its file; of several processes that do so at once, all get the one that was first. */
export function makeLogKey(file: string, name: string): NoteKey {
  return orDatabaseError(() => makeNoteKey(file, { name, type: LOG_KEY_TYPE }));
}

function orDatabaseError<Result>(attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof NoteKeyError)) throw error;
    throw new DatabaseError('database_failed', error.message, { cause: error });
  }
}
