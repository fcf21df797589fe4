// Keys of a group over HTTP, for its owners: GET and POST groups/{group_id}/keys, PATCH, DELETE and
// rotating of one of them.
import { Type } from '@lothub/kit/json-schema';
import type { FastifyRequest } from 'fastify';
import { getPerson } from '../access/gate.ts';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { toActor } from '../access/person.ts';
import { API_PREFIX, PAGE_DEFAULT, optionalBody, problemAnswers, type App } from '../http.ts';
import { OVERLAP_HOURS } from './key-limits.ts';
import {
  IssuedKeySchema,
  KeyChangeSchema,
  KeyGroupParams,
  KeyListQuery,
  KeyListSchema,
  KeyParams,
  KeyRotationSchema,
  KeySchema,
  NewKeySchema,
} from './key-schema.ts';
import { changeKey, issueKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import type { IssuedKey, KeyDeps, OwnedKey } from './keys.ts';
import { writeConfiguration } from '../adapters/configuration.ts';

const TAGS = ['Keys'];

const WRITE_PROBLEMS = [...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only'] as const;

export interface KeyRouteDeps extends KeyDeps {
  /** As programs reach the service. */
  readonly publicUrl: string;
}

export function keyRoutes(app: App, deps: KeyRouteDeps): void {
  const configured = (issued: IssuedKey): IssuedKey => {
    const { adapter, id, key: token } = issued;
    if (adapter === undefined) return issued;
    return { ...issued, configuration: writeConfiguration(adapter, { id, token }, deps.publicUrl) };
  };

  app.get(
    `${API_PREFIX}/groups/:group_id/keys`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listKeys',
        summary: 'The keys of a group, the newest first, without the keys themselves (owners)',
        params: KeyGroupParams,
        querystring: KeyListQuery,
        response: {
          200: KeyListSchema,
          ...problemAnswers(...SESSION_READ_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request) => {
      const { after, limit } = request.query;
      return await listKeys(deps, {
        actor: toActor(getPerson(request)),
        groupId: request.params.group_id,
        after,
        limit: limit ?? PAGE_DEFAULT,
      });
    },
  );

  app.post(
    `${API_PREFIX}/groups/:group_id/keys`,
    {
      schema: {
        tags: TAGS,
        operationId: 'issueKey',
        summary: 'Issue a key; it is shown this once (owners)',
        params: KeyGroupParams,
        body: NewKeySchema,
        response: { 201: IssuedKeySchema, ...problemAnswers(...WRITE_PROBLEMS, 'limit_reached') },
      },
    },
    async (request, reply) => {
      const owned = { actor: toActor(getPerson(request)), groupId: request.params.group_id };
      const { name, expires_at: expiresAt, adapter } = request.body;
      const issued = await issueKey(deps, owned, { name, expiresAt: expiresAt ?? null, adapter });
      return await reply.code(201).header('Cache-Control', 'no-store').send(configured(issued));
    },
  );

  app.patch(
    `${API_PREFIX}/groups/:group_id/keys/:key_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'changeKey',
        summary: 'Name a key, or move its end (owners)',
        description: 'What is not given stays. A key that has ended stays so: 409 `conflict`.',
        params: KeyParams,
        body: KeyChangeSchema,
        response: { 200: KeySchema, ...problemAnswers(...WRITE_PROBLEMS, 'conflict') },
      },
    },
    async (request) => {
      const { name, expires_at: expiresAt } = request.body;
      return await changeKey(deps, ownedKey(request, request.params), { name, expiresAt });
    },
  );

  app.post(
    `${API_PREFIX}/groups/:group_id/keys/:key_id/rotate`,
    {
      schema: {
        tags: TAGS,
        operationId: 'rotateKey',
        summary: 'Issue a key in place of another; it is shown this once (owners)',
        description:
          'Both are good for `overlap_hours`. The new key has the name of the old one, and lives ' +
          'as long as that one was to live.',
        params: KeyParams,
        body: optionalBody(KeyRotationSchema),
        response: {
          201: IssuedKeySchema,
          ...problemAnswers(...WRITE_PROBLEMS, 'conflict', 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const overlapHours = request.body?.overlap_hours ?? OVERLAP_HOURS.default;
      const owned = ownedKey(request, request.params);
      const { issued } = await rotateKey(deps, { ...owned, overlapHours });
      return await reply.code(201).header('Cache-Control', 'no-store').send(configured(issued));
    },
  );

  app.delete(
    `${API_PREFIX}/groups/:group_id/keys/:key_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'revokeKey',
        summary: 'Revoke a key: it is refused within a second (owners)',
        params: KeyParams,
        response: {
          204: Type.Null({ description: 'Revoked, now or before' }),
          ...problemAnswers(...WRITE_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      await revokeKey(deps, ownedKey(request, request.params));
      return await reply.code(204).send();
    },
  );
}

function ownedKey(
  request: FastifyRequest,
  params: { readonly group_id: string; readonly key_id: string },
): OwnedKey {
  return {
    actor: toActor(getPerson(request)),
    groupId: params.group_id,
    keyId: params.key_id,
  };
}
