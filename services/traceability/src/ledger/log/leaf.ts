// The leaf of a block in the tree of the log (RFC 6962 over the hashes of blocks).
import { leafHash } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';

/** @param blockHash 64 hexadecimal digits */
export function leafOf(blockHash: string): Uint8Array {
  return leafHash(Uint8Array.fromHex(blockHash), sha256Bytes);
}
