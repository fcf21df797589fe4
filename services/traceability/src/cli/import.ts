// `lothub import`: sends a CSV file or a workbook to a hub and shows the rejected rows.
import { systemClock } from '@lothub/kit/clock';
import { StopSignals } from '@lothub/kit/lifecycle';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPTION_WORDS, checkTimeZone } from '../csv-import/form/options.ts';
import { readSettings } from '../settings.ts';
import { ON_ERROR_CHOICES, ON_ERROR_DEFAULT, type OnError } from '../terms.ts';
import { parseTenantId } from './arguments.ts';
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { uploadCsv, warnedRowText } from './uploading/csv-upload.ts';
import type { CsvOutcome, CsvWarning } from './uploading/csv-upload.ts';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { parseBaseAddress } from '@lothub/kit/cli/base-address';
import { HubClient } from './hub-client.ts';
import { showProgress } from '@lothub/kit/cli/progress';
import { getTenantKey } from './tenant-key.ts';
import { answer, countText, note, tableText, type Output } from '@lothub/kit/cli/terminal';

interface ImportOptions extends FormFlags {
  readonly url?: string;
  readonly tenant: string;
  readonly keyFile?: string;
  readonly onError: OnError;
  readonly dryRun?: true;
}

/** The options on the form of the file, as commander names them. */
interface FormFlags {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly dateOrder?: string;
  readonly timezone?: string;
  readonly sheet?: string;
}

/** Rows of a warning that are shown to people; programs get all that the hub names. */
const WARNED_ROWS_SHOWN = 5;

const ABOUT =
  'Sends FILE to a hub, streamed from disk. Nothing goes in when any row is wrong, unless\n' +
  '--on-error proceed is given. Importing a file again adds nothing that is stored already.\n' +
  'The key comes from TENANT_API_KEY or --key-file. Ends with 1 when anything was rejected.';

export function addImport(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'import <FILE>',
    summary: 'send a CSV file or a workbook of events to a hub',
    description: ABOUT,
    examples: [
      'lothub import events.csv --url https://trace.example.com --tenant bakery',
      'lothub import events.csv --tenant bakery --decimal comma --timezone Europe/Berlin',
    ],
  })
    .requiredOption('--tenant <ID>', 'the tenant whose events these are', parseTenantId)
    .option('--url <BASE>', 'address of the hub (default: PUBLIC_URL, or the local service)')
    .option('--key-file <FILE>', 'a file that holds the tenant key')
    .addOption(
      new Option('--on-error <WHAT>', 'what to do when events are wrong')
        .choices(ON_ERROR_CHOICES)
        .default(ON_ERROR_DEFAULT),
    )
    .option('--dry-run', 'only check the file; store nothing')
    .addOption(formOption('--encoding <NAME>', 'encoding of the text', OPTION_WORDS.encoding))
    .addOption(
      formOption('--delimiter <NAME>', 'the character between cells', OPTION_WORDS.delimiter),
    )
    .addOption(
      formOption('--decimal <MARK>', 'the character before decimals', OPTION_WORDS.decimal),
    )
    .addOption(
      formOption(
        '--date-order <ORDER>',
        'order of day, month and year in dates that are not ISO 8601',
        OPTION_WORDS.date_order,
      ),
    )
    .option(
      '--timezone <NAME>',
      'time zone of dates and times without an offset, such as Europe/Berlin (default: UTC)',
      parseTimeZone,
    )
    .option('--sheet <NAME>', 'sheet of a workbook (default: the first one)')
    .action(async (file: string, options: ImportOptions) => {
      finish(await importFile(output, file, options));
    });
}

/** Without the option the hub uses the only reading of the whole file. */
function formOption(flags: string, about: string, words: readonly string[]): Option {
  const named = words.filter((word) => /\w/.test(word));
  return new Option(flags, `${about} (default: what the file shows)`).choices(named);
}

/** @throws InvalidArgumentError */
function parseTimeZone(text: string): string {
  const refused = checkTimeZone(text);
  if (refused !== undefined) throw new InvalidArgumentError(`${refused.msg}.`);
  return text;
}

async function importFile(output: Output, file: string, options: ImportOptions): Promise<ExitCode> {
  const base = parseBaseAddress(options.url ?? readSettings(output.terminal.environment).publicUrl);
  const key = await getTenantKey(output, options.keyFile);
  using stop = new StopSignals({ clock: systemClock });
  const client = new HubClient({
    base,
    headers: { 'X-Api-Key': key, 'X-Tenant-Id': options.tenant },
    signal: stop.signal,
    onWait: (seconds) => note(output, `waiting ${countText(seconds, 'second')}: the hub is busy`),
  });
  const outcome = await send(output, { client, file, options, signal: stop.signal });
  await reportImport(output, { outcome, file, base, options });
  return outcome.counts?.rejected === 0 ? EXIT.ok : EXIT.failed;
}

async function send(
  output: Output,
  call: {
    readonly client: HubClient;
    readonly file: string;
    readonly options: ImportOptions;
    readonly signal: AbortSignal;
  },
): Promise<CsvOutcome> {
  const { client, file, options, signal } = call;
  using progress = showProgress(output, { label: 'sending', unit: 'bytes', clock: systemClock });
  return await uploadCsv({
    client,
    file,
    onError: options.onError,
    mode: options.dryRun === true ? 'check' : 'import',
    form: {
      encoding: options.encoding,
      delimiter: options.delimiter,
      decimal: options.decimal,
      date_order: options.dateOrder,
      timezone: options.timezone,
    },
    sheet: options.sheet,
    signal,
    onBytes: (sent, total) => {
      progress.update(sent, total);
      if (sent < total) return;
      progress[Symbol.dispose]();
      note(output, 'sent; the hub checks and stores the file');
    },
  });
}

async function reportImport(
  output: Output,
  done: {
    readonly outcome: CsvOutcome;
    readonly file: string;
    readonly base: string;
    readonly options: ImportOptions;
  },
): Promise<void> {
  const { outcome, file, base, options } = done;
  const { counts, rejectedRows, warnings } = outcome;
  await answer(output, {
    json: {
      ok: counts?.rejected === 0,
      file,
      url: base,
      tenant: options.tenant,
      dry_run: options.dryRun === true,
      ...(counts ?? { rows: null, events: null, accepted: 0, duplicates: 0, rejected: null }),
      errors: rejectedRows,
      warnings,
    },
    text: formatOutcome(outcome, options),
  });
}

function formatOutcome(outcome: CsvOutcome, options: ImportOptions): string {
  const { counts, rejectedRows, warnings } = outcome;

  const rejected =
    rejectedRows.length === 0
      ? []
      : [
          '',
          'Rejected:',
          '',
          tableText(
            ['row', 'column', 'reason'],
            rejectedRows.map(({ row, column, reason }) => [row, column, reason]),
          ),
        ];
  const worthALook =
    warnings.length === 0
      ? []
      : [
          '',
          'Worth a look:',
          '',
          tableText(['warning', 'events', 'rows'], warnings.map(warningCells)),
        ];
  if (counts === null) {
    return ['Nothing was imported: the file has errors.', ...rejected].join('\n');
  }
  const verb = options.dryRun === true ? 'would be accepted' : 'accepted';
  return [
    `${countText(counts.rows, 'row')}, ${countText(counts.events, 'event')}: ` +
      `${counts.accepted} ${verb}, ${counts.duplicates} stored already, ${counts.rejected} rejected.`,
    ...rejected,
    ...worthALook,
  ].join('\n');
}

function warningCells({ code, count, rows }: CsvWarning): readonly string[] {
  const named = rows.slice(0, WARNED_ROWS_SHOWN).map(warnedRowText);
  return [code, String(count), [...named, ...(count > named.length ? ['…'] : [])].join(', ')];
}
