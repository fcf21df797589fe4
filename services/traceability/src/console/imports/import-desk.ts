// The work on a waiting file: reads it, checks it, imports it. A check or an import runs after the answer was
// sent; its progress is in the row of the import, so that any process can show it. If a process is killed,
// the row is not updated any more: after SILENT_MS the import counts as stopped, its file stays, and
// importing it again completes it.
import { instantText, type Clock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { newId } from '@lothub/kit/secrets/ids';
import type { FastifyRequest } from 'fastify';
import type { Sql } from 'sql-template-tag';
import { ImportInterrupted } from '../../csv-import/append-spool.ts';
import type { FileKind } from '../../csv-import/check.ts';
import { formOptions, type FormOptions } from '../../csv-import/form/options.ts';
import { checkImport, importFile, type ImportLog } from '../../csv-import/import.ts';
import {
  BLOCKS_KEPT_MAX,
  changeImport,
  insertImport,
  keptReport,
  NO_REPORT,
  removeOldImports,
  type ImportChanges,
  type ImportProblem,
  type ImportReport,
  type KeptImport,
} from '../../csv-import/kept/imports.ts';
import type { SurveyResult } from '../../csv-import/mapping/survey.ts';
import type { RowError } from '../../csv-import/row-error.ts';
import type { Turns } from '../../csv-import/turns.ts';
import { FILE_BYTES_MAX, WORKBOOK_BYTES_MAX, receiveFile } from '../../csv-import/upload.ts';
import { FieldsRefusal, Refusal } from '../../errors.ts';
import type { Caller } from '../../ledger/draft.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import type { ImportState } from '../../ledger/tables/imports.ts';
import { importFailed } from '../../ledger/webhooks/notify.ts';
import type { ChainState } from '../../ledger/verify/chain-state.ts';
import type { OnError } from '../../terms.ts';
import type { CheckedParts, SaidForm } from './parts-on-disk.ts';
import { findKind } from './file-kind.ts';
import { filesWaiting } from './queries.ts';
import { ImportRefused } from './refused.ts';
import { WAITING_FILES_MAX, WAITING_MS_MAX, WaitingFiles } from './waiting-files.ts';

/** Files of one brand that wait on all machines. */
export const BRAND_FILES_MAX = 5;
/** Interval at which a working process updates the row. */
const BEAT_MS = 2_000;
const SWEEP_MS = 60 * 60 * 1_000;

export interface ImportDeskDeps {
  readonly store: LedgerStore;
  readonly state: ChainState;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly importDir: string;
}

interface Job {
  readonly row: Pick<KeptImport, 'import_id' | 'tenant_id' | 'file_kind'>;
  readonly form: SaidForm;
  readonly log: ImportLog;
}

export class ImportDesk {
  readonly files: WaitingFiles;
  readonly #deps: ImportDeskDeps;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(deps: ImportDeskDeps) {
    this.#deps = deps;
    this.files = new WaitingFiles(deps.importDir);
  }

  /** Removes old files and rows, now and every hour. */
  start(log: ImportLog): void {
    const sweep = (): void => {
      this.sweep().catch((error: unknown) => log.error({ err: error }, 'sweeping imported files'));
    };
    sweep();
    this.#sweeping = setInterval(sweep, SWEEP_MS).unref();
  }

  /** Stops running work between two slices, and waits until its row says so. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#closing.abort(new DatabaseError('database_busy', 'the service is shutting down'));
    await Promise.all(this.#running);
  }

  /**
   * Receives a file and reads it.
   * @returns the id of its import
   * @throws ImportRefused; what `receiveFile` throws
   */
  async receive(
    request: FastifyRequest,
    sender: { readonly tenantId: string; readonly actor: string },
  ): Promise<string> {
    const { store, clock } = this.#deps;
    await this.sweep();
    await this.#assertPlace(sender.tenantId);
    const importId = newId('imp');
    await this.files.make(importId);
    try {
      const target = this.files.buildPath(importId);
      const received = await receiveFile(request, { target, fileBytesMax: FILE_BYTES_MAX });
      const kind = await findKind(target);
      if (kind === 'xlsx' && received.bytes > WORKBOOK_BYTES_MAX) {
        throw new ImportRefused('workbook_too_large');
      }
      if (received.bytes === 0) throw new ImportRefused('empty');
      const nowText = instantText(clock.nowMs());
      await store.write([
        insertImport({
          import_id: importId,
          tenant_id: sender.tenantId,
          origin: 'page',
          actor: sender.actor,
          file_name: received.name,
          file_kind: kind,
          file_bytes: received.bytes,
          folder_id: await this.files.folderId(),
          machine: this.files.machine,
          state: 'open',
          created_at: nowText,
          changed_at: nowText,
          ...NO_COUNTS,
          report: NO_REPORT,
        }),
      ]);
    } catch (error) {
      // Without a row nobody can find the file.
      await this.files.remove(importId);
      throw error;
    }
    return importId;
  }

  async #assertPlace(tenantId: string): Promise<void> {
    const { store, clock } = this.#deps;
    const since = instantText(clock.nowMs() - WAITING_MS_MAX);
    const limit = BRAND_FILES_MAX;
    if ((await filesWaiting(store.reader, { tenantId, since, limit })) >= limit) {
      throw new ImportRefused('brand_full');
    }
    if ((await this.files.count()) >= WAITING_FILES_MAX) throw new ImportRefused('hub_full');
  }

  /** Reads a file by the settings of its form so far. */
  async survey(job: Job): Promise<SurveyResult> {
    const { surveyInThread } = await import('../../csv-import/check-thread.ts');
    const { import_id: importId } = job.row;
    const signal = this.#closing.signal;
    using _turn = await this.#deps.turns.take(signal);
    await using folder = await this.files.workFolder(importId);
    const result = await surveyInThread({ ...this.#source(job), folder: folder.path, signal });
    await this.files.write(importId, 'form', job.form);
    await this.files.write(importId, 'survey', result);
    return result;
  }

  /** @returns false when the import is in another state by now */
  async beginCheck(job: Job, from: readonly ImportState[]): Promise<boolean> {
    await this.files.write(job.row.import_id, 'form', job.form);
    const set = { state: 'checking', done_count: 0, report: NO_REPORT } as const;
    if (!(await this.#change(job, from, set))) return false;
    this.#runBehind(job, () => this.#check(job, null));
    return true;
  }

  /** @returns false when the import is in another state by now */
  async beginImport(
    job: Job & { readonly caller: Caller; readonly onError: OnError },
  ): Promise<boolean> {
    const set = { state: 'importing', done_count: 0, actor: job.caller.actor } as const;
    if (!(await this.#change(job, ['checked', 'stopped'], set))) return false;
    this.#runBehind(job, () => this.#import(job));
    return true;
  }

  /** @returns false when work on it is running, or it does not exist any more */
  async remove(row: Job['row']): Promise<boolean> {
    const from = ['open', 'checked', 'stopped', 'failed'] as const;
    const set = { state: 'removed', folder_id: null, machine: null } as const;
    if (!(await this.#change({ row }, from, set))) return false;
    await this.files.remove(row.import_id);
    return true;
  }

  /** Removes files that waited for too long, and rows that are too old. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const gone = await this.files.sweep(nowMs);
    const statements: Sql[] = gone.flatMap((importId) => [
      changeImport({
        ...{ importId, nowMs },
        from: ['open', 'checked', 'stopped', 'failed'],
        set: { state: 'removed', folder_id: null, machine: null },
      }),
      changeImport({
        ...{ importId, nowMs },
        from: ['imported'],
        set: { folder_id: null, machine: null },
      }),
    ]);
    await store.write([...statements, removeOldImports(nowMs)]);
  }

  #source({ row, form }: Job): {
    readonly file: string;
    readonly kind: FileKind;
    readonly form: FormOptions;
  } {
    return {
      file: this.files.buildPath(row.import_id),
      kind: row.file_kind === 'xlsx' ? { type: 'xlsx', sheet: form.sheet } : { type: 'csv' },
      form: { ...formOptions(form.query), mapping: form.mapping },
    };
  }

  async #change(
    { row }: Pick<Job, 'row'>,
    from: readonly ImportState[],
    set: ImportChanges,
  ): Promise<boolean> {
    const nowMs = this.#deps.clock.nowMs();
    const importId = row.import_id;
    const messages =
      set.state === 'stopped'
        ? [
            importFailed({
              ...{ brand: row.tenant_id, importId, at: instantText(nowMs), state: set.state },
              ...{ rows: null, rejected: null },
            }),
          ]
        : [];
    const statement = changeImport({ importId, from, set, nowMs });
    const [changed = []] = await this.#deps.store.write([statement, ...messages]);
    return changed.length > 0;
  }

  /** @param work what `#check` or `#import` does; it leaves the row in a state that ends the work */
  #runBehind(job: Job, work: () => Promise<void>): void {
    const ended = work()
      .catch(async (error: unknown) => {
        await this.#stop(job, error);
      })
      .catch((error: unknown) => {
        job.log.error({ err: error }, 'an import ended and its row does not say so');
      })
      .finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }

  /** Stored rows stay, and importing again completes the import. */
  async #stop(job: Job, error: unknown): Promise<void> {
    const isShutDown = error === this.#closing.signal.reason;
    if (!isShutDown) job.log.error({ err: error }, 'an import stopped');
    const stored = error instanceof ImportInterrupted ? error.stored : 0;
    const cause = error instanceof ImportInterrupted ? error.cause : error;
    const problem = isShutDown ? null : toProblem(cause);
    await this.#change(job, ['importing'], {
      state: 'stopped',
      accepted: stored,
      report: { ...NO_REPORT, problem },
    });
    await this.#change(job, ['checking'], { state: 'open', report: { ...NO_REPORT, problem } });
  }

  /** @param after the reason for another check */
  async #check(job: Job, after: ImportProblem | null): Promise<void> {
    const { store, state, clock, turns } = this.#deps;
    const signal = this.#closing.signal;
    using _beat = this.#beat(job, 'checking', () => 0);
    using _turn = await turns.take(signal);
    const { import_id: importId, tenant_id: tenantId } = job.row;
    await using folder = await this.files.workFolder(importId);
    const result = await checkImport({
      ...this.#source(job),
      ...{ folder: folder.path, tenantId, store, state, clock, signal },
      keepsWrongRows: true,
    });
    if (result.kind !== 'checked') {
      const errors: readonly RowError[] =
        result.kind === 'unreadable' ? result.errors : [SHEET_MISSING];
      const report = keptReport({ problem: 'unreadable', errors });
      await this.#change(job, ['checking'], { state: 'open', report });
      return;
    }
    const { rows, events, duplicates, invalid, conflicts, errors, warnings, wrongRows, form } =
      result;
    await this.files.write(importId, 'check', { wrongRows, errors, form } satisfies CheckedParts);
    const rejected = invalid + conflicts;
    await this.#change(job, ['checking'], {
      state: 'checked',
      row_count: rows,
      event_count: events,
      accepted: events - duplicates - rejected,
      ...{ duplicates, rejected },
      report: keptReport({ problem: after, errors, warnings }),
    });
  }

  async #import(job: Job & { readonly caller: Caller; readonly onError: OnError }): Promise<void> {
    const { store, state, clock, turns } = this.#deps;
    const signal = this.#closing.signal;
    const { import_id: importId, tenant_id: tenantId } = job.row;
    const blocks: ImportReport['blocks'][number][] = [];
    let done = 0;
    using _beat = this.#beat(job, 'importing', () => done);
    using _turn = await turns.take(signal);
    try {
      await using folder = await this.files.workFolder(importId);
      const answer = await importFile({
        ...this.#source(job),
        ...{ folder: folder.path, tenantId, store, state, clock, signal },
        ...{ caller: job.caller, onError: job.onError, log: job.log },
        mode: 'append',
        logAnswers: undefined,
        onAppended: (part) => {
          done += part.events;
          blocks.push(...part.blocks.slice(0, BLOCKS_KEPT_MAX - blocks.length));
        },
      });
      const { rows, events, accepted, duplicates, rejected, errors, warnings } = answer;
      await this.#change(job, ['importing'], {
        state: 'imported',
        row_count: rows,
        event_count: events,
        ...{ accepted, duplicates, rejected },
        done_count: events,
        report: keptReport({ errors, warnings, blocks }),
        // The cells of rows that were left out can be shown as long as files are kept.
        ...(rejected > 0 ? {} : { folder_id: null, machine: null }),
      });
      if (rejected > 0) await this.files.removeFile(importId);
      else await this.files.remove(importId);
    } catch (error) {
      if (!(error instanceof FieldsRefusal) && !(error instanceof Refusal)) throw error;
      // Something else has taken an id since the check. Nothing is stored; a new check says what it is.
      if (!(await this.#change(job, ['importing'], { state: 'checking' }))) return;
      this.#runBehind(job, () => this.#check(job, 'refused'));
    }
  }

  #beat(job: Job, state: ImportState, done: () => number): Disposable {
    const timer = setInterval(() => {
      this.#change(job, [state], { done_count: done() }).catch((error: unknown) => {
        job.log.error({ err: error }, 'an import cannot say how far it is');
      });
    }, BEAT_MS).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }
}

const NO_COUNTS = {
  row_count: null,
  event_count: null,
  accepted: null,
  duplicates: null,
  rejected: null,
} as const;

const SHEET_MISSING: RowError = {
  row: 1,
  column: null,
  msg: 'The workbook has no sheet of this name',
  type: 'value_error',
};

function toProblem(error: unknown): ImportProblem {
  if (error instanceof DatabaseError) {
    return error.code === 'database_full' ? 'disk_full' : 'busy';
  }
  return 'defect';
}
