// Logging in and out over HTTP: POST and DELETE session. The pages use the same cookies.
import { Type } from '@lothub/kit/json-schema';
import { findPerson } from '../access/gate.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import { personAnswer, refuseOtherSites } from '@lothub/people/accounts/entrance';
import { ENTRANCE_PROBLEMS } from '../access/gate-problems.ts';
import type { EntranceDeps } from './deps.ts';
import { logOut } from '@lothub/people/accounts/log-in';
import { logInFrom } from '@lothub/people/accounts/log-in-from';
import { LogInSchema, PersonSchema } from '@lothub/people/accounts/schema';

const TAGS = ['People'];

export function sessionRoutes(app: App, deps: EntranceDeps): void {
  app.post(
    `${API_PREFIX}/session`,
    {
      onRequest: refuseOtherSites(deps.people, 'json'),
      schema: {
        tags: TAGS,
        operationId: 'logIn',
        summary: 'Log in',
        description:
          'Sets the cookie of a session: it ends 30 days after its last use, and 90 days after ' +
          'the log-in. Programs use a read token instead.',
        body: LogInSchema,
        response: {
          201: PersonSchema,
          ...problemAnswers(...ENTRANCE_PROBLEMS, 'login_failed', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const loggedIn = await logInFrom(deps.people, { request, reply }, request.body);
      return await reply.code(201).send(personAnswer(loggedIn));
    },
  );

  app.delete(
    `${API_PREFIX}/session`,
    {
      schema: {
        tags: TAGS,
        operationId: 'logOut',
        summary: 'Log out',
        description: 'Ends the session of the cookie; also says 204 when it has ended already.',
        response: { 204: Type.Null(), ...problemAnswers('cross_site_refused', 'unavailable') },
      },
    },
    async (request, reply) => {
      const person = await findPerson(deps, request);
      if (person?.via.kind === 'session') {
        await logOut(deps.people, { accountId: person.accountId, tokenHash: person.via.tokenHash });
      }
      deps.people.cookies.clearSession(reply);
      return await reply.code(204).send();
    },
  );
}
