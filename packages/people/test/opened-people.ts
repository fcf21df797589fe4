// People of a process on a database of their own, for tests, and accounts in it without the time that a
// password takes.
import { newId } from '@lothub/kit/secrets/ids';
import { toActor } from '../src/access/person.ts';
import { insertAccount } from '../src/accounts/queries.ts';
import { COMMAND_LINE, type GrantPlace } from '../src/brands/roles-of-place.ts';
import { giveRole } from '../src/brands/grants.ts';
import type { Actor } from '../src/store/audit.ts';
import { openPeople, type People } from '../src/people.ts';
import { newDatabaseWithTables, type TestDatabase } from './engine.ts';

export const PUBLIC_URL = 'https://hub.example.com';

export interface OpenedPeople extends AsyncDisposable {
  readonly people: People;
  readonly database: TestDatabase;
  /** Moves the clock of these people on. */
  readonly pass: (ms: number) => void;
}

export async function openTestPeople(): Promise<OpenedPeople> {
  const database = await newDatabaseWithTables();
  let nowMs = Date.parse('2026-03-04T05:06:07.890Z');
  const people = await openPeople({
    settings: {
      dataDir: database.dataDir,
      publicUrl: PUBLIC_URL,
      loginRates: { burst: 0, perMinute: 0 },
    },
    databaseUrl: database.databaseUrl,
    log: { warn: () => undefined },
    clock: { nowMs: () => nowMs },
    onFatal: (error) => {
      throw error;
    },
  });
  return {
    people,
    database,
    pass: (ms) => {
      nowMs += ms;
    },
    [Symbol.asyncDispose]: async () => {
      await people.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

export interface TestAccount {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly actor: Actor;
}

/** Somebody with an account, and a role in a place when one is given. */
export async function newPerson(
  people: People,
  {
    name = 'Ada',
    place,
    role,
  }: { readonly name?: string; readonly place?: GrantPlace; readonly role?: string } = {},
): Promise<TestAccount> {
  const accountId = newId('usr');
  const email = `${accountId.toLowerCase()}@example.com`;
  await people.store.write([
    insertAccount({ id: accountId, email, name, passwordHash: null, createdAt: 1 }),
  ]);
  if (place !== undefined && role !== undefined) {
    await giveRole(people, COMMAND_LINE, { place, accountId, role });
  }
  return { accountId, email, name, actor: toActor({ accountId, name }) };
}
