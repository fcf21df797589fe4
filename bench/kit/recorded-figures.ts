// Writes the figures of a run into docs/performance.md, so that a table there says which program it is of and cannot be
// older than it claims. Each run has a place of its own, named by its command line:
//
//   <!-- figures: append --engine postgres -->
//   <!-- end of figures -->
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { packageVersion } from '@lothub/kit/package-version';
import { format, resolveConfig } from 'prettier';
import { describeFigure, type Figure } from './report.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCUMENT = join(ROOT, 'docs', 'performance.md');
const END = '<!-- end of figures -->';
const BYTES_PER_GIB = 1024 ** 3;
/** Folders of whoever runs it are nobody else's. */
const NAMES_A_FOLDER = '--folder';

/** What is above a table. */
export interface RunStamp {
  /** Behind `npm run bench --`. */
  readonly command: string;
  readonly version: string;
  /** With a mark when files were changed since. */
  readonly commit: string;
  /** As in `2026-11-24`. */
  readonly date: string;
  readonly machine: string;
}

/** The command line of a run, without what is only of the machine that it ran on. */
export function formatCommand(args: readonly string[]): string {
  return args.map((arg, at) => (args[at - 1] === NAMES_A_FOLDER ? 'PEERS' : arg)).join(' ');
}

/**
 * A run of minutes asks before it begins.
 * @throws Error when the document has no place for the figures of this command
 */
export function requirePlace(command: string): void {
  findPlace(readFileSync(DOCUMENT, 'utf8'), command);
}

/**
 * The document with these figures in the place of their command.
 * @throws Error when the document has no such place
 */
export function withFigures(document: string, stamp: RunStamp, figures: readonly Figure[]): string {
  const { begin, from, to } = findPlace(document, stamp.command);
  const { command, version, commit, date, machine } = stamp;
  const caption = `\`npm run bench -- ${command}\`, version ${version}, commit ${commit}, ${date}, ${machine}:`;
  const rows = figures.map((figure) => {
    const { value, promise } = describeFigure(figure);
    return `| ${figure.name} | ${value} | ${promise} |`;
  });
  const table = ['| figure | measured | promised |', '| --- | --: | --- |', ...rows].join('\n');
  return `${document.slice(0, from)}${begin}\n\n${caption}\n\n${table}\n\n${document.slice(to)}`;
}

function findPlace(document: string, command: string): Place {
  const begin = `<!-- figures: ${command} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(END, from);
  if (from === -1 || to === -1) {
    throw new Error(
      `docs/performance.md has no place for these figures: write two lines there, ${begin} and ${END}`,
    );
  }
  return { begin, from, to };
}

interface Place {
  readonly begin: string;
  /** Where its first line begins, and where its last line does. */
  readonly from: number;
  readonly to: number;
}

/** @throws Error as `withFigures` */
export async function recordFigures(command: string, figures: readonly Figure[]): Promise<void> {
  const text = withFigures(readFileSync(DOCUMENT, 'utf8'), readStamp(command), figures);
  const options = await resolveConfig(DOCUMENT);
  writeFileSync(DOCUMENT, await format(text, { ...options, filepath: DOCUMENT }));
}

function readStamp(command: string): RunStamp {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  // The document itself may hold the figures of the run before.
  const isChanged = git('status', '--porcelain', '--', '.', ':!docs/performance.md') !== '';
  return {
    command,
    version: packageVersion(new URL('../../package.json', import.meta.url)),
    commit: `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' with changes' : ''}`,
    date: new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
    machine: `${cpus().length} cores and ${Math.round(totalmem() / BYTES_PER_GIB)} GiB, load before it ${LOAD_BEFORE.toFixed(1)}`,
  };
}

/** Of the last minute, before this run has added to it. */
const LOAD_BEFORE = loadavg()[0] ?? 0;
