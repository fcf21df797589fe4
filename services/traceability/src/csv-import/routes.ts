// POST /v1/import/csv: many events in one file (interface document, "CSV import").
import { join } from 'node:path';
import type { Clock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { compileAllButBody } from '@lothub/kit/http/request-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { RULE_BROKEN, TOO_LARGE, V1_ERRORS, V1_SECURITY, callerOf } from '../http.ts';
import type { App } from '../http.ts';
import { Refusal } from '../errors.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { ON_ERROR_CHOICES, ON_ERROR_DEFAULT } from '../terms.ts';
import type { OnError } from '../terms.ts';
import { ImportInterrupted } from './append-spool.ts';
import { COLUMNS } from './columns.ts';
import { asDiskFull, openImportFolder, sweepImportFolders } from './import-folder.ts';
import { importCsv } from './import.ts';
import type { ImportAnswer } from './import.ts';
import { Turns } from './turns.ts';
import type { FullLimit, ImportLimits } from './turns.ts';
import { FILE_BYTES_MAX, FILE_PART, receiveFile, takeFormsOnly } from './upload.ts';

/**
 * Of one process: each import that runs may keep a processor busy, and each that is admitted may fill a
 * gigabyte of disk, and twice that. So many of one tenant leave places for two others.
 */
const LIMITS: ImportLimits = { runningMax: 2, admittedMax: 6, tenantMax: 2 };
/** When the caller of an import that was refused for load, or interrupted, should come back. */
const RETRY_AFTER_SECONDS = 5;

export interface CsvImportDeps {
  readonly store: LedgerStore;
  readonly state: ChainState;
  readonly clock: Clock;
  /** For files that live as long as an import; swept at the start, so no other process may use it. */
  readonly tempDir: string;
  /** Bytes of the largest file; 1 GiB when not given. */
  readonly fileBytesMax?: number;
}

const ImportAnswerSchema = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Nothing was stored' }),
    rows: Type.Integer({ description: 'Rows that are not blank, without the header' }),
    events: Type.Integer({ description: 'Events that the rows form' }),
    accepted: Type.Integer({ description: 'Events appended; in a dry run, that would be' }),
    duplicates: Type.Integer({ description: 'Events stored before with the same content' }),
    rejected: Type.Integer(),
    errors: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1' }),
        column: Type.Union([Type.String(), Type.Null()]),
        msg: Type.String(),
        type: Type.String({ examples: ['greater_than_equal'] }),
      }),
      { description: 'The first thousand' },
    ),
    warnings: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() })),
    chain: Type.Object({
      height: Type.Integer(),
      tip_hash: Type.String(),
      chain_valid: Type.Boolean(),
    }),
  },
  { title: 'ImportAnswer' },
);

const EXAMPLE_FILE = `${COLUMNS.join(',')}
wms-1,RECEIVE,2026-03-02T07:15:00+01:00,BAKERY-1,PO-815,FLOUR-0711,FLOUR-T55,in,250.5,kg,,,Mill Brandt,,BR-118,
wms-2,PRODUCE,2026-03-02T11:00:00+01:00,BAKERY-1,WO-77,FLOUR-0711,FLOUR-T55,in,50,kg,,,,,,
wms-2,PRODUCE,2026-03-02T11:00:00+01:00,BAKERY-1,WO-77,BREAD-0302,BREAD-500,out,120,pcs,,,,,,
`;

const FormSchema = Type.Object(
  {
    [FILE_PART]: Type.String({
      contentMediaType: 'text/csv',
      format: 'binary',
      description:
        'UTF-8 with a header row; `,`, `;` or tab between cells; columns in any order; ' +
        `at most ${FILE_BYTES_MAX} bytes. Rows that share an external_id, or without one ` +
        'event_type, occurred_at and reference, form one event.',
      examples: [EXAMPLE_FILE],
    }),
  },
  { additionalProperties: false, title: 'ImportForm' },
);

const DESCRIPTION =
  'The whole file is checked before its first event is appended. All or nothing by default; ' +
  '`on_error=proceed` keeps the good events; `dry_run=true` checks only. An error of a row has ' +
  'the `loc` `["body", "file", row, column]`. Importing a file again adds nothing; after an ' +
  'interruption it completes the file. Rows without an `external_id` whose type, moment and ' +
  'reference were imported before with other rows are refused (`regrown`).';

/** An import that has a place, and what ends it. */
interface Admitted {
  readonly place: Disposable;
  readonly query: { readonly on_error?: OnError; readonly dry_run?: boolean };
  readonly signal: AbortSignal;
}

export function csvImportRoutes(app: App, deps: CsvImportDeps): void {
  const fileBytesMax = deps.fileBytesMax ?? FILE_BYTES_MAX;
  const turns = new Turns(LIMITS);
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
    { place, query, signal }: Admitted,
  ): Promise<ImportAnswer> => {
    using _place = place;
    await using folder = await openImportFolder(deps.tempDir);
    const file = join(folder.path, 'upload');
    await receiveFile(request, { target: file, fileBytesMax });
    using _turn = await turns.take(signal);
    return await importCsv({
      file,
      folder: folder.path,
      tenantId: request.tenantId,
      caller: callerOf(request),
      onError: query.on_error ?? ON_ERROR_DEFAULT,
      mode: query.dry_run === true ? 'dry_run' : 'append',
      store: deps.store,
      state: deps.state,
      clock: deps.clock,
      log: request.log,
      signal,
    });
  };

  // A scope of its own: no other route shall take a form.
  app.register((forms: App, _options: object, done: () => void) => {
    takeFormsOnly(forms);
    forms.post(
      '/v1/import/csv',
      {
        bodyLimit: fileBytesMax,
        // The body is a stream; what is in it is checked row by row.
        validatorCompiler: compileAllButBody,
        schema: {
          tags: ['Events'],
          operationId: 'importCsv',
          summary: 'Import events from a CSV file',
          description: DESCRIPTION,
          security: V1_SECURITY,
          consumes: ['multipart/form-data'],
          querystring: Type.Object({
            on_error: Type.Optional(
              Type.Enum([...ON_ERROR_CHOICES], { default: ON_ERROR_DEFAULT }),
            ),
            dry_run: Type.Optional(Type.Boolean({ default: false })),
          }),
          body: FormSchema,
          response: {
            200: ImportAnswerSchema,
            201: ImportAnswerSchema,
            ...RULE_BROKEN,
            ...TOO_LARGE,
            ...V1_ERRORS,
          },
        },
      },
      async (request, reply) => {
        request.isDryRun = request.query.dry_run === true;
        const place = turns.admit(request.tenantId);
        if (typeof place === 'string') throw refusalForLoad(place, request, reply);
        const gone = clientLeaving(reply);
        const signal = AbortSignal.any([closing.signal, gone]);
        try {
          const answer = await importUpload(request, { place, query: request.query, signal });
          const created = answer.accepted > 0 && !answer.dry_run;
          return await reply.code(created ? 201 : 200).send(answer);
        } catch (error) {
          if (isEndedBy(gone, error)) return endWithoutClient(error, request, reply);
          if (!(error instanceof ImportInterrupted)) throw asDiskFull(error);
          request.log.error({ err: error }, 'an import stopped in the middle');
          void reply.header('Retry-After', RETRY_AFTER_SECONDS);
          return await reply.code(503).send({ detail: error.message });
        }
      },
    );
    done();
  });
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
        `${LIMITS.tenantMax} imports of this tenant are running, as many as may at once: ` +
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

/** What is stored stays: importing the file again completes it. */
function endWithoutClient(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const stored = error instanceof ImportInterrupted ? error.stored : 0;
  request.log.info({ tenant_id: request.tenantId, stored }, 'an import ended: its client left');
  return reply.hijack();
}
