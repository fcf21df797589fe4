// What is checked, each with what it proves: programs of others take what the hub signed, and refuse a
// flipped byte and a fork.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { repositoryRoot } from '../install.js';
import { runProgram } from './go-programs.js';
import { flipBit, startProxy } from './hub.js';

/** fsck of tessera v1.0.4 ends with 0 also when it fails: its words decide. */
const FSCK_GOOD = "Successfully fsck'd";
const FSCK_REFUSED = 'fsck failed:';
/** As many workers as resources at least: with fewer, fsck v1.0.4 waits for ever after a bad one. */
const FSCK_WORKERS = 64;
/** How our programs begin what they say when they refuse. */
const REFUSED = 'refused:';
/** Blocks of the second look: two full tiles and a part of one in the first, another full one after it. */
const GROWTH_BLOCKS = 300;
/** A byte inside of the first hash of a tile, and of the first entry of a bundle behind its length. */
const FLIPPED_BYTE = 20;

/**
 * @typedef {object} Check
 * @property {keyof import('./go-programs.js')['PACKAGES']} program
 * @property {keyof import('./go-programs.js')['PACKAGES']} [also] another one that it needs
 * @property {string} name
 * @property {string} proves
 * @property {'take' | 'refuse'} expected
 * @property {(world: World) => Promise<Run>} run
 */

/** @typedef {{ verdict: 'take' | 'refuse' | undefined, output: string }} Run undefined: it said neither */

/**
 * @typedef {object} World
 * @property {import('./hub.js').Hub} hub
 * @property {import('./hub.js').Hub} fork a hub with the same key and beginning that went on otherwise
 * @property {string} folder for files of the run
 * @property {string} vkey
 * @property {any} posted answer to the POST of one event
 */

/** @type {readonly Check[]} */
export const CHECKS = [
  {
    program: 'fsck',
    name: 'tessera fsck, worked example',
    proves: 'the bytes of vectors/log-example.json are a log',
    expected: 'take',
    run: async ({ folder }) => {
      const example = workedExample();
      const log = join(folder, 'example');
      writeInto(log, example.tile.path, fromHex(example.tile.bytes));
      writeInto(log, example.bundle.path, fromHex(example.bundle.bytes));
      writeInto(log, 'checkpoint', example.checkpoint);
      return await fsck(`${pathToFileURL(log).href}/`, example.log.vkey, folder);
    },
  },
  {
    program: 'inclusion',
    name: 'torchwood, worked example with a witness',
    proves: 'the proof of vectors/log-example.json fulfils a policy with a quorum',
    expected: 'take',
    run: async ({ folder }) => {
      const { log, witness, entries, proofs } = workedExample();
      const policy = `log ${log.vkey}\nwitness w ${witness.vkey}\nquorum w\n`;
      return await verifyProof(proofs[1], entries[1], { policy, folder });
    },
  },
  {
    program: 'inclusion',
    name: 'torchwood, proof in the answer to a POST',
    proves: 'the text of `log.proof` is a whole proof of `chain.block_hash`',
    expected: 'take',
    run: async ({ posted, vkey, folder }) =>
      await verifyProof(posted.log.proof, posted.chain.block_hash, {
        policy: buildPolicy(vkey),
        folder,
      }),
  },
  {
    program: 'inclusion',
    name: 'torchwood, proof/<index> of a block',
    proves: 'the proof to the newest checkpoint is one of the same block',
    expected: 'take',
    run: async ({ hub, posted, vkey, folder }) => {
      const proof = await hub.read(`proof/${posted.log.index}`);
      return await verifyProof(proof, posted.chain.block_hash, {
        policy: buildPolicy(vkey),
        folder,
      });
    },
  },
  {
    program: 'inclusion',
    name: 'torchwood, a flipped byte in the proof',
    proves: 'a changed hash is refused',
    expected: 'refuse',
    run: async ({ posted, vkey, folder }) => {
      // The line after the index is the first hash; another letter of base64 is another hash.
      const [head, index, hash, ...rest] = posted.log.proof.split('\n');
      const changed = (hash[0] === 'A' ? 'B' : 'A') + hash.slice(1);
      return await verifyProof(
        [head, index, changed, ...rest].join('\n'),
        posted.chain.block_hash,
        { policy: buildPolicy(vkey), folder },
      );
    },
  },
  {
    program: 'inclusion',
    name: 'torchwood, the proof of a fork',
    proves: 'what a fork signed at the same place does not prove the block',
    expected: 'refuse',
    run: async ({ fork, posted, vkey, folder }) => {
      const proof = await fork.read(`proof/${posted.log.index}`);
      return await verifyProof(proof, posted.chain.block_hash, {
        policy: buildPolicy(vkey),
        folder,
      });
    },
  },
  {
    program: 'fsck',
    name: 'tessera fsck over HTTP',
    proves: 'checkpoint, tiles and entries are one tree',
    expected: 'take',
    run: async ({ hub, vkey, folder }) => await fsck(hub.prefix, vkey, folder),
  },
  {
    program: 'fsck',
    name: 'tessera fsck, a flipped byte in a tile',
    proves: 'tiles that are not those of the entries are refused',
    expected: 'refuse',
    run: async ({ hub, vkey, folder }) =>
      await behindProxy(flipped(hub, 'tile/0/000'), (prefix) => fsck(prefix, vkey, folder)),
  },
  {
    program: 'fsck',
    name: 'tessera fsck, a flipped byte in an entry',
    proves: 'entries that are not under the root are refused',
    expected: 'refuse',
    run: async ({ hub, vkey, folder }) =>
      await behindProxy(flipped(hub, 'tile/entries/000'), (prefix) => fsck(prefix, vkey, folder)),
  },
  {
    program: 'fsck',
    name: 'tessera fsck, tiles of a fork',
    proves: 'a signed checkpoint is not believed of the tiles of a fork',
    expected: 'refuse',
    run: async ({ hub, fork, vkey, folder }) => {
      const start = () =>
        startProxy((path) => (path === 'checkpoint' ? hub.prefix : fork.prefix) + path);
      return await behindProxy(start, (prefix) => fsck(prefix, vkey, folder));
    },
  },
  {
    program: 'consistency',
    name: 'tessera client between two sizes',
    proves:
      'the tree of a kept checkpoint is the beginning of a later one, and its last entry is in that',
    expected: 'take',
    run: async (world) =>
      await followFrom(world, (kept) => consistency(world, world.hub.prefix, kept)),
  },
  {
    program: 'consistency',
    name: 'tessera client, a flipped byte in the tiles',
    proves: 'a changed tile is no proof of growth',
    expected: 'refuse',
    run: async (world) =>
      await followFrom(world, (kept) =>
        behindProxy(flipped(world.hub, 'tile/0/'), (prefix) => consistency(world, prefix, kept)),
      ),
  },
  {
    program: 'consistency',
    name: 'tessera client, a fork',
    proves:
      'a larger tree that the same key signed, and that is not grown from the kept one, is refused',
    expected: 'refuse',
    run: async (world) => {
      const kept = await world.hub.read('checkpoint');
      const size = Number(kept.split('\n')[1]);
      await growBeyond(world.fork, size);
      return await consistency(world, world.fork.prefix, kept);
    },
  },
];

/** Keeps the checkpoint of now, lets the hub grow, and runs. */
async function followFrom({ hub }, run) {
  const kept = await hub.read('checkpoint');
  await hub.postBatch(GROWTH_BLOCKS, `growth-${kept.split('\n')[1]}`);
  return await run(kept);
}

async function growBeyond(hub, size) {
  while (Number((await hub.read('checkpoint')).split('\n')[1]) <= size) {
    await hub.postBatch(GROWTH_BLOCKS, `fork-${(await hub.read('checkpoint')).split('\n')[1]}`);
  }
}

async function fsck(url, vkey, folder) {
  const key = writeInto(folder, 'log.vkey', `${vkey}\n`);
  const { output } = await runProgram('fsck', [
    '--ui=false',
    '--logtostderr',
    `--N=${FSCK_WORKERS}`,
    `--storage_url=${url}`,
    `--public_key=${key}`,
  ]);
  if (output.includes(FSCK_GOOD)) return { verdict: 'take', output };
  return { verdict: output.includes(FSCK_REFUSED) ? 'refuse' : undefined, output };
}

async function consistency({ vkey, folder }, prefix, kept) {
  const file = writeInto(folder, 'kept-checkpoint', kept);
  return judgeRun(await runProgram('consistency', [prefix, vkey, file]));
}

export async function verifyProof(proof, blockHash, { policy, folder }) {
  const file = writeInto(folder, 'policy', policy);
  return judgeRun(await runProgram('inclusion', [file, blockHash], proof));
}

function judgeRun({ code, output }) {
  if (code === 0) return { verdict: 'take', output };
  return { verdict: output.includes(REFUSED) ? 'refuse' : undefined, output };
}

/** A proxy that flips a bit in each resource whose path begins so. */
function flipped(hub, opening) {
  const change = (path, body) => (path.startsWith(opening) ? flipBit(body, FLIPPED_BYTE) : body);
  return () => startProxy((path) => hub.prefix + path, change);
}

async function behindProxy(start, run) {
  const proxy = await start();
  try {
    return await run(proxy.prefix);
  } finally {
    proxy.stop();
  }
}

function buildPolicy(vkey) {
  return `log ${vkey}\nquorum none\n`;
}

function workedExample() {
  const file = join(repositoryRoot, 'vectors/log-example.json');
  return JSON.parse(readFileSync(file, 'utf8')).vectors[0];
}

function fromHex(text) {
  return Uint8Array.fromHex(text);
}

function writeInto(folder, name, content) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}
