// The hook in front of everything that people do: who is asking, whether it came from another site, whether
// these credentials are for this, and how often.
import type { Clock } from '@lothub/kit/clock';
import type { TokenBucket } from '@lothub/kit/http/token-bucket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { findPerson as findSessionPerson } from '@lothub/people/access/gate';
import type { SeenNotes } from '@lothub/people/access/seen';
import { SEEN_EVERY_MS } from '@lothub/people/access/sessions';
import type { People } from '@lothub/people/people';
import type { NotificationStore } from '../store/store.ts';
import type { Person, SessionPerson } from './person.ts';
import { takeRate } from './take-rate.ts';
import { findToken, touchToken } from './token-lookup.ts';

/**
 * What a read token opens, by GET and HEAD; a parameter of the path is `:`. Everything else needs a
 * session, also what is added later.
 */
const READ_BY_TOKEN: ReadonlySet<string> = new Set([
  '/api/v1/me',
  '/api/v1/unread',
  '/api/v1/notifications',
  '/api/v1/stream',
  '/api/v1/groups',
  '/api/v1/groups/:',
  '/api/v1/groups/:/notifications',
  '/api/v1/groups/:/notifications/:',
  '/api/v1/groups/:/stream',
]);
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A proxy in front of the service may require credentials of another scheme. */
const BEARER = /^bearer\b/i;
const BEARER_FORM = /^bearer +(\S+)$/i;
/** RFC 6750, section 3. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };
const CHALLENGE_AFTER_TOKEN = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };

export interface AccessOptions {
  readonly store: Pick<NotificationStore, 'reader'>;
  readonly clock: Clock;
  readonly people: People;
  /** Notes when read tokens were last used. */
  readonly seen: SeenNotes;
}

export interface PersonGateOptions extends AccessOptions {
  /** Requests of one person; undefined: no limit. */
  readonly rate: TokenBucket | undefined;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * The `onRequest` hook that sets `request.person`, or refuses: 401 `login_required` or `token_invalid`,
 * 403 `cross_site_refused` or `wrong_scope`, 429 `rate_limited`.
 */
export function personGate(options: PersonGateOptions): Hook {
  return async (request, reply) => {
    // Each answer after the gate is for one person, and some of it is shown only once.
    void reply.header('Cache-Control', 'no-store');
    const person = await findPerson(options, request);
    if (person === undefined) {
      throw new Problem('login_required', 'Log in, or send a read token as Authorization: Bearer', {
        headers: CHALLENGE,
      });
    }
    await takeRate(options.rate, person.accountId, reply);
    if (
      person.via.kind === 'token' &&
      !isReadByToken({ method: request.method, url: request.routeOptions.url })
    ) {
      throw new Problem('wrong_scope', 'A read token only reads: log in for this');
    }
    request.person = person;
  };
}

/**
 * The person who sends the request; nothing without credentials or after the end of the session.
 * @throws Problem `token_invalid`; PeopleProblem `cross_site_refused` for a write with a cookie
 */
export async function findPerson(
  options: AccessOptions,
  request: FastifyRequest,
): Promise<Person | undefined> {
  const { authorization } = request.headers;
  if (authorization !== undefined && BEARER.test(authorization))
    return await getTokenPerson(options, authorization);
  return await findSessionPerson(options.people, request);
}

async function getTokenPerson(options: AccessOptions, authorization: string): Promise<Person> {
  const nowMs = options.clock.nowMs();
  const token = BEARER_FORM.exec(authorization)?.[1];
  const found =
    token === undefined ? undefined : await findToken(options.store.reader, { token, nowMs });
  if (found === undefined) {
    throw new Problem('token_invalid', 'The read token is unknown, was revoked or has expired', {
      headers: CHALLENGE_AFTER_TOKEN,
    });
  }
  const { tokenId } = found;
  if (found.seenAt === null || nowMs - found.seenAt >= SEEN_EVERY_MS) {
    options.seen.note(tokenId, touchToken({ tokenId, nowMs }));
  }
  return found.person;
}

interface GatedRoute {
  readonly method: string;
  /** With its parameters as `:name`. */
  readonly url: string | undefined;
}

function isReadByToken({ method, url = '' }: GatedRoute): boolean {
  return READS.has(method) && READ_BY_TOKEN.has(url.replace(/:[^/]+/g, ':'));
}

/** The credentials of a route after the gate, for OpenAPI. */
export function chooseSecurity(route: GatedRoute): readonly Record<string, readonly string[]>[] {
  return isReadByToken(route) ? [{ Session: [] }, { ReadToken: [] }] : [{ Session: [] }];
}

/** The person who sends the request; only in routes after `personGate`. */
export function getPerson(request: FastifyRequest): Person {
  if (request.person === null) throw new Error('a route of people is outside of personGate');
  return request.person;
}

/** As `getPerson`, of a route that no read token opens. */
export function getSessionPerson(request: FastifyRequest): SessionPerson {
  const { via, ...person } = getPerson(request);
  if (via.kind !== 'session') throw new Error('a route of sessions is open to read tokens');
  return { ...person, via };
}
