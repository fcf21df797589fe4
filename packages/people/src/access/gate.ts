// Whose session a request comes with, and whether another site made the browser send it.
import type { Clock } from '@lothub/kit/clock';
import type { FastifyRequest } from 'fastify';
import type { PeopleStore } from '../store/store.ts';
import type { Cookies } from './cookies.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Person } from './person.ts';
import type { SeenNotes } from './seen.ts';
import { SEEN_EVERY_MS, findSession, touchSession } from './sessions.ts';

export interface AccessDeps {
  readonly store: Pick<PeopleStore, 'reader'>;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly cookies: Cookies;
  readonly seen: SeenNotes;
}

/**
 * Who is asking; nothing when the request has no session, or one that has ended.
 * @throws PeopleProblem `cross_site_refused` for a write with a cookie
 */
export async function findPerson(
  access: AccessDeps,
  request: FastifyRequest,
): Promise<Person | undefined> {
  const secret = access.cookies.readSession(request);
  if (secret === undefined) return undefined;
  refuseCrossSite(request, { publicUrl: access.publicUrl, proof: 'required' });
  const nowMs = access.clock.nowMs();
  const found = await findSession(access.store.reader, { secret, nowMs });
  if (found === undefined) return undefined;
  const { tokenHash } = found;
  if (nowMs - found.seenAt >= SEEN_EVERY_MS) {
    access.seen.note(tokenHash, touchSession({ tokenHash, nowMs }));
  }
  return found.person;
}
