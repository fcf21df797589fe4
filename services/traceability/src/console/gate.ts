// The gate in front of the whole console. It checks how often a client sends requests, whether another site
// made the browser send this one, who sent it, and whether this person has the right that the route names. A
// session opens only what is behind this gate: routes of `/v1` do not accept it.
import { findPerson } from '@lothub/people/access/gate';
import { refuseCrossSite } from '@lothub/people/access/cross-site';
import { findSession } from '@lothub/people/access/sessions';
import { logInFrom } from '@lothub/people/accounts/log-in-from';
import { noSuchBrand, readRights } from '@lothub/people/brands/access';
import { hasBrandRight, hasHubRight, isBrandRight } from '@lothub/people/brands/rights';
import { PeopleProblem } from '@lothub/people/errors';
import type { People } from '@lothub/people/people';
import { readFormValues } from '@lothub/design/form-values';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { App } from '../http.ts';
import type { ConsoleRight, Visitor } from './access.ts';
import { refusedForm } from './forms.ts';
import { sendLogInAgain } from './entrance/log-in-again.ts';
import { isTypedBefore } from './entrance/typed-before.ts';
import { prepareConsoleReader, type SendDeps, type To } from './send.ts';
import { loginPath } from './paths.ts';

export interface GateDeps extends SendDeps {
  readonly people: People;
  /** Counts the requests of a client. */
  readonly count: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export function installGate(app: App, deps: GateDeps): void {
  app.decorateRequest('visitor', null);
  app.decorateRequest('isShownAgain', false);
  app.addHook('onRoute', assertRightNamed);

  app.addHook('onRequest', async (request, reply) => {
    // Every page here is for one person, and some of it is shown only once.
    void reply.header('Cache-Control', 'no-store').header('X-Robots-Tag', 'noindex');
    await deps.count(request, reply);
    const { people } = deps;
    refuseCrossSite(request, { publicUrl: people.publicUrl, proof: 'required' });
    const person = await findPerson(people, request);
    if (person !== undefined) {
      request.visitor = {
        person,
        rights: await readRights(people.store.reader, person.accountId),
      };
    }
    if (getRight(request) === 'open') return;
    if (request.visitor !== null) {
      assertRight(request, request.visitor);
    } else if (READS.has(request.method)) {
      return await reply.redirect(loginPath(request.url), 303);
    }
    // A form of an ended session is answered by `preHandler`, which has the typed values.
  });

  app.addHook('preHandler', async (request, reply) => {
    if (getRight(request) === 'open' || READS.has(request.method)) return;
    const isAgain = isTypedBefore(readFormValues(request.body));
    if (request.visitor === null) {
      if (!isAgain) return await sendLogInAgain(deps, { request, reply });
      try {
        request.visitor = await logInAgain(deps, { request, reply });
      } catch (error) {
        const { email = '' } = readFormValues(request.body);
        const refused = refusedForm(error, { email }, prepareConsoleReader(request, reply));
        if (refused === undefined) throw error;
        return await sendLogInAgain(deps, { request, reply, refused });
      }
      assertRight(request, request.visitor);
    }
    // This is also true when the reader sends such a page again: values that were typed before a log-in never
    // cause an action by themselves.
    request.isShownAgain = isAgain;
  });
}

/** Refuses routes without a right when the service starts. */
function assertRightNamed({ url, config }: RouteOptions): void {
  if (config?.right === undefined) throw new Error(`${url} of the console names no right`);
}

/** Answers without a route, such as 405, need no role. */
function getRight(request: FastifyRequest): ConsoleRight {
  const { right } = request.routeOptions.config;
  if (right === undefined) throw new Error(`${request.url} of the console names no right`);
  return right;
}

/** @throws PeopleProblem `not_found` for a brand that the visitor is not in; `role_required` */
function assertRight(request: FastifyRequest, { rights }: Visitor): void {
  const right = getRight(request);
  if (right === 'own' || right === 'open') return;
  if (!isBrandRight(right)) {
    if (hasHubRight(rights.hub, right)) return;
    throw new PeopleProblem('role_required', 'Only an operator of the hub may do this');
  }
  const role = rights.brands.get(readBrand(request));
  if (role === undefined) throw noSuchBrand();
  if (!hasBrandRight(role, right)) {
    throw new PeopleProblem('role_required', 'The role in the brand does not allow this');
  }
}

/** Returns the brand in the address of a route. */
function readBrand({ params, url }: FastifyRequest): string {
  if (typeof params === 'object' && params !== null && 'brand' in params) {
    if (typeof params.brand === 'string') return params.brand;
  }
  throw new Error(`${url} of the console names a right in a brand, and no brand`);
}

/** Logs in with the e-mail and password that came with the typed values. */
async function logInAgain({ people }: GateDeps, to: To): Promise<Visitor> {
  const { email = '', password = '' } = readFormValues(to.request.body);
  const { sessionSecret: secret } = await logInFrom(people, to, { email, password });
  const session = await findSession(people.store.reader, { secret, nowMs: people.clock.nowMs() });
  if (session === undefined) {
    throw new PeopleProblem('login_failed', 'The session ended as soon as it began');
  }
  const rights = await readRights(people.store.reader, session.person.accountId);
  return { person: session.person, rights };
}
