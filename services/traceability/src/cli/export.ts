// `lothub export`: the stored text of blocks, one a line, for auditors and for `lothub verify --file`.
import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ChainVerifier, type ChainFault } from '@lothub/chain';
import { systemClock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { nextTurn } from '@lothub/kit/in-turns';
import { StopSignals } from '@lothub/kit/lifecycle';
import type { DatabaseReader } from '@lothub/kit/database';
import type { Command } from 'commander';
import sql from 'sql-template-tag';
import { selectBlocks, type StoredBlockRow } from '../ledger/verify/chain.ts';
import { readSettings } from '../settings.ts';
import { parseHeight } from './arguments.ts';
import { CommandError, EXIT, formatReason, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { openHub } from './operated-hub.ts';
import { showProgress, type Progress } from '@lothub/kit/cli/progress';
import { storeFile } from '@lothub/kit/cli/stored-file';
import { answer, countText, note, type Output } from '@lothub/kit/cli/terminal';

/** Blocks read at once; of the largest events they take some 50 MB. */
const BLOCKS_PER_SLICE = 200;

interface ExportOptions {
  readonly from?: number;
  readonly to?: number;
  readonly force?: true;
}

/** Heights from the first to the last, both included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

const ABOUT =
  'Writes the canonical text of every block, one a line, genesis first, to FILE or to standard\n' +
  'output. What is written is the stored text as it is; when it is not what was sealed, the export\n' +
  'goes on, says where, and ends with 1.';

export function addExport(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'export [FILE]',
    summary: 'write the text of all blocks, one a line',
    description: ABOUT,
    examples: ['lothub export chain.jsonl', 'lothub export --from 1000 | gzip > chain.jsonl.gz'],
  })
    .option('--from <HEIGHT>', 'first block', parseHeight)
    .option('--to <HEIGHT>', 'last block', parseHeight)
    .option('--force', 'replace FILE when there is one')
    .action(async (file: string | undefined, options: ExportOptions) => {
      finish(await exportBlocks(output, file, options));
    });
}

async function exportBlocks(
  output: Output,
  file: string | undefined,
  options: ExportOptions,
): Promise<ExitCode> {
  if (file === undefined && output.format === 'json') {
    throw new CommandError(
      'usage_wrong',
      'exporting to standard output: the blocks go there; give a FILE with --json',
    );
  }
  await using hub = await openHub(readSettings(output.terminal.environment));
  using stop = new StopSignals({ clock: systemClock });
  using progress = showProgress(output, { label: 'exporting', unit: 'blocks', clock: systemClock });
  const lines = new ExportLines(hub.reader, await readRange(hub.reader, options), progress);
  if (file === undefined) {
    await pour(lines, output.terminal.stdout, { end: false, signal: stop.signal });
  } else {
    const existing = options.force === true ? 'replace' : 'refuse';
    await storeFile({ file, existing, attempt: 'exporting' }, (passingName) =>
      pour(lines, createWriteStream(passingName), { end: true, signal: stop.signal }),
    );
  }
  return await reportExport(output, { file, lines });
}

async function reportExport(
  output: Output,
  done: { readonly file: string | undefined; readonly lines: ExportLines },
): Promise<ExitCode> {
  const { file, lines } = done;
  const { fault, range } = lines;
  const blocks = range.last - range.first + 1;
  if (fault !== undefined) {
    note(output, `lothub: exporting: from height ${fault.height} on the chain does not verify.`);
    note(output, `lothub: ${fault.message} Run \`lothub verify\`.`);
  }
  if (file !== undefined) {
    await answer(output, {
      json: {
        ok: fault === undefined,
        file,
        from_height: range.first,
        to_height: range.last,
        blocks,
        first_bad_height: fault?.height ?? null,
      },
      text: `Exported ${countText(blocks, 'block')}, height ${range.first} to ${range.last}, to ${file}.`,
    });
  }
  return fault === undefined ? EXIT.ok : EXIT.failed;
}

/** Makes the lines of an export, a slice of blocks at a time, and verifies them. */
class ExportLines {
  readonly range: Range;
  readonly #reader: DatabaseReader;
  readonly #progress: Progress;
  #fault: ChainFault | undefined;

  constructor(reader: DatabaseReader, range: Range, progress: Progress) {
    this.#reader = reader;
    this.range = range;
    this.#progress = progress;
  }

  get fault(): ChainFault | undefined {
    return this.#fault;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const { first, last } = this.range;
    const verifier = await this.#verifierFrom(first);
    for (let after = first - 1; after < last; after += BLOCKS_PER_SLICE) {
      const through = Math.min(after + BLOCKS_PER_SLICE, last);
      const blocks = await this.#reader.all<StoredBlockRow>(selectBlocks({ after, through }));
      this.#fault = verifier.verifyBlocks(blocks);
      yield blocks.map(({ canonical }) => `${canonical}\n`).join('');
      this.#progress.update(through - first + 1, last - first + 1);
      // Signals and the drawing of progress get their turn.
      await nextTurn();
    }
  }

  /** The block before the first one is taken as it is stored. */
  async #verifierFrom(first: number): Promise<ChainVerifier> {
    const [before] = await this.#reader.all<StoredBlockRow>(
      selectBlocks({ after: first - 2, through: first - 1 }),
    );
    return new ChainVerifier({
      hash: sha256Hex,
      depth: 'links',
      ...(before === undefined
        ? {}
        : { previous: { height: before.height, blockHash: before.blockHash } }),
    });
  }
}

async function pour(
  lines: AsyncIterable<string>,
  target: Writable,
  options: { readonly end: boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await pipeline(Readable.from(lines, { objectMode: false }), target, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code !== undefined) {
      throw new CommandError('file_unwritable', `exporting: ${formatReason(error)}`, {
        cause: error,
      });
    }
    throw error;
  }
}

async function readRange(reader: DatabaseReader, options: ExportOptions): Promise<Range> {
  const row = await reader.first<{ height: number }>(
    sql`select height from blocks order by height desc limit 1`,
  );
  const tip = row?.height ?? -1;
  const first = options.from ?? 0;
  const last = options.to ?? tip;
  if (first <= last && last <= tip) return { first, last };
  throw new CommandError(
    'usage_wrong',
    `exporting height ${first} to ${last}: the chain has height 0 to ${tip}; ` +
      'give --from and --to within it, in this order',
  );
}
