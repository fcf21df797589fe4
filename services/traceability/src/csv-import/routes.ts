// POST /v1/import/csv and /v1/import/xlsx: many events in one file
// (docs/interface/traceability.md#import-of-files).
import { join } from 'node:path';
import type { Clock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { compileAllButBody } from '@lothub/kit/http/schemas/compilers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RULE_BROKEN, TOO_LARGE, V1_ERRORS, V1_SECURITY, buildCaller, type App } from '../http.ts';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { MINIMAL_APPLIED, PreferHeader, prefersMinimal, type LogAnswers } from '../log/answers.ts';
import { ON_ERROR_DEFAULT, type OnError } from '../terms.ts';
import { ImportInterrupted } from './append-spool.ts';
import type { FileKind } from './check.ts';
import { checkTimeZone, formOptions, type FormQuery } from './form/options.ts';
import { asDiskFull, openImportFolder, sweepImportFolders } from './import-folder.ts';
import { importFile, type ImportAnswer } from './import.ts';
import { importNoted } from './kept/noted-import.ts';
import {
  CsvQuerySchema,
  DESCRIPTION,
  FormSchema,
  ImportAnswerSchema,
  WorkbookFormSchema,
  WorkbookQuerySchema,
} from './interface/schemas.ts';
import { importTemplateRoutes } from './template/routes.ts';
import { IMPORT_LIMITS, type FullLimit, type Turns } from './turns.ts';
import { FILE_BYTES_MAX, WORKBOOK_BYTES_MAX, receiveFile, takeFormsOnly } from './upload.ts';

/** When the caller of an import that was refused for load, or interrupted, should come back. */
const RETRY_AFTER_SECONDS = 5;

export interface CsvImportDeps {
  readonly store: LedgerStore;
  readonly state: ChainState;
  readonly clock: Clock;
  readonly logAnswers: LogAnswers;
  /** Shared in this process: its pages import, too. */
  readonly turns: Turns;
  /**
   * The folder of files that exist during an import. It is emptied at the start, so no other
   * process may use it.
   */
  readonly tempDir: string;
  /** Bytes of the largest file; 1 GiB when not given. */
  readonly fileBytesMax?: number;
}

/** The file to import, and the options. */
interface Wanted {
  readonly kind: FileKind;
  readonly query: { readonly on_error?: OnError; readonly dry_run?: boolean } & FormQuery;
  readonly fileBytesMax: number;
}

/** An import that has a place, and what ends it. */
interface Admitted extends Wanted {
  readonly place: Disposable;
  readonly signal: AbortSignal;
}

export function csvImportRoutes(app: App, deps: CsvImportDeps): void {
  const { turns } = deps;
  const closing = new AbortController();
  app.addHook('onReady', async () => {
    await sweepImportFolders(deps.tempDir);
  });
  // Running imports end between two slices, so that a stop does not wait for a gigabyte.
  app.addHook('preClose', (done) => {
    closing.abort(new DatabaseError('database_busy', 'the service is shutting down'));
    done();
  });

  const importUpload = async (
    request: FastifyRequest,
    { place, kind, query, fileBytesMax, signal }: Admitted,
  ): Promise<ImportAnswer> => {
    using _place = place;
    await using folder = await openImportFolder(deps.tempDir);
    const file = join(folder.path, 'upload');
    const received = await receiveFile(request, { target: file, fileBytesMax });
    using _turn = await turns.take(signal);
    const wanted = {
      file,
      kind,
      form: formOptions(query),
      folder: folder.path,
      tenantId: request.tenantId,
      caller: buildCaller(request),
      onError: query.on_error ?? ON_ERROR_DEFAULT,
      mode: query.dry_run === true ? 'dry_run' : 'append',
      store: deps.store,
      state: deps.state,
      clock: deps.clock,
      logAnswers: prefersMinimal(request) ? undefined : deps.logAnswers,
      log: request.log,
      signal,
    } as const;
    if (query.dry_run === true) return await importFile(wanted);
    return await importNoted(wanted, { received, actor: buildCaller(request).actor });
  };

  const answerImport = async (
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: Wanted,
  ): Promise<FastifyReply> => {
    request.isDryRun = wanted.query.dry_run === true;
    refuseUnknownTimeZone(wanted.query);
    const place = turns.admit(request.tenantId);
    if (typeof place === 'string') throw refusalForLoad(place, request, reply);
    const gone = clientLeaving(reply);
    const signal = AbortSignal.any([closing.signal, gone]);
    try {
      const answer = await importUpload(request, { ...wanted, place, signal });
      if (prefersMinimal(request)) void reply.headers(MINIMAL_APPLIED);
      const created = answer.accepted > 0 && !answer.dry_run;
      return await reply.code(created ? 201 : 200).send(answer);
    } catch (error) {
      if (isEndedBy(gone, error)) return endWithoutClient(error, request, reply);
      if (!(error instanceof ImportInterrupted)) throw asDiskFull(error);
      request.log.error({ err: error }, 'an import stopped in the middle');
      void reply.header('Retry-After', RETRY_AFTER_SECONDS);
      return await reply.code(503).send({ detail: error.message });
    }
  };

  importTemplateRoutes(app);
  // A scope of its own: no other route shall take a form.
  app.register((forms: App, _options: object, done: () => void) => {
    takeFormsOnly(forms);
    const csvBytesMax = deps.fileBytesMax ?? FILE_BYTES_MAX;
    forms.post(
      '/v1/import/csv',
      {
        config: { keyNeeds: 'post-events' },
        bodyLimit: csvBytesMax,
        validatorCompiler: compileAllButBody,
        schema: {
          ...SCHEMA,
          operationId: 'importCsv',
          summary: 'Import events from a CSV file',
          querystring: CsvQuerySchema,
          body: FormSchema,
        },
      },
      async (request, reply) => {
        const { query } = request;
        return await answerImport(request, reply, {
          kind: { type: 'csv' },
          query,
          fileBytesMax: csvBytesMax,
        });
      },
    );
    const workbookBytesMax = deps.fileBytesMax ?? WORKBOOK_BYTES_MAX;
    forms.post(
      '/v1/import/xlsx',
      {
        config: { keyNeeds: 'post-events' },
        bodyLimit: workbookBytesMax,
        validatorCompiler: compileAllButBody,
        schema: {
          ...SCHEMA,
          operationId: 'importXlsx',
          summary: 'Import events from a sheet of a workbook',
          querystring: WorkbookQuerySchema,
          body: WorkbookFormSchema,
        },
      },
      async (request, reply) => {
        const { query } = request;
        return await answerImport(request, reply, {
          kind: { type: 'xlsx', sheet: query.sheet ?? null },
          query,
          fileBytesMax: workbookBytesMax,
        });
      },
    );
    done();
  });
}

const SCHEMA = {
  tags: ['Events'],
  description: DESCRIPTION,
  security: V1_SECURITY,
  headers: PreferHeader,
  consumes: ['multipart/form-data'],
  response: {
    200: ImportAnswerSchema,
    201: ImportAnswerSchema,
    ...RULE_BROKEN,
    ...TOO_LARGE,
    ...V1_ERRORS,
  },
};

/** @throws FieldsRefusal */
function refuseUnknownTimeZone({ timezone }: FormQuery): void {
  const refused = timezone === undefined ? undefined : checkTimeZone(timezone);
  if (refused === undefined) return;
  throw FieldsRefusal.of(['query', 'timezone'], refused.msg, refused.type);
}

/** A refusal of one tenant says that it is the caller's to wait; one of the hub, that others fill it. */
function refusalForLoad(full: FullLimit, request: FastifyRequest, reply: FastifyReply): Error {
  void reply.header('Retry-After', RETRY_AFTER_SECONDS);
  switch (full) {
    case 'tenant_full':
      request.log.warn(
        { tenant_id: request.tenantId },
        'refused an import of a tenant with others',
      );
      return new Refusal(
        'rate_limited',
        `${IMPORT_LIMITS.tenantMax} imports of this tenant are running, as many as may at once: ` +
          'try again when one has ended',
      );
    case 'hub_full':
      return new DatabaseError('database_busy', 'too many imports are running');
  }
}

/** Given when the connection closes before the answer is sent. */
function clientLeaving(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { raw } = reply;
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new Error('the client has left'));
  });
  return gone.signal;
}

function isEndedBy(signal: AbortSignal, error: unknown): boolean {
  const cause = error instanceof ImportInterrupted ? error.cause : error;
  return signal.aborted && cause === signal.reason;
}

/** Stored events stay: importing the file again completes it. */
function endWithoutClient(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const stored = error instanceof ImportInterrupted ? error.stored : 0;
  request.log.info({ tenant_id: request.tenantId, stored }, 'an import ended: its client left');
  return reply.hijack();
}
