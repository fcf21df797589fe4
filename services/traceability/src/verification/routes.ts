// GET /public/verify/{lot_code} (docs/interface/traceability.md#verification).
import { Type } from '@lothub/kit/json-schema';
import { BrandQuery, LotCodeParams, NOT_FOUND, PUBLIC_ERRORS, type App } from '../http.ts';
import { VerificationSchema } from './schema.ts';
import { verifyLot, type VerifyDeps } from './verify-lot.ts';

export function verificationRoutes(app: App, deps: VerifyDeps): void {
  app.get(
    '/public/verify/:lot_code',
    {
      schema: {
        tags: ['Public'],
        operationId: 'verifyLot',
        summary: 'Verify a lot',
        description:
          'Re-hashes and re-links every block that concerns the lot, and gives its journey from its ' +
          'ancestors on, with the values that count after corrections. Of a block that does not verify ' +
          'nothing is given. When several brands use the ' +
          'code, the answer is about the one that recorded it first, and the rest are in ' +
          '`other_brands`.',
        params: LotCodeParams,
        querystring: Type.Object({ brand: BrandQuery }),
        response: { 200: VerificationSchema, ...NOT_FOUND, ...PUBLIC_ERRORS },
      },
    },
    async ({ params, query }) => {
      const { answer } = await verifyLot(deps, { lotCode: params.lot_code, brand: query.brand });
      return answer;
    },
  );
}
