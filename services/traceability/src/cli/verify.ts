// `lothub verify`: the whole chain of the hub of the settings, of a hub at an address, or of an export.
import type { VerificationDepth } from '@lothub/chain';
import { systemClock } from '@lothub/kit/clock';
import { StopSignals } from '@lothub/kit/lifecycle';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { verifyDatabase } from '../ledger/operate/verify-database.ts';
import { findLoss } from '../ledger/operate/log-loss.ts';
import type { BegunEpoch } from '../ledger/operate/begin-epoch.ts';
import { findNotFollowed } from '../recall/follow/lacking.ts';
import { readSettings, type Settings } from '../settings.ts';
import { CommandError, EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { blocksOfExport } from './judge/blocks-of-export.ts';
import { blocksOfHub } from './judge/blocks-of-hub.ts';
import { parseBaseAddress } from '@lothub/kit/cli/base-address';
import { HubClient } from './hub-client.ts';
import { judgeChain, type Checkpoint } from './judge/judge-chain.ts';
import { chainText, finished, localReport, type VerifyReport } from './judge/chain-report.ts';
import { judgeByPolicy } from './judge/judge-by-policy.ts';
import { policyJson, policyText } from './judge/policy-report.ts';
import { endLog, epochJson, epochText } from './log/new-epoch.ts';
import { openHub } from './operated-hub.ts';
import { showProgress } from '@lothub/kit/cli/progress';
import { answer, countText, note, type Output } from '@lothub/kit/cli/terminal';

interface VerifyOptions {
  readonly url?: string;
  readonly file?: string;
  readonly acceptTip?: true;
  readonly checkpoint?: Checkpoint;
  readonly evidence?: string;
  readonly blockHash?: string;
  readonly policy?: string;
  readonly state?: string;
  readonly depth: VerificationDepth;
}

const DEPTHS = ['contents', 'links'] as const satisfies readonly VerificationDepth[];

const ABOUT =
  'Verifies every block of a chain, from genesis: its text hashes to its hash, links to the block\n' +
  'before and is canonical. Without --url or --file it verifies the hub in DATA_DIR, or in\n' +
  'DATABASE_URL, also while services run, with all rows that are derived from the blocks; when all is well, it\n' +
  'clears the alarms that were raised before.\n' +
  'A chain that somebody made anew from its beginning verifies, too: compare its tip with one noted\n' +
  'earlier, by --checkpoint.\n' +
  'With --policy it judges what the hub signed instead: an evidence file of a lot or the proof of a block,\n' +
  'which needs no hub, or with --url the newest checkpoint of a hub. --state keeps the checkpoint, so\n' +
  'that the next run shows whether the log goes on from it.';

export function addVerify(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'verify',
    summary: 'verify the whole chain',
    description: ABOUT,
    examples: [
      'lothub verify',
      'lothub verify --depth links',
      'lothub verify --url https://trace.example.com',
    ],
  })
    .addOption(
      new Option(
        '--url <BASE>',
        'verify the hub at this address, over its public explorer',
      ).conflicts(['file', 'acceptTip']),
    )
    .addOption(
      new Option('--file <EXPORT>', 'verify a file made by `lothub export`').conflicts('acceptTip'),
    )
    .addOption(
      new Option(
        '--accept-tip',
        'a backup was restored on purpose: let the chain as it is be the recorded one; when blocks that the ' +
          'log signed are lost, begins another log, for which the service has to be stopped',
      ),
    )
    .addOption(
      new Option(
        '--checkpoint <HEIGHT:HASH>',
        'the chain must hold this block, noted earlier; with --url or --file',
      )
        .argParser(parseCheckpoint)
        .conflicts('acceptTip'),
    )
    .addOption(
      new Option(
        '--evidence <FILE>',
        'verify an evidence file of a lot, or the proof of a block; with --policy',
      ).conflicts(['file', 'acceptTip', 'checkpoint']),
    )
    .addOption(
      new Option(
        '--block-hash <HASH>',
        'the block that a proof is about, when it does not carry its text',
      ).argParser(parseBlockHash),
    )
    .addOption(
      new Option(
        '--policy <FILE>',
        'whose signatures you believe (c2sp.org/tlog-policy); with --evidence or --url',
      ).conflicts(['file', 'acceptTip', 'checkpoint']),
    )
    .addOption(
      new Option(
        '--depth <DEPTH>',
        'of the hub of the settings: `links` judges hashes and links alone, as quickly as the texts can be read',
      )
        .choices(DEPTHS)
        .default('contents'),
    )
    .addOption(
      new Option('--state <FILE>', 'the checkpoints that you keep; made when it is not there'),
    )
    .action(async (options: VerifyOptions) => finish(await verify(output, options)));
}

async function verify(output: Output, options: VerifyOptions): Promise<ExitCode> {
  const { policy, url, file, acceptTip, depth } = options;
  if (depth === 'links' && [policy, url, file, acceptTip].some((one) => one !== undefined)) {
    throw new CommandError(
      'usage_wrong',
      'verifying hashes and links alone: --depth is for the hub of the settings, and accepts no tip',
    );
  }
  if (policy !== undefined) return await verifyByPolicy(output, { ...options, policy });
  for (const name of ['evidence', 'state', 'blockHash'] as const) {
    if (options[name] === undefined) continue;
    throw new CommandError(
      'usage_wrong',
      'verifying what a hub signed: give with --policy the file that says whose signatures you believe',
    );
  }
  const { begun, ...report } = await makeReport(output, options);
  const text = chainText(report);
  await answer(output, {
    json: report,
    text: begun === undefined ? text : `${text}\n\n${epochText(begun)}`,
  });
  return report.ok ? EXIT.ok : EXIT.failed;
}

async function verifyByPolicy(
  output: Output,
  options: VerifyOptions & { readonly policy: string },
): Promise<ExitCode> {
  const { url, policy, evidence, state, blockHash } = options;
  if (evidence === undefined && url === undefined) {
    throw new CommandError(
      'usage_wrong',
      'verifying by a policy: give --evidence FILE or --url BASE',
    );
  }
  using stop = new StopSignals({ clock: systemClock });
  const report = await judgeByPolicy({
    policy,
    ...(evidence === undefined ? {} : { evidence }),
    ...(blockHash === undefined ? {} : { blockHash }),
    ...(state === undefined ? {} : { state }),
    ...(url === undefined ? {} : { client: openClient(output, url, stop.signal) }),
  });
  await answer(output, { json: policyJson(report), text: policyText(report) });
  return report.outcome.verdict === 'refused' ? EXIT.failed : EXIT.ok;
}

function openClient(output: Output, url: string, signal: AbortSignal): HubClient {
  return new HubClient({
    base: parseBaseAddress(url),
    signal,
    onWait: (seconds) =>
      note(output, `waiting ${countText(seconds, 'second')}: the hub answers no faster`),
  });
}

/** The report with the log that was begun, which its text needs. */
type LocalReport = VerifyReport & { readonly begun?: BegunEpoch };

async function makeReport(output: Output, options: VerifyOptions): Promise<LocalReport> {
  if (options.url !== undefined) return await verifyHub(output, options.url, options);
  if (options.file !== undefined) return await verifyExport(output, options.file, options);
  if (options.checkpoint !== undefined) {
    throw new CommandError(
      'usage_wrong',
      'verifying the database: it is compared with its own tip record; ' +
        'give --checkpoint with --url or --file',
    );
  }
  const tip = options.acceptTip === true ? 'accept' : 'compare';
  return await verifyLocalHub(output, { tip, depth: options.depth });
}

async function verifyLocalHub(
  output: Output,
  { tip, depth }: { readonly tip: 'accept' | 'compare'; readonly depth: VerificationDepth },
): Promise<LocalReport> {
  const settings = readSettings(output.terminal.environment);
  const { dataDir, databaseUrl } = settings;
  // Only to say in plain words that there is no hub, or one of another version.
  const { place, isLost } = await lookAtHub(settings);
  const source = databaseUrl === undefined ? dataDir : place;
  if (tip === 'accept' && isLost) {
    const { report, begun } = await endLog(output, { settings, tip, reason: 'restore' });
    const judged = localReport(report, source);
    return begun === undefined ? judged : { ...judged, new_epoch: epochJson(begun), begun };
  }
  using progress = showProgress(output, { label: 'verifying', unit: 'blocks', clock: systemClock });
  const report = await verifyDatabase({
    dataDir,
    databaseUrl,
    clock: systemClock,
    tip,
    depth,
    findMore: findNotFollowed,
    onProgress: ({ height, total }) => progress.update(height + 1, total + 1),
  });
  return localReport(report, source);
}

/** Whether the log would contradict its signed heads if it continued from the stored state. */
async function lookAtHub(
  settings: Settings,
): Promise<{ readonly place: string; readonly isLost: boolean }> {
  const { dataDir, log } = settings;
  await using database = await openHub(settings);
  const isLost = log !== undefined && (await findLoss({ database, dataDir }));
  return { place: database.place, isLost };
}

async function verifyHub(
  output: Output,
  url: string,
  options: VerifyOptions,
): Promise<VerifyReport> {
  const startedMs = systemClock.nowMs();
  using stop = new StopSignals({ clock: systemClock });
  using progress = showProgress(output, { label: 'verifying', unit: 'blocks', clock: systemClock });
  const client = openClient(output, url, stop.signal);
  const { tip, pages } = await blocksOfHub(client);
  const verdict = await judgeChain({
    pages,
    // The hub itself names its tip: pages that end elsewhere are not its chain.
    checkpoints: [tip, ...(options.checkpoint === undefined ? [] : [options.checkpoint])],
    onProgress: (height) => progress.update(height + 1, tip.height + 1),
  });
  return finished(verdict, client.base, startedMs);
}

async function verifyExport(
  output: Output,
  file: string,
  options: VerifyOptions,
): Promise<VerifyReport> {
  const startedMs = systemClock.nowMs();
  using stop = new StopSignals({ clock: systemClock });
  using progress = showProgress(output, { label: 'verifying', unit: 'bytes', clock: systemClock });
  const { previous, pages } = await blocksOfExport({
    file,
    signal: stop.signal,
    onBytes: (done, total) => progress.update(done, total),
  });
  const verdict = await judgeChain({
    pages,
    checkpoints: options.checkpoint === undefined ? [] : [options.checkpoint],
    ...(previous === undefined ? {} : { previous }),
  });
  return finished(verdict, file, startedMs);
}

function parseCheckpoint(text: string): Checkpoint {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new InvalidArgumentError('Give a height, a colon and 64 lower-case hex digits.');
  }
  return { height: Number(match[1]), hash: match[2] };
}

function parseBlockHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError('Give 64 lower-case hex digits.');
  return text;
}
