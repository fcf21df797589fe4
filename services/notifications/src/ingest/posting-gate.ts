// The hook in front of posting: the key, then how often, then what kind of body. The body is not read
// before. Adapters have gates of their own, made of the same parts.
import type { Clock } from '@lothub/kit/clock';
import { idOfApiToken } from '@lothub/kit/secrets/api-token';
import { readClientAddress, toClientNetwork } from '@lothub/kit/http/client-address';
import { rateHeaders, type TokenBucket } from '@lothub/kit/http/token-bucket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rateProblem, takeRate } from '../access/take-rate.ts';
import { READ_TOKEN_PREFIX } from '../access/token-lookup.ts';
import { Problem, type ProblemCode } from '../errors.ts';
import type { KeyLookup, PresentedKey } from '../keys/key-lookup.ts';
import { assertJsonRequest } from '../media-type.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The credentials of a post; null in routes without `postingGate`. */
    postingKey: PresentedKey | null;
    /** How long the gate took, in milliseconds. */
    postingWaitedMs: number;
  }
}

export interface PostingGateOptions {
  readonly keys: Pick<KeyLookup, 'find'>;
  readonly clock: Clock;
  /** Posts of each key; undefined: no limit. */
  readonly keyRate: TokenBucket | undefined;
  /** Posts into each group. */
  readonly groupRate: TokenBucket | undefined;
  /** Keys that were refused, by the address they came from; a good one is never held up by it. */
  readonly failedRate: TokenBucket | undefined;
}

/** RFC 9110, section 11.6.1. */
const CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="notifications", header="X-Api-Key"' };

export function postingGate(
  options: PostingGateOptions,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const startedMs = performance.now();
    const key = await getKey(options, request, reply);
    await admit(options, key, reply);
    assertJsonRequest(request);
    request.postingKey = key;
    request.postingWaitedMs = performance.now() - startedMs;
  };
}

async function getKey(
  options: PostingGateOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PresentedKey> {
  const presented = request.headers['x-api-key'];
  if (typeof presented !== 'string' || presented === '') {
    throw new Problem('api_key_missing', 'Send the key of the group as X-Api-Key', {
      headers: CHALLENGE,
    });
  }
  const key = await options.keys.find(presented);
  const code =
    key === undefined ? explainRefusal(presented) : findKeyEnd(key, options.clock.nowMs());
  if (key !== undefined && code === undefined && key.adapter === null) return key;
  const hasScope = key === undefined || key.adapter === null;
  return await refuseKey(
    options,
    { request, reply },
    {
      code: code ?? 'wrong_scope',
      detail: hasScope ? undefined : ADAPTER_ELSEWHERE,
      challenge: CHALLENGE,
    },
  );
}

const ADAPTER_ELSEWHERE =
  'The token of an adapter posts in the form of its sender alone: send a key of the group';

/**
 * Counts a key that was refused, by where it came from.
 * @throws Problem `rate_limited`, or of the refusal
 */
export async function refuseKey(
  options: Pick<PostingGateOptions, 'failedRate'>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  refusal: {
    readonly code: KeyRefusal;
    /** undefined: what is usual for the code. */
    readonly detail: string | undefined;
    /** Headers of a 401. */
    readonly challenge: Readonly<Record<string, string>>;
  },
): Promise<never> {
  await takeRate(options.failedRate, toClientNetwork(readClientAddress(request)), reply);
  const { code, detail = DETAIL_OF_REFUSAL[code], challenge } = refusal;
  throw new Problem(code, detail, { headers: code === 'wrong_scope' ? {} : challenge });
}

/**
 * Whether a key that is good may post now; counts it.
 * @throws Problem `group_paused`, `rate_limited`
 */
export async function admit(
  options: Pick<PostingGateOptions, 'keyRate' | 'groupRate'>,
  key: PresentedKey,
  reply: FastifyReply,
): Promise<void> {
  if (key.isGroupPaused) {
    throw new Problem('group_paused', 'An owner has paused the group: nothing was stored');
  }
  await takeRates(options, key, reply);
}

export type KeyRefusal = Extract<
  ProblemCode,
  'api_key_invalid' | 'api_key_expired' | 'api_key_revoked' | 'signature_invalid' | 'wrong_scope'
>;

/** Only a caller with the whole secret learns it. */
export function findKeyEnd(key: PresentedKey, nowMs: number): KeyRefusal | undefined {
  if (key.revokedAt !== null) return 'api_key_revoked';
  return key.expiresAt !== null && key.expiresAt <= nowMs ? 'api_key_expired' : undefined;
}

/** A text in the form of a read token counts as one; the answer does not say whether it is valid. */
export function explainRefusal(presented: string): KeyRefusal {
  const isReadToken = idOfApiToken(READ_TOKEN_PREFIX, presented) !== undefined;
  return isReadToken ? 'wrong_scope' : 'api_key_invalid';
}

const DETAIL_OF_REFUSAL: Readonly<Record<KeyRefusal, string>> = {
  api_key_invalid: 'No group has this key: ask an owner of the group for one',
  api_key_expired: 'The time of this key is over: ask an owner of the group for another one',
  api_key_revoked: 'An owner of the group has revoked this key: ask for another one',
  signature_invalid: 'The body was not signed with the token of this address',
  wrong_scope: 'A read token cannot post: send a key of the group',
};

/** The answer reports the limit that is closer. */
async function takeRates(
  { keyRate, groupRate }: Pick<PostingGateOptions, 'keyRate' | 'groupRate'>,
  key: PresentedKey,
  reply: FastifyReply,
): Promise<void> {
  const ofKey = await keyRate?.take(key.id);
  if (ofKey?.allowed === false) throw rateProblem(ofKey);
  const ofGroup = await groupRate?.take(key.groupId);
  if (ofGroup?.allowed === false) throw rateProblem(ofGroup);
  const nearer =
    ofKey !== undefined && ofGroup !== undefined && ofGroup.remaining < ofKey.remaining
      ? ofGroup
      : (ofKey ?? ofGroup);
  if (nearer !== undefined) void reply.headers(rateHeaders(nearer));
}
