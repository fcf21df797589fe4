// Each shell block of a document is run by a test, or left out with a reason; and each `lothub …` that a
// document names is a command with the options that are named.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { captureRun } from '@lothub/kit/test/cli-run';
import { listFences, readDocument, readFirstLine } from '@lothub/kit/test/walkthrough';
import { runLothub } from '../src/program.ts';
import {
  LEFT_OUT,
  ROOT,
  SHELLS,
  WALKED_ELSEWHERE,
  WALKED_HERE,
  listDocuments,
  listShellBlocks,
} from './document-blocks.ts';

test('every shell block of a document is run by a test, or is left out with a reason', () => {
  const blocks = listDocuments().flatMap((document) =>
    listShellBlocks(document).map((block) => ({ document, first: readFirstLine(block) })),
  );

  assert.ok(blocks.length > 100, `${blocks.length} blocks`);
  const walked = [...Object.keys(WALKED_ELSEWHERE), ...WALKED_HERE];
  const forgotten = blocks.filter(
    ({ document, first }) => !walked.includes(document) && LEFT_OUT[first] === undefined,
  );
  assert.deepEqual(forgotten, []);
  const firsts = blocks.map(({ first }) => first);
  const stale = Object.keys(LEFT_OUT).filter((first) => !firsts.includes(first));
  assert.deepEqual(stale, []);
  for (const [document, file] of Object.entries(WALKED_ELSEWHERE)) {
    assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(`'${document}'`), file);
  }
});

/** A command line in code or in a shell block: the words of the command, and its options. */
interface NamedCommand {
  readonly document: string;
  readonly words: readonly string[];
  readonly options: readonly string[];
}

const COMMAND =
  /(?<![\w./@-]|docker exec )lothub((?: [a-z][a-z-]*)+)((?: (?!lothub|&&|\|)[^\s`|&;)]+)*)/g;

function listCommands(document: string, text: string): readonly NamedCommand[] {
  const code = [
    ...listFences(text)
      .filter(({ language }) => SHELLS.includes(language))
      .map((fence) => fence.text.replace(/\\\n\s*/g, '')),
    ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, inline]) => inline!),
  ];
  return code.flatMap((one) =>
    [...one.matchAll(COMMAND)].map(([, words = '', rest = '']) => ({
      document,
      words: words.trim().split(' '),
      options: [...rest.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, option]) => option!),
    })),
  );
}

/** The help of a command, as long as its words are commands: what follows them are arguments. */
async function findHelp(words: readonly string[]): Promise<string | undefined> {
  for (let length = words.length; length > 0; length -= 1) {
    const args = words.slice(0, length);
    const { code, stdout } = await captureRun((terminal) =>
      runLothub([...args, '--help'], terminal),
    );
    const [usage = ''] = stdout.split('\n', 1);
    if (code !== 0 || !usage.startsWith(`Usage: lothub ${args.join(' ')}`)) continue;
    const isGroup = usage.includes('[command]');
    return isGroup && length < words.length ? undefined : stdout;
  }
  return undefined;
}

async function findUnknownCommands(commands: readonly NamedCommand[]): Promise<readonly string[]> {
  const helps = new Map<string, Promise<string | undefined>>();
  const findings: string[] = [];

  for (const { document, words, options } of commands) {
    const key = words.join(' ');
    const help = helps.get(key) ?? findHelp(words);
    helps.set(key, help);
    const text = await help;
    if (text === undefined) findings.push(`${document}: no command lothub ${key}`);
    const unknown = options.filter((option) => text !== undefined && !text.includes(option));
    for (const option of unknown) findings.push(`${document}: lothub ${key} has no ${option}`);
  }
  return findings;
}

test('every `lothub …` of a document is a command, and has the options that are named', async () => {
  const commands = listDocuments().flatMap((document) =>
    listCommands(document, readDocument(document)),
  );

  const findings = await findUnknownCommands(commands);

  assert.ok(commands.length > 50, `${commands.length} commands`);
  assert.deepEqual(findings, []);
});

test('a command and an option that there are not are found', async () => {
  const text = '`lothub keys lst` `lothub verifi` `lothub backup FILE --forse` `lothub keys list`';

  const findings = await findUnknownCommands(listCommands('a.md', text));

  assert.deepEqual(findings, [
    'a.md: no command lothub keys lst',
    'a.md: no command lothub verifi',
    'a.md: lothub backup has no --forse',
  ]);
});
