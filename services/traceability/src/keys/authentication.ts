// The hooks in front of `/v1/*`: rate limit by caller, then the key, then the tenant id, then the key's limit.
import { readClientAddress, toClientNetwork } from '@lothub/kit/http/client-address';
import type { RateLimit } from '@lothub/kit/http/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FieldsRefusal, INVALID_API_KEY, Refusal } from '../errors.ts';
import { TENANT_ID_PATTERN, readApiKey, readRequestHeader } from '../http.ts';
import { beyondLimit } from './key-limits.ts';
import type { KeyRing } from './key-ring.ts';
import type { KeyRole } from './key-store.ts';
import type { KeyUses } from './key-uses.ts';
import type { RefusalReason, RefusedKeys } from './refused-keys.ts';

const TENANT_ID = new RegExp(TENANT_ID_PATTERN);

export interface GateOptions {
  readonly keys: Pick<KeyRing, 'find'>;
  readonly role: KeyRole;
  readonly rateLimit: RateLimit | undefined;
  readonly refused: Pick<RefusedKeys, 'note'>;
  readonly uses: Pick<KeyUses, 'note'>;
}

/** The path below which a key of the role is required. */
const PATH_OF_ROLE: Readonly<Record<KeyRole, string>> = { tenant: '/v1', admin: '/v1/admin' };

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The `onRequest` hook of the endpoints that the keys of one role open. */
export function keyGate(options: GateOptions): Hook {
  return async (request, reply) => {
    const key = readApiKey(request);
    const record = options.keys.find(key);
    // A caller without a valid key is counted by address: made-up keys would escape any limit.
    const client = readClientAddress(request);
    const caller = record === undefined ? `ip:${toClientNetwork(client)}` : `key:${record.key_id}`;
    await takeRate(options.rateLimit, caller, reply);
    const note = async (reason: RefusalReason): Promise<void> => {
      const path = PATH_OF_ROLE[options.role];
      await options.refused.note({ client, path, reason, key: record, requestId: request.id });
    };
    const refuse = async (reason: RefusalReason): Promise<never> => {
      await note(reason);
      throw new Refusal('invalid_api_key', INVALID_API_KEY);
    };
    if (record === undefined) return await refuse((key ?? '') === '' ? 'missing' : 'unknown');
    if (record.role !== options.role) return await refuse('wrong_role');
    const tenantId = readRequestHeader(request, 'x-tenant-id');
    if (tenantId === undefined && options.role === 'tenant') {
      throw FieldsRefusal.of(['header', 'x-tenant-id'], 'Field required', 'missing');
    }
    if (tenantId !== undefined && !TENANT_ID.test(tenantId)) {
      throw FieldsRefusal.of(
        ['header', 'x-tenant-id'],
        'Tenant id should be 1 to 64 of A-Z a-z 0-9 . _ - and start with a letter or digit',
        'string_pattern_mismatch',
      );
    }
    if (record.tenant_id !== null && tenantId !== undefined && record.tenant_id !== tenantId) {
      return await refuse('wrong_tenant');
    }
    options.uses.note(record.key_id);
    const beyond = beyondLimit(record, request);
    if (beyond !== undefined) {
      await note('beyond_limit');
      throw beyond;
    }
    request.tenantId = tenantId ?? '';
    request.keyLabel = record.label;
    request.keyHash = record.key_hash;
  };
}

/** The `onRequest` hook of the public endpoints: rate limit by client address. */
export function publicGate(rateLimit: RateLimit | undefined): Hook {
  return async (request, reply) => {
    await takeRate(rateLimit, `ip:${toClientNetwork(readClientAddress(request))}`, reply);
  };
}

async function takeRate(
  rateLimit: RateLimit | undefined,
  caller: string,
  reply: FastifyReply,
): Promise<void> {
  if (rateLimit === undefined) return;
  const verdict = await rateLimit.take(caller);
  void reply.headers({
    'RateLimit-Limit': verdict.limit,
    'RateLimit-Remaining': verdict.remaining,
    'RateLimit-Reset': verdict.resetSeconds,
  });
  if (verdict.allowed) return;
  void reply.header('Retry-After', verdict.resetSeconds);
  throw new Refusal(
    'rate_limited',
    `Rate limit exceeded: try again in ${verdict.resetSeconds} seconds`,
  );
}
