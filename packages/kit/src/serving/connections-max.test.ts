// How many connections fit into the descriptors of a process.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { chooseConnectionsMax, descriptorLimit } from './connections-max.ts';
import { SettingsError } from '../settings.ts';

test('without a setting connections take what the descriptors leave, and not without end', () => {
  assert.equal(chooseConnectionsMax(undefined, 256), 128);
  assert.equal(chooseConnectionsMax(undefined, 400), 200);
  assert.equal(chooseConnectionsMax(undefined, 1_024), 512);
  assert.equal(chooseConnectionsMax(undefined, 4_096), 3_584);
  assert.equal(chooseConnectionsMax(undefined, 1_048_576), 20_000);
  assert.equal(chooseConnectionsMax(undefined, undefined), 20_000);
});

test('a setting counts as it is, up to what the descriptors leave', () => {
  assert.equal(chooseConnectionsMax(1, 1_024), 1);
  assert.equal(chooseConnectionsMax(512, 1_024), 512);
  assert.equal(chooseConnectionsMax(50_000, undefined), 50_000);
  assert.throws(
    () => chooseConnectionsMax(513, 1_024),
    (error) =>
      error instanceof SettingsError &&
      /^MAX_CONNECTIONS is not usable: give a whole number from 1 to 512, /.test(error.message),
  );
});

test('a process with too few descriptors does not start', () => {
  assert.equal(chooseConnectionsMax(undefined, 160), 32);
  assert.throws(
    () => chooseConnectionsMax(undefined, 159),
    (error) => error instanceof SettingsError && /raise that to 160 or more/.test(error.message),
  );
});

test('the limit of descriptors is the one that the process was started with', () => {
  const module = fileURLToPath(new URL('./connections-max.ts', import.meta.url));
  const script = `import { descriptorLimit } from '${module}'; console.log(descriptorLimit());`;
  const command = `ulimit -n 333; exec "$0" --input-type=module --eval "$1"`;

  const limit = execFileSync('sh', ['-c', command, process.execPath, script]);

  assert.equal(String(limit).trim(), '333');
  assert.ok((descriptorLimit() ?? 0) > 0);
});
