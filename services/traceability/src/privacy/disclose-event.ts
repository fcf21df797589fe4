// Discloses an event, and notes in the audit that it was requested.
import { instantText, type Clock } from '@lothub/kit/clock';
import { insertAuditEntry } from '../ledger/audit.ts';
import type { Caller } from '../ledger/draft.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { disclose, type Disclosure, type DisclosureRequest } from './disclosure.ts';

export interface DiscloseDeps {
  readonly store: Pick<LedgerStore, 'write'>;
  readonly reader: LedgerReader;
  readonly clock: Clock;
}

/** @throws Refusal as `disclose`; DatabaseError as the store's */
export async function discloseEvent(
  { store, reader, clock }: DiscloseDeps,
  request: DisclosureRequest & { readonly caller: Caller },
): Promise<Disclosure> {
  const { tenantId, eventId, line, caller } = request;
  const disclosure = await disclose(reader, { tenantId, eventId, line });
  await store.write([
    insertAuditEntry({
      at: instantText(clock.nowMs()),
      tenantId,
      caller,
      action: 'disclose_line',
      entityType: 'event',
      entityId: String(eventId),
      blockHeight: disclosure.block_height,
      details: { line: line ?? null, openings: disclosure.openings.length },
    }),
  ]);
  return disclosure;
}
