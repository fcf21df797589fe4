// `lothub monitor URL`: follows the log of a hub without an account, and reports its faults and
// each new event of the watched lots and brands.
import { setTimeout as wait } from 'node:timers/promises';
import { LogError, parseVkey } from '@lothub/chain/log';
import { systemClock } from '@lothub/kit/clock';
import { StopSignals } from '@lothub/kit/lifecycle';
import { CommandError, EXIT, formatReason, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { showProgress } from '@lothub/kit/cli/progress';
import { answer, countText, note, type Output } from '@lothub/kit/cli/terminal';
import { KeptUnreadable, readPolicy } from '@lothub/verify';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseTenantId } from '../arguments.ts';
import { parseBaseAddress } from '@lothub/kit/cli/base-address';
import { HubClient } from '../hub-client.ts';
import { newestPrefix, readEpochList, readOwnText } from '../judge/judge-by-policy.ts';
import { followLog, type PassOutcome } from './follow-log.ts';
import { NEW_STATE, readMonitorState, writeMonitorState } from './monitor-state.ts';
import type { MonitorState } from './monitor-state.ts';
import { reportText, type MonitorReport } from './reports.ts';
import { Watch } from './watch.ts';

const INTERVAL_SECONDS_DEFAULT = 60;
const INTERVAL_SECONDS_MAX = 86_400;
const MS_PER_SECOND = 1_000;
/** The log of a hub that has begun no other log. */
const FIRST_EPOCH = 1;
/** The path at which a hub publishes its key, used until a key is pinned. */
const vkeysPath = (epoch: number | string): string => `/log/${epoch}/vkeys`;

interface MonitorOptions {
  readonly vkey?: string;
  readonly policy?: string;
  readonly state?: string;
  readonly once?: true;
  readonly interval: number;
  readonly lot: readonly string[];
  readonly brand: readonly string[];
}

const ABOUT =
  'Follows the public log of a hub, without an account: reads the checkpoint and all new blocks, and\n' +
  'verifies that the tree goes on from the kept one, that each text is the one whose hash is in the tree,\n' +
  'and that each block links to the one before. Reports a fork (split_view), a rollback (rolled_back), and\n' +
  'each new event of the lots and brands that are watched, with its corrections, and each decision: holds,\n' +
  'recalls, drills, profiles of a brand. A later step of a recall names its first lot alone: watch\n' +
  'the brand for all of them.\n' +
  'With --json each report is one line. Ends with 1 when anything was wrong, with 0 otherwise. A fork or\n' +
  'a rollback ends it at once; a hub that does not answer is asked again, but for --once.';

export function addMonitor(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'monitor <URL>',
    summary: 'follow the log of a hub',
    description: ABOUT,
    examples: [
      'lothub monitor https://trace.example.com --vkey KEY --state trace.json --lot FLOUR-1',
      'lothub monitor https://trace.example.com --policy policy.txt --state trace.json --once --json',
    ],
  })
    .addOption(
      new Option('--vkey <KEY>', 'the key of the log, as its operator published it')
        .argParser(parseVkeyOption)
        .conflicts('policy'),
    )
    .option('--policy <FILE>', 'whose signatures you believe (c2sp.org/tlog-policy)')
    .option('--state <FILE>', 'what is kept between runs; made when it is not there')
    .option('--once', 'read up to the newest checkpoint, and end')
    .addOption(
      new Option('--interval <SECONDS>', 'time between two passes')
        .default(INTERVAL_SECONDS_DEFAULT)
        .argParser(parseSeconds),
    )
    .addOption(
      new Option('--lot <CODE>', 'report blocks about this lot, of any brand; may be repeated')
        .default([])
        .argParser(collect),
    )
    .addOption(
      new Option('--brand <ID>', 'report all blocks of this brand; may be repeated')
        .default([])
        .argParser((text, before: readonly string[]) => collect(parseTenantId(text), before)),
    )
    .action(async (url: string, options: MonitorOptions) =>
      finish(await monitor(output, url, options)),
    );
}

async function monitor(output: Output, url: string, options: MonitorOptions): Promise<ExitCode> {
  using stop = new StopSignals({ clock: systemClock });
  const follower = new Follower(output, { ...options, url, signal: stop.signal });
  try {
    await follower.run();
  } catch (error) {
    // A monitor ends by a signal; its verdict is that of its findings until then.
    if (!stop.signal.aborted || options.once === true) throw error;
  }
  return follower.findings === 0 ? EXIT.ok : EXIT.failed;
}

class Follower {
  readonly #output: Output;
  readonly #options: MonitorOptions;
  readonly #signal: AbortSignal;
  readonly #client: HubClient;
  readonly #watch: Watch;
  #state: MonitorState = NEW_STATE;
  /** Whether the hub has requested a wait before; the monitor reports only the first one. */
  #hasWaited = false;
  findings = 0;

  constructor(
    output: Output,
    options: MonitorOptions & { readonly url: string; readonly signal: AbortSignal },
  ) {
    this.#output = output;
    this.#options = options;
    this.#signal = options.signal;
    this.#watch = new Watch({ lots: options.lot, brands: options.brand });
    this.#client = new HubClient({
      base: parseBaseAddress(options.url),
      signal: options.signal,
      onWait: () => this.#noteWait(),
    });
  }

  /** Ends after one pass with `--once`, at a contradiction, or when it is stopped. */
  async run(): Promise<void> {
    const { state, once, interval } = this.#options;
    if (state !== undefined) this.#state = await readMonitorState(state);
    for (let passes = 1; ; passes += 1) {
      const outcome = once === true ? await this.#pass(passes) : await this.#tryPass(passes);
      if (once === true || outcome?.isContradicted === true) return;
      await wait(interval * MS_PER_SECOND, undefined, { signal: this.#signal });
    }
  }

  /** Runs one pass, and reports a hub that cannot be read. */
  async #tryPass(passes: number): Promise<PassOutcome | undefined> {
    try {
      return await this.#pass(passes);
    } catch (error) {
      if (!(error instanceof CommandError) || !isOfHub(error)) throw error;
      await this.#report({ type: 'not_read', code: error.code, message: error.message });
      return undefined;
    }
  }

  async #pass(passes: number): Promise<PassOutcome> {
    const startedMs = systemClock.nowMs();
    const policy = await this.#policy();
    using progress = showProgress(this.#output, {
      label: 'reading',
      unit: 'blocks',
      clock: systemClock,
    });
    const outcome = await this.#follow(policy, (done, total) => progress.update(done, total));
    this.findings += outcome.findings;
    const { pass } = outcome;
    if (pass !== undefined && (pass.blocks > 0 || pass.findings > 0 || passes === 1)) {
      const elapsedMs = systemClock.nowMs() - startedMs;
      await this.#report({ ...pass, source: this.#client.base, elapsed_ms: elapsedMs });
    }
    return outcome;
  }

  async #follow(
    policy: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<PassOutcome> {
    // Other requests of a pass that fails are of no use any more.
    const ended = new AbortController();
    try {
      // This comes before any request to the hub: a fault of the policy is a mistake of its owner.
      readPolicy(policy);
      const epochs = await readEpochList(this.#client);
      return await followLog(this.#state, {
        source: {
          client: this.#client,
          prefix: await newestPrefix(policy, epochs),
          signal: AbortSignal.any([this.#signal, ended.signal]),
        },
        policy,
        epochs: epochs.map(({ note }) => note),
        watch: this.#watch,
        report: (report) => this.#report(report),
        keep: (state) => this.#keep(state),
        onProgress,
      });
    } catch (error) {
      throw asCommandError(error, this.#options);
    } finally {
      ended.abort();
    }
  }

  /** The key to trust: the pinned one, else the one trusted before, else the one that the hub sends now. */
  async #policy(): Promise<string> {
    const { policy, vkey = this.#state.vkey } = this.#options;
    if (policy !== undefined) return await readOwnText(policy);
    if (vkey !== undefined) return buildPolicy(vkey);
    const [newest] = (await readEpochList(this.#client)).slice(-1);
    const path = vkeysPath(newest?.epoch ?? FIRST_EPOCH);
    const bytes = await this.#client.getBytes(path);
    const [first = ''] = new TextDecoder().decode(bytes).split('\n', 1);
    try {
      parseVkey(first);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      throw new CommandError(
        'answer_unexpected',
        `reading ${path}: ${error.message} Is this the address of a hub?`,
      );
    }
    await this.#report({ type: 'trusted_on_first_use', vkey: first });
    await this.#keep({ ...this.#state, vkey: first });
    return buildPolicy(first);
  }

  async #keep(state: MonitorState): Promise<void> {
    this.#state = state;
    if (this.#options.state !== undefined) await writeMonitorState(this.#options.state, state);
  }

  async #report(report: MonitorReport): Promise<void> {
    await answer(this.#output, { json: report, text: reportText(report) });
  }

  #noteWait(): void {
    if (this.#hasWaited) return;
    this.#hasWaited = true;
    note(this.#output, `waiting when ${this.#client.base} asks for it: it answers no faster`);
  }
}

function buildPolicy(vkey: string): string {
  return `log ${vkey}\nquorum none\n`;
}

function isOfHub({ code }: CommandError): boolean {
  return code === 'hub_unreachable' || code === 'hub_refused' || code === 'answer_unexpected';
}

/** The mistakes of the monitor's owner, and answers that are no tiles. */
function asCommandError(error: unknown, { policy, state }: MonitorOptions): unknown {
  if (error instanceof KeptUnreadable) {
    return new CommandError(
      'file_unreadable',
      `reading ${state ?? 'what is kept'}: ${formatReason(error)}`,
    );
  }
  if (!(error instanceof LogError)) return error;
  return error.code === 'policy_invalid'
    ? new CommandError('file_unreadable', `reading ${policy ?? 'the policy'}: ${error.message}`)
    : new CommandError('answer_unexpected', `reading the log: ${error.message}`, { cause: error });
}

function parseVkeyOption(text: string): string {
  try {
    parseVkey(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(
      `Give a verifier key, such as the hub has at ${vkeysPath('<number>')}. ${formatReason(error)}`,
    );
  }
}

function parseSeconds(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= INTERVAL_SECONDS_MAX) return seconds;
  throw new InvalidArgumentError(`Give 1 to ${countText(INTERVAL_SECONDS_MAX, 'second')}.`);
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
