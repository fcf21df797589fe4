// The person who asks, over HTTP: GET and PATCH me, PUT me/password, me/sessions and me/tokens.
import { Type } from '@lothub/kit/json-schema';
import {
  SESSION_READ_PROBLEMS,
  SESSION_WRITE_PROBLEMS,
  TOKEN_READ_PROBLEMS,
} from '../access/gate-problems.ts';
import { getPerson, getSessionPerson } from '../access/gate.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  listSessions,
  renamePerson,
} from '@lothub/people/accounts/account';
import { personAnswer } from '@lothub/people/accounts/entrance';
import type { EntranceDeps } from './deps.ts';
import {
  NameChangeSchema,
  PasswordChangeSchema,
  PersonSchema,
  SessionListSchema,
  SessionParams,
} from '@lothub/people/accounts/schema';
import {
  IssuedTokenSchema,
  NewTokenSchema,
  TokenListSchema,
  TokenParams,
} from './tokens/schema.ts';
import { TOKENS_MAX, issueToken, listTokens, revokeOneToken } from './tokens/tokens.ts';

const TAGS = ['People'];

export function meRoutes(app: App, deps: EntranceDeps): void {
  app.get(
    `${API_PREFIX}/me`,
    {
      schema: {
        tags: TAGS,
        operationId: 'getMe',
        summary: 'Who is asking',
        response: { 200: PersonSchema, ...problemAnswers(...TOKEN_READ_PROBLEMS) },
      },
    },
    (request) => personAnswer(getPerson(request)),
  );

  app.patch(
    `${API_PREFIX}/me`,
    {
      schema: {
        tags: TAGS,
        operationId: 'changeMe',
        summary: "Change one's name",
        body: NameChangeSchema,
        response: { 200: PersonSchema, ...problemAnswers(...SESSION_WRITE_PROBLEMS) },
      },
    },
    async (request) =>
      await renamePerson(deps.people, getSessionPerson(request), request.body.name),
  );

  app.put(
    `${API_PREFIX}/me/password`,
    {
      schema: {
        tags: TAGS,
        operationId: 'changePassword',
        summary: "Change one's password; all other sessions end",
        description:
          'Read tokens go on: each is revoked by itself. Wrong old passwords are counted as ' +
          'failed log-ins are.',
        body: PasswordChangeSchema,
        response: {
          204: Type.Null(),
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'login_failed', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { old_password: oldPassword, new_password: newPassword } = request.body;
      const mark = await changePassword(deps.people, getSessionPerson(request), {
        oldPassword,
        newPassword,
      });
      if (mark !== null) deps.people.cookies.setBrowser(reply, mark);
      return await reply.code(204).send();
    },
  );

  app.get(
    `${API_PREFIX}/me/sessions`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listSessions',
        summary: "One's sessions, the newest first",
        response: { 200: SessionListSchema, ...problemAnswers(...SESSION_READ_PROBLEMS) },
      },
    },
    async (request) => await listSessions(deps.people, getSessionPerson(request)),
  );

  app.delete(
    `${API_PREFIX}/me/sessions`,
    {
      schema: {
        tags: TAGS,
        operationId: 'endOtherSessions',
        summary: "End all other sessions of one's own",
        response: { 204: Type.Null(), ...problemAnswers(...SESSION_WRITE_PROBLEMS) },
      },
    },
    async (request, reply) => {
      await endOtherSessions(deps.people, getSessionPerson(request));
      return await reply.code(204).send();
    },
  );

  app.delete(
    `${API_PREFIX}/me/sessions/:session_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'endSession',
        summary: "End a session of one's own",
        params: SessionParams,
        response: { 204: Type.Null(), ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found') },
      },
    },
    async (request, reply) => {
      await endOneSession(deps.people, getSessionPerson(request), request.params.session_id);
      return await reply.code(204).send();
    },
  );

  app.get(
    `${API_PREFIX}/me/tokens`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listTokens',
        summary: "One's read tokens, the newest first, without the tokens themselves",
        response: { 200: TokenListSchema, ...problemAnswers(...SESSION_READ_PROBLEMS) },
      },
    },
    async (request) => await listTokens(deps, getPerson(request)),
  );

  app.post(
    `${API_PREFIX}/me/tokens`,
    {
      schema: {
        tags: TAGS,
        operationId: 'issueToken',
        summary: 'Issue a read token; it is shown this once',
        description:
          'It reads what the person reads (groups, notifications, unread counts, streams), and ' +
          `changes nothing. At most ${TOKENS_MAX} at a time.`,
        body: NewTokenSchema,
        response: {
          201: IssuedTokenSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { name, expires_at: expiresAt } = request.body;
      const values = { name, expiresAt: expiresAt ?? null };
      return await reply.code(201).send(await issueToken(deps, getPerson(request), values));
    },
  );

  app.delete(
    `${API_PREFIX}/me/tokens/:token_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'revokeToken',
        summary: 'Revoke a read token; its streams end within a second',
        params: TokenParams,
        response: { 204: Type.Null(), ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found') },
      },
    },
    async (request, reply) => {
      await revokeOneToken(deps, getPerson(request), request.params.token_id);
      return await reply.code(204).send();
    },
  );
}
