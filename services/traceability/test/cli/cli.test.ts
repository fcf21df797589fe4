// The command line as a whole: help, exit codes, how failures are reported, and `--json`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli, testFolder, toText } from './run.ts';

const COMMANDS = [
  ['serve'],
  ['demo'],
  ['import'],
  ['verify'],
  ['export'],
  ['backup'],
  ['rebuild'],
  ['keys', 'list'],
  ['keys', 'issue'],
  ['keys', 'rotate'],
  ['keys', 'revoke'],
];

for (const command of COMMANDS) {
  test(`lothub ${command.join(' ')} --help shows an example and ends with 0`, async () => {
    const run = await runCli([...command, '--help']);

    assert.equal(run.code, 0);
    assert.match(run.stdout, new RegExp(`Example:\\n.*lothub ${command.join(' ')}`));
    assert.match(run.stdout, /--json/);
    assert.equal(run.stderr, '');
  });
}

test('lothub --help lists every command and what the exit codes mean', async () => {
  const run = await runCli(['--help']);

  for (const [name = ''] of COMMANDS) assert.match(run.stdout, new RegExp(`^  ${name}\\b`, 'm'));
  assert.match(run.stdout, /Exit codes: 0 .* 1 .* 2 /);
});

const WRONG_USAGE = [
  [[], /Usage: lothub/],
  [['nonsense'], /unknown command 'nonsense'/],
  [['verify', '--nonsense'], /unknown option '--nonsense'/],
  [['backup'], /missing required argument 'FILE'/],
  [['verify', '--url', 'http://127.0.0.1', '--file', 'a'], /cannot be used with/],
  [['verify', '--url', 'http://127.0.0.1', '--accept-tip'], /cannot be used with/],
  [['verify', '--url', 'ftp://127.0.0.1'], /such as https:/],
  [['verify', '--file', 'a', '--checkpoint', '7'], /Give a height, a colon/],
  [['verify', '--checkpoint', `7:${'0'.repeat(64)}`], /give --checkpoint with --url or --file/],
  [['export', '--from', '-1'], /A height is a whole number/],
  [['export', '--json'], /give a FILE with --json/],
  [['keys', 'issue', '--label', 'a'], /required option '--role <ROLE>'/],
  [['keys', 'issue', '--label', 'a', '--role', 'owner'], /Allowed choices are tenant, admin/],
  [['keys', 'issue', '--label', ' ', '--role', 'admin'], /1 to 200 printable characters/],
  [['keys', 'issue', '--label', 'a', '--role', 'tenant', '--tenant', '-'], /A tenant id is/],
  [['keys', 'rotate', 'a', '--overlap-hours', '9000'], /from 0 to 8760/],
  [['import', 'a.csv'], /required option '--tenant <ID>'/],
  [['import', 'a.csv', '--tenant', 'bakery'], /set TENANT_API_KEY/],
  [['demo', '--url', 'http://127.0.0.1'], /set TENANT_API_KEY/],
] as const;

for (const [args, sentence] of WRONG_USAGE) {
  test(`wrong usage ends with 2 and says what is right: lothub ${args.join(' ')}`, async () => {
    const run = await runCli(args);

    assert.equal(run.code, 2);
    assert.match(run.stderr, sentence);
    if (!args.some((arg) => arg === '--json')) assert.equal(run.stdout, '');
  });
}

test('every wrong setting is reported on a line of its own, and ends with 2', async () => {
  const run = await runCli(['serve'], { PORT: 'http', LOG_LEVEL: 'loud', RATE_LIMIT_V1: '-1' });

  assert.equal(run.code, 2);
  assert.deepEqual(
    run.stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').slice(0, 2).join(' ')),
    ['lothub: PORT', 'lothub: LOG_LEVEL', 'lothub: RATE_LIMIT_V1'],
  );
});

test('with --json a failure is one JSON object with a code, and the sentence is on stderr too', async () => {
  await using folder = await testFolder();

  const run = await runCli(['keys', 'list', '--json'], { DATA_DIR: folder.path });

  assert.equal(run.code, 2);
  assert.equal(toText(run.json['ok']), 'false');
  assert.equal(run.json['error']?.['code'], 'hub_missing');
  assert.match(run.stderr, /there is none; set DATA_DIR/);
});

for (const args of [['keys', 'list'], ['verify'], ['export'], ['backup', 'b.db'], ['rebuild']]) {
  test(`lothub ${args.join(' ')} never makes a hub where there is none`, async () => {
    await using folder = await testFolder();
    const dataDir = folder.file('not-there');

    const run = await runCli(args, { DATA_DIR: dataDir });
    const again = await runCli(args, { DATA_DIR: dataDir });

    assert.deepEqual([run.code, again.code], [2, 2]);
    assert.match(again.stderr, /there is none/);
  });
}
