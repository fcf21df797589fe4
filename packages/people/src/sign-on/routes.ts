// Single sign-on over HTTP: the way to the provider, the way back, and the log-out there. Refusals are thrown:
// each service shows them in its own pages.
import { readClientAddress } from '@lothub/kit/http/client-address';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyBaseLogger, FastifyContextConfig, FastifyInstance } from 'fastify';
import { letIn, readBrowser } from '../accounts/entrance.ts';
import type { People } from '../people.ts';
import type { PagesPrefix } from './next-path.ts';
import { SignOnProblem } from './problems.ts';
import { beginSignOn, finishSignOn } from './sign-on.ts';

const HIDDEN = { hide: true };
const NextQuery = Type.Object({ next: Type.Optional(Type.String()) });
/** Nested causes that the log names. */
const CAUSES_MAX = 4;

export interface SignOnRoutes {
  readonly people: People;
  /** In front of the paths; the provider has to know `PUBLIC_URL` with it and `/sign-on/back`. */
  readonly prefix: PagesPrefix;
  /** What the service says of its open routes. */
  readonly config?: FastifyContextConfig;
}

/** None while no provider is set. */
export function signOnRoutes(
  app: FastifyInstance,
  { people, prefix, config = {} }: SignOnRoutes,
): void {
  const { signOn } = people;
  if (signOn === undefined) return;
  const deps = { ...people, signOn };

  app.get<{ Querystring: { readonly next?: string } }>(
    `${prefix}/sign-on`,
    { schema: { ...HIDDEN, querystring: NextQuery }, config },
    async (request, reply) => {
      const { url, browserSecret } = await loggingWhy(request.log, () =>
        beginSignOn(deps, {
          prefix,
          next: request.query.next,
          address: readClientAddress(request),
          browserSecret: people.cookies.readSignOn(request),
        }),
      );
      people.cookies.setSignOn(reply, browserSecret);
      return await reply.header('Cache-Control', 'no-store').redirect(url, 303);
    },
  );

  app.get(`${prefix}/sign-on/back`, { schema: HIDDEN, config }, async (request, reply) => {
    void reply.header('Cache-Control', 'no-store');
    const { loggedIn, next, withoutRoom } = await loggingWhy(request.log, () =>
      finishSignOn(deps, {
        prefix,
        search: readSearch(request.url),
        browserSecret: people.cookies.readSignOn(request),
        browser: readBrowser(people, request),
        oldSecret: people.cookies.readSession(request),
      }),
    );
    for (const { place, role } of withoutRoom) {
      const { accountId } = loggedIn;
      request.log.warn({ accountId, place, role }, 'a claimed role was not given: no room');
    }
    letIn(people, reply, loggedIn);
    return await reply.redirect(next, 303);
  });

  app.get(`${prefix}/sign-on/out`, { schema: HIDDEN, config }, async (request, reply) => {
    const backTo = `${prefix}/login?done=logged-out`;
    const url = await loggingWhy(request.log, () =>
      signOn.provider.logOutUrl({ backTo: `${people.publicUrl}${backTo}` }),
    );
    void reply.header('Cache-Control', 'no-store');
    if (url === undefined) return await reply.redirect(backTo, 303);
    // Not a redirect: browsers follow none to another site from a form, which the log-out is.
    return await reply
      .header('Refresh', `0; url=${url}`)
      .type('text/plain; charset=utf-8')
      .send('You are logged out here, and are taken to the provider to log out there.\n');
  });
}

/** What a provider answers is nothing for the person, and the operator needs it. */
async function loggingWhy<Result>(
  log: FastifyBaseLogger,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SignOnProblem && error.cause !== undefined) {
      log.warn({ reason: error.reason, causes: listReasons(error.cause) }, 'a sign-on failed');
    }
    throw error;
  }
}

/** Names and messages alone: other fields of these errors hold claims and codes. */
function listReasons(cause: unknown): readonly string[] {
  const reasons: string[] = [];
  for (let error = cause; error instanceof Error && reasons.length < CAUSES_MAX;) {
    const word = 'error' in error && typeof error.error === 'string' ? ` (${error.error})` : '';
    reasons.push(`${error.name}: ${error.message}${word}`);
    error = error.cause;
  }
  return reasons;
}

function readSearch(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
