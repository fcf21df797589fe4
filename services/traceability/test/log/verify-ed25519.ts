// Signatures of notes, verified by the runtime.
import { createPublicKey, verify } from 'node:crypto';
import type { VerifySignature } from '@lothub/chain/log';

/** Raw public keys of Ed25519 stand behind this in DER. */
const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex');

export const verifyEd25519: VerifySignature = ({ publicKey, message, signature }) =>
  verify(
    null,
    message,
    createPublicKey({
      key: Buffer.concat([ED25519_DER, publicKey]),
      format: 'der',
      type: 'spki',
    }),
    signature,
  );
