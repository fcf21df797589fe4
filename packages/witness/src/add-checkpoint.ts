/** The body of a request to cosign (c2sp.org/tlog-witness, "add-checkpoint"), read strictly. */
import {
  HASH_BYTES,
  LogError,
  PROOF_HASHES_MAX,
  parseCheckpoint,
  strictBase64,
} from '@lothub/chain/log';
import type { Checkpoint } from '@lothub/chain/log';

/** Longest body that is read: 63 hashes and a checkpoint with 16 signatures take less. */
export const BODY_BYTES_MAX = 32_768;

export interface AddCheckpoint {
  /** Leaves of the tree that the caller believes was cosigned last. */
  readonly oldSize: number;
  /** From the tree of `oldSize` leaves to the checkpoint. */
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
}

/** The request, or in words what is wrong with its form. */
export type ParsedRequest =
  | { readonly kind: 'request'; readonly request: AddCheckpoint }
  | { readonly kind: 'malformed'; readonly detail: string };

const OLD_SIZE = /^old (0|[1-9][0-9]{0,15})$/;

export function parseAddCheckpoint(body: string): ParsedRequest {
  const end = body.indexOf('\n\n');
  if (end < 0) return malformed('It has no empty line before the checkpoint.');
  const [oldLine = '', ...proofLines] = body.slice(0, end).split('\n');
  const [, oldText] = OLD_SIZE.exec(oldLine) ?? [];
  const oldSize = Number(oldText);
  if (oldText === undefined || !Number.isSafeInteger(oldSize)) {
    return malformed('Its first line is not `old` and a size without leading zeros.');
  }
  if (proofLines.length > PROOF_HASHES_MAX) {
    return malformed(`Its proof has more than ${PROOF_HASHES_MAX} hashes.`);
  }
  try {
    const proof = proofLines.map(strictBase64);
    if (proof.some(({ length }) => length !== HASH_BYTES)) {
      return malformed(`A line of its proof is not a hash of ${HASH_BYTES} bytes.`);
    }
    const checkpoint = parseCheckpoint(body.slice(end + 2));
    return { kind: 'request', request: { oldSize, proof, checkpoint } };
  } catch (error) {
    if (error instanceof LogError) return malformed(error.message);
    throw error;
  }
}

function malformed(detail: string): ParsedRequest {
  return { kind: 'malformed', detail };
}
