// What a witness has seen of the log, read from the witness itself (c2sp.org/tlog-witness, "Monitoring
// endpoint"), which not every witness has.
import { LogError, parseCheckpoint, type TreeHead } from '@lothub/chain/log';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { LogIdentity } from '../ledger/log/signed-log.ts';
import type { Mismatch } from '../ledger/verify/chain-state.ts';
import { verifiedCosignatures } from './cosigners.ts';
import { sendToWitness, WitnessFailure } from './witness-http.ts';

/**
 * The newest head that the witness shows, which the log's own key has signed.
 * @returns undefined when it shows none
 */
export async function readWitnessed(
  url: string,
  { identity, signal }: { readonly identity: LogIdentity; readonly signal: AbortSignal },
): Promise<TreeHead | undefined> {
  const { origin, vkeys } = identity;
  try {
    const path = `/${sha256Hex(origin)}/checkpoint`;
    const { status, body } = await sendToWitness({ url: url + path, signal });
    if (status !== 200) return undefined;
    const head = parseCheckpoint(body);
    const isOurs =
      head.origin === origin &&
      (await verifiedCosignatures(head, { vkeys, witnesses: [] })) !== undefined;
    return isOurs ? head : undefined;
  } catch (error) {
    if (error instanceof WitnessFailure || error instanceof LogError) return undefined;
    throw error;
  }
}

/** @param ours blocks of the stored tree */
export function buildAheadMismatch(
  ours: number,
  { size, names }: { readonly size: number; readonly names: readonly string[] },
): Mismatch {
  return {
    height: ours,
    code: 'witness_ahead',
    message: `the witness ${names.join(', ')} has cosigned a tree of ${size} blocks, but there are only ${ours}`,
  };
}
