// What PostgreSQL and the way to it refuse, in the words of the database seam.
import { DatabaseError } from '../database.ts';

/** SQLSTATE classes and codes: https://www.postgresql.org/docs/15/errcodes-appendix.html */
const CONNECTION_CLASS = '08';
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);
const DISK_FULL = '53100';
const READ_ONLY = '25006';
/** I/O error of the server's file system. */
const IO_ERROR = '58030';
/** The server ends the session: shut down by hand, crashed, starting, database dropped, idle. */
const SESSION_ENDS = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03']);
/** A schema file raises it: the database refuses the writes of an older generation of programs. */
const PROGRAM_TOO_OLD = 'LH001';
/** Out of memory, too many connections, a lock not got in time, a statement that took too long. */
const OVERLOADED = new Set(['53000', '53200', '53300', '55P03', '57014']);

const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  // No descriptor is left for a connection.
  'EMFILE',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** What the driver says of a statement that it did not send, because it knew of the death. */
const NEVER_SENT = 'is not queryable';
/** What the driver says of a dead connection without giving it a code. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  NEVER_SENT,
  'after calling end on the pool',
];

/** Distinguishes a passing condition (server away, overloaded, disk full, read-only) from a defect. */
export function asDatabaseError(error: unknown, attempted: string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = readErrorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === DISK_FULL || code === READ_ONLY || code === IO_ERROR) {
    return new DatabaseError(
      'database_full',
      `${attempted}: the disk refuses writes (${message})`,
      {
        cause: error,
      },
    );
  }
  if (isConnectionLost(error)) {
    return new DatabaseError('database_busy', `${attempted}: no connection to the database`, {
      cause: error,
    });
  }
  if (code === PROGRAM_TOO_OLD) {
    return new DatabaseError('database_too_new', `${attempted}: ${message}`, { cause: error });
  }
  if (OVERLOADED.has(code) || SERIALIZATION_FAILURES.has(code)) {
    return new DatabaseError('database_busy', `${attempted}: ${message}`, { cause: error });
  }
  return new DatabaseError('database_failed', `${attempted}: ${message}`, { cause: error });
}

/** Whether the transaction lost against another one, was undone, and is worth another try as it is. */
export function isSerializationFailure(error: unknown): boolean {
  const refused = error instanceof DatabaseError ? error.cause : error;
  return SERIALIZATION_FAILURES.has(readErrorCode(refused));
}

/** Whether the session is gone, so that nothing more can be asked of it. */
export function isConnectionLost(error: unknown): boolean {
  const code = readErrorCode(error);
  if (code.startsWith(CONNECTION_CLASS) || SESSION_ENDS.has(code) || NETWORK_CODES.has(code)) {
    return true;
  }
  return error instanceof Error && DRIVER_MESSAGES.some((part) => error.message.includes(part));
}

/** Whether the server never saw the statement, for certain. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && error.message.includes(NEVER_SENT);
}

/** Whether the server refused the statement and still runs: its transaction is rolled back. */
export function isRefusedByServer(error: unknown): boolean {
  const refused = error instanceof DatabaseError ? error.cause : error;
  return refused instanceof Error && 'severity' in refused && !isConnectionLost(refused);
}

/** The SQLSTATE of a server's refusal, or the system's code of a network failure; '' for neither. */
export function readErrorCode(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) {
    return typeof error.code === 'string' ? error.code : '';
  }
  return '';
}
