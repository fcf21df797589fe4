// The commitments to the recipients of a case in its blocks.
import { computeCommitment } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { PrivateRecipientRow } from '../tables/private.ts';

/** SHA-256 hex over `{"audience":…,"recipient":…,"salt":…}`. */
export function recipientCommitment({
  audience,
  recipient,
  salt,
}: Omit<PrivateRecipientRow, 'notification_id'>): string {
  return computeCommitment({ values: { audience, recipient }, salt }, sha256Hex);
}
