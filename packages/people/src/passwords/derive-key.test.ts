// Keys of the library are those of Node, which takes its place where it cannot be used.
import { hashRawSync } from '@node-rs/argon2';
import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { chooseDerivation } from './derive-key.ts';
import type { Derivation } from './deriving.ts';
import { PASSWORD_COST } from './passwords.ts';

const OTHER_COST: Derivation = {
  password: '',
  cost: { memoryKib: 200, passes: 3, lanes: 2 },
  salt: Buffer.from('somesalt'),
  keyBytes: 16,
};

for (const [what, derivation] of [
  [
    'the cost in use, of letters with accents and emoji',
    {
      password: 'crème brûlée für alle 🥐',
      cost: PASSWORD_COST,
      salt: Buffer.alloc(16, 7),
      keyBytes: 32,
    },
  ],
  ['more passes and lanes, a short salt, a short key and no password', OTHER_COST],
  [
    'the lowest cost, of the longest password, with a long salt and a long key',
    {
      password: '🥐'.repeat(1_000),
      cost: { memoryKib: 8, passes: 1, lanes: 1 },
      salt: Buffer.alloc(64, 255),
      keyBytes: 64,
    },
  ],
] as const) {
  test(`the library derives the key that Node derives: ${what}`, async () => {
    const derived: Uint8Array[] = [];
    const deriveKey = await chooseDerivation(async () => ({
      hashRawSync: (...given) => {
        const key = hashRawSync(...given);
        derived.push(key);
        return key;
      },
    }));

    const key = deriveKey(derivation);

    assert.equal(key, derived.at(-1));
    assert.deepEqual(Buffer.from(key), deriveByNode(derivation));
  });
}

test('a library that derives other keys is not used, and a warning says so', async () => {
  const { promise: warned, resolve } = Promise.withResolvers<Error>();
  process.once('warning', resolve);
  const deriveKey = await chooseDerivation(async () => ({
    hashRawSync: (...given) => hashRawSync(...given).reverse(),
  }));

  const key = deriveKey(OTHER_COST);

  assert.deepEqual(key, deriveByNode(OTHER_COST));
  assert.match((await warned).message, /three times as long here: @node-rs\/argon2 returns wrong/);
});

test('in a thread without native code Node derives the key, and a warning says so', async () => {
  await using thread = new Worker(new URL('./deriving-thread.ts', import.meta.url), {
    execArgv: ['--no-addons'],
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  thread.once('message', resolve);
  thread.postMessage(OTHER_COST);

  const key = Buffer.from(await promise);
  await thread.terminate();

  assert.deepEqual(key, deriveByNode(OTHER_COST));
  assert.match(await text(thread.stderr), /three times as long here: Cannot find native binding/);
});

function deriveByNode({ password, cost, salt, keyBytes }: Derivation): Buffer {
  return argon2Sync('argon2id', {
    message: Buffer.from(password, 'utf8'),
    nonce: salt,
    parallelism: cost.lanes,
    tagLength: keyBytes,
    memory: cost.memoryKib,
    passes: cost.passes,
  });
}
