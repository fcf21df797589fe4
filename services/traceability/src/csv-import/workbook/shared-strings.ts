// The texts that cells of a workbook share, by their index. What does not fit in memory goes to a file
// that is neither durable nor kept.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ROW_CHARACTERS_MAX } from '../row-splitter.ts';
import { PRIVATE_FILE_MODE } from '../spool.ts';
import { noWorkbook } from './refusal.ts';
import { TextCollector } from './text-collector.ts';
import { readXml } from './xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** Characters of the texts that are kept in memory, two bytes each at most. */
const HELD_CHARACTERS_MAX = 16_777_216;
/** Maximum number of texts in memory: each takes some bytes in addition to its characters. */
const HELD_TEXTS_MAX = 500_000;
/** Page cache of the file, in KiB (negative in the pragma means KiB). */
const CACHE_KIB = 16_384;

export class SharedStrings implements Disposable {
  readonly #file: string;
  readonly #held: string[] = [];
  #heldCharacters = 0;
  #count = 0;
  #spilled: Spilled | undefined;

  /** @param file a name that is free, for what does not fit in memory */
  constructor(file: string) {
    this.#file = file;
  }

  add(text: string): void {
    // A longer one makes its row too long, wherever it is.
    const kept = text.slice(0, ROW_CHARACTERS_MAX + 1);
    const fits =
      this.#spilled === undefined &&
      this.#held.length < HELD_TEXTS_MAX &&
      this.#heldCharacters + kept.length <= HELD_CHARACTERS_MAX;
    if (fits) {
      this.#held.push(kept);
      this.#heldCharacters += kept.length;
    } else {
      this.#spilled ??= new Spilled(this.#file);
      this.#spilled.add(this.#count, kept);
    }
    this.#count += 1;
  }

  /** @throws UnreadableFile when there is no such text */
  get(index: number): string {
    const text = this.#held[index] ?? this.#spilled?.find(index);
    if (text === undefined) throw noWorkbook('The workbook is broken: a cell refers to no text');
    return text;
  }

  [Symbol.dispose](): void {
    this.#spilled?.[Symbol.dispose]();
  }
}

class Spilled implements Disposable {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  constructor(file: string) {
    closeSync(openSync(file, 'w', PRIVATE_FILE_MODE));
    this.#database = new DatabaseSync(file);
    this.#database.exec('pragma journal_mode = off');
    this.#database.exec('pragma synchronous = off');
    this.#database.exec(`pragma cache_size = -${CACHE_KIB}`);
    this.#database.exec(
      'create table texts (place integer primary key, text text not null) strict',
    );
    this.#insert = this.#database.prepare('insert into texts (place, text) values (?, ?)');
    this.#select = this.#database.prepare('select text from texts where place = ?');
    // It is never committed, because all readers use this connection.
    this.#database.exec('begin');
  }

  add(place: number, text: string): void {
    this.#insert.run(place, text);
  }

  find(place: number): string | undefined {
    const found = this.#select.get(place);
    return found === undefined ? undefined : String(found['text']);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** Adds the texts of a part, in their order. */
export async function readSharedStrings(
  parts: ZipParts,
  part: string | undefined,
  strings: SharedStrings,
): Promise<void> {
  if (part === undefined) return;
  const text = new TextCollector();
  await readXml(parts.read(part), {
    open: (name) => {
      if (name === 'si') text.begin();
      text.open(name);
    },
    text: (piece) => text.add(piece),
    close: (name) => {
      text.close(name);
      if (name === 'si') strings.add(text.end());
    },
  });
}
