// Imports a file in two passes: the whole file is checked first, then its events are appended slice
// by slice. A crash between slices leaves a prefix; importing the file again completes it, because
// it finds every stored event by its external id, or by the values that its rows share and its
// content.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { Caller } from '../ledger/draft.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { LogAnswers, LogHead, LogMembers } from '../log/answers.ts';
import type { OnError } from '../terms.ts';
import { appendSpool, nothingAppended, type AppendedPart } from './append-spool.ts';
import type { CheckResult, FileKind } from './check.ts';
import type { CheckedFile } from './event-check.ts';
import type { FormOptions } from './form/options.ts';
import { findStoredEvents, findTip } from './queries.ts';
import { fieldErrorOfRow, type ImportWarning, type RowError } from './row-error.ts';

export type ImportAnswer = ImportSummary & LogMembers<LogHead>;

interface ImportSummary {
  readonly dry_run: boolean;
  /** Rows of the file that are not blank, without the header. */
  readonly rows: number;
  readonly events: number;
  /** Events appended; in a dry run, events that would be. */
  readonly accepted: number;
  /** Events that were stored already with the same content. */
  readonly duplicates: number;
  readonly rejected: number;
  readonly errors: readonly RowError[];
  /** Warnings of the accepted events, by their code. */
  readonly warnings: readonly ImportWarning[];
  readonly chain: {
    readonly height: number;
    readonly tip_hash: string;
    readonly chain_valid: boolean;
  };
}

export interface ImportOptions {
  /** The uploaded file. */
  readonly file: string;
  readonly kind: FileKind;
  /** The form of the file, according to the caller. */
  readonly form: FormOptions;
  /** A folder of this import alone; the caller always removes it. */
  readonly folder: string;
  readonly tenantId: string;
  readonly caller: Caller;
  readonly onError: OnError;
  readonly mode: 'append' | 'dry_run';
  readonly store: LedgerStore;
  readonly state: ChainState;
  readonly clock: Clock;
  /** Undefined when the caller wants nothing about the public log. */
  readonly logAnswers: LogAnswers | undefined;
  readonly log: ImportLog;
  /** Stops the import between two slices. */
  readonly signal: AbortSignal;
  /** Receives the result of each submission. */
  readonly onAppended?: (part: AppendedPart) => void;
}

export interface ImportLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/**
 * Checks a file and appends its events.
 * @throws FieldsRefusal when the file cannot be read, or (`abort`) an event breaks a rule
 * @throws Refusal `rule_broken` (`abort`) when an external id or a group is taken by other content
 * @throws ImportInterrupted when appending stopped in the middle
 * @throws DatabaseError when nothing was stored: the database or the disk cannot take it now
 */
export async function importFile(options: ImportOptions): Promise<ImportAnswer> {
  const { store, state, log, tenantId } = options;
  const checked = asChecked(await checkImport(options));
  const { rows, events, duplicates, invalid, conflicts } = checked;
  log.info(
    { tenant_id: tenantId, rows, events, duplicates, invalid, conflicts },
    'checked an imported file',
  );
  if (options.onError === 'abort') refuse(checked);
  const added = events - duplicates - invalid - conflicts;
  const appended =
    options.mode === 'dry_run'
      ? { ...nothingAppended(), accepted: added }
      : await appendSpool({ ...options, spool: checked.spool, total: added });
  const errors = [...checked.errors, ...appended.errors.kept];
  const tip = appended.tip ?? (await findTip(store.reader));
  const logMembers =
    options.mode === 'dry_run' ? {} : await options.logAnswers?.ofTree(tip, appended.log);
  return {
    dry_run: options.mode === 'dry_run',
    rows,
    events,
    accepted: appended.accepted,
    duplicates: duplicates + appended.duplicates,
    rejected: invalid + conflicts + appended.conflicts,
    errors,
    warnings: options.mode === 'dry_run' ? checked.warnings : appended.warnings.kept,
    chain: { height: tip.height, tip_hash: tip.hash, chain_valid: state.valid },
    ...logMembers,
  };
}

export type CheckImportOptions = Pick<
  ImportOptions,
  'file' | 'kind' | 'form' | 'folder' | 'tenantId' | 'store' | 'state' | 'clock' | 'signal'
> & { readonly keepsWrongRows?: boolean };

/**
 * Checks a file as an import does, without appending anything.
 * @throws DatabaseError when the stored events cannot be read, or the disk has no room
 */
export async function checkImport(options: CheckImportOptions): Promise<CheckResult> {
  // The modules that read files are loaded with the first file, so that they do not delay a start.
  const { checkInThread } = await import('./check-thread.ts');
  const { file, kind, form, folder, signal, keepsWrongRows = false } = options;
  const reader: DatabaseReader = options.store.reader;
  const result = await checkInThread({
    ...{ file, kind, form, folder, signal, keepsWrongRows },
    nowMs: options.clock.nowMs(),
    findStored: (keys) => findStoredEvents(reader, options.tenantId, keys),
  });
  signal.throwIfAborted();
  if (result.kind !== 'checked') return result;
  for (const height of result.unsound) {
    const message = `block ${height} is not the text that was hashed`;
    options.state.report({ height, code: 'hash_mismatch', message });
  }
  return result;
}

/** @throws FieldsRefusal when the file cannot be read */
function asChecked(result: CheckResult): CheckedFile {
  if (result.kind === 'sheet_missing') {
    const msg = 'The workbook has no sheet of this name';
    throw FieldsRefusal.of(['query', 'sheet'], msg, 'value_error');
  }
  if (result.kind === 'unreadable') throw new FieldsRefusal(result.errors.map(fieldErrorOfRow));
  return result;
}

/** @throws FieldsRefusal, Refusal when an event of the file cannot be accepted */
function refuse(checked: CheckedFile): void {
  if (checked.invalid > 0) throw new FieldsRefusal(checked.errors.map(fieldErrorOfRow));
  const [first] = checked.errors;
  if (first === undefined) return;
  const more = checked.conflicts > 1 ? ` (and ${checked.conflicts - 1} more events like it)` : '';
  throw new Refusal('rule_broken', `row ${first.row}: ${first.msg}${more}`);
}
