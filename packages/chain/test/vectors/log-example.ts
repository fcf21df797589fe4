/** The worked example of the log: the two blocks of docs/chain-format.md, down to each byte. */
import {
  appendLeaves,
  toBase64,
  bytesOfHex,
  concatBytes,
  EMPTY_FRONTIER,
  entryBundle,
  groupProof,
  toHex,
  leafHash,
  computeRoot,
  sameBytes,
  tilePath,
  tlogProofText,
  formatVkey,
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
  const head: TreeHead = { origin: EXAMPLE_ORIGIN, size: 2, root: computeRoot(frontier, hash) };
  const checkpoint = signedCheckpoint(head, {
    log: EXAMPLE_LOG_KEY,
    witnesses: [EXAMPLE_WITNESS],
  });
  const logVkey = formatVkey(EXAMPLE_ORIGIN, EXAMPLE_LOG_KEY.publicKey);
  return [
    {
      name: 'genesis and one event',
      log: { origin: EXAMPLE_ORIGIN, seed: toHex(EXAMPLE_LOG_KEY.seed), vkey: logVkey },
      witness: {
        name: EXAMPLE_WITNESS.name,
        seed: toHex(EXAMPLE_WITNESS.key.seed),
        vkey: witnessVkey(EXAMPLE_WITNESS),
        time: EXAMPLE_WITNESS.time,
      },
      entries: entries.map(toHex),
      leaves: leaves.map(toHex),
      frontier: frontier.hashes.map(toHex),
      tile: { path: tilePath(0, 0, 2), bytes: toHex(concatBytes(...leaves)) },
      bundle: { path: tilePath('entries', 0, 2), bytes: toHex(entryBundle(entries)) },
      root: toHex(head.root),
      root_base64: toBase64(head.root),
      checkpoint,
      proofs: entries.map((entry) => {
        const index = entries.findIndex((other) => sameBytes(other, entry));
        const proof = groupProof({ before: EMPTY_FRONTIER, leaves, index, hash });
        return tlogProofText({ index, proof, checkpoint });
      }),
    },
  ];
}
