// The headers and the signature that a receiver checks, by the Standard Webhooks specification
// (https://www.standardwebhooks.com), symmetric scheme `v1`.
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** The specification requires 24 to 64; more than 32 add nothing to HMAC with SHA-256. */
const SECRET_BYTES = 32;

/** How long messages are also signed with the secret before the last rotation. */
export const PREVIOUS_SECRET_MS = 24 * 60 * 60 * 1_000;

export interface SignedMessage {
  /** The same over all tries. */
  readonly id: string;
  /** When it is sent, in milliseconds since the Unix epoch: a receiver refuses what is minutes old. */
  readonly atMs: number;
  /** Byte for byte what is sent. */
  readonly body: string;
  /** The message is signed with each; a receiver needs one of them. */
  readonly secrets: readonly string[];
}

/** `whsec_` and base64, as receivers' libraries take it. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignatureHeaders {
  readonly 'webhook-id': string;
  /** Seconds. */
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

export function signatureHeaders({ id, atMs, body, secrets }: SignedMessage): SignatureHeaders {
  const timestamp = String(Math.floor(atMs / 1_000));
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(content, secret)).join(' '),
  };
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

export interface SecretRow {
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
}

/** Returns the secrets that are valid at this moment, the newest first. */
export function secretsAt(row: SecretRow, atMs: number): readonly string[] {
  const isBoth =
    row.previous_secret !== null && row.previous_until !== null && atMs < row.previous_until;
  return isBoth ? [row.secret, row.previous_secret] : [row.secret];
}
