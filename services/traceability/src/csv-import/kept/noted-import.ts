// Runs an import of the API and writes its row into the list of imports. The row is written at the
// end: by then the caller has the response, or has disconnected. A failed write of the row leaves
// the imported events unchanged.
import { instantText } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { newId } from '@lothub/kit/secrets/ids';
import { FieldsRefusal, Refusal } from '../../errors.ts';
import { ImportInterrupted } from '../append-spool.ts';
import { importFailed } from '../../ledger/webhooks/notify.ts';
import { importFile, type ImportAnswer, type ImportOptions } from '../import.ts';
import type { RowError } from '../row-error.ts';
import type { ReceivedFile } from '../upload.ts';
import { BLOCKS_KEPT_MAX, insertImport, keptReport, type ImportReport } from './imports.ts';

/** @throws as `importFile` */
export async function importNoted(
  options: ImportOptions,
  sent: { readonly received: ReceivedFile; readonly actor: string },
): Promise<ImportAnswer> {
  const nowText = instantText(options.clock.nowMs());
  const fixed = {
    import_id: newId('imp'),
    tenant_id: options.tenantId,
    origin: 'api',
    actor: sent.actor,
    file_name: sent.received.name,
    file_kind: options.kind.type,
    file_bytes: sent.received.bytes,
    folder_id: null,
    machine: null,
    created_at: nowText,
    changed_at: nowText,
  } as const;
  const blocks: ImportReport['blocks'][number][] = [];
  const onAppended: ImportOptions['onAppended'] = (part) => {
    blocks.push(...part.blocks.slice(0, BLOCKS_KEPT_MAX - blocks.length));
  };
  try {
    const answer = await importFile({ ...options, onAppended });
    const { rows, events, accepted, duplicates, rejected, errors, warnings } = answer;
    await note({
      state: 'imported',
      row_count: rows,
      event_count: events,
      ...{ accepted, duplicates, rejected },
      report: keptReport({ errors, warnings, blocks }),
    });
    return answer;
  } catch (error) {
    await note({ ...NO_COUNTS, ...standingAfter(error, blocks, options.signal) });
    throw error;
  }

  async function note(
    found: Omit<Parameters<typeof insertImport>[0], keyof typeof fixed>,
  ): Promise<void> {
    try {
      const { state, row_count: rows, rejected } = found;
      const messages =
        state === 'failed' || state === 'stopped' || (state === 'imported' && (rejected ?? 0) > 0)
          ? [
              importFailed({
                ...{ brand: options.tenantId, importId: fixed.import_id, state, rows, rejected },
                at: instantText(options.clock.nowMs()),
              }),
            ]
          : [];
      await options.store.write([insertImport({ ...fixed, ...found }), ...messages]);
    } catch (error) {
      options.log.error({ err: error }, 'an import is not in the list of imports');
    }
  }
}

const NO_COUNTS = {
  row_count: null,
  event_count: null,
  accepted: 0,
  duplicates: null,
  rejected: null,
} as const;

function standingAfter(
  error: unknown,
  blocks: ImportReport['blocks'],
  signal: AbortSignal,
): {
  readonly state: 'failed' | 'stopped';
  readonly accepted: number;
  readonly report: ImportReport;
} {
  if (error instanceof ImportInterrupted) {
    return { state: 'stopped', accepted: error.stored, report: keptReport({ blocks }) };
  }
  const isRefused = error instanceof FieldsRefusal || error instanceof Refusal;
  const errors = error instanceof FieldsRefusal ? listRowErrors(error) : [];
  const isPassing = signal.aborted || error instanceof DatabaseError;
  const problem = isRefused ? 'refused' : isPassing ? 'busy' : 'defect';
  const report = keptReport({ problem, errors });
  return { state: 'failed', accepted: 0, report };
}

/**
 * Turns errors of `fieldErrorOfRow` back into errors of rows; an error of the request is one of its
 * first row.
 */
function listRowErrors({ fields }: FieldsRefusal): readonly RowError[] {
  return fields.map(({ loc, msg, type }) => {
    const [, , row, column] = loc;
    return {
      row: typeof row === 'number' ? row : 1,
      column: typeof column === 'string' ? column : null,
      msg,
      type,
    };
  });
}
