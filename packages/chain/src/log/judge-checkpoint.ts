/** Whether a checkpoint is signed by a log, and cosigned by witnesses, that a policy names. */
import { utf8 } from './bytes.ts';
import {
  cosignatureBody,
  parseCosignature,
  SIGNATURE_BYTES,
  type Checkpoint,
} from './checkpoint.ts';
import type { NoteSignature } from './note.ts';
import type { Policy, PolicyLog, PolicyWitness } from './policy.ts';
import { judgeQuorum, type QuorumVerdict, type Witnessing } from './quorum.ts';
import type { VerifierKey } from './vkey.ts';

/** Ed25519: whether the key signed the message. An argument, because platforms differ in it. */
export type VerifySignature = (signed: {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}) => boolean | Promise<boolean>;

/** The reasons to refuse a checkpoint that is well formed. */
export type CheckpointRefusal = 'unknown_log' | 'bad_signature' | 'no_quorum';

export type CheckpointVerdict =
  | { readonly refused: CheckpointRefusal }
  | { readonly refused?: never; readonly log: PolicyLog; readonly quorum: QuorumVerdict };

/**
 * Judges the signatures of a checkpoint. Lines of unknown keys are skipped; one wrong signature of a
 * key that the policy names refuses the whole checkpoint (c2sp.org/signed-note, "Signatures").
 */
export async function judgeCheckpoint(
  checkpoint: Checkpoint,
  against: { readonly policy: Policy; readonly verify: VerifySignature },
): Promise<CheckpointVerdict> {
  const { policy, verify } = against;
  const logs = policy.logs.filter(({ key }) => key.name === checkpoint.origin);
  if (logs.length === 0) return { refused: 'unknown_log' };
  const log = await findSigner(checkpoint, logs, verify);
  if (log === undefined) return { refused: 'bad_signature' };
  const cosignatures: Witnessing[] = [];
  for (const line of checkpoint.signatures) {
    const witness = policy.witnesses.find(({ key }) => isSignedBy(line, key));
    if (witness === undefined) continue;
    const time = await cosignedAt(checkpoint, { line, witness, verify });
    if (time === undefined) return { refused: 'bad_signature' };
    cosignatures.push({ witness, time });
  }
  const quorum = judgeQuorum(policy.quorum, cosignatures);
  return quorum.state === 'missed' ? { refused: 'no_quorum' } : { log, quorum };
}

/** The log line whose key signed; none when no known key did, or one of them signed wrongly. */
async function findSigner(
  checkpoint: Checkpoint,
  logs: readonly PolicyLog[],
  verify: VerifySignature,
): Promise<PolicyLog | undefined> {
  let signer: PolicyLog | undefined;
  const message = utf8(checkpoint.body);
  for (const line of checkpoint.signatures) {
    const log = logs.find(({ key }) => isSignedBy(line, key));
    if (log === undefined) continue;
    const { signature } = line;
    if (signature.length !== SIGNATURE_BYTES) return undefined;
    if (!(await verify({ publicKey: log.key.publicKey, message, signature }))) return undefined;
    signer ??= log;
  }
  return signer;
}

/** The time of a good cosignature. */
async function cosignedAt(
  { body }: Checkpoint,
  signed: {
    readonly line: NoteSignature;
    readonly witness: PolicyWitness;
    readonly verify: VerifySignature;
  },
): Promise<number | undefined> {
  const { line, witness, verify } = signed;
  const cosignature = parseCosignature(line);
  if (cosignature === undefined) return undefined;
  const isGood = await verify({
    publicKey: witness.key.publicKey,
    message: utf8(cosignatureBody(cosignature.time, body)),
    signature: cosignature.signature,
  });
  return isGood ? cosignature.time : undefined;
}

function isSignedBy(line: NoteSignature, key: VerifierKey): boolean {
  return line.name === key.name && line.keyId === key.keyId;
}
