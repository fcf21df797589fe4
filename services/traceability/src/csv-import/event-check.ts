// Judges the events of a file one by one: by the rules of events, and against what is stored. What
// is new is spooled; what is wrong is counted and named by row and column.
import { join } from 'node:path';
import type { FieldError } from '@lothub/kit/http/field-errors';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { conflictSentence } from '../events/answers.ts';
import { checkEvent } from '../events/check-event.ts';
import type { WarningCode } from '../events/prepare.ts';
import { findConflict, findEvent } from '../ledger/append/conflict.ts';
import type { Conflict, Draft } from '../ledger/draft.ts';
import { payloadOf } from '../ledger/record/payload.ts';
import type { Group } from './groups.ts';
import { LOOKUP_EVENTS_MAX } from './queries.ts';
import type { LookupKeys, StoredEvent } from './queries.ts';
import { RowErrors } from './row-error.ts';
import type { RowError } from './row-error.ts';
import { SpoolWriter } from './spool.ts';
import type { Spool } from './spool.ts';

/** Lookups asked and not yet answered. The check goes on with the file meanwhile. */
const LOOKUPS_IN_FLIGHT_MAX = 4;
/** Characters of the drafts that wait for one lookup; few large events are looked up early. */
const LOOKUP_CHARACTERS_MAX = 1_048_576;

export interface CheckOptions {
  readonly file: string;
  /** A folder of this import alone, for what does not fit in memory. */
  readonly folder: string;
  readonly nowMs: number;
  readonly findStored: (keys: LookupKeys) => Promise<readonly StoredEvent[]>;
}

export interface CheckedFile {
  readonly rows: number;
  readonly events: number;
  /** Events that are stored already with the same content. */
  readonly duplicates: number;
  /** Events that break a rule of their own. */
  readonly invalid: number;
  /** Events whose external id or group is taken by other content. */
  readonly conflicts: number;
  readonly errors: readonly RowError[];
  readonly warnings: Readonly<Partial<Record<WarningCode, number>>>;
  /** The events that are new. */
  readonly spool: Spool;
  /** Heights of blocks that were read and are not the text that was hashed. */
  readonly unsound: readonly number[];
}

/** A prepared event that waits to be looked up. */
interface Candidate {
  /** Row of each line. */
  readonly rows: readonly number[];
  readonly row: number;
  readonly draft: Draft;
  readonly warnings: readonly WarningCode[];
}

/** A lookup that never rejects, so that it may be awaited late. */
interface Lookup {
  readonly candidates: readonly Candidate[];
  readonly found: Promise<
    | { readonly kind: 'found'; readonly events: readonly StoredEvent[] }
    | { readonly kind: 'failed'; readonly error: unknown }
  >;
}

/** Judges groups one by one, in the order of the spool. */
export class EventCheck implements Disposable {
  readonly errors = new RowErrors();
  readonly #options: CheckOptions;
  readonly #spool: SpoolWriter;
  readonly #lookups: Lookup[] = [];
  readonly #warnings: Partial<Record<WarningCode, number>> = {};
  readonly #unsound = new Set<number>();
  #candidates: Candidate[] = [];
  #characters = 0;
  #rows = 0;
  #events = 0;
  #duplicates = 0;
  #invalid = 0;
  #conflicts = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#spool = new SpoolWriter(join(options.folder, 'events'));
  }

  countRow(): void {
    this.#rows += 1;
  }

  add(group: Group): void {
    this.#events += 1;
    const prepared = checkEvent(group.input, {
      root: [],
      errors: 'all',
      nowMs: this.#options.nowMs,
      newSalt,
      identity: 'group',
    });
    if (prepared.kind === 'invalid') {
      this.#refuse(group, prepared.errors);
      return;
    }
    if (group.faulty) {
      this.#invalid += 1;
      return;
    }
    const { draft } = prepared;
    const warnings = prepared.warnings.map((warning) => warning.code);
    this.#candidates.push({ row: group.firstRow, rows: group.rows, draft, warnings });
    this.#characters += draft.eventText.length;
    if (this.#candidates.length >= LOOKUP_EVENTS_MAX || this.#characters >= LOOKUP_CHARACTERS_MAX) {
      this.#lookUp();
    }
  }

  /** Judges what has been looked up, and waits while too many lookups are unanswered. */
  async turn(): Promise<void> {
    while (this.#lookups.length > LOOKUPS_IN_FLIGHT_MAX) await this.#judgeFirst();
  }

  async end(): Promise<CheckedFile> {
    this.#lookUp();
    while (this.#lookups.length > 0) await this.#judgeFirst();
    return {
      rows: this.#rows,
      events: this.#events,
      duplicates: this.#duplicates,
      invalid: this.#invalid,
      conflicts: this.#conflicts,
      errors: this.errors.kept,
      warnings: this.#warnings,
      spool: this.#spool.end(),
      unsound: [...this.#unsound],
    };
  }

  [Symbol.dispose](): void {
    this.#spool[Symbol.dispose]();
  }

  #refuse(group: Group, errors: readonly FieldError[]): void {
    this.#invalid += 1;
    for (const error of errors) this.errors.add(rowErrorOf(group, error));
  }

  #lookUp(): void {
    const candidates = this.#candidates;
    if (candidates.length === 0) return;
    this.#candidates = [];
    this.#characters = 0;
    const drafts = candidates.map((candidate) => candidate.draft);
    const keys: LookupKeys = {
      externalIds: drafts.flatMap((draft) => draft.externalId ?? []),
      groupKeys: drafts.flatMap((draft) => draft.groupKey ?? []),
    };
    const found = this.#options.findStored(keys).then(
      (events) => ({ kind: 'found' as const, events }),
      (error: unknown) => ({ kind: 'failed' as const, error }),
    );
    this.#lookups.push({ candidates, found });
  }

  async #judgeFirst(): Promise<void> {
    const lookup = this.#lookups.shift();
    if (lookup === undefined) return;
    const answer = await lookup.found;
    if (answer.kind === 'failed') throw answer.error;
    const byKey = Map.groupBy(answer.events, storedKey);
    for (const candidate of lookup.candidates) {
      this.#judge(candidate, byKey.get(draftKey(candidate.draft)) ?? []);
    }
  }

  #judge(candidate: Candidate, stored: readonly StoredEvent[]): void {
    const { row, rows, draft } = candidate;
    let conflict: Conflict | undefined;
    for (const event of stored) {
      conflict = this.#findConflict(event, draft);
      if (conflict === undefined) {
        this.#duplicates += 1;
        return;
      }
    }
    if (conflict !== undefined) {
      this.#conflicts += 1;
      this.errors.add(conflictError(conflict, rowOfConflict(conflict, rows) ?? row));
      return;
    }
    for (const code of candidate.warnings) {
      this.#warnings[code] = (this.#warnings[code] ?? 0) + 1;
    }
    this.#spool.add({ row, draft });
  }

  #findConflict(stored: StoredEvent, draft: Draft): Conflict | undefined {
    if (sha256Hex(stored.canonical) !== stored.hash) this.#unsound.add(stored.height);
    const privateValues = {
      lines: new Map(stored.privateLines.map((line) => [line.line_no, line])),
      notes: stored.privateNotes,
    };
    const event = findEvent(payloadOf(stored.canonical));
    return findConflict({ height: stored.height, event, privateValues }, draft);
  }
}

/** The error of an event whose key is taken, found before or while appending. */
export function conflictError(conflict: Conflict, row: number): RowError {
  const msg = conflictSentence(conflict, '');
  switch (conflict.taken) {
    case 'external_id':
      return { row, column: 'external_id', msg, type: 'external_id_conflict' };
    case 'group':
      return { row, column: null, msg, type: 'regrown' };
  }
}

/** The row of the first new line of a regrown group, if it has one. */
function rowOfConflict(conflict: Conflict, rows: readonly number[]): number | undefined {
  const [line] = conflict.taken === 'group' ? conflict.difference.added : [];
  return line === undefined ? undefined : rows[line];
}

function storedKey(event: StoredEvent): string {
  return event.externalId === null ? `group:${event.groupKey}` : `id:${event.externalId}`;
}

function draftKey(draft: Draft): string {
  return draft.externalId === null ? `group:${draft.groupKey}` : `id:${draft.externalId}`;
}

/** Where an error of an event's field stands in the file. */
function rowErrorOf(group: Group, error: FieldError): RowError {
  const { msg, type } = error;
  const [field, index, lineField] = error.loc;
  if (field === 'lines') {
    const row = (typeof index === 'number' ? group.rows[index] : undefined) ?? group.firstRow;
    return { row, column: lineField === undefined ? null : String(lineField), msg, type };
  }
  const row = field === 'notes' ? group.notesRow : group.firstRow;
  return { row, column: field === undefined ? null : String(field), msg, type };
}
