// What owners do to notifications and groups over HTTP: POST …/notifications/{seq}/redact, GET …/export, POST …/delete.
import { Readable } from 'node:stream';
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../access/gate.ts';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { toActor } from '../access/person.ts';
import { GroupParams } from '../groups/group-schema.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import { NotificationParams, NotificationSchema } from '../inbox/inbox-schema.ts';
import { getNotification } from '../inbox/list.ts';
import { deleteGroup } from './delete-group.ts';
import { NDJSON, exportGroup } from './export.ts';
import { GroupDeletionSchema } from './schema.ts';
import { redactNotification, type DutyDeps } from './redact.ts';

export function dutyRoutes(app: App, deps: DutyDeps): void {
  app.post(
    `${API_PREFIX}/groups/:group_id/notifications/:seq/redact`,
    {
      schema: {
        tags: ['Groups'],
        operationId: 'redactNotification',
        summary: 'Take the texts of a notification away (owners)',
        description:
          'Title, body, link, `dedup_key` and comments are gone everywhere, also where it was escalated ' +
          'to; deliveries that are still pending are not sent. Its place, severity, sender and time stay. ' +
          'Nothing brings the texts back.',
        params: NotificationParams,
        response: {
          200: NotificationSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request) => {
      const person = getPerson(request);
      const { group_id: groupId, seq } = request.params;
      await redactNotification(deps, { actor: toActor(person), groupId, seq });
      return await getNotification(
        deps.store.reader,
        { accountId: person.accountId, groupId },
        seq,
      );
    },
  );

  app.get(
    `${API_PREFIX}/groups/:group_id/export`,
    {
      schema: {
        tags: ['Groups'],
        operationId: 'exportGroup',
        summary: 'The whole group as lines of JSON, without secrets (owners)',
        description:
          'A line for the group, each member, key, webhook, the escalation, each notification and each entry ' +
          'of the audit; `type` says what it is. The last line has the type `end`: without it the export was ' +
          'cut off, and does not count for a deletion.',
        params: GroupParams,
        response: {
          200: {
            description: 'JSON Lines',
            content: { [NDJSON]: { schema: Type.String() } },
          },
          ...problemAnswers(...SESSION_READ_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request, reply) => {
      const { accountId, name } = getPerson(request);
      const groupId = request.params.group_id;
      const lines = await exportGroup(deps, { actor: { accountId, name }, groupId });
      return await reply
        .type(NDJSON)
        .header('Content-Disposition', `attachment; filename="${groupId}.ndjson"`)
        .send(Readable.from(lines));
    },
  );

  app.post(
    `${API_PREFIX}/groups/:group_id/delete`,
    {
      schema: {
        tags: ['Groups'],
        operationId: 'deleteGroup',
        summary: 'Delete a group for good (owners)',
        description:
          'At once for everybody: its keys are refused, its people are out, nothing is sent any more. What it ' +
          'holds is deleted within minutes. Refused with `conflict` when something came since the last ' +
          'export, unless `without_export` is true. Its id is never given again.',
        params: GroupParams,
        body: GroupDeletionSchema,
        response: {
          204: Type.Null({ description: 'Deleted' }),
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { name, without_export: isUnwanted = false } = request.body;
      await deleteGroup(
        deps,
        { actor: toActor(getPerson(request)), groupId: request.params.group_id },
        { name, isExportWanted: !isUnwanted },
      );
      return await reply.code(204).send();
    },
  );
}
