// Checked events on their way to the ledger, kept in a file so that memory stays flat: written in
// slices by the check, read slice by slice when the whole file has been found good. The file holds
// private values and lives no longer than the import.
import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { at } from '@lothub/kit/present';
import type { WarningCode } from '../events/prepare.ts';
import type { Draft } from '../ledger/draft.ts';

/** Events of one submission to the ledger: other writers get their turn after each. */
export const SLICE_EVENTS_MAX = 200;
/** Characters of one submission; a slice of few large events is closed early. */
export const SLICE_CHARACTERS_MAX = 1_048_576;
/** Only this process's user may read the spool. */
export const PRIVATE_FILE_MODE = 0o600;

export interface SpooledEvent {
  /** First row of the event in the file. */
  readonly row: number;
  readonly draft: Draft;
  readonly warnings: readonly SpooledWarning[];
}

export interface SpooledWarning {
  readonly code: WarningCode;
  readonly row: number;
}

/** The parts of a spooled event without its text. */
type SpooledHead = Omit<Draft, 'eventText' | 'warnings'> &
  Omit<SpooledEvent, 'draft'> & {
    /** The warnings as the draft has them; `warnings` contain rows of the file. */
    readonly draftWarnings: Draft['warnings'];
  };

/** A finished spool. */
export interface Spool {
  readonly file: string;
  /** Bytes of each slice, in order. */
  readonly sliceBytes: readonly number[];
}

/** Writes synchronously: it runs in a thread of its own, which has nothing else to do. */
export class SpoolWriter implements Disposable {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #sliceBytes: number[] = [];
  /** Two lines for each event: `SpooledHead` and the event's text. */
  #lines: string[] = [];
  #events = 0;
  #characters = 0;

  /** Begins a new file, or empties the one there is. */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, 'w', PRIVATE_FILE_MODE);
  }

  add(event: SpooledEvent): void {
    const { eventText, warnings: draftWarnings, ...rest } = event.draft;
    // The event's own text is by far the longest part and already JSON: it is in a line of its
    // own, so that nothing has to escape it or take the escapes away again.
    const { row, warnings } = event;
    const head = JSON.stringify({ row, warnings, draftWarnings, ...rest } satisfies SpooledHead);
    this.#lines.push(head, eventText);
    this.#events += 1;
    this.#characters += head.length + eventText.length;
    if (this.#events >= SLICE_EVENTS_MAX || this.#characters >= SLICE_CHARACTERS_MAX) {
      this.#endSlice();
    }
  }

  /** The spool as far as it has been written; nothing may be added after. */
  end(): Spool {
    if (this.#events > 0) this.#endSlice();
    return { file: this.#file, sliceBytes: this.#sliceBytes };
  }

  #endSlice(): void {
    const bytes = Buffer.from(this.#lines.join('\n'));
    writeWhole(this.#descriptor, bytes);
    this.#sliceBytes.push(bytes.length);
    this.#lines = [];
    this.#events = 0;
    this.#characters = 0;
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

/** Writes all bytes; one call may write only a part, for instance on a disk that is nearly full. */
export function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written);
  }
}

/** The slices of a spool, one in memory at a time. */
export async function* readSpool(spool: Spool): AsyncGenerator<readonly SpooledEvent[]> {
  await using handle = await open(spool.file, 'r');
  let position = 0;
  for (const length of spool.sliceBytes) {
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    if (bytesRead !== length) {
      throw new Error(`reading the spool: ${bytesRead} of ${length} bytes at ${position}`);
    }
    position += length;
    yield eventsOfSlice(buffer.toString('utf8'));
  }
}

function eventsOfSlice(text: string): readonly SpooledEvent[] {
  const lines = text.split('\n');
  const events: SpooledEvent[] = [];
  for (let index = 0; index + 1 < lines.length; index += 2) {
    // Written by the class above a moment ago, in a folder that only this process uses.
    const head = JSON.parse(at(lines, index)) as SpooledHead;
    const { row, warnings, draftWarnings, ...rest } = head;
    const eventText = at(lines, index + 1);
    events.push({ row, warnings, draft: { eventText, warnings: draftWarnings, ...rest } });
  }
  return events;
}
