// GET /v1/lots/{lot_code}/genealogy (docs/interface/traceability.md#genealogy).
import { Readable } from 'node:stream';
import type { DatabaseReader } from '@lothub/kit/database';
import { LotCodeParams, NOT_FOUND, V1_ERRORS, V1_SECURITY, type App } from '../../http.ts';
import { noSuchLot } from '../similar-codes.ts';
import { findGenealogy } from './genealogy.ts';
import { genealogyText } from './answer.ts';
import { DEPTH_DEFAULT, GenealogyQuery, GenealogySchema } from './schema.ts';

export function genealogyRoutes(
  app: App,
  { database }: { readonly database: DatabaseReader },
): void {
  app.get(
    '/v1/lots/:lot_code/genealogy',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Lots'],
        operationId: 'getGenealogy',
        summary: 'What a lot was made from, and what was made from it',
        description:
          'Lots are linked by an event that names both, and by the reference that a CONSUME of one ' +
          'and a PRODUCE or PACK of the other share. The code of a supplier’s lot is answered, ' +
          'too, when the tenant has no lot of this code. What is not shown is never left out ' +
          'silently: `truncated` says so and `frontier` says where.',
        security: V1_SECURITY,
        params: LotCodeParams,
        querystring: GenealogyQuery,
        response: { 200: GenealogySchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params, query }, reply) => {
      const asked = { tenantId, lotCode: params.lot_code };
      const depth = query.depth ?? DEPTH_DEFAULT;
      const genealogy = await findGenealogy({ database, ...asked, depth });
      if (genealogy === undefined) throw await noSuchLot(database, asked);
      // A stream is sent as it is made; the schema describes it, and a test compares the two.
      return await reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(genealogyText(genealogy)));
    },
  );
}
