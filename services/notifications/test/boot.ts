// Boots a whole service on a free port with its own database, for tests, and takes it down.
import { readAnswer, withJsonBody, type Answer, type CallInit } from '@lothub/kit/test/http-answer';
import { testPasswords } from '@lothub/people/test/test-passwords';
import type { DestinationStream } from 'pino';
import { openService, type Service, type ServiceOptions } from '../src/server.ts';
import { readSettings } from '../src/settings.ts';
import { newDatabaseWithTables, openSecondDatabase, type TestDatabase } from './engine.ts';

export type { Answer, CallInit, Json } from '@lothub/kit/test/http-answer';

export const OWNER_EMAIL = 'owner@example.com';
export const OWNER_PASSWORD = 'correct horse battery staple';
export const GROUP_NAME = 'Operations';
export const API_KEY = 'test-group-key-0123456789abcdef0123456789';

/** Settings of the unattended set-up: an owner, a group and its first key. */
export const FIRST_OWNER: Readonly<Record<string, string>> = {
  NOTIFICATIONS_OWNER_EMAIL: OWNER_EMAIL,
  NOTIFICATIONS_OWNER_PASSWORD: OWNER_PASSWORD,
  NOTIFICATIONS_GROUP: GROUP_NAME,
  NOTIFICATIONS_API_KEY: API_KEY,
};

/** Limits that tests of something else would run into. */
export const NO_LIMITS: Readonly<Record<string, string>> = {
  NOTIFICATIONS_RATE_KEY_BURST: '0',
  NOTIFICATIONS_RATE_FAILED_KEY_BURST: '0',
  NOTIFICATIONS_RATE_LOGIN_BURST: '0',
  NOTIFICATIONS_RATE_PERSON_BURST: '0',
};

export interface Booted extends AsyncDisposable {
  readonly base: string;
  readonly database: TestDatabase;
  readonly service: Service;
  readonly log: () => string;
  /** A request without a caller; `init.headers` may name one. Redirects are answers. */
  call(path: string, init?: CallInit): Promise<Answer>;
  /** A request with a JSON body. */
  send(request: SendRequest): Promise<Answer>;
  /** Stops the service and starts it again on the same database. */
  restart(): Promise<Booted>;
}

export interface SendRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BootOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** One that is there already; it goes with the service. */
  readonly database?: TestDatabase;
  readonly moreRoutes?: ServiceOptions['moreRoutes'];
  readonly beatMs?: number;
}

export async function boot(options: BootOptions = {}): Promise<Booted> {
  const database = options.database ?? (await newDatabaseWithTables());
  const lines: string[] = [];
  const logStream: DestinationStream = { write: (line) => void lines.push(line) };
  const service = await openService({
    settings: readSettings({ PORT: '0', ...NO_LIMITS, ...database.env, ...options.env }),
    passwords: testPasswords,
    logStream,
    onFatal: (error) => {
      throw error;
    },
    ...(options.moreRoutes === undefined ? {} : { moreRoutes: options.moreRoutes }),
    ...(options.beatMs === undefined ? {} : { beatMs: options.beatMs }),
  });
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const call = async (path: string, init: CallInit = {}): Promise<Answer> => {
    const response = await fetch(base + path, { redirect: 'manual', ...init });
    return await readAnswer(response);
  };
  return {
    base,
    database,
    service,
    log: () => lines.join(''),
    call,
    send: ({ method, path, body, headers }) => call(path, withJsonBody(method, body, headers)),
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
export async function bootSecond(booted: Booted, options: BootOptions = {}): Promise<Booted> {
  const { databaseUrl } = booted.database;
  if (databaseUrl === undefined) {
    throw new Error('a SQLite database is served by one process: run this test on PostgreSQL');
  }
  return await boot({ ...options, database: await openSecondDatabase(databaseUrl) });
}
