// A copy of a hub's database of an earlier hour, which a test puts back as an operator would, on either
// engine. What lies beside the database stays.
import { randomBytes } from 'node:crypto';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDatabase, execute } from '@lothub/kit/test/postgres/cluster';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { testFolder } from '../cli/run.ts';
import type { TestDatabase } from '../engine.ts';

export interface OlderCopy extends AsyncDisposable {
  /** @returns the settings that lead a service to the database that was put back */
  putBack(): Promise<Readonly<Record<string, string>>>;
}

/** @param database that nobody has open */
export async function makeCopy(database: TestDatabase): Promise<OlderCopy> {
  const { databaseUrl } = database;
  return databaseUrl === undefined
    ? await copyOfFile(database)
    : await copyOfServer(database, databaseUrl);
}

async function copyOfFile({ dataDir, env }: TestDatabase): Promise<OlderCopy> {
  const folder = await testFolder();
  await cp(dataDir, folder.file('older'), { recursive: true });
  return {
    putBack: async () => {
      for (const name of await readdir(dataDir)) {
        if (name.startsWith('lothub.db')) await rm(join(dataDir, name));
      }
      await cp(databaseFile(folder.file('older')), databaseFile(dataDir));
      return env;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function copyOfServer({ env }: TestDatabase, databaseUrl: string): Promise<OlderCopy> {
  const name = `lothub_older_${randomBytes(8).toString('hex')}`;
  const server = buildUrl(databaseUrl, 'postgres');
  await execute(server, copyDatabase({ name, template: new URL(databaseUrl).pathname.slice(1) }));
  return {
    putBack: () => Promise.resolve({ ...env, DATABASE_URL: buildUrl(databaseUrl, name) }),
    [Symbol.asyncDispose]: async () => {
      await execute(server, `drop database if exists ${name} with (force)`);
    },
  };
}

function buildUrl(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
