// The refusal of a caller that tries too often.
import { rateRefusal, type BucketVerdict } from '@lothub/kit/http/token-bucket';
import { PeopleProblem } from '../errors.ts';

export function rateProblem(verdict: BucketVerdict): PeopleProblem {
  const { sentence, headers } = rateRefusal(verdict);
  return new PeopleProblem('rate_limited', sentence, { headers });
}
