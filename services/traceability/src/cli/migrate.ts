// `lothub migrate`: moves the hub in DATA_DIR from SQLite to PostgreSQL, with no service running, and
// verifies what arrived.
import { systemClock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { StopSignals } from '@lothub/kit/lifecycle';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { PeopleTakenError, copyPeopleToPostgres } from '@lothub/people/store/copy-to-postgres';
import { findSchemaState } from '@lothub/people/store/schema-state';
import { databaseFile as peopleFile } from '@lothub/people/store/sqlite/file';
import type { Command } from 'commander';
import sql from 'sql-template-tag';
import { TargetTakenError, copyToPostgres } from '../ledger/operate/copy-to-postgres.ts';
import type { Tip } from '../ledger/draft.ts';
import { placeText } from '../ledger/operate/open-operated.ts';
import { migrateLedger } from '../ledger/postgres/migrate-ledger.ts';
import { databaseFile } from '../ledger/sqlite/store.ts';
import { verifyDatabase, type VerificationReport } from '../ledger/operate/verify-database.ts';
import { findNotFollowed } from '../recall/follow/lacking.ts';
import { readSettings } from '../settings.ts';
import { CommandError, EXIT, formatReason, type ExitCode } from '@lothub/kit/cli/command-error';
import { lockHub } from './hub-lock.ts';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { openHub } from './operated-hub.ts';
import { showProgress } from '@lothub/kit/cli/progress';
import { answer, countText, tableText, type Output } from '@lothub/kit/cli/terminal';

interface MigrateOptions {
  readonly to: string;
}

/** Findings that are printed; `lothub verify` lists all it keeps. */
const FINDINGS_PRINTED_MAX = 20;

const ABOUT =
  'Copies the hub in DATA_DIR to an empty PostgreSQL database: every block with its hash, private\n' +
  'values, keys, holds, the audit; and the people who may log in. Then verifies the whole copy, as\n' +
  '`lothub verify` does, and that its tip is the one in DATA_DIR. Stop the service first. The copy is\n' +
  'one transaction: stopped or crashed in the middle, it leaves no row of the hub behind and can be\n' +
  'started again. DATA_DIR stays as it was. Afterwards set DATABASE_URL to the same address, and never\n' +
  'serve the hub without it again: that would be a second chain. The address is never printed; who may\n' +
  'list the processes of this machine can see it while the command runs, unless its password comes\n' +
  'from PGPASSWORD or ~/.pgpass.';

export function addMigrate(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'migrate',
    summary: 'move the hub from SQLite to PostgreSQL',
    description: ABOUT,
    examples: ['lothub migrate --to postgresql://lothub:password@db.example.com:5432/lothub'],
  })
    // The value is checked below: the parser's own message would print the password.
    .requiredOption('--to <URL>', 'the empty PostgreSQL database that takes the hub')
    .action(async (options: MigrateOptions) => finish(await migrate(output, options)));
}

async function migrate(output: Output, { to: url }: MigrateOptions): Promise<ExitCode> {
  const startedMs = systemClock.nowMs();
  assertPostgresUrl(url);
  const { dataDir } = readSettings(output.terminal.environment);
  // Opening comes first, so that the command does not lock a missing hub, which would make its
  // folder.
  await (await openHub({ dataDir }))[Symbol.asyncDispose]();
  using _lock = lockHub({ dataDir });
  const place = placeText({ dataDir, databaseUrl: url });
  // The accounts come first, because their copy can be repeated; the hub is copied once.
  const accounts = await copyPeople({ dataDir, url, place });
  const { tip, rows } = await copyHub(output, { dataDir, url, place });
  const report = await verifyCopy(output, { dataDir, url });
  const isSame = report.head?.height === tip.height && report.head.hash === tip.hash;
  const ok = report.ok && isSame;
  await answer(output, {
    json: {
      ok,
      from: dataDir,
      to: place,
      blocks: report.blocks,
      rows,
      accounts,
      head: report.head,
      expected_head: tip,
      mismatch_count: report.mismatchCount,
      mismatches: report.mismatches,
      elapsed_ms: systemClock.nowMs() - startedMs,
    },
    text: ok ? movedText({ place, tip, rows, accounts }) : differsText(place, tip, report),
  });
  return ok ? EXIT.ok : EXIT.failed;
}

/** @throws CommandError `usage_wrong` without a word of the address, which may hold a password */
function assertPostgresUrl(url: string): void {
  const { protocol, pathname } = URL.canParse(url) ? new URL(url) : { protocol: '', pathname: '' };
  if (/^postgres(ql)?:$/.test(protocol) && pathname.length > 1) return;
  throw new CommandError(
    'usage_wrong',
    'migrating: --to must be an address such as postgresql://user:password@host:5432/database',
  );
}

async function copyHub(
  output: Output,
  hub: { readonly dataDir: string; readonly url: string; readonly place: string },
): Promise<{ readonly tip: Tip; readonly rows: number }> {
  using stop = new StopSignals({ clock: systemClock });
  await using from = new SqliteConnection(databaseFile(hub.dataDir), 'read');
  await using to = await openTarget(hub);
  const tip = await from.first<Tip>(
    sql`select height, hash from blocks order by height desc limit 1`,
  );
  if (tip === undefined) {
    throw new CommandError('hub_missing', `migrating: the hub in ${hub.dataDir} has no block`);
  }
  using progress = showProgress(output, { label: 'copying', unit: 'rows', clock: systemClock });
  let copied = 0;
  try {
    await copyToPostgres({
      from,
      to,
      onProgress: ({ rows, total }) => {
        // An error that is thrown here undoes the copy.
        stop.signal.throwIfAborted();
        copied = rows;
        progress.update(rows, total);
      },
    });
  } catch (error) {
    throw toRefusal(error, hub.place);
  }
  return { tip, rows: copied };
}

/** @returns accounts of the people; 0 when there is no database of them */
async function copyPeople(hub: {
  readonly dataDir: string;
  readonly url: string;
  readonly place: string;
}): Promise<number> {
  const { present, known } = await findSchemaState({ ...hub, databaseUrl: undefined });
  if (present === 0) return 0;
  if (present !== known) {
    throw new CommandError(
      'hub_outdated',
      `migrating: the people in ${hub.dataDir} have schema ${present} and this program works with ` +
        `${known}; start this version of the service once, or use the newer program that made them`,
    );
  }
  try {
    return await copyPeopleToPostgres({ file: peopleFile(hub.dataDir), url: hub.url });
  } catch (error) {
    throw toRefusal(error, hub.place);
  }
}

/** Connects, and makes the tables. */
async function openTarget(hub: {
  readonly url: string;
  readonly place: string;
}): Promise<PostgresConnection> {
  let connection: PostgresConnection | undefined;
  try {
    connection = await PostgresConnection.open(hub.url, { connectionsMax: 1 });
    await migrateLedger(connection);
    return connection;
  } catch (error) {
    await connection?.close();
    throw toRefusal(error, hub.place);
  }
}

function toRefusal(error: unknown, place: string): unknown {
  if (error instanceof TargetTakenError) {
    return new CommandError(
      'target_taken',
      `migrating to ${place}: it holds a ledger already (there are rows in ${error.table}); ` +
        'name an empty database',
      { cause: error },
    );
  }
  if (error instanceof PeopleTakenError) {
    return new CommandError(
      'target_taken',
      `migrating to ${place}: it holds other people already; name an empty database`,
      { cause: error },
    );
  }
  if (!(error instanceof DatabaseError)) return error;
  // Most messages contain the message of their cause; it is not printed twice.
  const isSaid = error.cause instanceof Error && error.message.includes(error.cause.message);
  const reason = isSaid ? error.message : formatReason(error);
  return new CommandError(
    'target_unusable',
    `migrating to ${place}: ${reason}; nothing was copied: see that the server runs, and that --to ` +
      'names a user who may make tables in that database',
    { cause: error },
  );
}

/** Verifies the copy as the service will find it, and the record in DATA_DIR of its contents. */
async function verifyCopy(
  output: Output,
  hub: { readonly dataDir: string; readonly url: string },
): Promise<VerificationReport> {
  using progress = showProgress(output, { label: 'verifying', unit: 'blocks', clock: systemClock });
  return await verifyDatabase({
    dataDir: hub.dataDir,
    databaseUrl: hub.url,
    clock: systemClock,
    tip: 'compare',
    findMore: findNotFollowed,
    onProgress: ({ height, total }) => progress.update(height + 1, total + 1),
  });
}

function movedText(moved: {
  readonly place: string;
  readonly tip: Tip;
  readonly rows: number;
  readonly accounts: number;
}): string {
  const { place, tip, rows, accounts } = moved;
  return [
    `Moved ${countText(tip.height + 1, 'block')} to ${place} (${countText(rows, 'row')}): every ` +
      'hash is the same, and all of it verifies.',
    ...(accounts === 0 ? [] : [`Moved the people, too: ${countText(accounts, 'account')}.`]),
    `Tip: ${tip.height}:${tip.hash}`,
    'Set DATABASE_URL to that database now. Without it the service would go on with the hub in',
    'DATA_DIR, which is as it was, and make a second chain of it.',
  ].join('\n');
}

function differsText(place: string, tip: Tip, report: VerificationReport): string {
  const rows = report.mismatches
    .slice(0, FINDINGS_PRINTED_MAX)
    .map(({ height, code, message }) => [String(height), code, message]);
  const { head } = report;
  return [
    `WHAT ARRIVED IN ${place} DOES NOT VERIFY; do not serve it.`,
    `Tip: ${head === null ? 'none' : `${head.height}:${head.hash}`}; in DATA_DIR ${tip.height}:${tip.hash}`,
    ...(rows.length === 0 ? [] : ['', tableText(['height', 'code', 'what is wrong'], rows)]),
    '',
    'Run `lothub verify` on the hub in DATA_DIR: what is wrong there is wrong in the copy. Then',
    'migrate to another, empty database.',
  ].join('\n');
}
