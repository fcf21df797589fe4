// Invitations over HTTP: GET and POST groups/{group_id}/invitations, DELETE of one of them, and POST
// invitations/accept for a person who has a link.
import { Type } from '@lothub/kit/json-schema';
import { INVITATIONS_MAX } from '@lothub/people/invitations/invitations';
import {
  ENTRANCE_PROBLEMS,
  SESSION_READ_PROBLEMS,
  SESSION_WRITE_PROBLEMS,
} from '../../access/gate-problems.ts';
import { findPerson, getPerson } from '../../access/gate.ts';
import { Problem } from '../../errors.ts';
import { API_PREFIX, PAGE_DEFAULT, problemAnswers, type App } from '../../http.ts';
import {
  letIn,
  personAnswer,
  readBrowser,
  refuseOtherSites,
} from '@lothub/people/accounts/entrance';
import type { EntranceDeps } from '../deps.ts';
import {
  AcceptanceAnswerSchema,
  AcceptanceSchema,
  InvitationListQuery,
  InvitationListSchema,
  InvitationParams,
  InvitedGroupParams,
  MadeInvitationSchema,
  NewInvitationSchema,
} from './schema.ts';
import {
  acceptGroupInvitation,
  inviteIntoGroup,
  listGroupInvitations,
  withdrawGroupInvitation,
} from './invitations.ts';

const TAGS = ['People'];

/** Behind `personGate`. */
export function invitationRoutes(app: App, deps: EntranceDeps): void {
  app.get(
    `${API_PREFIX}/groups/:group_id/invitations`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listInvitations',
        summary: 'The open invitations of a group, the oldest first, without their links (owners)',
        params: InvitedGroupParams,
        querystring: InvitationListQuery,
        response: {
          200: InvitationListSchema,
          ...problemAnswers(...SESSION_READ_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request) => {
      const { after, limit } = request.query;
      const { group_id: groupId } = request.params;
      const page = { groupId, after, limit: limit ?? PAGE_DEFAULT };
      return await listGroupInvitations(deps, getPerson(request), page);
    },
  );

  app.post(
    `${API_PREFIX}/groups/:group_id/invitations`,
    {
      schema: {
        tags: TAGS,
        operationId: 'makeInvitation',
        summary: 'Invite somebody into a group; the link is shown this once (owners)',
        description:
          'The link is good for one person and 7 days, as long as its maker owns the group. At ' +
          `most ${INVITATIONS_MAX} are open at a time.`,
        params: InvitedGroupParams,
        body: NewInvitationSchema,
        response: {
          201: MadeInvitationSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only', 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { role, email } = request.body;
      const made = await inviteIntoGroup(deps, getPerson(request), {
        groupId: request.params.group_id,
        role: role ?? 'member',
        email: email ?? null,
      });
      return await reply.code(201).send(made);
    },
  );

  app.delete(
    `${API_PREFIX}/groups/:group_id/invitations/:invitation_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an open invitation (owners)',
        params: InvitationParams,
        response: {
          204: Type.Null(),
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request, reply) => {
      const { group_id: groupId, invitation_id: id } = request.params;
      await withdrawGroupInvitation(deps, getPerson(request), { groupId, id });
      return await reply.code(204).send();
    },
  );
}

/** Routes for everybody who has a link, with or without a session. */
export function acceptanceRoutes(app: App, deps: EntranceDeps): void {
  app.post(
    `${API_PREFIX}/invitations/accept`,
    {
      onRequest: refuseOtherSites(deps.people, 'json'),
      schema: {
        tags: TAGS,
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation, as a new person or as who is logged in',
        description:
          'With `person` it makes an account and logs it in; without, it takes a session. Used ' +
          'links answer 410 `link_used_up`.',
        body: AcceptanceSchema,
        response: {
          201: AcceptanceAnswerSchema,
          ...problemAnswers(
            ...ENTRANCE_PROBLEMS,
            'login_required',
            'wrong_scope',
            'not_found',
            'link_used_up',
            'conflict',
            'limit_reached',
          ),
        },
      },
    },
    async (request, reply) => {
      const { token: secret, person: newPerson } = request.body;
      const as =
        newPerson === undefined
          ? ({ kind: 'known', person: await loggedInPerson(deps, request) } as const)
          : ({
              kind: 'new',
              person: newPerson,
              browser: readBrowser(deps.people, request),
            } as const);
      const accepted = await acceptGroupInvitation(deps, { secret, as });
      if (accepted.loggedIn !== undefined) letIn(deps.people, reply, accepted.loggedIn);
      return await reply.code(201).send({
        group_id: accepted.groupId,
        role: accepted.role,
        person: personAnswer(accepted.person),
      });
    },
  );
}

/** @throws Problem `login_required`, `wrong_scope` */
async function loggedInPerson(deps: EntranceDeps, request: Parameters<typeof findPerson>[1]) {
  const person = await findPerson(deps, request);
  if (person === undefined) {
    throw new Problem('login_required', 'Log in first, or send who is to have an account');
  }
  if (person.via.kind === 'token') {
    throw new Problem('wrong_scope', 'A read token only reads: log in for this');
  }
  return person;
}
