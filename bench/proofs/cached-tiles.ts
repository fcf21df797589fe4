// Lots that are verified out of tiles behind the cache of deploy/nginx.conf: how many requests reach the hub.
import { join } from 'node:path';
import {
  inclusionProof,
  leafHash,
  parseCheckpoint,
  subtreesFromTiles,
  tilePath,
  verifyInclusion,
} from '@lothub/chain/log';
import type { DatabaseReader } from '@lothub/kit/database';
import { at } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { hashesOfBlocks } from '@lothub/traceability/ledger/log/queries';
import type { ServiceChild } from '../kit/child.ts';
import type { Figures } from '../kit/figures.ts';
import { startProxy } from '../kit/proxy.ts';

const LOTS = 10_000;
/** Lots that one verifier checks against one checkpoint, with nothing kept from others. */
const LOTS_OF_VERIFIER = 100;
const VERIFIERS = LOTS / LOTS_OF_VERIFIER;
/** Spreads lots over the whole log. */
const STRIDE = 104_729;

export async function benchCachedTiles(options: {
  readonly dir: string;
  readonly service: ServiceChild;
  readonly database: DatabaseReader;
  readonly blocks: number;
  readonly figures: Figures;
}): Promise<void> {
  const { dir, service, database, blocks, figures } = options;
  await using proxy = await startProxy({ dir: join(dir, 'nginx'), service });
  // Whoever comes first fills the cache.
  const verify = async (round: string): Promise<number> => {
    const asked = proxy.asked().length;
    for (let verifier = 0; verifier < VERIFIERS; verifier += 1) {
      await verifyLots(proxy.address, { database, blocks, first: verifier * LOTS_OF_VERIFIER });
    }
    const reached = proxy
      .asked()
      .slice(asked)
      .filter((line) => !line.startsWith('HIT '));
    const others = reached.filter((line) => !line.endsWith('/checkpoint'));
    figures.add({
      name: `checkpoints that ${LOTS} lots asked the hub for, ${round}`,
      value: reached.length - others.length,
      unit: '',
    });
    return others.length;
  };
  figures.add({
    name: 'other requests, nothing cached',
    value: await verify('nothing cached'),
    unit: '',
  });
  figures.add({
    name: 'other requests, all cached',
    value: await verify('all cached'),
    unit: '',
    target: { kind: 'at_most', value: 0 },
  });
}

/** Verifies the blocks of some lots to a checkpoint, out of tiles alone. */
async function verifyLots(
  address: string,
  lots: { readonly database: DatabaseReader; readonly blocks: number; readonly first: number },
): Promise<void> {
  const { size, root } = parseCheckpoint(await (await read(`${address}/log/1/checkpoint`)).text());
  const subtrees = subtreesFromTiles({
    size,
    hash: sha256Bytes,
    readTile: async ({ level, index, width }) => {
      const answer = await read(`${address}/log/1/${tilePath(level, index, width)}`);
      return new Uint8Array(await answer.arrayBuffer());
    },
  });
  for (let lot = lots.first; lot < lots.first + LOTS_OF_VERIFIER; lot += 1) {
    const index = (lot * STRIDE) % lots.blocks;
    // What its owner has kept of the answer to the post.
    const rows = await hashesOfBlocks(lots.database, { from: index, below: index + 1 });
    const leaf = leafHash(Uint8Array.fromHex(at(rows, 0).hash), sha256Bytes);
    const proof = await inclusionProof({ index, size, subtree: subtrees });
    const isIncluded = verifyInclusion({ index, size, leaf, proof, root, hash: sha256Bytes });
    if (!isIncluded) throw new Error(`block ${index} is not in the signed tree`);
  }
}

async function read(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return answer;
}
