// Counts a request of a caller, and sets the headers that report the caller's limit.
import { rateHeaders, rateRefusal } from '@lothub/kit/http/token-bucket';
import type { BucketVerdict, TokenBucket } from '@lothub/kit/http/token-bucket';
import type { FastifyReply } from 'fastify';
import { Problem } from '../errors.ts';

/** @throws Problem `rate_limited`, with the seconds until a retry */
export async function takeRate(
  bucket: TokenBucket | undefined,
  caller: string,
  reply: FastifyReply,
): Promise<void> {
  if (bucket === undefined) return;
  const verdict = await bucket.take(caller);
  void reply.headers(rateHeaders(verdict));
  if (!verdict.allowed) throw rateProblem(verdict);
}

export function rateProblem(verdict: BucketVerdict): Problem {
  const { sentence, headers } = rateRefusal(verdict);
  return new Problem('rate_limited', sentence, { headers });
}
