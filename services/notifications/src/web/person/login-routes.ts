// The ways in and out on pages: log-in, log-out, set-up.
import type { FastifyReply } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import { findPerson } from '../../access/gate.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import { acceptInvitation, viewInvitation } from '@lothub/people/invitations/accept';
import { letIn, readBrowser, refuseOtherSites } from '@lothub/people/accounts/entrance';
import { logOut } from '@lothub/people/accounts/log-in';
import { logInFrom } from '@lothub/people/accounts/log-in-from';
import { readNewPerson } from '@lothub/people/accounts/schema';
import { checkSetupLink } from '@lothub/people/accounts/set-up';
import { setUpInbox } from '../../people/set-up-inbox.ts';
import { doneWords, withDone } from '../done.ts';
import { readFormValues, refusedForm, textOrNothing } from '../forms.ts';
import { layOutAlone, sendPage, type Page } from '../layout.ts';
import { invitationPage, joinPage, loginPage, setUpPage } from './login-pages.ts';
import { waysIn } from '@lothub/people/pages/ways-in';
import { logOutPath } from '@lothub/people/sign-on/log-out';
import { signOnRoutes } from '@lothub/people/sign-on/routes';
import type { Invited } from '@lothub/people/pages/entrance-pages';
import { localPath } from '../page-gate.ts';
import type { WebDeps } from '../web-deps.ts';

const TokenParams = Type.Object({ token: Type.String({ pattern: '^[0-9A-Za-z]{1,100}$' }) });

export function loginPageRoutes(app: App, deps: WebDeps): void {
  app.addHook('onRequest', refuseOtherSites(deps.people, 'form'));
  logInAndOut(app, deps);
  signOnRoutes(app, { people: deps.people, prefix: PAGES_PREFIX });
  setUpRoutes(app, deps);
  invitationRoutes(app, deps);
}

const hide = { hide: true };

function logInAndOut(app: App, deps: WebDeps): void {
  const ways = waysIn(deps.people);
  app.get(
    `${PAGES_PREFIX}/login`,
    {
      schema: {
        ...hide,
        querystring: Type.Object({
          next: Type.Optional(Type.String()),
          done: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { next, done } = request.query;
      if ((await findPerson(deps, request)) !== undefined) {
        return await reply.redirect(localPath(next), 303);
      }
      return alone(
        reply,
        loginPage({ waysIn: ways, next: localPath(next), done: doneWords(done) }),
      );
    },
  );

  app.post(`${PAGES_PREFIX}/login`, { schema: hide }, async (request, reply) => {
    const values = readFormValues(request.body);
    const next = localPath(values['next']);
    try {
      const { email = '', password = '' } = values;
      await logInFrom(deps.people, { request, reply }, { email, password });
      return await reply.redirect(next, 303);
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      return alone(reply, loginPage({ waysIn: ways, next, form: refused.form }), refused.status);
    }
  });

  app.post(`${PAGES_PREFIX}/logout`, { schema: hide }, async (request, reply) => {
    const person = await findPerson(deps, request);
    let further: string | undefined;
    if (person?.via.kind === 'session') {
      const { accountId, via } = person;
      further = await logOutPath(deps.people, { prefix: PAGES_PREFIX, tokenHash: via.tokenHash });
      await logOut(deps.people, { accountId, tokenHash: via.tokenHash });
    }
    deps.people.cookies.clearSession(reply);
    const loggedOut = withDone(`${PAGES_PREFIX}/login`, 'logged-out');
    return await reply.redirect(further ?? loggedOut, 303);
  });
}

function setUpRoutes(app: App, deps: WebDeps): void {
  app.get(
    `${PAGES_PREFIX}/setup/:token`,
    { schema: { ...hide, params: TokenParams } },
    async ({ params }, reply) => {
      await checkSetupLink(deps.people, params.token);
      return alone(reply, setUpPage({ token: params.token }));
    },
  );

  app.post(
    `${PAGES_PREFIX}/setup/:token`,
    { schema: { ...hide, params: TokenParams } },
    async (request, reply) => {
      const { token } = request.params;
      const values = readFormValues(request.body);
      try {
        const { loggedIn, groupId } = await setUpInbox(deps, {
          secret: token,
          person: readNewPerson(values),
          group: textOrNothing(values['group']),
          browser: readBrowser(deps.people, request),
        });
        letIn(deps.people, reply, loggedIn);
        const first = groupId === null ? '' : `/groups/${groupId}`;
        return await reply.redirect(`${PAGES_PREFIX}${first}`, 303);
      } catch (error) {
        const refused = refusedForm(error, values);
        if (refused === undefined) throw error;
        return alone(reply, setUpPage({ token, form: refused.form }), refused.status);
      }
    },
  );
}

function invitationRoutes(app: App, deps: WebDeps): void {
  const path = `${PAGES_PREFIX}/invitation/:token`;
  const ways = waysIn(deps.people);
  const schema = { ...hide, params: TokenParams };

  app.get(path, { schema }, async (request, reply) => {
    const invited = await readInvited(deps, request.params.token);
    const person = await findPerson(deps, request);
    return alone(
      reply,
      person === undefined
        ? invitationPage({ waysIn: ways, invited })
        : joinPage({ invited, ...person }),
    );
  });

  app.post(path, { schema }, async (request, reply) => {
    const { token: secret } = request.params;
    const values = readFormValues(request.body);
    const person = await findPerson(deps, request);
    try {
      const { place, loggedIn } = await acceptInvitation(deps.people, {
        secret,
        as:
          person === undefined
            ? {
                kind: 'new',
                person: readNewPerson(values),
                browser: readBrowser(deps.people, request),
              }
            : { kind: 'known', person },
      });
      if (loggedIn !== undefined) letIn(deps.people, reply, loggedIn);
      const path = place.kind === 'group' ? `${PAGES_PREFIX}/groups/${place.id}` : PAGES_PREFIX;
      return await reply.redirect(path, 303);
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      const { form, status } = refused;
      const invited = await readInvited(deps, secret);
      const page =
        person === undefined
          ? invitationPage({ waysIn: ways, invited, form })
          : joinPage({ invited, ...person, form });
      return alone(reply, page, status);
    }
  });
}

/** @throws Problem `not_found`, `link_used_up` */
async function readInvited(deps: WebDeps, token: string): Promise<Invited> {
  const { place, placeName, role, invitedBy, email } = await viewInvitation(deps.people, token);
  return { token, place: place.kind === 'hub' ? null : placeName, role, invitedBy, email };
}

export function alone(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return sendPage(reply, layOutAlone(page), { status });
}
