// GET, PUT and DELETE /v1/places/{location}, and their list: what consumers read about a brand's places.
import type { Clock } from '@lothub/kit/clock';
import { cutPage } from '@lothub/kit/rows/cut-page';
import {
  NOT_FOUND,
  PAGE_DEFAULT,
  RULE_BROKEN,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  buildCaller,
} from '../http.ts';
import type { App } from '../http.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { noSuchPlace, placeAnswer, removePlace, setPlace } from './places.ts';
import { countPlaces, findPlace, placesBehind } from './queries.ts';
import {
  PlaceInputSchema,
  PlaceListSchema,
  PlaceParams,
  PlaceSchema,
  ProfileListQuery,
  RemovedSchema,
} from './schema.ts';

export function placeRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly clock: Clock },
): void {
  const { reader } = deps.store;

  app.get(
    '/v1/places',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Brand'],
        operationId: 'listPlaces',
        summary: 'Profiles of places, by location',
        security: V1_SECURITY,
        querystring: ProfileListQuery,
        response: { 200: PlaceListSchema, ...V1_ERRORS },
      },
    },
    async ({ tenantId, query }) => {
      const { after, limit = PAGE_DEFAULT } = query;
      const found = await placesBehind(reader, { tenantId, after, limit: limit + 1 });
      const { rows, last } = cutPage(found, limit);
      return {
        places: rows.map(placeAnswer),
        total: await countPlaces(reader, tenantId),
        next: last?.location ?? null,
      };
    },
  );

  app.get(
    '/v1/places/:location',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Brand'],
        operationId: 'getPlace',
        summary: 'The profile of a place',
        security: V1_SECURITY,
        params: PlaceParams,
        response: { 200: PlaceSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params }) => {
      const found = await findPlace(reader, { tenantId, location: params.location });
      if (found === undefined) throw noSuchPlace();
      return placeAnswer(found);
    },
  );

  app.put(
    '/v1/places/:location',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Brand'],
        operationId: 'setPlace',
        summary: 'Set the profile of a place',
        description:
          'Takes the place of all that was there. A change is sealed in a block; what changes nothing ' +
          'seals nothing. 201: the place had no profile before.',
        security: V1_SECURITY,
        params: PlaceParams,
        body: PlaceInputSchema,
        response: {
          200: PlaceSchema,
          201: PlaceSchema,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const subject = { tenantId, location: params.location, caller: buildCaller(request) };
      const outcome = await setPlace(deps, subject, body);
      const found = await findPlace(reader, subject);
      if (found === undefined) throw noSuchPlace();
      return reply.code(outcome === 'created' ? 201 : 200).send(placeAnswer(found));
    },
  );

  app.delete(
    '/v1/places/:location',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Brand'],
        operationId: 'removePlace',
        summary: 'Remove the profile of a place',
        description: 'The blocks before still say what they said.',
        security: V1_SECURITY,
        params: PlaceParams,
        response: { 200: RemovedSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { tenantId, params } = request;
      const subject = { tenantId, location: params.location, caller: buildCaller(request) };
      const { height, hash } = await removePlace(deps, subject);
      return { removed: true, block_height: height, block_hash: hash };
    },
  );
}
