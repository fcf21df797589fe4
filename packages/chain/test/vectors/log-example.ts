/** The worked example of the log: the two blocks of docs/chain-format.md, down to each byte. */
import {
  appendLeaves,
  base64Of,
  bytesOfHex,
  concatBytes,
  EMPTY_FRONTIER,
  entryBundle,
  groupProof,
  hexOf,
  leafHash,
  rootOf,
  sameBytes,
  tilePath,
  tlogProofText,
  vkeyOf,
  type TreeHead,
} from '../../src/log/index.ts';
import { sha256Bytes } from '../log/naive-tree.ts';
import { signedCheckpoint, testKey, witnessVkey, type TestWitness } from '../log/test-keys.ts';
import { plainChain } from './chain-maker.ts';

export const EXAMPLE_ORIGIN = 'example.com/hub/1';
/** Seeds 00 01 … 1f and 20 21 … 3f. */
export const EXAMPLE_LOG_KEY = testKey(0x00);
export const EXAMPLE_WITNESS: TestWitness = {
  name: 'witness.example.org/1',
  key: testKey(0x20),
  time: 1_767_323_046,
};

export function makeLogExample(): readonly object[] {
  const hash = sha256Bytes;
  const entries = plainChain(2).map((block) => bytesOfHex(block.block_hash));
  const leaves = entries.map((entry) => leafHash(entry, hash));
  const frontier = appendLeaves(EMPTY_FRONTIER, leaves, hash);
  const head: TreeHead = { origin: EXAMPLE_ORIGIN, size: 2, root: rootOf(frontier, hash) };
  const checkpoint = signedCheckpoint(head, {
    log: EXAMPLE_LOG_KEY,
    witnesses: [EXAMPLE_WITNESS],
  });
  const logVkey = vkeyOf(EXAMPLE_ORIGIN, EXAMPLE_LOG_KEY.publicKey);
  return [
    {
      name: 'genesis and one event',
      log: { origin: EXAMPLE_ORIGIN, seed: hexOf(EXAMPLE_LOG_KEY.seed), vkey: logVkey },
      witness: {
        name: EXAMPLE_WITNESS.name,
        seed: hexOf(EXAMPLE_WITNESS.key.seed),
        vkey: witnessVkey(EXAMPLE_WITNESS),
        time: EXAMPLE_WITNESS.time,
      },
      entries: entries.map(hexOf),
      leaves: leaves.map(hexOf),
      frontier: frontier.hashes.map(hexOf),
      tile: { path: tilePath(0, 0, 2), bytes: hexOf(concatBytes(...leaves)) },
      bundle: { path: tilePath('entries', 0, 2), bytes: hexOf(entryBundle(entries)) },
      root: hexOf(head.root),
      root_base64: base64Of(head.root),
      checkpoint,
      proofs: entries.map((entry) => {
        const index = entries.findIndex((other) => sameBytes(other, entry));
        const proof = groupProof({ before: EMPTY_FRONTIER, leaves, index, hash });
        return tlogProofText({ index, proof, checkpoint });
      }),
    },
  ];
}
