// Makes a hub of a given number of blocks through the real append path, in process and without
// HTTP, so that a million blocks take a minute and not ten.
import { SqliteLedgerStore } from '@lothub/traceability/ledger/sqlite/store';
import { prepareEvent } from '@lothub/traceability/events/prepare';
import type { EventInput } from '@lothub/traceability/events/schema';
import type { Caller } from '@lothub/traceability/ledger/draft';
import { benchEvent } from './events.ts';

const SLICE_EVENTS = 1_000;
/** Slices on their way at once: one is prepared while another is written. */
const SLICES_IN_FLIGHT = 4;
export const TENANT = 'bench';
const CALLER: Caller = { actor: 'bench', requestId: null };

export async function makeHub(options: {
  readonly dataDir: string;
  readonly events: number;
  readonly series: string;
  readonly onProgress?: (done: number) => void;
}): Promise<void> {
  const store = await SqliteLedgerStore.open({
    dataDir: options.dataDir,
    hubName: 'Bench',
    onFatal: (error) => {
      throw error;
    },
  });
  const inFlight: Promise<unknown>[] = [];
  for (let from = 0; from < options.events; from += SLICE_EVENTS) {
    const count = Math.min(SLICE_EVENTS, options.events - from);
    const drafts = Array.from({ length: count }, (_, index) =>
      draftOf(benchEvent(from + index, options.series)),
    );
    inFlight.push(store.append({ tenantId: TENANT, caller: CALLER, drafts, unit: 'all' }));
    if (inFlight.length >= SLICES_IN_FLIGHT) await inFlight.shift();
    options.onProgress?.(from + count);
  }
  await Promise.all(inFlight);
  await store.close();
}

export function draftOf(event: EventInput) {
  const prepared = prepareEvent(event, {
    root: ['body'],
    nowMs: Date.now(),
    newSalt: () => '0'.repeat(64),
    identity: 'external_id',
  });
  if (prepared.kind === 'invalid') throw new Error(JSON.stringify(prepared.errors));
  return prepared.draft;
}
