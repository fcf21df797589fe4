// The genesis block of a new hub: names the hub, and a random nonce that makes its chain its own.
import { GENESIS_PREV_HASH, sealBlock, type SealedBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';

export function sealGenesis(options: {
  readonly hubName: string;
  readonly nonce: string;
  readonly recordedAt: string;
}): SealedBlock {
  const payload = {
    hub: options.hubName,
    nonce: options.nonce,
    recorded_at: options.recordedAt,
    type: 'genesis',
    v: 1,
  };
  return sealBlock({
    height: 0,
    payloadText: JSON.stringify(payload),
    prevHash: GENESIS_PREV_HASH,
    hash: sha256Hex,
  });
}
