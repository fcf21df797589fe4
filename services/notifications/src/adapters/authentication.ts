// Who posts by an adapter: by a token in the form that its sender can send, or by the sender's signature over
// the body. A token posts by the one adapter that it was made for.
import { hashesEqual } from '@lothub/kit/secrets/secrets';
import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { admit, findKeyEnd, explainRefusal, refuseKey } from '../ingest/posting-gate.ts';
import type { PostingGateOptions } from '../ingest/posting-gate.ts';
import type { KeyLookup, PresentedKey } from '../keys/key-lookup.ts';
import { SIGNING_ADAPTER, type Adapter } from '../keys/key-prefix.ts';

export interface AdapterGateOptions extends PostingGateOptions {
  readonly keys: Pick<KeyLookup, 'find' | 'findSigning'>;
}

export interface Caller {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The last part of the path, which contains a token or its id. */
  readonly pathPart: string | undefined;
}

/** The key with which a body may be posted; it is counted by then. */
export type Admission = (bytes: Buffer) => Promise<PresentedKey>;

/** RFC 6750, section 3, and RFC 7617. */
const CHALLENGE = {
  'WWW-Authenticate': 'Bearer realm="notifications", Basic realm="notifications"',
};
const BEARER = /^bearer +(\S+)$/i;
const BASIC = /^basic +([A-Za-z0-9+/_=-]+)$/i;

const SIGNATURE_HEADER = 'x-hub-signature-256';
const SIGNATURE_FORM = /^sha256=([0-9a-f]{64})$/;

/**
 * @returns what is left to judge when the body is there
 * @throws Problem 401 `adapter_token_missing`, `api_key_invalid`, `api_key_expired`, `api_key_revoked`,
 * `signature_invalid`; 403 `wrong_scope`, `group_paused`; 429 `rate_limited`
 */
export async function authenticate(
  options: AdapterGateOptions,
  caller: Caller,
  adapter: Adapter,
): Promise<Admission> {
  const token = caller.pathPart ?? readToken(caller.request);
  const found = token === undefined ? undefined : await options.keys.find(token);
  if (found !== undefined) {
    const code = findKeyEnd(found, options.clock.nowMs());
    if (code !== undefined) await refuse(options, caller, code);
    if (found.adapter !== adapter) {
      await refuse(options, caller, 'wrong_scope', buildDetail(found.adapter, adapter));
    }
  }
  if (adapter === SIGNING_ADAPTER) return await expectSignature(options, caller);
  if (token === undefined) {
    throw new Problem(
      'adapter_token_missing',
      'Send the token of the adapter as Authorization: Bearer, as the password of Basic, or behind ' +
        `/api/v1/ingest/${adapter}/`,
      { headers: CHALLENGE },
    );
  }
  if (found === undefined) return await refuse(options, caller, explainRefusal(token));
  await admit(options, found, caller.reply);
  return () => Promise.resolve(found);
}

/** GitHub's way: the id of the token in the path, and the body signed with the token. */
async function expectSignature(options: AdapterGateOptions, caller: Caller): Promise<Admission> {
  const { request, pathPart } = caller;
  const header = request.headers[SIGNATURE_HEADER];
  const signature = typeof header === 'string' ? SIGNATURE_FORM.exec(header)?.[1] : undefined;
  if (pathPart === undefined || signature === undefined) {
    throw new Problem(
      'adapter_token_missing',
      'The id of the token has to be in the path, and the body signed with the token ' +
        '(X-Hub-Signature-256): give the webhook the payload URL and the secret of the token',
      { headers: CHALLENGE },
    );
  }
  const signing = await options.keys.findSigning(pathPart);
  if (signing === undefined) return await refuse(options, caller, 'api_key_invalid');
  const { key, secret } = signing;
  return async (bytes) => {
    const expected = createHmac('sha256', secret).update(bytes).digest('hex');
    if (!hashesEqual(expected, signature)) await refuse(options, caller, 'signature_invalid');
    const code = findKeyEnd(key, options.clock.nowMs());
    if (code !== undefined) await refuse(options, caller, code);
    // Counted now: who only knows the address must not use up what its sender may send.
    await admit(options, key, caller.reply);
    return key;
  };
}

function readToken({ headers }: FastifyRequest): string | undefined {
  const { authorization = '' } = headers;
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = BASIC.exec(authorization)?.[1];
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString('utf8');
    return text.slice(text.indexOf(':') + 1);
  }
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

function buildDetail(found: Adapter | null, wanted: Adapter): string {
  const what = found === null ? 'A key of a group posts' : `This token posts by ${found}`;
  const where = found === null ? ' at /api/v1/ingest alone' : ' alone';
  return `${what}${where}: send a token that was made for ${wanted}`;
}

async function refuse(
  options: AdapterGateOptions,
  caller: Caller,
  code: Parameters<typeof refuseKey>[2]['code'],
  detail?: string,
): Promise<never> {
  return await refuseKey(options, caller, { code, detail, challenge: CHALLENGE });
}
