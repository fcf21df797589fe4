// Judges the events of a file one by one: by the rules of events, and against the stored events. It
// spools new events, and counts faults and names them by row and column.
import { join } from 'node:path';
import type { FieldError } from '@lothub/kit/http/field-errors';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { conflictSentence } from '../events/answers.ts';
import { checkEvent } from '../events/check-event.ts';
import type { Prepared } from '../events/prepare.ts';
import { findConflict, findEvent } from '../ledger/append/conflict.ts';
import type { Conflict, Draft } from '../ledger/draft.ts';
import { parsePayload } from '../ledger/record/payload.ts';
import type { Group } from './groups.ts';
import { LOOKUP_EVENTS_MAX, type LookupKeys, type StoredEvent } from './queries.ts';
import { RowErrors, RowWarnings, joinRepeats } from './row-error.ts';
import type { ImportWarning, RowError } from './row-error.ts';
import { SpoolWriter, type Spool, type SpooledWarning } from './spool.ts';

/** Lookups without a result yet. The check continues with the file meanwhile. */
const LOOKUPS_IN_FLIGHT_MAX = 4;
/** Characters of the drafts that wait for one lookup; few large events are looked up early. */
const LOOKUP_CHARACTERS_MAX = 1_048_576;

export interface EventCheckOptions {
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
  /** Warnings about the events that are new. */
  readonly warnings: readonly ImportWarning[];
  /** The events that are new. */
  readonly spool: Spool;
  /** Heights of blocks that were read and are not the text that was hashed. */
  readonly unsound: readonly number[];
}

/** An event of the file that waits for its lookup. */
interface Candidate {
  /** Row of each line. */
  readonly rows: readonly number[];
  readonly row: number;
  readonly reading: ReadEvent | { readonly kind: 'refused'; readonly errors: readonly RowError[] };
  /** The draft by the former way of reading cells, under which it may be stored. */
  readonly former: Draft | undefined;
}

interface ReadEvent {
  readonly kind: 'read';
  readonly draft: Draft;
  readonly warnings: readonly SpooledWarning[];
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
  readonly #errors = new RowErrors();
  readonly #options: EventCheckOptions;
  readonly #spool: SpoolWriter;
  readonly #lookups: Lookup[] = [];
  readonly #warnings = new RowWarnings();
  readonly #unsound = new Set<number>();
  #candidates: Candidate[] = [];
  #characters = 0;
  #keys = 0;
  #rows = 0;
  #events = 0;
  #duplicates = 0;
  #invalid = 0;
  #conflicts = 0;

  constructor(options: EventCheckOptions) {
    this.#options = options;
    this.#spool = new SpoolWriter(join(options.folder, 'events'));
  }

  countRow(): void {
    this.#rows += 1;
  }

  add(group: Group): void {
    this.#events += 1;
    const prepared = this.#prepare(group.input);
    const wrong = prepared.kind === 'invalid' ? prepared.errors : prepared.unfit;
    const errors = joinRepeats([
      ...group.errors,
      ...wrong.map((error) => toRowError(group, error)),
    ]);
    // An event that is unfit as a new one may be stored already.
    const asRead = prepared.kind === 'ready' && wrong.length > 0 ? prepared.draft : undefined;
    const former = this.#formerDraft(group) ?? asRead;
    if (prepared.kind === 'ready' && errors.length === 0) {
      const { draft } = prepared;
      const warnings = prepared.warnings.map(({ code, line }) => ({
        code,
        row: (line === undefined ? undefined : group.rows[line]) ?? group.firstRow,
      }));
      this.#await(group, { kind: 'read', draft, warnings }, former);
    } else if (former === undefined) {
      this.#refuse(errors);
    } else {
      this.#await(group, { kind: 'refused', errors }, former);
    }
  }

  #prepare(input: Group['input']): Prepared {
    const { nowMs } = this.#options;
    return checkEvent(input, { root: [], errors: 'all', nowMs, newSalt, identity: 'group' });
  }

  #formerDraft({ former }: Group): Draft | undefined {
    if (former === undefined) return undefined;
    const prepared = this.#prepare(former);
    return prepared.kind === 'ready' ? prepared.draft : undefined;
  }

  #await(group: Group, reading: Candidate['reading'], former: Draft | undefined): void {
    this.#candidates.push({ row: group.firstRow, rows: group.rows, reading, former });
    for (const draft of listDrafts({ reading, former })) this.#characters += draft.eventText.length;
    this.#keys += former === undefined ? 1 : 2;
    if (this.#keys + 1 >= LOOKUP_EVENTS_MAX || this.#characters >= LOOKUP_CHARACTERS_MAX) {
      this.#lookUp();
    }
  }

  /** Judges events after their lookup, and waits while too many lookups have no result. */
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
      errors: this.#errors.kept,
      warnings: this.#warnings.kept,
      spool: this.#spool.end(),
      unsound: [...this.#unsound],
    };
  }

  [Symbol.dispose](): void {
    this.#spool[Symbol.dispose]();
  }

  #refuse(errors: readonly RowError[]): void {
    this.#invalid += 1;
    for (const error of errors) this.#errors.add(error);
  }

  #lookUp(): void {
    const candidates = this.#candidates;
    if (candidates.length === 0) return;
    this.#candidates = [];
    this.#characters = 0;
    this.#keys = 0;
    const drafts = candidates.flatMap(listDrafts);
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
      this.#judge(candidate, byKey);
    }
  }

  #judge(candidate: Candidate, byKey: ReadonlyMap<string, readonly StoredEvent[]>): void {
    const { row, rows, reading } = candidate;
    let conflict: Conflict | undefined;
    for (const draft of listDrafts(candidate)) {
      for (const event of byKey.get(draftKey(draft)) ?? []) {
        const found = this.#findConflict(event, draft);
        if (found === undefined) {
          this.#duplicates += 1;
          return;
        }
        if (draft !== candidate.former) conflict = found;
      }
    }
    if (reading.kind === 'refused') {
      this.#refuse(reading.errors);
      return;
    }
    if (conflict !== undefined) {
      this.#conflicts += 1;
      this.#errors.add(conflictError(conflict, rowOfConflict(conflict, rows) ?? row));
      return;
    }
    const { draft, warnings } = reading;
    for (const { code, row: warned } of warnings) {
      this.#warnings.add(code, { row: warned, block_height: null });
    }
    this.#spool.add({ row, draft, warnings });
  }

  #findConflict(stored: StoredEvent, draft: Draft): Conflict | undefined {
    if (sha256Hex(stored.canonical) !== stored.hash) this.#unsound.add(stored.height);
    const privateValues = {
      lines: new Map(stored.privateLines.map((line) => [line.line_no, line])),
      notes: stored.privateNotes,
    };
    const event = findEvent(parsePayload(stored.canonical));
    return findConflict({ height: stored.height, event, privateValues }, draft);
  }
}

/** The error of an event whose key is taken, found before or while appending. */
export function conflictError(conflict: Conflict, row: number): RowError {
  const msg = conflictSentence(conflict, '');
  const stored = conflict.height < 0 ? {} : { block_height: conflict.height };
  switch (conflict.taken) {
    case 'external_id':
      return { row, column: 'external_id', msg, type: 'external_id_conflict', ...stored };
    case 'group':
      return { row, column: null, msg, type: 'regrown', ...stored };
  }
}

/** The row of the first new line of a regrown group, if it has one. */
function rowOfConflict(conflict: Conflict, rows: readonly number[]): number | undefined {
  const [line] = conflict.taken === 'group' ? conflict.difference.added : [];
  return line === undefined ? undefined : rows[line];
}

/** The drafts that an event may be stored as. */
function listDrafts({ reading, former }: Pick<Candidate, 'reading' | 'former'>): readonly Draft[] {
  const drafts = reading.kind === 'read' ? [reading.draft] : [];
  return former === undefined ? drafts : [...drafts, former];
}

function storedKey(event: StoredEvent): string {
  return event.externalId === null ? `group:${event.groupKey}` : `id:${event.externalId}`;
}

function draftKey(draft: Draft): string {
  return draft.externalId === null ? `group:${draft.groupKey}` : `id:${draft.externalId}`;
}

/** Finds the row and column of an error in an event's field. */
function toRowError(group: Group, error: FieldError): RowError {
  const { msg, type } = error;
  const [field, index, lineField] = error.loc;
  if (field === 'lines') {
    const row = (typeof index === 'number' ? group.rows[index] : undefined) ?? group.firstRow;
    return { row, column: lineField === undefined ? null : String(lineField), msg, type };
  }
  const row = field === 'notes' ? group.notesRow : group.firstRow;
  return { row, column: field === undefined ? null : String(field), msg, type };
}
