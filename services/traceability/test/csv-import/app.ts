// Serves the CSV import alone, on a free port with its own database, so that a test can give it a
// ledger that fails or a small limit; and builds files for it.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { compileRequestSchema } from '@lothub/kit/http/schemas/request-validation';
import fastify from 'fastify';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { csvImportRoutes } from '../../src/csv-import/routes.ts';
import { IMPORT_LIMITS, Turns } from '../../src/csv-import/turns.ts';
import { installErrorAnswers } from '../../src/http-errors.ts';
import type { App } from '../../src/http.ts';
import { LedgerReader } from '../../src/ledger/read.ts';
import { LogAnswers } from '../../src/log/answers.ts';
import { PublicLog } from '../../src/log/public-log.ts';
import { ChainState } from '../../src/ledger/verify/chain-state.ts';
import type { Submission } from '../../src/ledger/draft.ts';
import { parsePayload, type ChainEvent } from '../../src/ledger/record/payload.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { newTenant } from '../boot.ts';
import { newTestDatabase } from '../engine.ts';
import { openTestStore } from '../ledger.ts';

/** Whoever imports, where a test is alone in its app. */
const OWN_TENANT = 'acme';
/** A connection that falls idle while the app stops is waited for this long. */
const KEEP_ALIVE_MS = 1_000;

/**
 * The columns that files had first, in the order of docs/interface/traceability.md#columns. Those that came
 * later are optional and are behind them (LATER_LINE_COLUMNS).
 */
export const HEADER =
  'external_id,event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,' +
  'unit,customer_ref,channel,supplier_name,origin_facility,supplier_lot_code,notes';
const NAMES = HEADER.split(',');

export type Cells = Readonly<Record<string, string>>;

/** A valid row of a RECEIVE; `changes` replace cells. */
export function aRow(changes: Cells = {}): Cells {
  return {
    external_id: 'wms-1',
    event_type: 'RECEIVE',
    occurred_at: '2026-03-02T07:15:00+01:00',
    location: 'BAKERY-1',
    reference: 'PO-1',
    lot_code: 'FLOUR-1',
    product_sku: 'FLOUR-T55',
    direction: 'in',
    quantity: '250.5',
    unit: 'kg',
    ...changes,
  };
}

/** A valid row of a SELL without an id, with private values; `changes` replace cells. */
export function aSale(changes: Cells = {}): Cells {
  return aRow({
    external_id: '',
    event_type: 'SELL',
    direction: 'out',
    quantity: '2',
    unit: 'pcs',
    customer_ref: 'CUST-1',
    channel: 'supermarket',
    notes: 'paid in cash',
    ...changes,
  });
}

/** A file of rows under the document's header. */
export function aFile(rows: readonly Cells[]): string {
  const lines = rows.map((row) => NAMES.map((name) => quoted(row[name] ?? '')).join(','));
  return [HEADER, ...lines, ''].join('\n');
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** `count` events of two lines each, with ids unless the changes take them away. */
export function manyEvents(count: number, changes: Cells = {}): readonly Cells[] {
  return Array.from({ length: count }, (_, index) => {
    const shared = { external_id: `wms-${index}`, event_type: 'PRODUCE', reference: `WO-${index}` };
    return [
      aRow({ ...shared, ...changes }),
      aRow({ ...shared, lot_code: `BREAD-${index}`, direction: 'out', ...changes }),
    ];
  }).flat();
}

export interface ImportJson {
  readonly [key: string]: ImportJson;
}

export interface ImportReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Read field by field, as loosely as a client would. */
  readonly json: ImportJson;
}

/** `[loc, type]` of each error of a 422. */
export function listErrors(reply: ImportReply): readonly (readonly [unknown, unknown])[] {
  assert.equal(reply.status, 422, reply.text);
  const detail: unknown = reply.json['detail'];
  assert.ok(Array.isArray(detail));
  return (detail as { loc: unknown; type: unknown }[]).map(({ loc, type }) => [loc, type] as const);
}

export interface ImportApp extends AsyncDisposable {
  readonly base: string;
  readonly store: LedgerStore;
  readonly tempDir: string;
  readonly tenant: string;
  /** Posts a file as the tenant of the app, `acme` unless the app is shared. */
  send(
    file: string | Uint8Array<ArrayBuffer>,
    query?: string,
    tenant?: string,
  ): Promise<ImportReply>;
  /** Posts a workbook as that tenant. */
  sendWorkbook(
    file: Uint8Array<ArrayBuffer>,
    query?: string,
    tenant?: string,
  ): Promise<ImportReply>;
  /** Posts any body. */
  sendBody(
    body: string | Uint8Array<ArrayBuffer> | FormData,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ImportReply>;
  /** All stored events, in the order of their blocks. */
  events(): Promise<readonly ChainEvent[]>;
  height(): Promise<number>;
  /** Names of what is left in the folder for temporary files. */
  leftovers(): Promise<readonly string[]>;
  /** What the app has logged, a JSON object a line. */
  log(): string;
  /** Stops serving, as a service does that has to end. */
  stop(): Promise<void>;
}

export interface ImportAppOptions {
  /** What the import appends to, around the real ledger. */
  readonly around?: (store: LedgerStore) => LedgerStore;
  readonly fileBytesMax?: number;
}

/** The store with another way to append. */
export function withAppend(
  store: LedgerStore,
  append: (submission: Submission) => ReturnType<LedgerStore['append']>,
): LedgerStore {
  return {
    reader: store.reader,
    verifierSource: store.verifierSource,
    lotSearch: store.lotSearch,
    hashSearch: store.hashSearch,
    clockTrust: store.clockTrust,
    log: store.log,
    clockFacts: () => store.clockFacts(),
    append,
    correct: (submission) => store.correct(submission),
    write: (statements) => store.write(statements),
    change: (change) => store.change(change),
    decide: (change) => store.decide(change),
    erase: (erasure) => store.erase(erasure),
    settleErased: () => store.settleErased(),
    rateLimit: (limit) => store.rateLimit(limit),
    turn: (name) => store.turn(name),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

export async function openImportApp(options: ImportAppOptions = {}): Promise<ImportApp> {
  const database = await newTestDatabase();
  const tempDir = join(database.dataDir, 'tmp');
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const store = await openTestStore(database);
  const state = new ChainState({ store, clock: systemClock, log });
  const loggerInstance: FastifyBaseLogger = log;
  const app: App = fastify({
    loggerInstance,
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  app.setValidatorCompiler(compileRequestSchema);
  app.decorateRequest('tenantId', '');
  app.decorateRequest('keyLabel', 'test');
  installErrorAnswers(app);
  app.addHook('onRequest', async (request) => {
    request.tenantId = String(request.headers['x-tenant-id'] ?? OWN_TENANT);
  });
  csvImportRoutes(app, {
    store: options.around?.(store) ?? store,
    state,
    clock: systemClock,
    logAnswers: new LogAnswers({
      log: new PublicLog({
        signed: store.log,
        reader: new LedgerReader({ database: store.reader, state }),
        state,
      }),
      onError: (error) => {
        throw error;
      },
    }),
    turns: new Turns(IMPORT_LIMITS),
    tempDir,
    ...(options.fileBytesMax === undefined ? {} : { fileBytesMax: options.fileBytesMax }),
  });
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const post = async (
    query: string,
    init: RequestInit,
    format: 'csv' | 'xlsx' = 'csv',
  ): Promise<ImportReply> => {
    const path = `/v1/import/${format}${query}`;
    const response = await fetch(base + path, { method: 'POST', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };
  return {
    base,
    store,
    tempDir,
    tenant: OWN_TENANT,
    send: (file, query = '', tenant = OWN_TENANT) => {
      const form = new FormData();
      form.append('file', new Blob([file], { type: 'text/csv' }), 'events.csv');
      return post(query, { body: form, headers: { 'X-Tenant-Id': tenant } });
    },
    sendWorkbook: (file, query = '', tenant = OWN_TENANT) => {
      const form = new FormData();
      form.append('file', new Blob([file]), 'events.xlsx');
      return post(query, { body: form, headers: { 'X-Tenant-Id': tenant } }, 'xlsx');
    },
    sendBody: (body, headers = {}) => post('', { body, headers }),
    events: () => storedEvents(store, 0),
    height: async () => {
      const head = await store.reader.first<{ height: number }>(sql`select height from head`);
      return head?.height ?? -1;
    },
    leftovers: () => readdir(tempDir),
    log: () => lines.join(''),
    stop: () => app.close(),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/**
 * One app for all tests of a file, which takes a sixth of the time: each opening imports as a tenant of
 * its own, and sees what was stored and written since. Heights in answers are those of the whole app.
 */
export function shareImportApp(): () => Promise<ImportApp> {
  let shared: ImportApp;
  before(async () => {
    shared = await openImportApp();
  });
  after(() => shared[Symbol.asyncDispose]());
  return async () => {
    const app = shared;
    const own = newTenant();
    const heightBefore = await app.height();
    const logBefore = app.log().length;
    return {
      ...app,
      tenant: own,
      send: (file, query, tenant = own) => app.send(file, query, tenant),
      sendWorkbook: (file, query, tenant = own) => app.sendWorkbook(file, query, tenant),
      sendBody: (body, headers) => app.sendBody(body, { 'X-Tenant-Id': own, ...headers }),
      events: () => storedEvents(app.store, heightBefore),
      height: async () => (await app.height()) - heightBefore,
      log: () => app.log().slice(logBefore),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  };
}

async function storedEvents(store: LedgerStore, above: number): Promise<readonly ChainEvent[]> {
  const rows = await store.reader.all<{ canonical: string }>(sql`
    select canonical from blocks where height > ${above} order by height`);
  return rows.flatMap((row) => {
    const payload = parsePayload(row.canonical);
    return payload.type === 'event' ? [payload.event] : [];
  });
}

function parsed(text: string): ImportJson {
  try {
    return JSON.parse(text) as ImportJson;
  } catch {
    return {};
  }
}
