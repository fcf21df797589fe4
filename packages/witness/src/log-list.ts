/**
 * The list of the logs that a witness knows, in the form of the witness network: `logs/v0`, then for each
 * log `vkey`, perhaps `origin`, `qpd` and `contact` (witness-network.org/log-list-format).
 */
import { LOG_KEY_TYPE, LogError, isKeyName, parseVkey } from '@lothub/chain/log';
import { Pace, nextTurn } from '@lothub/kit/in-turns';

/** Largest list that is read: some 100,000 logs. */
export const LIST_BYTES_MAX = 33_554_432;
/** Most entries of a list. */
const LOGS_MAX = 100_000;
/** Largest number of requests a day: the format demands less than 2^31. */
const QPD_MAX = 2_147_483_647;
/** Lines that are read in one turn: about a millisecond, as most of them are checked keys. */
const LINES_PER_TURN = 200;

const HEADER = 'logs/v0';
const LINE = /^(vkey|origin|qpd|contact) (.*)$/;
const QPD = /^[1-9][0-9]{0,9}$/;

/** One entry: a key of a log. A log with several keys has several entries. */
export interface ListedLog {
  /** The first line of its checkpoints. */
  readonly origin: string;
  readonly vkey: string;
  /** Requests a day. */
  readonly qpd: number;
  /** How people reach its operator. */
  readonly contact: string;
}

export interface LogList {
  readonly logs: readonly ListedLog[];
  /** Entries that are well formed and that this witness cannot judge: the line, and why. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[];
}

/** The text is no list of logs. The message names the line, and repeats nothing of it. */
export class LogListError extends Error {
  override readonly name = 'LogListError';
}

type Keyword = 'vkey' | 'origin' | 'qpd' | 'contact';
/** What may come after a line; the order is strict. */
const NEXT: Readonly<Record<Keyword, readonly Keyword[]>> = {
  vkey: ['origin', 'qpd'],
  origin: ['qpd'],
  qpd: ['contact'],
  contact: ['vkey'],
};

/**
 * The entries of a list, read in turns.
 *
 * @throws {LogListError} when a line is not what the format has at its place
 */
export async function parseLogList(text: string): Promise<LogList> {
  const reading = new Reading();
  const pace = new Pace(LINES_PER_TURN);
  let line = 0;
  for (const untrimmed of text.split('\n')) {
    line += 1;
    const trimmed = untrimmed.trim();
    if (trimmed !== '' && !trimmed.startsWith('#')) reading.take(trimmed, line);
    if (pace.isOver()) await nextTurn();
  }
  return reading.end();
}

/** What of the list has been read so far. */
class Reading {
  readonly #logs: ListedLog[] = [];
  readonly #skipped: { readonly line: number; readonly reason: string }[] = [];
  #expected: readonly Keyword[] | typeof HEADER = HEADER;
  #entry: { line: number; vkey: string; origin?: string; qpd?: number } = { line: 0, vkey: '' };

  take(text: string, line: number): void {
    if (this.#expected === HEADER) {
      if (text !== HEADER) throw wrong(line, `must be ${HEADER}`);
      this.#expected = ['vkey'];
      return;
    }
    const [, keyword, value = ''] = LINE.exec(text) ?? [];
    const known = this.#expected.find((expected) => expected === keyword);
    if (known === undefined || value.trim() === '') {
      throw wrong(line, `must be ${this.#expected.join(' or ')} and a value`);
    }
    this.#set(known, value.trim(), line);
    this.#expected = NEXT[known];
  }

  end(): LogList {
    if (this.#expected === HEADER) throw new LogListError(`it has no line ${HEADER}`);
    if (!this.#expected.includes('vkey')) throw new LogListError('its last entry is not complete');
    return { logs: this.#logs, skipped: this.#skipped };
  }

  #set(keyword: Keyword, value: string, line: number): void {
    switch (keyword) {
      case 'vkey':
        this.#entry = { line, vkey: value };
        break;
      case 'origin':
        this.#entry.origin = value;
        break;
      case 'qpd':
        this.#entry.qpd = parseQpd(value, line);
        break;
      case 'contact':
        this.#finish(value);
    }
  }

  #finish(contact: string): void {
    const { line, vkey, origin, qpd } = this.#entry;
    if (qpd === undefined) throw wrong(line, 'begins an entry without qpd');
    if (this.#logs.length >= LOGS_MAX) throw wrong(line, `is entry number ${LOGS_MAX + 1}`);
    const keyName = findKeyName(vkey);
    const named = origin ?? keyName;
    if (keyName === undefined || named === undefined) {
      this.#skipped.push({ line, reason: 'its key is no Ed25519 key of a log' });
    } else if (!isKeyName(named)) {
      this.#skipped.push({ line, reason: 'its origin has white space or a plus' });
    } else {
      this.#logs.push({ origin: named, vkey, qpd, contact });
    }
  }
}

function parseQpd(value: string, line: number): number {
  const qpd = QPD.test(value) ? Number(value) : 0;
  if (qpd < 1 || qpd > QPD_MAX) throw wrong(line, `must be qpd and a number from 1 to ${QPD_MAX}`);
  return qpd;
}

/** The name in a verifier key; undefined when it is not one of a log. */
function findKeyName(vkey: string): string | undefined {
  try {
    const { name, type } = parseVkey(vkey);
    return type === LOG_KEY_TYPE ? name : undefined;
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}

function wrong(line: number, what: string): LogListError {
  return new LogListError(`line ${line} ${what}`);
}
