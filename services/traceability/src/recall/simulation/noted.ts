// Writes the audit entry of a simulation, which writes nothing else.
import { instantText, type Clock } from '@lothub/kit/clock';
import { insertAuditEntry } from '../../ledger/audit.ts';
import type { Caller } from '../../ledger/draft.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import type { RecallDirection } from '../../terms.ts';
import type { Simulation } from './simulation.ts';

/** @throws DatabaseError as the store's */
export async function noteSimulation(
  { store, clock }: { readonly store: Pick<LedgerStore, 'write'>; readonly clock: Clock },
  noted: {
    readonly tenantId: string;
    readonly caller: Caller;
    readonly direction: RecallDirection;
    readonly simulation: Simulation;
  },
): Promise<void> {
  const { tenantId, caller, direction, simulation } = noted;
  await store.write([
    insertAuditEntry({
      at: instantText(clock.nowMs()),
      tenantId,
      caller,
      action: 'simulate_recall',
      entityType: 'lot',
      entityId: simulation.seed.lotCode,
      blockHeight: simulation.chain.height,
      details: { direction, affected_lots: simulation.affectedLots.length },
    }),
  ]);
}
