// What the hub reads of its own policy, and which witnesses count as none.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatVkey, WITNESS_KEY_TYPE } from '@lothub/chain/log';
import { testKey } from '@lothub/chain/test/log/test-keys';
import { testFolder } from '../../test/cli/run.ts';
import { readHubPolicy } from './hub-policy.ts';

const HUB = { origin: 'trace.example.com/log/1', publicUrl: 'https://trace.example.com' };

function line(name: string, keyName: string, seed: number, url: string): string {
  return `witness ${name} ${formatVkey(keyName, testKey(seed).publicKey, WITNESS_KEY_TYPE)} ${url}`;
}

test('witnesses under a domain of the hub are its own; each may say who runs it', async () => {
  await using folder = await testFolder();
  const file = join(folder.path, 'witnesses.txt');
  const lines = [
    '# Run by: Example Authority',
    line('authority', 'witness.example.org/1', 32, 'https://witness.example.org'),
    line('named', 'watch.example.com/1', 64, 'https://elsewhere.example.net'),
    line('reached', 'witness.example.net/1', 96, 'https://watch.example.com'),
    line('near', 'witness.example.co.uk/1', 128, 'http://127.0.0.1:8171'),
    'group all 2 authority named reached near',
    'quorum all',
  ];
  await writeFile(file, lines.join('\n'));

  const { witnesses, policy } = await readHubPolicy(file, HUB);

  assert.deepEqual(
    witnesses.map(({ witness, operator, isOwn }) => [witness.name, operator, isOwn]),
    [
      ['authority', 'Example Authority', false],
      ['named', undefined, true],
      ['reached', undefined, true],
      ['near', undefined, false],
    ],
  );
  assert.equal(policy.quorum.kind, 'group');
});

test('a file that is not there, or is no policy, names the setting and the file', async () => {
  await using folder = await testFolder();
  const file = join(folder.path, 'witnesses.txt');
  await assert.rejects(readHubPolicy(file, HUB), /WITNESS_POLICY_FILE: reading .*witnesses\.txt/);
  await writeFile(file, 'witness alone\n');
  await assert.rejects(readHubPolicy(file, HUB), /Line 1 of the policy/);
});
