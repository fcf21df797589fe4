// Finds the person who requests a page, before every page except those for the log-in. It checks as the gate of the
// API does, and redirects people who are not logged in to the log-in and back.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { PAGES_PREFIX } from '../http.ts';
import { isForPerson } from './error-page.ts';

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** As long as a place to go back to may be; longer ones are left for the inbox. */
const NEXT_LENGTH_MAX = 500;

/** @param gate sets `request.person` or refuses, as in front of the API */
export function pageGate(gate: Hook): Hook {
  return async (request, reply) => {
    try {
      await gate(request, reply);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'login_required') throw error;
      if (!isForPerson(request, reply, 'page')) throw error;
      // What a form wanted is lost: after the log-in it would be done without being asked for again.
      const next = request.method === 'GET' ? request.url : PAGES_PREFIX;
      await reply.redirect(loginPath(next), 303);
    }
  };
}

export function loginPath(next: string): string {
  const wanted = localPath(next);
  if (wanted === PAGES_PREFIX) return `${PAGES_PREFIX}/login`;
  return `${PAGES_PREFIX}/login?${new URLSearchParams({ next: wanted }).toString()}`;
}

/** A path of our own pages, so that a link cannot lead from the log-in to another site. */
export function localPath(next: string | undefined): string {
  if (next === undefined || next.length > NEXT_LENGTH_MAX) return PAGES_PREFIX;
  const isOurs = /^\/inbox(?:[/?]|$)/.test(next) && !/[\\\p{Cc}]/u.test(next);
  return isOurs ? next : PAGES_PREFIX;
}
