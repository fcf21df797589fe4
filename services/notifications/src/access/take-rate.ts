// Counts a request of a caller, and tells the caller how it stands.
import type { BucketVerdict, TokenBucket } from '@lothub/kit/http/token-bucket';
import type { FastifyReply } from 'fastify';
import { Problem } from '../errors.ts';

/** @throws Problem `rate_limited`, with when to come back */
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

/** What an answer says of a limit. */
export function rateHeaders(verdict: BucketVerdict): Readonly<Record<string, string>> {
  return {
    'RateLimit-Limit': String(verdict.limit),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': String(verdict.resetSeconds),
  };
}

export function rateProblem(verdict: BucketVerdict): Problem {
  const seconds = Math.max(1, verdict.retrySeconds);
  return new Problem('rate_limited', `Too many requests: try again in ${seconds} s`, {
    headers: { ...rateHeaders(verdict), 'Retry-After': String(seconds) },
  });
}
