// A person's own settings on pages: name, password, sessions, read tokens.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { getPerson, getSessionPerson } from '../../access/gate.ts';
import { PeopleProblem } from '@lothub/people/errors';
import { PAGES_PREFIX, type App } from '../../http.ts';
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  listSessions,
  renamePerson,
} from '@lothub/people/accounts/account';
import { PasswordChangeSchema } from '@lothub/people/accounts/schema';
import { eraseOwn, sendOwnExport } from '@lothub/people/pages/own-departure';
import { PEOPLE_WORDS } from '@lothub/people/pages/words';
import { getMailSettings } from '../../mail/mail-settings.ts';
import { NewTokenSchema } from '../../people/tokens/schema.ts';
import { issueToken, listTokens, revokeOneToken } from '../../people/tokens/tokens.ts';
import { listDevices } from '../../devices/devices.ts';
import { readReach } from '../../devices/preferences.ts';
import { doneWords, withDone } from '../done.ts';
import { checked, endOfDay, readFormValues, refusedForm, type FormValues } from '../forms.ts';
import { EMPTY_FORM, type FormState } from '../fragments.ts';
import { mePage, type MeView } from './me-page.ts';
import { sendFramed, type WebDeps } from '../web-deps.ts';

const ME = `${PAGES_PREFIX}/me`;
const LOGIN = `${PAGES_PREFIX}/login`;
const NOT_YOUR_EMAIL = PEOPLE_WORDS.en.account.notYourEmail;

const checkPasswords = compileValueSchema<{ old_password: string; new_password: string }>(
  PasswordChangeSchema,
);
const checkNewToken = compileValueSchema<{ name: string; expires_at: string | null }>(
  NewTokenSchema,
);

export function mePageRoutes(app: App, deps: WebDeps): void {
  const hide = { hide: true };

  app.get(
    ME,
    { schema: { ...hide, querystring: Type.Object({ done: Type.Optional(Type.String()) }) } },
    async (request, reply) =>
      sendMe(deps, { request, reply }, { done: doneWords(request.query.done) }),
  );

  app.post(ME, { schema: hide }, async (request, reply) => {
    const values = readFormValues(request.body);
    try {
      await renamePerson(deps.people, getSessionPerson(request), values['name'] ?? '');
      return await reply.redirect(withDone(ME, 'name-saved'), 303);
    } catch (error) {
      return await refuse(deps, { request, reply }, values, error, (nameForm) => ({ nameForm }));
    }
  });

  app.post(`${ME}/password`, { schema: hide }, async (request, reply) => {
    const values = readFormValues(request.body);
    try {
      const asked = checked(checkPasswords, {
        old_password: values['old_password'] ?? '',
        new_password: values['new_password'] ?? '',
      });
      const mark = await changePassword(deps.people, getSessionPerson(request), {
        oldPassword: asked.old_password,
        newPassword: asked.new_password,
      });
      if (mark !== null) deps.people.cookies.setBrowser(reply, mark);
      return await reply.redirect(withDone(ME, 'password-saved'), 303);
    } catch (error) {
      return await refuse(deps, { request, reply }, values, error, (form) => ({
        passwordForm: isWrongOldPassword(error)
          ? { ...form, problem: undefined, errors: { old_password: 'This is not your password.' } }
          : form,
      }));
    }
  });

  app.post(`${ME}/sessions/end`, { schema: hide }, async (request, reply) => {
    await endOtherSessions(deps.people, getSessionPerson(request));
    return await reply.redirect(withDone(ME, 'sessions-ended'), 303);
  });

  app.post(
    `${ME}/sessions/:session_id/end`,
    { schema: { ...hide, params: Type.Object({ session_id: Type.String() }) } },
    async (request, reply) => {
      await endOneSession(deps.people, getSessionPerson(request), request.params.session_id);
      return await reply.redirect(withDone(ME, 'session-ended'), 303);
    },
  );

  app.post(`${ME}/tokens`, { schema: hide }, async (request, reply) => {
    const values = readFormValues(request.body);
    try {
      const asked = checked(checkNewToken, {
        name: values['name'] ?? '',
        expires_at: endOfDay(values['expires_at']) ?? null,
      });
      const issued = await issueToken(deps, getPerson(request), {
        name: asked.name,
        expiresAt: asked.expires_at,
      });
      // No redirect: only this answer contains the token.
      return await sendMe(deps, { request, reply }, { issued });
    } catch (error) {
      return await refuse(deps, { request, reply }, values, error, (tokenForm) => ({ tokenForm }));
    }
  });

  app.post(
    `${ME}/tokens/:token_id/revoke`,
    { schema: { ...hide, params: Type.Object({ token_id: Type.String() }) } },
    async (request, reply) => {
      await revokeOneToken(deps, getPerson(request), request.params.token_id);
      return await reply.redirect(withDone(ME, 'token-revoked'), 303);
    },
  );
  departureRoutes(app, deps);
}

/** All that is kept of a person as a file, and the end of the account. */
function departureRoutes(app: App, deps: WebDeps): void {
  const { people } = deps;

  app.post(`${ME}/export`, { schema: { hide: true } }, async (request, reply) =>
    sendOwnExport(people, getSessionPerson(request), reply),
  );

  app.post(`${ME}/erase`, { schema: { hide: true } }, async (request, reply) => {
    const values = readFormValues(request.body);
    const { email } = values;
    try {
      const outcome = await eraseOwn(people, getSessionPerson(request), { email, reply });
      if (outcome === 'erased') return await reply.redirect(withDone(LOGIN, 'erased'), 303);
      const eraseForm = { values, errors: { email: NOT_YOUR_EMAIL }, problem: undefined };
      return await sendMe(deps, { request, reply }, { eraseForm }, 422);
    } catch (error) {
      return await refuse(deps, { request, reply }, values, error, (eraseForm) => ({ eraseForm }));
    }
  });
}

function isWrongOldPassword(error: unknown): boolean {
  return error instanceof PeopleProblem && error.code === 'login_failed';
}

export interface To {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export async function refuse(
  deps: WebDeps,
  to: To,
  values: FormValues,
  error: unknown,
  buildChanges: (form: FormState) => Partial<MeView>,
): Promise<FastifyReply> {
  const refused = refusedForm(error, values);
  if (refused === undefined) throw error;
  return await sendMe(deps, to, buildChanges(refused.form), refused.status);
}

export async function sendMe(
  deps: WebDeps,
  to: To,
  changes: Partial<MeView>,
  status = 200,
): Promise<FastifyReply> {
  const person = getSessionPerson(to.request);
  const sessions = await listSessions(deps.people, person);
  const tokens = await listTokens(deps, person);
  const devices = await listDevices(deps, person);
  const reach = await readReach(deps.store.reader, person.accountId);
  const page = mePage({
    person,
    sessions: sessions.items,
    tokens: tokens.items,
    nameForm: EMPTY_FORM,
    passwordForm: EMPTY_FORM,
    tokenForm: EMPTY_FORM,
    eraseForm: EMPTY_FORM,
    reach: { ...reach, devices: devices.items, pushKey: deps.pushKey, form: EMPTY_FORM },
    mail: await getMailSettings(deps.mail, person),
    mailForm: EMPTY_FORM,
    issued: undefined,
    publicUrl: deps.people.publicUrl,
    done: undefined,
    problem: undefined,
    ...changes,
  });
  return await sendFramed(deps, to, page, { status });
}
