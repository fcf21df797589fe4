// `lothub rebuild`: makes the derived rows again from the blocks, while no service runs.
import { systemClock } from '@lothub/kit/clock';
import type { Command } from 'commander';
import type { Caller } from '../ledger/draft.ts';
import { rebuildDerived } from '../ledger/rebuild/rebuild.ts';
import { openRebuild } from '../ledger/operate/open-rebuild.ts';
import { readLogRecord } from '../ledger/log/log-record.ts';
import { readTipRecord } from '../ledger/tip-record.ts';
import { readSettings } from '../settings.ts';
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { lockHub } from './hub-lock.ts';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { openHub } from './operated-hub.ts';
import { showProgress } from '@lothub/kit/cli/progress';
import { answer, countText, type Output } from '@lothub/kit/cli/terminal';

/** The actor that accepts a cut, in the audit. */
const ACCEPTING: Caller = { actor: 'lothub rebuild --accept-tip', requestId: null };

const ABOUT =
  'Verifies the blocks and makes the rows that are derived from them anew: events, lines, lots with\n' +
  'their quantities, corrections and counters. Blocks, private values, holds, the audit and keys stay\n' +
  'as they are. All or nothing: stopped half-way, it leaves everything as it was. A chain whose end\n' +
  'was cut off is refused. Stop the service first. Run `lothub verify` afterwards.';

export function addRebuild(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'rebuild',
    summary: 'make the derived rows anew from the blocks',
    description: ABOUT,
    examples: ['lothub rebuild && lothub verify'],
  })
    .option(
      '--accept-tip',
      'blocks at the end are lost for good: make the rows of the blocks that are there',
    )
    .action(async (options: RebuildCommandOptions) => finish(await rebuild(output, options)));
}

interface RebuildCommandOptions {
  readonly acceptTip?: boolean;
}

async function rebuild(
  output: Output,
  { acceptTip = false }: RebuildCommandOptions,
): Promise<ExitCode> {
  const startedMs = systemClock.nowMs();
  const settings = readSettings(output.terminal.environment);
  // Opening comes first, so that the command does not lock a missing hub, which would make its
  // folder.
  await (await openHub(settings))[Symbol.asyncDispose]();
  using _lock = lockHub(settings);
  await using opened = await openRebuild(settings);
  using progress = showProgress(output, {
    label: 'rebuilding',
    unit: 'blocks',
    clock: systemClock,
  });
  const tip = await rebuildDerived({
    ledger: opened.ledger,
    tip: acceptTip
      ? { kind: 'accept', by: ACCEPTING, clock: systemClock }
      : { kind: 'compare', record: () => readTipRecord(settings.dataDir) },
    ...(acceptTip ? {} : { logRecord: () => readLogRecord(settings.dataDir) }),
    onProgress: ({ height, total }) => progress.update(height + 1, total + 1),
  });
  await answer(output, {
    json: {
      ok: true,
      blocks: tip.height + 1,
      head: tip,
      elapsed_ms: systemClock.nowMs() - startedMs,
    },
    text:
      `Rebuilt from ${countText(tip.height + 1, 'block')}. ` +
      'Run `lothub verify` now: it compares the rows and clears alarms.',
  });
  return EXIT.ok;
}
