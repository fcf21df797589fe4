// A person's own account: name, password, sessions, all data as a file, erasure.
import { EMPTY_FORM, said, type FormState } from '@lothub/design/desk-parts';
import { html } from '@lothub/kit/html';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  listSessions,
  renamePerson,
} from '@lothub/people/accounts/account';
import { SessionParams } from '@lothub/people/accounts/schema';
import {
  eraseSection,
  exportSection,
  nameSection,
  passwordSection,
  sessionsSection,
} from '@lothub/people/pages/account-sections';
import { eraseOwn, sendOwnExport } from '@lothub/people/pages/own-departure';
import { toActor } from '@lothub/people/access/person';
import { takeRole } from '@lothub/people/brands/grants';
import { PEOPLE_WORDS } from '@lothub/people/pages/words';
import type { FastifyReply } from 'fastify';
import type { App } from '../../http.ts';
import { time } from '../../web/fragments.ts';
import { getVisitor } from '../access.ts';
import type { ConsoleDeps } from '../deps.ts';
import { doneWords, withDone } from '../done.ts';
import { addForm } from '../forms.ts';
import { headed } from '../frame.ts';
import { param } from '../params.ts';
import { BRAND_PARAM } from '../brand/brand.ts';
import { namesOfBrands } from '../queries.ts';
import { brandsSection, type OwnBrand } from './brands-section.ts';
import { LOGIN, ME } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';

const DoneQuery = Type.Object({ done: Type.Optional(Type.String()) });

/** Content of the page that is not stored. */
interface Changes {
  readonly nameForm?: FormState;
  readonly passwordForm?: FormState;
  readonly eraseForm?: FormState;
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
}

export function meRoutes(app: App, deps: ConsoleDeps): void {
  const { people } = deps;
  const show = (to: To, changes: Changes, status: number) => sendMe(deps, to, changes, status);

  app.get(
    ME,
    { schema: { hide: true, querystring: DoneQuery }, config: { right: 'own' } },
    async (request, reply) => {
      const { words } = prepareConsoleReader(request, reply);
      return await show(
        { request, reply },
        { done: doneWords(request.query.done, words.console) },
        200,
      );
    },
  );

  addForm(app, {
    path: ME,
    right: 'own',
    show: (to, nameForm, status) => show(to, { nameForm }, status),
    run: async ({ request, reply }, values) => {
      await renamePerson(people, getVisitor(request).person, values['name'] ?? '');
      return await reply.redirect(withDone(ME, 'name-saved'), 303);
    },
  });

  addForm(app, {
    path: `${ME}/password`,
    right: 'own',
    show: (to, form, status) => {
      // In the form that changes the password, only the log-in with the old password can fail.
      if (status !== WRONG_PASSWORD) return show(to, { passwordForm: form }, status);
      const { notYourPassword } =
        PEOPLE_WORDS[prepareConsoleReader(to.request, to.reply).language].account;
      const passwordForm = {
        ...form,
        problem: undefined,
        errors: { old_password: notYourPassword },
      };
      return show(to, { passwordForm }, status);
    },
    run: async ({ request, reply }, values) => {
      const mark = await changePassword(people, getVisitor(request).person, {
        oldPassword: values['old_password'] ?? '',
        newPassword: values['new_password'] ?? '',
      });
      if (mark !== null) people.cookies.setBrowser(reply, mark);
      return await reply.redirect(withDone(`${ME}#password`, 'password-saved'), 303);
    },
  });

  departureRoutes(app, deps);
  leavingRoute(app, deps);

  addForm(app, {
    path: `${ME}/sessions/end`,
    right: 'own',
    show: (to, { problem }, status) => show(to, { problem }, status),
    run: async ({ request, reply }) => {
      await endOtherSessions(people, getVisitor(request).person);
      return await reply.redirect(withDone(ME, 'sessions-ended'), 303);
    },
  });

  addForm(app, {
    path: `${ME}/sessions/:session_id/end`,
    right: 'own',
    params: SessionParams,
    show: (to, { problem }, status) => show(to, { problem }, status),
    run: async ({ request, reply }) => {
      const id = present(param({ request }, 'session_id'), 'the id of a session');
      await endOneSession(people, getVisitor(request).person, id);
      return await reply.redirect(withDone(ME, 'session-ended'), 303);
    },
  });
}

/** Leaves one brand, with any role in it. The account and its other brands stay. */
function leavingRoute(app: App, deps: ConsoleDeps): void {
  addForm(app, {
    path: `${ME}/brands/:tenant_id/leave`,
    right: 'own',
    params: Type.Object({ tenant_id: BRAND_PARAM.brand }),
    refusals: ({ me }) => ({ conflict: me.lastManager, not_found: me.notIn }),
    show: (to, { problem }, status) => sendMe(deps, to, { problem }, status),
    run: async (to) => {
      const { person } = getVisitor(to.request);
      const id = present(param(to, 'tenant_id'), 'the brand that somebody leaves');
      const place = { kind: 'brand', id } as const;
      await takeRole(deps.people, toActor(person), { place, accountId: person.accountId });
      return await to.reply.redirect(withDone(ME, 'brand-left'), 303);
    },
  });
}

function departureRoutes(app: App, deps: ConsoleDeps): void {
  const { people } = deps;

  addForm(app, {
    path: `${ME}/export`,
    right: 'own',
    show: (to, { problem }, status) => sendMe(deps, to, { problem }, status),
    run: async ({ request, reply }) => {
      return await sendOwnExport(people, getVisitor(request).person, reply);
    },
  });

  addForm(app, {
    path: `${ME}/erase`,
    right: 'own',
    refusals: ({ me }) => ({ conflict: me.lastOne }),
    show: (to, eraseForm, status) => sendMe(deps, to, { eraseForm }, status),
    run: async (to, values) => {
      const { request, reply } = to;
      const { person } = getVisitor(request);
      const { email } = values;
      if ((await eraseOwn(people, person, { email, reply })) === 'other_email') {
        const { language } = prepareConsoleReader(request, reply);
        const errors = { email: PEOPLE_WORDS[language].account.notYourEmail };
        return await sendMe(deps, to, { eraseForm: { values, errors, problem: undefined } }, 422);
      }
      return await reply.redirect(withDone(LOGIN, 'erased'), 303);
    },
  });
}

/** Status of `login_failed`. */
const WRONG_PASSWORD = 401;

async function sendMe(
  deps: ConsoleDeps,
  to: To,
  changes: Changes,
  status: number,
): Promise<FastifyReply> {
  const { person } = getVisitor(to.request);
  const reader = prepareConsoleReader(to.request, to.reply);
  const { items: sessions } = await listSessions(deps.people, person);
  const options = { words: PEOPLE_WORDS[reader.language], path: ME };
  const { nameForm = EMPTY_FORM, passwordForm = EMPTY_FORM, eraseForm = EMPTY_FORM } = changes;
  const title = reader.words.console.me.title;
  const body = headed({
    heading: title,
    summary: said(person.email),
    done: changes.done,
    problem: changes.problem,
    body: html`${brandsSection(await ownBrands(deps, to), reader)}
    ${nameSection(options, { person, form: nameForm })}
    ${passwordSection(options, { person, form: passwordForm })}
    ${sessionsSection(options, { sessions, time: (instant) => time(instant, reader) })}
    ${exportSection(options)} ${eraseSection(options, { form: eraseForm })}`,
  });
  return await sendFramed(deps, to, { title, path: ME, body }, status);
}

/** Brands of the visitor, in the order of their ids. */
async function ownBrands(deps: ConsoleDeps, { request }: To): Promise<readonly OwnBrand[]> {
  const { brands } = getVisitor(request).rights;
  const names = await namesOfBrands(deps.database, [...brands.keys()]);
  return [...brands].map(([brand, role]) => ({ brand, role, name: names.get(brand) ?? brand }));
}
