// The escalation of a group over HTTP, for its owners: GET, PUT and DELETE groups/{group_id}/escalation.
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../access/gate.ts';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { toActor } from '../access/person.ts';
import { GroupParams } from '../groups/group-schema.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import { getEscalation, removeEscalation, setEscalation, type EscalationDeps } from './rules.ts';
import { EscalationSchema, NewEscalationSchema } from './schema.ts';

const TAGS = ['Groups'];
const ESCALATION = `${API_PREFIX}/groups/:group_id/escalation`;

export function escalationRoutes(app: App, deps: EscalationDeps): void {
  app.get(
    ESCALATION,
    {
      schema: {
        tags: TAGS,
        operationId: 'getEscalation',
        summary: 'Where critical notifications go that nobody acknowledges in time (owners)',
        params: GroupParams,
        response: {
          200: EscalationSchema,
          ...problemAnswers(...SESSION_READ_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request) =>
      await getEscalation(deps, {
        actor: toActor(getPerson(request)),
        groupId: request.params.group_id,
      }),
  );

  app.put(
    ESCALATION,
    {
      schema: {
        tags: TAGS,
        operationId: 'setEscalation',
        summary: 'Say where critical notifications go that nobody acknowledges in time (owners)',
        description:
          'To people of the group, on all of their active devices and by mail, whatever they have muted; ' +
          'as a post into another group; or both. Each once. It is about what comes after the rule was ' +
          'first set. A way that leads back to the group is a 409 `conflict`.',
        params: GroupParams,
        body: NewEscalationSchema,
        response: {
          200: EscalationSchema,
          ...problemAnswers(
            ...SESSION_WRITE_PROBLEMS,
            'not_found',
            'owner_only',
            'conflict',
            'limit_reached',
          ),
        },
      },
    },
    async (request) => {
      const { after_minutes: afterMinutes, people = [], to_group_id: toGroupId } = request.body;
      return await setEscalation(
        deps,
        { actor: toActor(getPerson(request)), groupId: request.params.group_id },
        { afterMinutes, people, toGroupId: toGroupId ?? null },
      );
    },
  );

  app.delete(
    ESCALATION,
    {
      schema: {
        tags: TAGS,
        operationId: 'removeEscalation',
        summary: 'Escalate nothing any more (owners)',
        params: GroupParams,
        response: {
          204: Type.Null({ description: 'Removed' }),
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request, reply) => {
      await removeEscalation(deps, {
        actor: toActor(getPerson(request)),
        groupId: request.params.group_id,
      });
      return await reply.code(204).send();
    },
  );
}
