// Makes a hub of a given number of blocks through the real append path, in process and without
// HTTP, so that a million blocks take a minute and not ten.
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { SqliteLedgerStore, databaseFile } from '@lothub/traceability/ledger/sqlite/store';
import { prepareEvent } from '@lothub/traceability/events/prepare';
import type { EventInput } from '@lothub/traceability/events/schema';
import type { Caller } from '@lothub/traceability/ledger/draft';
import { benchEvent } from '../events.ts';

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
  await fillHub({
    dataDir: options.dataDir,
    events: benchEvents(options.events, options.series),
    onSlice: (done) => options.onProgress?.(done),
  });
}

function* benchEvents(count: number, series: string): Generator<HubEvent> {
  for (let n = 0; n < count; n += 1) yield { tenantId: TENANT, event: benchEvent(n, series) };
}

/** A hub that no service has open, to be read. */
export function openHub(dataDir: string): SqliteConnection {
  return new SqliteConnection(databaseFile(dataDir), 'read');
}

export interface HubEvent {
  readonly tenantId: string;
  readonly event: EventInput;
}

/** Appends events of any tenants; those of one tenant in their order, a slice at a time. */
export async function fillHub<Event extends HubEvent>(options: {
  readonly dataDir: string;
  readonly events: Iterable<Event>;
  /** Events handed over so far. */
  readonly onSlice?: (done: number) => void;
  readonly onAppended?: (event: Event, height: number) => void;
}): Promise<void> {
  const store = await SqliteLedgerStore.open({
    dataDir: options.dataDir,
    hubName: 'Bench',
    onFatal: (error) => {
      throw error;
    },
  });
  const inFlight: Promise<void>[] = [];
  let done = 0;
  for (const slice of slicesByTenant(options.events)) {
    inFlight.push(appendSlice(store, slice, options.onAppended));
    if (inFlight.length >= SLICES_IN_FLIGHT) await inFlight.shift();
    done += slice.length;
    options.onSlice?.(done);
  }
  await Promise.all(inFlight);
  await store.close();
}

function* slicesByTenant<Event extends HubEvent>(
  events: Iterable<Event>,
): Generator<readonly Event[]> {
  const waiting = new Map<string, Event[]>();
  for (const event of events) {
    const slice = waiting.get(event.tenantId) ?? [];
    slice.push(event);
    waiting.set(event.tenantId, slice);
    if (slice.length < SLICE_EVENTS) continue;
    waiting.delete(event.tenantId);
    yield slice;
  }
  yield* waiting.values();
}

async function appendSlice<Event extends HubEvent>(
  store: SqliteLedgerStore,
  slice: readonly Event[],
  onAppended: ((event: Event, height: number) => void) | undefined,
): Promise<void> {
  const { outcomes } = await store.append({
    tenantId: slice[0]?.tenantId ?? TENANT,
    caller: CALLER,
    drafts: slice.map(({ event }) => prepareDraft(event)),
    unit: 'all',
  });
  for (const [index, event] of slice.entries()) {
    const outcome = outcomes[index];
    if (outcome?.kind !== 'appended') throw new Error(`an event of the hub was not appended`);
    onAppended?.(event, outcome.height);
  }
}

export function prepareDraft(event: EventInput) {
  const prepared = prepareEvent(event, {
    root: ['body'],
    nowMs: Date.now(),
    newSalt: () => '0'.repeat(64),
    identity: 'external_id',
  });
  if (prepared.kind === 'invalid') throw new Error(JSON.stringify(prepared.errors));
  return prepared.draft;
}
