// The ways into the console and out of it: log-in, log-out, the set-up link, invitation links.
import { readFormValues } from '@lothub/design/form-values';
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { letIn, readBrowser } from '@lothub/people/accounts/entrance';
import { logOut } from '@lothub/people/accounts/log-in';
import { logInFrom } from '@lothub/people/accounts/log-in-from';
import { readNewPerson } from '@lothub/people/accounts/schema';
import { checkSetupLink, setUp } from '@lothub/people/accounts/set-up';
import { acceptInvitation, viewInvitation } from '@lothub/people/invitations/accept';
import {
  invitationPage,
  joinPage,
  loginPage,
  setUpPage,
} from '@lothub/people/pages/entrance-pages';
import type { EntranceOptions, Invited } from '@lothub/people/pages/entrance-pages';
import { PEOPLE_WORDS } from '@lothub/people/pages/words';
import { logOutPath } from '@lothub/people/sign-on/log-out';
import type { Place } from '@lothub/people/places/place';
import type { FastifyReply } from 'fastify';
import type { App } from '../../http.ts';
import { doneWords, withDone } from '../done.ts';
import { waysIn } from '@lothub/people/pages/ways-in';
import { addForm, refusedForm } from '../forms.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CONSOLE, HUB, LOGIN, LOGOUT, brandPath, localPath } from '../paths.ts';
import { param } from '../params.ts';
import { prepareConsoleReader, sendAlone, type To } from '../send.ts';

const OPEN = { right: 'open' } as const;
const TokenParams = Type.Object({ token: Type.String({ pattern: '^[0-9A-Za-z]{1,100}$' }) });
const LoginQuery = Type.Object({
  next: Type.Optional(Type.String()),
  done: Type.Optional(Type.String()),
});

export function entranceRoutes(app: App, deps: ConsoleDeps): void {
  logInRoutes(app, deps);
  setUpRoutes(app, deps);
  invitationRoutes(app, deps);
}

function logInRoutes(app: App, deps: ConsoleDeps): void {
  const { people } = deps;

  app.get(
    LOGIN,
    { schema: { hide: true, querystring: LoginQuery }, config: OPEN },
    async (request, reply) => {
      const next = localPath(request.query.next);
      if (request.visitor !== null) return await reply.redirect(next, 303);
      const { words } = prepareConsoleReader(request, reply);
      const done = doneWords(request.query.done, words.console);
      return await send(deps, { request, reply }, (options) =>
        loginPage({ ...options, next, done, waysIn: waysIn(people) }),
      );
    },
  );

  app.post(LOGIN, { schema: { hide: true }, config: OPEN }, async (request, reply) => {
    const values = readFormValues(request.body);
    const next = localPath(values['next']);
    try {
      const { email = '', password = '' } = values;
      await logInFrom(people, { request, reply }, { email, password });
      return await reply.redirect(next, 303);
    } catch (error) {
      const reader = prepareConsoleReader(request, reply);
      const refused = refusedForm(error, values, reader);
      if (refused === undefined) throw error;
      const { form, status } = refused;
      const to = { request, reply };
      return await send(
        deps,
        to,
        (options) => loginPage({ ...options, next, form, waysIn: waysIn(people) }),
        status,
      );
    }
  });

  app.post(LOGOUT, { schema: { hide: true }, config: OPEN }, async (request, reply) => {
    let next = withDone(LOGIN, 'logged-out');
    if (request.visitor !== null) {
      const { accountId, via } = request.visitor.person;
      const { tokenHash } = via;
      // A person who logged in through a provider logs out there as well. The address is read before the
      // session ends.
      next = (await logOutPath(people, { prefix: CONSOLE, tokenHash })) ?? next;
      await logOut(people, { accountId, tokenHash });
    }
    people.cookies.clearSession(reply);
    return await reply.redirect(next, 303);
  });
}

function setUpRoutes(app: App, deps: ConsoleDeps): void {
  const { people } = deps;
  const path = `${CONSOLE}/setup/:token`;

  const show = async (to: To, form: FormState, status: number): Promise<FastifyReply> => {
    const token = getToken(to);
    await checkSetupLink(people, token);
    return await send(
      deps,
      to,
      (options) => setUpPage({ ...options, token, form, service: 'hub' }),
      status,
    );
  };

  app.get(path, { schema: { hide: true, params: TokenParams }, config: OPEN }, (request, reply) =>
    show({ request, reply }, EMPTY_FORM, 200),
  );

  addForm(app, {
    path,
    right: 'open',
    params: TokenParams,
    show,
    run: async ({ request, reply }, values) => {
      const loggedIn = await setUp(people, {
        secret: getToken({ request, reply }),
        person: readNewPerson(values),
        browser: readBrowser(people, request),
      });
      letIn(people, reply, loggedIn);
      return await reply.redirect(CONSOLE, 303);
    },
  });
}

function invitationRoutes(app: App, deps: ConsoleDeps): void {
  const { people } = deps;
  const path = `${CONSOLE}/invitation/:token`;

  const show = async (to: To, form: FormState, status: number): Promise<FastifyReply> => {
    const invited = await readInvited(deps, getToken(to));
    const { visitor } = to.request;
    return await send(
      deps,
      to,
      (options) =>
        visitor === null
          ? invitationPage({ ...options, invited, form, waysIn: waysIn(people) })
          : joinPage({ ...options, invited, form, name: visitor.person.name }),
      status,
    );
  };

  app.get(path, { schema: { hide: true, params: TokenParams }, config: OPEN }, (request, reply) =>
    show({ request, reply }, EMPTY_FORM, 200),
  );

  addForm(app, {
    path,
    right: 'open',
    params: TokenParams,
    show,
    refusals: ({ invitations }) => ({
      conflict: invitations.conflict,
      limit_reached: invitations.full,
    }),
    run: async ({ request, reply }, values) => {
      const { visitor } = request;
      const { place, loggedIn } = await acceptInvitation(people, {
        secret: getToken({ request, reply }),
        as:
          visitor === null
            ? { kind: 'new', person: readNewPerson(values), browser: readBrowser(people, request) }
            : { kind: 'known', person: visitor.person },
      });
      if (loggedIn !== undefined) letIn(people, reply, loggedIn);
      return await reply.redirect(buildPlacePath(place), 303);
    },
  });
}

/**
 * Builds the path that an invitation leads to. The page of a group is one of the other service, at the same
 * origin.
 */
function buildPlacePath(place: Place): string {
  switch (place.kind) {
    case 'brand':
      return brandPath(place.id);
    case 'hub':
      return HUB;
    case 'group':
      return `/inbox/groups/${place.id}`;
  }
}

/** @throws PeopleProblem `not_found`, `link_used_up` */
async function readInvited({ people }: ConsoleDeps, token: string): Promise<Invited> {
  const { place, placeName, role, invitedBy, email } = await viewInvitation(people, token);
  return { token, place: place.kind === 'hub' ? null : placeName, role, invitedBy, email };
}

/** The secret in the address. */
function getToken(to: To): string {
  return present(param(to, 'token'), 'the secret in the address of a link');
}

async function send(
  deps: ConsoleDeps,
  to: To,
  buildPage: (options: EntranceOptions) => Parameters<typeof sendAlone>[2],
  status = 200,
): Promise<FastifyReply> {
  const { language } = prepareConsoleReader(to.request, to.reply);
  const page = buildPage({ words: PEOPLE_WORDS[language], prefix: CONSOLE });
  return await sendAlone(deps, to, page, status);
}
