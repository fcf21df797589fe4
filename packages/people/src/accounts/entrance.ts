// What the routes that let people in have in common: where a request comes from, and the cookies that
// a session begins and ends with.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessDeps } from '../access/gate.ts';
import { refuseCrossSite } from '../access/cross-site.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Static } from 'typebox';
import type { PeopleStore } from '../store/store.ts';
import type { Browser, LoggedIn } from './begin-session.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { PersonSchema } from './schema.ts';

export interface EntranceDeps extends AccessDeps {
  readonly store: PeopleStore;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
}

/**
 * The hook in front of routes for people who are not logged in. Without it another site could log a
 * browser in as somebody else.
 * @param sent `form`: a browser sent it and says from where; `json`: it may come from a program
 */
export function refuseOtherSites({ publicUrl }: AccessDeps, sent: 'form' | 'json') {
  const proof = sent === 'form' ? 'required' : 'optional';
  return async (request: FastifyRequest): Promise<void> => {
    refuseCrossSite(request, { publicUrl, proof });
  };
}

export function readBrowser(
  { cookies }: Pick<AccessDeps, 'cookies'>,
  request: FastifyRequest,
): Browser {
  return { agent: request.headers['user-agent'] ?? '', mark: cookies.readBrowser(request) };
}

/** Keeps the log-in in the browser. */
export function letIn(
  { cookies }: Pick<AccessDeps, 'cookies'>,
  reply: FastifyReply,
  loggedIn: LoggedIn,
): void {
  cookies.setSession(reply, loggedIn.sessionSecret);
  if (loggedIn.browserMark !== null) cookies.setBrowser(reply, loggedIn.browserMark);
}

export function personAnswer(person: {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
}): Static<typeof PersonSchema> {
  return { id: person.accountId, email: person.email, name: person.name };
}
