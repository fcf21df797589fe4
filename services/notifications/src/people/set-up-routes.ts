// The first account over HTTP: POST setup, with the secret of a set-up link.
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import {
  letIn,
  personAnswer,
  readBrowser,
  refuseOtherSites,
} from '@lothub/people/accounts/entrance';
import { ENTRANCE_PROBLEMS } from '../access/gate-problems.ts';
import type { EntranceDeps } from './deps.ts';
import { setUpInbox } from './set-up-inbox.ts';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { Type } from '@lothub/kit/json-schema';
import { NewPersonSchema, PersonSchema, secretText } from '@lothub/people/accounts/schema';

const SetUpSchema = Type.Object(
  {
    token: secretText('The last part of the set-up link', 'Zk3v…8Qa'),
    ...NewPersonSchema.properties,
    group: Type.Optional(nameText('Name of a first group, which the person owns', 'Bakery alarms')),
  },
  { title: 'SetUp', additionalProperties: false },
);

const SetUpAnswerSchema = Type.Object(
  {
    person: PersonSchema,
    group_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The group that was made; null when none was asked for',
    }),
  },
  { title: 'SetUpAnswer' },
);

export function setUpRoutes(app: App, deps: EntranceDeps): void {
  app.post(
    `${API_PREFIX}/setup`,
    {
      onRequest: refuseOtherSites(deps.people, 'json'),
      schema: {
        tags: ['People'],
        operationId: 'setUp',
        summary: 'Make the first account, and log in',
        description:
          'Only while nobody has an account, with the set-up link that the start of the service ' +
          'or its operator has made.',
        body: SetUpSchema,
        response: {
          201: SetUpAnswerSchema,
          ...problemAnswers(...ENTRANCE_PROBLEMS, 'not_found', 'link_used_up'),
        },
      },
    },
    async (request, reply) => {
      const { token, name, email, password, group } = request.body;
      const { loggedIn, groupId } = await setUpInbox(deps, {
        secret: token,
        person: { name, email, password },
        group,
        browser: readBrowser(deps.people, request),
      });
      letIn(deps.people, reply, loggedIn);
      const person = personAnswer(loggedIn);
      return await reply.code(201).send({ person, group_id: groupId });
    },
  );
}
