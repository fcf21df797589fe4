// What a request of /v1 says of its body, which is refused before the body is read.
import { ACCEPTED_ENCODING, isEncoded } from '@lothub/kit/http/content-encoding';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from './errors.ts';

/** Methods whose requests have no body that counts. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The `onRequest` hook that refuses compressed bodies, which would be read as they are. */
export function refuseEncodedBody(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  if (WITHOUT_BODY.has(method) || !isEncoded(headers)) return done();
  void reply.headers(ACCEPTED_ENCODING);
  const message = 'The body is encoded: send it as it is, without Content-Encoding';
  done(new Refusal('media_type_unsupported', message));
}
