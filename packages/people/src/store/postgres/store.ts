// The store of people on PostgreSQL: a pool on the serving thread and one listening connection in each
// process.
import type { TokenBucket, TokenBucketOptions } from '@lothub/kit/http/token-bucket';
import { readMigrations } from '@lothub/kit/migrations';
import { LeasedTurn } from '@lothub/kit/postgres/leased-turn';
import { PostgresListener } from '@lothub/kit/postgres/listener';
import { makeNamespace, migratePostgres } from '@lothub/kit/postgres/migrate';
import { sharedTokenBucket } from '@lothub/kit/postgres/shared-token-bucket';
import { writeAll, writePlanned } from '@lothub/kit/postgres/small-writes';
import type { Turn } from '@lothub/kit/turn';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import { CommitListeners } from '@lothub/kit/writer/commit-listeners';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { ENDS_CHANNEL, POSTGRES_NAMESPACE, SCHEMA_NAME, postgresSchemaFolder } from '../schema.ts';
import type { PeopleStore } from '../store.ts';
import { PostgresConnection, type PostgresTransaction } from '@lothub/kit/postgres/connection';

/** Maximum of one process. Passwords limit the rate of log-ins, and each page reads one session. */
const CONNECTIONS_MAX = 4;
/** Every query uses an index for all of its values, so each is planned once for a connection. */
const SETTINGS = { search_path: POSTGRES_NAMESPACE, plan_cache_mode: 'force_generic_plan' };

/** @throws DatabaseError as `PostgresConnection.open` */
async function openConnections(url: string): Promise<PostgresConnection> {
  return await PostgresConnection.open(url, {
    connectionsMax: CONNECTIONS_MAX,
    pipeline: true,
    settings: SETTINGS,
  });
}

/** How often ends are also read without a message: messages of other processes may be lost with a connection. */
const LOOK_EVERY_MS = 500;

export interface PostgresStoreOptions extends UpgradeOptions {
  readonly databaseUrl: string;
}

export class PostgresPeopleStore implements PeopleStore {
  readonly reader: PostgresConnection;
  readonly #listeners = new CommitListeners();
  readonly #listener: PostgresListener;
  readonly #looking: NodeJS.Timeout;

  private constructor(parts: {
    readonly reader: PostgresConnection;
    readonly databaseUrl: string;
  }) {
    this.reader = parts.reader;
    this.#listener = new PostgresListener({
      url: parts.databaseUrl,
      channel: ENDS_CHANNEL,
      onNotice: this.#listeners.notify,
    });
    this.#looking = setInterval(this.#listeners.notify, LOOK_EVERY_MS).unref();
  }

  /** @throws DatabaseError when the server cannot be reached, or is not fit */
  static async open(options: PostgresStoreOptions): Promise<PostgresPeopleStore> {
    const { databaseUrl, onUpgrade, signal } = options;
    await using opening = new AsyncDisposableStack();
    const reader = opening.use(await openConnections(databaseUrl));
    signal?.throwIfAborted();
    await makeNamespace(reader, POSTGRES_NAMESPACE);
    await migratePostgres(reader, readMigrations(postgresSchemaFolder), SCHEMA_NAME, { onUpgrade });
    signal?.throwIfAborted();
    opening.move();
    return new PostgresPeopleStore({ reader, databaseUrl });
  }

  async write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]> {
    const lock = endsSessions(statements) ? lockHead : undefined;
    const rows = await writeAll(this.reader, { statements, lock });
    this.#listeners.notify();
    return rows;
  }

  async change(change: PlannedChange): Promise<ChangeOutcome> {
    const outcome = await writePlanned(this.reader, { change, lock: lockHead });
    this.#listeners.notify();
    return outcome;
  }

  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  tokenBucket(options: TokenBucketOptions): TokenBucket | undefined {
    return sharedTokenBucket(this.reader, options);
  }

  turn(name: string): Turn {
    return new LeasedTurn({ connection: this.reader, name });
  }

  abandon(): void {
    this.reader.abandon();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#listener.close();
    await this.reader.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

const LOCK_HEAD = sql`
  select session_ends
  from head
  where id = 1
  for update`;

async function lockHead({ all }: Pick<PostgresTransaction, 'all'>): Promise<'in_time'> {
  await all(LOCK_HEAD);
  return 'in_time';
}

/**
 * Whether statements count an end of sessions. Such a transaction takes the head before anything else, as
 * planned changes do: two that take the same rows in another order would stop each other.
 */
function endsSessions(statements: readonly Sql[]): boolean {
  return statements.some(({ sql: text }) => text.includes('update head'));
}
