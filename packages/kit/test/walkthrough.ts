// Walks through a document as a reader would: runs its shell blocks in one shell, in their order,
// and compares what each prints with the block that the document shows after it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Step {
  readonly script: string;
  /** What the document shows as the output; undefined when it shows none. */
  readonly shown: string | undefined;
  /** What the script printed. */
  readonly printed: string;
}

const TOOLS = ['sh', 'curl', 'python3', 'sha256sum'];

/** Tools the documents ask for that this machine lacks. */
export function missingTools(): readonly string[] {
  return TOOLS.filter((tool) => spawnSync(tool, ['-c', ':'], { stdio: 'ignore' }).error);
}

export function readDocument(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** Blocks between fences, in their order, also in lists; `language` is empty where none is named. */
export function listFences(
  markdown: string,
): readonly { readonly language: string; readonly text: string }[] {
  return [...markdown.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );
}

export interface WalkOptions {
  /** Beside what every walk has; `PATH` is put in front of that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Blocks that are not run, by their first lines. */
  readonly leftOut?: readonly string[];
  /** Puts what the document takes for granted into the folder. */
  readonly prepare?: (folder: string) => Promise<void>;
}

/**
 * Runs the shell blocks of a document in a folder of their own.
 * @param replacements texts of the document that are replaced by others, such as the reader's key
 */
export async function walkThrough(
  markdown: string,
  replacements: Readonly<Record<string, string>>,
  { environment = {}, leftOut = [], prepare }: WalkOptions = {},
): Promise<readonly Step[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lothub-walk-'));
  try {
    await prepare?.(folder);
    const fences = listFences(markdown);
    const blocks = fences.flatMap(({ language, text }, index) => {
      // What npm does is judged by the tests of its scripts.
      if (language !== 'sh' || text.startsWith('npm ')) return [];
      if (leftOut.includes(readFirstLine(text))) return [];
      const next = fences[index + 1];
      const shown = next === undefined || next.language === 'sh' ? undefined : next.text;
      return [{ script: replaceAll(text, replacements), shown }];
    });
    // In braces, not in parentheses: a later block uses the variables of an earlier one.
    const script = blocks.map((block, index) => `{\n${block.script}\n} >out.${index}`);
    const { exitCode, stderr } = await runShell({
      script: `set -eu\n${script.join('\n')}\n`,
      folder,
      environment,
    });
    const steps = await Promise.all(
      blocks.map(async (block, index) => ({
        ...block,
        printed: await readFile(join(folder, `out.${index}`), 'utf8').catch(() => ''),
      })),
    );
    const last = steps.findLast(({ printed }) => printed !== '');
    assert.equal(exitCode, 0, `the shell stopped: ${stderr} after: ${last?.printed}`);
    return steps;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By which a block is named where it is left out. */
export function readFirstLine(script: string): string {
  return script.trimStart().split('\n', 1)[0] ?? '';
}

function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((all, [from, to]) => all.replaceAll(from, to), text);
}

/** Asynchronous, because the hub that the script asks lives in this process. */
async function runShell(options: {
  readonly script: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<{ readonly exitCode: number | null; readonly stderr: string }> {
  const { script, folder, environment } = options;
  const path = [environment['PATH'], process.env['PATH']].filter(Boolean).join(delimiter);
  const child = spawn('sh', ['-s'], {
    cwd: folder,
    env: { HOME: folder, no_proxy: '*', LC_ALL: 'C.UTF-8', ...environment, PATH: path },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdin.end(script);
  await once(child, 'close');
  return { exitCode: child.exitCode, stderr };
}

/** A hash, whole or shortened by an ellipsis. */
const HASH = /\b[0-9a-f]{64}\b|\b[0-9a-f]{4,63}…/g;
const ANY_HASH = '[0-9a-f]{64}';
/** A hash of a document is known by its first characters, however many are shown. */
const HASH_KEY_LENGTH = 4;
/** An id or a secret that a service makes up, shortened: `grp_4kT9…`, `kT9x…`. */
const MADE_UP = /\b[0-9A-Za-z]+(?:_[0-9A-Za-z]*)?…/g;
const ANY_MADE_UP = '[\\w+/=-]+';
/** A moment with milliseconds is one of the hub's clock; others are the reader's own. */
const CLOCK = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;

/** The background verifier follows in its own time: it may be behind what a document shows. */
const LAGGING = 'verified_through';

/**
 * Compares what was printed with what a document shows. Hashes, ids, secrets and times of the service's
 * clock may be any, but one of the document stands for one everywhere; lists may be shown in part.
 */
export class Likeness {
  /** What a shortened text of the document stands for. */
  readonly #found = new Map<string, string>();

  assertLike(printed: string, shown: string): void {
    const value = parsed(shown);
    if (value === undefined) this.#assertTextLike(printed.trim(), shown.trim());
    else this.#assertValueLike(parsed(printed), value, []);
  }

  #assertValueLike(actual: unknown, shown: unknown, path: readonly string[]): void {
    const place = `at ${path.join('.')}: ${JSON.stringify(actual)}`;
    if (Array.isArray(shown)) {
      assert.ok(Array.isArray(actual) && actual.length >= shown.length, place);
      shown.forEach((one, index) => {
        this.#assertValueLike(actual[index], one, [...path, String(index)]);
      });
    } else if (typeof shown === 'object' && shown !== null) {
      assert.ok(typeof actual === 'object' && actual !== null, place);
      assert.deepEqual(Object.keys(actual).sort(), Object.keys(shown).sort(), place);
      const members = new Map(Object.entries(actual));
      for (const [key, one] of Object.entries(shown)) {
        this.#assertValueLike(members.get(key), one, [...path, key]);
      }
    } else if (typeof shown === 'string') {
      assert.equal(typeof actual, 'string', place);
      this.#assertTextLike(String(actual), shown);
    } else if (path.at(-1) === LAGGING && typeof shown === 'number') {
      assert.ok(Number.isInteger(actual) && Number(actual) >= 0 && Number(actual) <= shown, place);
    } else assert.equal(actual, shown, place);
  }

  #assertTextLike(actual: string, shown: string): void {
    const names: string[] = [];
    const marked = shown
      .replaceAll(CLOCK, '\u0001')
      .replaceAll(new RegExp(`${HASH.source}|${MADE_UP.source}`, 'g'), (name) => {
        names.push(name);
        return isHash(name) ? '\u0002' : '\u0003';
      });
    const pattern = escapeRegExp(marked)
      .replaceAll('\u0001', CLOCK.source)
      .replaceAll('\u0002', `(${ANY_HASH})`)
      .replaceAll('\u0003', `(${ANY_MADE_UP})`);
    const match = new RegExp(`^${pattern}$`).exec(actual);
    assert.ok(match !== null, `printed: ${actual}\nshown:   ${shown}`);
    names.forEach((name, index) => {
      const found = match[index + 1] ?? '';
      const [prefix = ''] = /^[a-z]+_/.exec(name) ?? [];
      assert.ok(found.startsWith(prefix), `${found} is no ${name}`);
      const key = isHash(name) ? name.slice(0, HASH_KEY_LENGTH) : name;
      assert.equal(this.#found.get(key) ?? found, found, `${name} stands for two things`);
      this.#found.set(key, found);
    });
  }
}

function isHash(name: string): boolean {
  return name.match(HASH)?.[0] === name;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}
