// POST /v1/privacy/erase, GET /v1/events/{id}/disclosure (docs/interface/traceability.md#privacy).
import type { Clock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { NOT_FOUND, TOO_LARGE, V1_ERRORS, V1_SECURITY, buildCaller, type App } from '../http.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { discloseEvent } from './disclose-event.ts';
import { eraseCustomer } from './erase.ts';
import {
  DisclosureParams,
  DisclosureQuery,
  DisclosureSchema,
  EraseAnswerSchema,
  EraseRequestSchema,
} from './schema.ts';

export interface PrivacyRouteDeps {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly clock: Clock;
}

export function privacyRoutes(app: App, deps: PrivacyRouteDeps): void {
  app.post(
    '/v1/privacy/erase',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Privacy'],
        operationId: 'eraseCustomer',
        summary: 'Erase a customer for good',
        description:
          'Deletes the values and salts of every sale that named the customer, as it was sent or ' +
          'through a correction. Every hash still verifies. It cannot be undone. A customer that is ' +
          'not known is answered with zeros; sending it again completes what was interrupted. Notes of ' +
          'sales to others that quote the customer are listed in `quoted_in`: correct them and send ' +
          'the same again, and the text before the correction is erased as well.',
        security: V1_SECURITY,
        body: EraseRequestSchema,
        response: { 200: EraseAnswerSchema, ...TOO_LARGE, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { counts, quotedIn, erasedAt, bytes } = await eraseCustomer(
        { ...deps, newSalt },
        {
          tenantId: request.tenantId,
          customerRef: request.body.customer_ref,
          caller: buildCaller(request),
        },
      );
      return {
        ...counts,
        quoted_in: quotedIn.map((eventId) => ({ event_id: eventId, field: 'notes' })),
        erased_at: erasedAt,
        bytes,
      };
    },
  );

  app.get(
    '/v1/events/:id/disclosure',
    {
      // Salts prove private values to others: more than reading them.
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Privacy'],
        operationId: 'discloseEvent',
        summary: 'Open the private values of an event, to show them to an authority',
        description:
          'Values and salts that open the commitments on the chain, of the event and of its ' +
          'corrections. Whoever is given the answer can check it against the public chain, and learns ' +
          'nothing of other events by it. The audit notes that it was asked for.',
        security: V1_SECURITY,
        params: DisclosureParams,
        querystring: DisclosureQuery,
        response: { 200: DisclosureSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { tenantId } = request;
      const { line } = request.query;
      const eventId = request.params.id;
      return await discloseEvent(deps, { tenantId, eventId, line, caller: buildCaller(request) });
    },
  );
}
