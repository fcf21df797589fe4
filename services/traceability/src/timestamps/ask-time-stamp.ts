// Asks a time-stamping service for a time stamp over HTTP (RFC 3161, section 3.4).
import { randomBytes } from 'node:crypto';
import { readAnswer } from '@lothub/kit/http/answer-body';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { encodeQuestion, readReply, REPLY_BYTES_MAX } from './rfc3161.ts';

const ANSWER_TIMEOUT_MS = 20_000;
/** 56 bits, so that no service reads the number as a negative one. */
const NONCE_BYTES = 7;

/** A reply that was found to be the one asked for. */
export interface TimeStamp {
  /** As the service sent it: a TimeStampResp. */
  readonly reply: Uint8Array;
  /** The time that it states, in milliseconds since 1970. */
  readonly stampedMs: number;
}

/**
 * @throws TimeStampRefused for a reply that is not kept, and whatever a failing request throws
 */
export async function askTimeStamp(asked: {
  readonly url: string;
  /** What is stamped: the SHA-256 of these bytes is all that is sent. */
  readonly content: Uint8Array;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}): Promise<TimeStamp> {
  const { url, content, nowMs, signal } = asked;
  const digest = sha256Bytes(content);
  const nonce = BigInt(`0x${randomBytes(NONCE_BYTES).toString('hex')}`);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/timestamp-query',
      Accept: 'application/timestamp-reply',
    },
    body: encodeQuestion({ digest, nonce }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the time-stamping service answered ${response.status}`);
  }
  const reply = await readAnswer(response, REPLY_BYTES_MAX);
  return { reply, stampedMs: readReply(reply, { digest, nonce, nowMs }) };
}
