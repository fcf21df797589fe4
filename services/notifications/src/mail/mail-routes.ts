// One's own mail over HTTP: GET, PUT and DELETE me/mail, POST me/mail/test.
import { Type } from '@lothub/kit/json-schema';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { getSessionPerson } from '../access/gate.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import { getMailSettings, turnMailOff, turnMailOn, type MailDeps } from './mail-settings.ts';
import { MailChangeSchema, MailSettingsSchema, MailTestSchema } from './schema.ts';
import { MAILS_PER_HOUR_MAX, sendTestMail } from './test-mail.ts';

const TAGS = ['People'];
const MAIL = `${API_PREFIX}/me/mail`;

export function mailRoutes(app: App, deps: MailDeps): void {
  app.get(
    MAIL,
    {
      schema: {
        tags: TAGS,
        operationId: 'getMyMail',
        summary: 'How one is sent mail',
        response: { 200: MailSettingsSchema, ...problemAnswers(...SESSION_READ_PROBLEMS) },
      },
    },
    async (request) => await getMailSettings(deps, getSessionPerson(request)),
  );

  app.put(
    MAIL,
    {
      schema: {
        tags: TAGS,
        operationId: 'turnMyMailOn',
        summary: "Be sent mail, to the account's e-mail",
        description:
          'Of notifications that are posted from then on into groups that one has not muted. Also turns ' +
          'on again what was disabled.',
        body: MailChangeSchema,
        response: {
          200: MailSettingsSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'conflict'),
        },
      },
    },
    async (request) => await turnMailOn(deps, getSessionPerson(request), request.body),
  );

  app.delete(
    MAIL,
    {
      schema: {
        tags: TAGS,
        operationId: 'turnMyMailOff',
        summary: 'Be sent no mail any more; what waits is not sent',
        response: { 204: Type.Null(), ...problemAnswers(...SESSION_WRITE_PROBLEMS) },
      },
    },
    async (request, reply) => {
      await turnMailOff(deps, getSessionPerson(request));
      return await reply.code(204).send();
    },
  );

  app.post(
    `${MAIL}/test`,
    {
      schema: {
        tags: TAGS,
        operationId: 'testMyMail',
        summary: 'Be sent a test mail now',
        description:
          'Answers once the mail server has. It is one of the ' +
          `${MAILS_PER_HOUR_MAX} mails that a person is sent in an hour at most.`,
        response: {
          200: MailTestSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'conflict', 'limit_reached'),
        },
      },
    },
    async (request) => await sendTestMail(deps, getSessionPerson(request)),
  );
}
