// docs/operating.md stays in step with what it describes: mismatch codes, commands, files.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { anEvent, boot } from '../boot.ts';
import { runCli } from './run.ts';

const ROOT = new URL('../../../../', import.meta.url);

/** Files that declare the codes of everything a verification can find. */
const CODE_SOURCES = [
  'packages/chain/src/verify.ts',
  'services/traceability/src/ledger/verify/mismatch.ts',
];

async function read(path: string): Promise<string> {
  return await readFile(new URL(path, ROOT), 'utf8');
}

/** Texts in the unions of types whose names end in `FaultCode` or `MismatchCode`. */
function codesIn(source: string): readonly string[] {
  const unions = source.match(/type \w+(?:Fault|Mismatch)Code =[^;]+;/g) ?? [];
  return unions.flatMap((union) => [...union.matchAll(/'([a-z_]+)'/g)].map(([, code]) => code!));
}

test('every code that a verification can find is looked up in docs/operating.md', async () => {
  const sources = await Promise.all(CODE_SOURCES.map(read));
  const codes = [...sources.flatMap(codesIn), 'tip_changed'];

  const described = await read('docs/operating.md');

  assert.ok(codes.length > 25);
  assert.deepEqual(
    codes.filter((code) => !described.includes(`\`${code}\``)),
    [],
  );
});

test('every command is described in docs/operating.md', async () => {
  const help = await runCli(['--help']);
  const commands = [...help.stdout.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!);

  const described = await read('docs/operating.md');

  assert.ok(commands.includes('serve') && commands.includes('rebuild'));
  for (const name of commands.filter((command) => command !== 'help')) {
    assert.ok(described.includes(`| \`lothub ${name}`), `${name} is not described`);
  }
});

test('every file of a data directory is described in docs/operating.md', async () => {
  await using hub = await boot();
  await hub.post('/v1/events', anEvent());

  const described = await read('docs/operating.md');

  for (const name of await readdir(hub.dataDir)) {
    assert.ok(described.includes(`\`${name}\``), `${name} is not described`);
  }
});
