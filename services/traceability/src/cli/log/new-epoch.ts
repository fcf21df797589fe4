// `lothub log new-epoch`: ends the log and begins another one after it, while no service runs.
import { readFileSync } from 'node:fs';
import { EPOCH_REASONS, isKeyName, parseEpochList, type EpochReason } from '@lothub/chain/log';
import { instantText, systemClock } from '@lothub/kit/clock';
import { CommandError, EXIT, formatReason, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { showProgress } from '@lothub/kit/cli/progress';
import { answer, countText, type Output } from '@lothub/kit/cli/terminal';
import { Option, type Command } from 'commander';
import type { StoredStatement } from '../../ledger/log/epochs/epochs.ts';
import { readLogRecordFile, type LogRecordReading } from '../../ledger/log/log-record.ts';
import { beginEpoch, type BegunEpoch } from '../../ledger/operate/begin-epoch.ts';
import { verifyDatabase } from '../../ledger/operate/verify-database.ts';
import { findNotFollowed } from '../../recall/follow/lacking.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { lockHub } from '../hub-lock.ts';
import { openHub } from '../operated-hub.ts';
import { assertNotServed, getLogSettings } from './log-settings.ts';

interface NewEpochOptions {
  readonly reason: EpochReason;
  readonly origin?: string;
  readonly record: readonly string[];
  readonly epochs?: string;
}

/**
 * With these reasons, the records of the chain outside of the database are lost or contradict it.
 */
const ACCEPTING: readonly EpochReason[] = ['restore', 'failover', 'key_lost'];

const ABOUT =
  'Ends the log and begins another one behind it, with another key and the number of the next log in its\n' +
  'name: when the log cannot go on without contradicting what it signed. A statement that both keys sign\n' +
  'says up to where the two logs are the same; it is served at /log/epochs for ever, as is the old log up to\n' +
  'there. Stop every process of the hub first. The whole chain is verified before anything is changed.\n' +
  'A run that was cut short is finished by the next one. Never needed while the log is signed.\n\n' +
  '  restore     a backup was put back, and blocks that were signed are lost\n' +
  '  failover    a standby took over that had not received all blocks\n' +
  '  key_lost    nobody has the key any more; the statement is signed by the new key alone\n' +
  '  key_stolen  somebody else may have the key\n' +
  '  renamed     the hub has another name: --origin, else LOG_ORIGIN or PUBLIC_URL\n\n' +
  'A database of before the last log began: what that log and those before it began with is stored again from\n' +
  'the file log.epochs beside the database, and the new log begins behind the last one of them.\n\n' +
  'With restore, failover and key_lost the chain is accepted as it is, as by `lothub verify --accept-tip`.';

export function addNewEpoch(log: Command, { output, finish }: Invocation): void {
  defineCommand(log, {
    name: 'new-epoch',
    summary: 'end the log and begin another one behind it',
    description: ABOUT,
    examples: [
      'lothub log new-epoch --reason restore',
      'lothub log new-epoch --reason renamed --origin trace.example.com',
    ],
  })
    .addOption(
      new Option('--reason <REASON>', 'why the log ends')
        .choices(EPOCH_REASONS)
        .makeOptionMandatory(),
    )
    .option('--origin <NAME>', 'the name of the new log; its number is put behind it')
    .addOption(
      new Option(
        '--record <FILE>',
        'the log.json of another machine of the hub: what that one signed last; may be repeated',
      )
        .default([])
        .argParser((file, before: readonly string[]) => [...before, file]),
    )
    .addOption(
      new Option(
        '--epochs <FILE>',
        'a copy of what /log/epochs of this hub served: for a database of before the last log began, when ' +
          'the file log.epochs beside it is gone, too',
      ),
    )
    .action(async (options: NewEpochOptions) => finish(await newEpoch(output, options)));
}

async function newEpoch(output: Output, options: NewEpochOptions): Promise<ExitCode> {
  const { reason, origin } = options;
  if (origin !== undefined && (reason !== 'renamed' || !isKeyName(origin))) {
    throw new CommandError(
      'usage_wrong',
      'ending the log: --origin goes with --reason renamed, and is a name without white space and plus',
    );
  }
  const settings = readSettings(output.terminal.environment);
  const records = options.record.map(readRecordFile);
  const tip = ACCEPTING.includes(reason) ? 'accept' : 'compare';
  const statements = options.epochs === undefined ? [] : readEpochsFile(options.epochs);
  const { begun, report } = await endLog(output, {
    settings,
    tip,
    reason,
    origin,
    records,
    statements,
  });
  if (begun === undefined) {
    const codes = [...new Set(report.mismatches.map(({ code }) => code))].join(', ');
    await answer(output, {
      json: { ok: false, mismatch_count: report.mismatchCount, mismatches: report.mismatches },
      text:
        `NOTHING WAS CHANGED: the chain does not verify (${codes}). Run \`lothub verify\`. When blocks that ` +
        'were signed are lost, the reason is restore or failover.',
    });
    return EXIT.failed;
  }
  await answer(output, { json: { ok: true, ...epochJson(begun) }, text: epochText(begun) });
  return EXIT.ok;
}

/**
 * Verifies the whole chain and ends the log.
 * @returns without `begun` when the chain does not verify
 * @throws CommandError `hub_in_use`, LogRefused, DatabaseError
 */
export async function endLog(
  output: Output,
  options: {
    readonly settings: Settings;
    readonly tip: 'compare' | 'accept';
    readonly reason: EpochReason;
    readonly origin?: string | undefined;
    readonly records?: readonly LogRecordReading[];
    readonly statements?: readonly StoredStatement[];
  },
): Promise<{
  readonly begun: BegunEpoch | undefined;
  readonly report: Awaited<ReturnType<typeof verifyDatabase>>;
}> {
  const { settings, tip, ...wanted } = options;
  const { dataDir, databaseUrl } = settings;
  const log = getLogSettings(settings);
  // Opening comes first, so that the command does not lock a missing hub, which would make its
  // folder.
  await (await openHub(settings))[Symbol.asyncDispose]();
  using _lock = lockHub(settings);
  let begun: BegunEpoch | undefined;
  {
    await using database = await openHub(settings);
    await assertNotServed(database);
  }
  using progress = showProgress(output, { label: 'verifying', unit: 'blocks', clock: systemClock });
  const report = await verifyDatabase({
    dataDir,
    databaseUrl,
    clock: systemClock,
    tip,
    onSound: async (sound) => {
      // Verifying may have taken an hour.
      await assertNotServed(sound.database);
      const nowText = instantText(systemClock.nowMs());
      begun = await beginEpoch({ ...sound, ...wanted, dataDir, log, nowText });
      return begun.alarmsCleared;
    },
    findMore: findNotFollowed,
    onProgress: ({ height, total }) => progress.update(height + 1, total + 1),
  });
  return { begun, report };
}

/** @throws CommandError `file_unreadable` */
function readRecordFile(file: string): LogRecordReading {
  const record = readLogRecordFile(file);
  if (record.kind === 'read') return record;
  throw new CommandError('file_unreadable', `reading ${file}: it is no log.json of a hub`);
}

/** @throws CommandError `file_unreadable` */
function readEpochsFile(file: string): readonly StoredStatement[] {
  try {
    return parseEpochList(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError('file_unreadable', `reading ${file}: ${formatReason(error)}`);
  }
}

/** The words of `--json`. */
export function epochJson({ epoch, statement, note, isFinished }: BegunEpoch) {
  const { old, vkey, last, common, reason, at } = statement;
  return {
    epoch,
    old,
    vkey,
    last_size: last.size,
    common_size: common.size,
    reason,
    at,
    finished_earlier_run: isFinished,
    statement: note,
  };
}

export function epochText({ statement, epoch, isFinished }: BegunEpoch): string {
  const { old, vkey, last, common } = statement;
  const lost = last.size - common.size;
  return [
    isFinished
      ? `An earlier run had ended the log ${old} and was cut short. It is done now.`
      : `The log ${old} has ended.`,
    `Log ${epoch} goes on behind it when the service starts. Its key, for witnesses and readers:`,
    vkey,
    common.size === 0
      ? 'Nothing is known to be common to both: earlier proofs cannot be followed into the new log.'
      : `Both are the same up to block ${common.size - 1}.`,
    ...(lost === 0
      ? []
      : [`${countText(lost, 'entry', 'entries')} that were signed are said to be lost.`]),
    'Copy the key file to every machine of the hub and to your backup of secrets, and say in public what',
    'happened: docs/operating.md, "A bad day".',
  ].join('\n');
}
