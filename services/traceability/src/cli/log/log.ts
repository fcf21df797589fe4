// `lothub log`: shows the name of the log, its signers and the reason why it does not sign; and the
// commands that change it.
import { systemClock, instantText } from '@lothub/kit/clock';
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, countText, tableText, type Output } from '@lothub/kit/cli/terminal';
import { inList } from '@lothub/kit/in-list';
import type { Command } from 'commander';
import sql from 'sql-template-tag';
import { parseVkeys, readEpochs } from '../../ledger/log/epochs/epochs.ts';
import type { OperatedDatabase } from '../../ledger/operated-database.ts';
import type { LogEpochRow } from '../../ledger/tables/log.ts';
import { HOLDING_CODES } from '../../ledger/verify/mismatch.ts';
import { withHub } from '../operated-hub.ts';
import { addNewEpoch } from './new-epoch.ts';
import { addRotateKey } from './rotate-key.ts';

/**
 * The finding of a key without a record of its signed heads, while its witnesses are unreachable.
 */
const UNCONFIRMED = 'log_unconfirmed';

const ABOUT =
  'Shows the logs of the hub, the keys that sign the one that goes on, and what keeps it from signing.\n' +
  'Ends with 1 while nothing may be signed.';

export function addLog(program: Command, invocation: Invocation): void {
  const { output, finish } = invocation;
  const log = defineCommand(program, {
    name: 'log',
    summary: 'show the log, replace its key, begin another one',
    description: ABOUT,
    examples: ['lothub log'],
  }).action(async () => finish(await withHub(output, show)));

  addRotateKey(log, invocation);
  addNewEpoch(log, invocation);
  defineCommand(log, {
    name: 'accept',
    summary: 'sign on a machine whose witnesses could not be asked',
    description:
      'A process that has a key and no record of what was signed with it (log.json) asks its witnesses\n' +
      'first, and signs nothing when too few of them answer (log_unconfirmed). This lets it sign, also while\n' +
      'it runs. Only right when you know that the database holds everything that was ever signed: if not,\n' +
      'the hub signs two trees under one name, which is taken for fraud, and rightly.',
    examples: ['lothub log accept'],
  }).action(async () => finish(await withHub(output, accept)));
}

interface OpenAlarm {
  readonly height: number;
  readonly code: string;
  readonly message: string;
}

async function show(output: Output, { reader }: OperatedDatabase): Promise<ExitCode> {
  const epochs = await readEpochs(reader);
  const alarms = await reader.all<OpenAlarm>(sql`
    select height, code, message
    from chain_alarms
    where cleared_at is null and code in (${inList(HOLDING_CODES)})
    order by id`);
  const ok = alarms.length === 0;
  await answer(output, {
    json: { ok, logs: epochs.map(describe), alarms },
    text: [logsText(epochs), ...(ok ? [] : ['', alarmsText(alarms)])].join('\n'),
  });
  return ok ? EXIT.ok : EXIT.failed;
}

function describe({ epoch, origin, vkeys, retired_vkeys, begun_at, ended_at }: LogEpochRow) {
  return {
    epoch,
    origin,
    vkeys: parseVkeys(vkeys),
    retired_vkeys: parseVkeys(retired_vkeys),
    begun_at,
    ended_at,
  };
}

function logsText(epochs: readonly LogEpochRow[]): string {
  if (epochs.length === 0) return 'The log has not begun: start the service once.';
  const rows = epochs.map(({ epoch, origin, begun_at, ended_at }) => [
    String(epoch),
    origin,
    begun_at,
    ended_at ?? '',
  ]);
  const signing = epochs.flatMap(({ ended_at, vkeys }) =>
    ended_at === null ? parseVkeys(vkeys) : [],
  );
  return [
    tableText(['log', 'origin', 'begun', 'ended'], rows),
    '',
    ...signing.map((vkey) => `signed by ${vkey}`),
  ].join('\n');
}

function alarmsText(alarms: readonly OpenAlarm[]): string {
  return [
    'NOTHING IS SIGNED:',
    '',
    tableText(
      ['height', 'code', 'what is wrong'],
      alarms.map(({ height, code, message }) => [String(height), code, message]),
    ),
    '',
    'What to do: docs/operating.md, "When the log is held".',
  ].join('\n');
}

async function accept(output: Output, database: OperatedDatabase): Promise<ExitCode> {
  const [accepted = []] = await database.write([
    sql`
      update chain_alarms
      set cleared_at = ${instantText(systemClock.nowMs())}
      where cleared_at is null and code = ${UNCONFIRMED}
      returning id`,
  ]);
  await answer(output, {
    json: { ok: true, accepted: accepted.length },
    text:
      accepted.length === 0
        ? 'There is nothing to accept: no machine waits for its witnesses.'
        : `${countText(accepted.length, 'alarm')} accepted: the log is signed from now on.`,
  });
  return EXIT.ok;
}
