// Boots a whole service on a free port with its own database, for one test, and takes it down.
import { readAnswer, withJsonBody, type Answer, type CallInit } from '@lothub/kit/test/http-answer';
import { logKeyFile } from '../src/ledger/log/log-key.ts';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import { testPasswords } from '@lothub/people/test/test-passwords';
import type { DestinationStream } from 'pino';
import { openService, type Service } from '../src/server.ts';
import { readSettings } from '../src/settings.ts';
import type { Inbox } from '../src/webhooks/inbox.ts';
import { newDatabaseWithTables, openSecondDatabase, type TestDatabase } from './engine.ts';

export type { Answer, CallInit, Json } from '@lothub/kit/test/http-answer';

export const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
export const ADMIN_KEY = 'test-admin-key-0123456789abcdef';

export interface Booted extends AsyncDisposable {
  readonly base: string;
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly service: Service;
  readonly log: () => string;
  /** A request with the tenant key and the tenant `acme`; `init.headers` win. */
  call(path: string, init?: CallInit): Promise<Answer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Stops the service and starts it again on the same database. */
  restart(): Promise<Booted>;
}

export interface BootOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** One that is there already; it goes with the service. */
  readonly database?: TestDatabase;
  /** More often than an operator may set it. */
  readonly witnessIntervalMs?: number;
  readonly witnessPatienceMs?: number;
  readonly auditSealAfterMs?: number;
  readonly webhookLooksEveryMs?: number;
  readonly inbox?: Inbox;
  readonly metrics?: Metrics;
}

export async function boot(options: BootOptions = {}): Promise<Booted> {
  const database = options.database ?? (await newDatabaseWithTables());
  const lines: string[] = [];
  const logStream: DestinationStream = { write: (line) => void lines.push(line) };
  const settings = readSettings({
    PORT: '0',
    TENANT_API_KEY: TENANT_KEY,
    ADMIN_API_KEY: ADMIN_KEY,
    RATE_LIMIT_V1: '0',
    RATE_LIMIT_PUBLIC: '0',
    ...database.env,
    ...options.env,
  });
  const { witnessIntervalMs = settings.witnessIntervalMs } = options;
  const service = await openService({
    settings: { ...settings, witnessIntervalMs },
    witnessPatienceMs: options.witnessPatienceMs,
    auditSealAfterMs: options.auditSealAfterMs,
    webhookLooksEveryMs: options.webhookLooksEveryMs,
    inbox: options.inbox,
    metrics: options.metrics,
    passwords: testPasswords,
    logStream,
    onFatal: (error) => {
      throw error;
    },
  });
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const call = async (path: string, init: CallInit = {}): Promise<Answer> => {
    const response = await fetch(base + path, {
      ...init,
      headers: { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'acme', ...init.headers },
    });
    return await readAnswer(response);
  };
  return {
    base,
    database,
    dataDir: database.dataDir,
    service,
    log: () => lines.join(''),
    call,
    post: (path, body, headers) => call(path, withJsonBody('POST', body, headers)),
    restart: async () => {
      await service.close();
      return await boot({ ...options, database });
    },
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A second service on the same PostgreSQL database, as another machine would run it. */
export async function bootSecond(
  booted: Booted,
  env: Readonly<Record<string, string>> = {},
  options: BootOptions = {},
): Promise<Booted> {
  const { databaseUrl } = booted.database;
  if (databaseUrl === undefined) {
    throw new Error('a SQLite database is served by one process: run this test on PostgreSQL');
  }
  return await boot({
    ...options,
    env: { LOG_KEY_FILE: logKeyFile(booted.dataDir), ...env },
    database: await openSecondDatabase(databaseUrl),
  });
}

/** A valid event of one RECEIVE line; `changes` replace fields. */
export function anEvent(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    event_type: 'RECEIVE',
    occurred_at: '2026-03-02T07:15:00+01:00',
    location: 'BAKERY-1',
    reference: 'PO-1',
    lines: [aLine()],
    ...changes,
  };
}

export function aLine(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    lot_code: 'FLOUR-1',
    product_sku: 'FLOUR-T55',
    direction: 'in',
    quantity: 250.5,
    unit: 'kg',
    ...changes,
  };
}

let tenantCount = 0;

/** A tenant id that no other test of the file uses, so that its tests can share one service. */
export function newTenant(): string {
  return `brand-${(tenantCount += 1)}`;
}

/** The value at a path of an answer, such as `valueAt(answer.json, 'chain', 'block_hash')`. */
export function valueAt(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([key]) => key === String(part))?.[1];
  }, json);
}
