// The sample of two hubs and a witness, step by step as its head says, as processes with the settings that it
// gives to its containers. Names that compose would resolve are replaced by addresses in the policies alone.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TestProgram, testFolder, type ServedCli, type TestFolder } from '@lothub/kit/test/cli-run';
import { PATIENCE_MS } from '@lothub/kit/test/patience';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));
const SAMPLE = new URL('../../deploy/compose-witnesses.yaml', import.meta.url);
const LOOK_EVERY_MS = 100;

type Place = 'a' | 'b' | 'w';
const SERVICES = { a: 'hub-a', b: 'hub-b', w: 'witness' } as const;

/** What the sample sets for a service, with the files of its folder where it mounts them. */
async function makeSettings(place: Place, folder: TestFolder): Promise<Record<string, string>> {
  const sample = await readFile(SAMPLE, 'utf8');
  const [, text = ''] =
    new RegExp(`^ {2}${SERVICES[place]}:\\n {4}<<: \\*lothub\\n([^]*?)\\n(?=\\n)`, 'm').exec(
      sample,
    ) ?? [];
  const [, environment = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(text) ?? [];
  const settings = [...environment.matchAll(/^ {6}(\w+): (.*)$/gm)].map(
    ([, name = '', value = '']): [string, string] => [
      name,
      value.replace('/etc/lothub', folder.file(`witnesses-${place}`)),
    ],
  );
  assert.notEqual(settings.length, 0);
  return { ...Object.fromEntries(settings), DATA_DIR: folder.file(`data-${place}`) };
}

/** The line that a process prints for the policies of others, with the address where it listens. */
function policyLine(served: ServedCli, place: Place): string {
  const [, vkey] = /^ {2}witness NAME (\S+) \S+$/m.exec(served.stdout()) ?? [];
  assert.ok(vkey !== undefined, served.stdout());
  return `witness ${place} ${vkey} ${served.base}/witness`;
}

async function readQuorum({ base }: ServedCli): Promise<unknown> {
  const { log } = (await (await fetch(`${base}/health`)).json()) as {
    readonly log: { readonly quorum: unknown };
  };
  return log.quorum;
}

test('the steps of the sample with witnesses lead to hubs whose logs both others have cosigned', async () => {
  await using folder = await testFolder();
  for (const place of ['a', 'b', 'w']) {
    await mkdir(folder.file(`witnesses-${place}`));
    await mkdir(folder.file(`data-${place}`));
    await writeFile(folder.file(`witnesses-${place}/logs.txt`), 'logs/v0\n');
    await writeFile(folder.file(`witnesses-${place}/policy.txt`), 'quorum none\n');
  }
  const settings = {
    a: await makeSettings('a', folder),
    b: await makeSettings('b', folder),
    w: await makeSettings('w', folder),
  };
  await using witness = await PROGRAM.serve(settings.w, [], { command: 'witness' });
  await using firstA = await PROGRAM.serve(settings.a);
  await using firstB = await PROGRAM.serve(settings.b);
  const hubs = { a: firstA, b: firstB };
  const lines = {
    a: policyLine(hubs.a, 'a'),
    b: policyLine(hubs.b, 'b'),
    w: policyLine(witness, 'w'),
  };
  const vkeys = {
    a: (await (await fetch(`${hubs.a.base}/log/1/vkeys`)).text()).trim(),
    b: (await (await fetch(`${hubs.b.base}/log/1/vkeys`)).text()).trim(),
  };
  const ports = { a: new URL(hubs.a.base).port, b: new URL(hubs.b.base).port };
  const entry = (hub: 'a' | 'b'): string => `vkey ${vkeys[hub]}\nqpd 8640\ncontact hub ${hub}\n`;
  const lists = { a: entry('b'), b: entry('a'), w: `${entry('a')}\n${entry('b')}` };
  for (const [place, list] of Object.entries(lists)) {
    await writeFile(folder.file(`witnesses-${place}/logs.txt`), `logs/v0\n\n${list}`);
  }
  for (const [hub, other] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const policy = [lines[other], lines.w, `group others all ${other} w`, 'quorum others', ''];
    await writeFile(folder.file(`witnesses-${hub}/policy.txt`), policy.join('\n'));
    hubs[hub].child.kill('SIGTERM');
    await hubs[hub].ended;
  }

  // More often than the sample asks, so that the test does not wait for it.
  await using a = await PROGRAM.serve({ ...settings.a, PORT: ports.a, WITNESS_INTERVAL: '1' });
  await using b = await PROGRAM.serve({ ...settings.b, PORT: ports.b, WITNESS_INTERVAL: '1' });
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (const hub of [a, b]) {
    while ((await readQuorum(hub)) !== '2 of 2') {
      assert.ok(performance.now() < deadlineMs, String(await readQuorum(hub)));
      await sleep(LOOK_EVERY_MS);
    }
  }

  const published = await (await fetch(`${a.base}/log/1/checkpoint`)).text();
  assert.match(published, /^hub-a:8000\/log\/1\n/);
  assert.deepEqual([...published.matchAll(/^— (\S+) /gm)].map(([, name]) => name).sort(), [
    'hub-a:8000/log/1',
    'hub-b:8000/witness',
    'witness:8000/witness',
  ]);
});
