// `lothub notify`: posts a notification into a group of a running service, from scripts and schedulers.
import { parseBaseAddress } from '@lothub/kit/cli/base-address';
import { CommandError, EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { readKeyFile } from '@lothub/kit/cli/key-file';
import { answer, note, type Output, type Terminal } from '@lothub/kit/cli/terminal';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { readNotifyKey } from '../../settings.ts';
import { SEVERITIES, STATUSES, type Severity, type Status } from '../../store/post.ts';

/** Seconds until the last try has to be answered. */
const TIMEOUT_SECONDS = { min: 1, max: 3_600, default: 60 } as const;
const MS_PER_SECOND = 1_000;

interface NotifyOptions {
  readonly url: string;
  readonly keyFile?: string;
  readonly title?: string;
  readonly body?: string;
  readonly severity?: Severity;
  readonly link?: string;
  readonly dedupKey?: string;
  readonly status?: Status;
  readonly idempotencyKey?: string;
  readonly timeout: number;
}

const ABOUT =
  'Posts a notification into the group of the key, which comes from LOTHUB_NOTIFY_KEY or --key-file.\n' +
  'Without --body the body is read from standard input; without --title its first line is the title.\n' +
  'A title is cut at 119 characters and "…", with the whole of it in the body, which is cut at 4,000.\n' +
  'What nobody answered is sent again, and posted once.\n' +
  'Exit codes: 0 posted; 2 wrong usage or settings; 3 refused: it would be again; 4 not reached, or not\n' +
  'stored now: try again later, with --idempotency-key to have it posted once.';

export function addNotify(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'notify',
    summary: 'post a notification into a group of a running service',
    description: ABOUT,
    examples: [
      'lothub notify --url https://lothub.example.com --key-file oven.key --title "Oven 3 is hot"',
      'backup.sh 2>&1 | lothub notify --url https://lothub.example.com --title "Backup" --severity info',
    ],
  })
    .requiredOption('--url <BASE>', 'address of the service')
    .option('--key-file <FILE>', 'a file that holds the key of the group')
    .option('--title <TEXT>', 'what it is about, in a line')
    .option('--body <TEXT>', 'what else there is to say (default: standard input)')
    .addOption(new Option('--severity <S>', 'how much it matters').choices(SEVERITIES))
    .option('--link <URL>', 'where to read more')
    .option('--dedup-key <KEY>', 'what notifications have in common that belong together')
    .addOption(new Option('--status <S>', 'what that is now; with --dedup-key').choices(STATUSES))
    .option('--idempotency-key <KEY>', 'posted once in a day, however often it is sent')
    .option('--timeout <SECONDS>', 'how long to try at most', parseSeconds, TIMEOUT_SECONDS.default)
    .action(async (options: NotifyOptions) => {
      finish(await notify(output, options));
    });
}

async function notify(output: Output, options: NotifyOptions): Promise<ExitCode> {
  const base = parseBaseAddress(options.url);
  if (options.status !== undefined && options.dedupKey === undefined) {
    throw new CommandError(
      'usage_wrong',
      'reading the options: --status says what --dedup-key is now; give both',
    );
  }
  const key = await getKey(output, options.keyFile);
  const signal = AbortSignal.timeout(options.timeout * MS_PER_SECOND);
  const input = options.body ?? (await readInput(output.terminal.stdin ?? process.stdin, signal));
  const { contentFrom, postNotification } = await import('./post.ts');
  const { content, isCut } = contentFrom({ ...options, text: input });
  const { notification, isReplay } = await postNotification({
    base,
    key,
    content,
    idempotencyKey: options.idempotencyKey,
    signal,
    onWait: (seconds, why) => note(output, `${why}; trying again in ${seconds} s`),
  });
  if (isCut) note(output, 'The body was cut: a notification has at most 4,000 characters.');
  await answer(output, {
    json: { ok: true, notification, replayed: isReplay },
    text: `${isReplay ? 'Posted before' : 'Posted'} as ${notification.seq} in ${notification.group_id}.`,
  });
  return EXIT.ok;
}

async function getKey(output: Output, keyFile: string | undefined): Promise<string> {
  if (keyFile !== undefined) return await readKeyFile(keyFile);
  const key = readNotifyKey(output.terminal.environment);
  if (key !== undefined) return key;
  throw new CommandError(
    'usage_wrong',
    'posting: there is no key; set LOTHUB_NOTIFY_KEY, or give a file that holds the key with --key-file',
  );
}

function parseSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= TIMEOUT_SECONDS.min && seconds <= TIMEOUT_SECONDS.max) return seconds;
  const { min, max } = TIMEOUT_SECONDS;
  throw new InvalidArgumentError(`Give a whole number of seconds from ${min} to ${max}.`);
}

/** Kept of it; what follows is read and dropped, so that its writer can end. */
const INPUT_BYTES_MAX = 1_048_576;

/**
 * @returns its text, whatever bytes it holds; nothing where a person types
 * @throws CommandError `usage_wrong` when it has not ended in time
 */
async function readInput(
  stdin: NonNullable<Terminal['stdin']>,
  signal: AbortSignal,
): Promise<string> {
  if (stdin.isTTY === true) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = (): void => void stdin.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
      if (bytes < INPUT_BYTES_MAX) chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
    }
  } catch (error) {
    throw new CommandError(
      'usage_wrong',
      'reading standard input: it did not end; give --body "" to read nothing from it',
      { cause: error },
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks).subarray(0, INPUT_BYTES_MAX).toString('utf8');
}
