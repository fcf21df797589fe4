// The first pass of an import: reads the whole file, judges every event by the rules of events and
// against what is stored, and spools what is new. Nothing is appended here. Runs in a thread of its
// own, so that half a gigabyte of text never stands in the way of a request.
import { join } from 'node:path';
import { fieldErrorsOf } from '@lothub/kit/field-errors';
import type { FieldError } from '@lothub/kit/field-errors';
import { sha256Hex } from '@lothub/kit/hash';
import { compileValueSchema } from '@lothub/kit/request-validation';
import { newSalt } from '@lothub/kit/secrets';
import { conflictSentence } from '../events/answers.ts';
import { prepareEvent } from '../events/prepare.ts';
import type { WarningCode } from '../events/prepare.ts';
import { EventSchema } from '../events/schema.ts';
import type { EventInput } from '../events/schema.ts';
import type { Draft, DraftOutcome } from '../ledger/draft.ts';
import { payloadOf } from '../ledger/payload.ts';
import { differingFields } from '../ledger/replay.ts';
import type { Header } from './columns.ts';
import { GroupBuilder, groupKeyOfRow } from './groups.ts';
import type { Group } from './groups.ts';
import { LOOKUP_EVENTS_MAX } from './queries.ts';
import type { LookupKeys, StoredEvent } from './queries.ts';
import { RepeatFinder } from './repeats.ts';
import { RowErrors, UnreadableFile } from './row-error.ts';
import type { RowError } from './row-error.ts';
import { RowSorter } from './row-sorter.ts';
import { readRows } from './rows.ts';
import type { RowReceiver } from './rows.ts';
import { SpoolWriter } from './spool.ts';
import type { Spool } from './spool.ts';

/** Lookups asked and not yet answered. The check goes on with the file meanwhile. */
const LOOKUPS_IN_FLIGHT_MAX = 4;
/** Characters of the drafts that wait for one lookup; few large events are looked up early. */
const LOOKUP_CHARACTERS_MAX = 1_048_576;
/** Sorted rows between two turns. */
const SORTED_ROWS_PER_TURN = 500;

const checkEvent = compileValueSchema<EventInput>(EventSchema);

export interface CheckOptions {
  readonly file: string;
  /** A folder of this import alone, for what does not fit in memory. */
  readonly folder: string;
  readonly nowMs: number;
  readonly findStored: (keys: LookupKeys) => Promise<readonly StoredEvent[]>;
}

export type CheckResult =
  | { readonly kind: 'unreadable'; readonly errors: readonly RowError[] }
  | ({ readonly kind: 'checked' } & CheckedFile);

export interface CheckedFile {
  readonly rows: number;
  readonly events: number;
  /** Events that are stored already with the same content. */
  readonly duplicates: number;
  /** Events that break a rule of their own. */
  readonly invalid: number;
  /** Events whose external id is taken by other content. */
  readonly conflicts: number;
  readonly errors: readonly RowError[];
  readonly warnings: Readonly<Partial<Record<WarningCode, number>>>;
  /** The events that are new. */
  readonly spool: Spool;
  /** Heights of blocks that were read and are not the text that was hashed. */
  readonly unsound: readonly number[];
}

/** Checks a file; private values that are spooled stay in `folder`. */
export async function checkFile(options: CheckOptions): Promise<CheckResult> {
  try {
    using inFileOrder = new FileCheck(options);
    const checked = await checkInFileOrder(options, inFileOrder);
    if (checked !== undefined) return { kind: 'checked', ...checked };
    using sorted = new FileCheck(options);
    return { kind: 'checked', ...(await checkSorted(options, sorted)) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: 'unreadable', errors: error.errors };
    throw error;
  }
}

/** @returns nothing when rows of a group are scattered over the file: its groups are incomplete */
async function checkInFileOrder(
  options: CheckOptions,
  check: FileCheck,
): Promise<CheckedFile | undefined> {
  using repeats = new RepeatFinder(join(options.folder, 'runs'));
  let builder: GroupBuilder | undefined;
  const take = (group: Group | undefined): void => {
    if (group === undefined) return;
    repeats.add(group.key);
    check.add(group);
  };
  const receiver: RowReceiver = {
    header: (header) => {
      builder = new GroupBuilder(header, check.errors);
    },
    row: (row, cells) => {
      check.countRow();
      take(builder?.add(row, cells));
    },
    turn: async () => {
      if (repeats.repeated) throw new ScatteredRows();
      await check.turn();
    },
  };
  try {
    await readRows(options.file, receiver);
  } catch (error) {
    if (error instanceof ScatteredRows) return undefined;
    throw error;
  }
  take(builder?.end());
  return repeats.end() ? undefined : await check.end();
}

/** Ends reading early: the file has to be sorted first. Never leaves this file. */
class ScatteredRows extends Error {}

async function checkSorted(options: CheckOptions, check: FileCheck): Promise<CheckedFile> {
  using sorter = new RowSorter(join(options.folder, 'rows'));
  const header = await readIntoSorter(options.file, sorter);
  const builder = new GroupBuilder(header, check.errors);
  let turnIn = SORTED_ROWS_PER_TURN;
  for (const { row, cells } of sorter.sorted()) {
    check.countRow();
    const group = builder.add(row, cells);
    if (group !== undefined) check.add(group);
    turnIn -= 1;
    if (turnIn > 0) continue;
    turnIn = SORTED_ROWS_PER_TURN;
    await check.turn();
  }
  const last = builder.end();
  if (last !== undefined) check.add(last);
  return await check.end();
}

async function readIntoSorter(file: string, sorter: RowSorter): Promise<Header> {
  let header: Header | undefined;
  const receiver: RowReceiver = {
    header: (read) => {
      header = read;
    },
    row: (row, cells) => {
      if (header !== undefined) sorter.add(row, groupKeyOfRow(cells, header.places), cells);
    },
    turn: () => Promise.resolve(),
  };
  await readRows(file, receiver);
  if (header === undefined)
    throw new Error('reading rows ended without a header and without error');
  return header;
}

/** A prepared event that waits to be looked up. */
interface Candidate {
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
class FileCheck implements Disposable {
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
    const checked = checkEvent(group.input);
    if (checked.kind === 'invalid') {
      this.#refuse(group, fieldErrorsOf(checked.errors, []));
      return;
    }
    const prepared = prepareEvent(checked.value, {
      root: [],
      nowMs: this.#options.nowMs,
      newSalt,
      identity: 'content',
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
    this.#candidates.push({ row: group.firstRow, draft, warnings });
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
      contentKeys: drafts.flatMap((draft) => draft.contentKey ?? []),
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
    const { row, draft } = candidate;
    let conflict: Extract<DraftOutcome, { kind: 'conflict' }> | undefined;
    for (const event of stored) {
      const fields = this.#differences(event, draft);
      if (fields.length === 0) {
        this.#duplicates += 1;
        return;
      }
      conflict ??= { kind: 'conflict', height: event.height, fields };
    }
    // Sales that differ only in what is private share a content key and are events of their own.
    if (conflict !== undefined && draft.externalId !== null) {
      this.#conflicts += 1;
      this.errors.add(conflictError(row, conflict));
      return;
    }
    for (const code of candidate.warnings) {
      this.#warnings[code] = (this.#warnings[code] ?? 0) + 1;
    }
    this.#spool.add({ row, draft });
  }

  #differences(stored: StoredEvent, draft: Draft): readonly string[] {
    if (sha256Hex(stored.canonical) !== stored.hash) this.#unsound.add(stored.height);
    const payload = payloadOf(stored.canonical);
    if (payload.type !== 'event') return ['event_type'];
    return differingFields(payload.event, draft, {
      lines: new Map(stored.privateLines.map((line) => [line.lineNo, line])),
      notes: stored.privateNotes,
    });
  }
}

/** The error of an event whose external id is taken, found before or while appending. */
export function conflictError(
  row: number,
  conflict: Extract<DraftOutcome, { kind: 'conflict' }>,
): RowError {
  return {
    row,
    column: 'external_id',
    msg: conflictSentence(conflict, ''),
    type: 'external_id_conflict',
  };
}

function storedKey(event: StoredEvent): string {
  return event.externalId === null ? `content:${event.contentKey}` : `id:${event.externalId}`;
}

function draftKey(draft: Draft): string {
  return draft.externalId === null ? `content:${draft.contentKey}` : `id:${draft.externalId}`;
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
