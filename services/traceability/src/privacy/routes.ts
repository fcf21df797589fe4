// POST /v1/privacy/erase (service page, section 3).
import type { Clock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets';
import { TOO_LARGE, V1_ERRORS, V1_SECURITY, callerOf } from '../http.ts';
import type { App } from '../http.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { eraseCustomer } from './erase.ts';
import { EraseAnswerSchema, EraseRequestSchema } from './schema.ts';

export interface PrivacyRouteDeps {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly clock: Clock;
}

export function privacyRoutes(app: App, deps: PrivacyRouteDeps): void {
  app.post(
    '/v1/privacy/erase',
    {
      schema: {
        tags: ['Privacy'],
        summary: 'Erase a customer for good',
        description:
          'Deletes the values and salts of every sale that named the customer, as it was sent or ' +
          'through a correction. Every hash still verifies. It cannot be undone. A customer that is ' +
          'not known is answered with zeros; sending it again completes what was interrupted.',
        security: V1_SECURITY,
        body: EraseRequestSchema,
        response: { 200: EraseAnswerSchema, ...TOO_LARGE, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { counts, erasedAt, bytes } = await eraseCustomer(
        { ...deps, newSalt },
        {
          tenantId: request.tenantId,
          customerRef: request.body.customer_ref,
          caller: callerOf(request),
        },
      );
      return { ...counts, erased_at: erasedAt, bytes };
    },
  );
}
