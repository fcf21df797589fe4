// Turns a step of a recall into one message for each watch: slice by slice, each in one transaction with how far
// was looked, so a crash repeats no slice and leaves none out, and of two processes at work one comes too late.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import type { Clock } from '@lothub/kit/clock';
import { cutSlices } from '@lothub/kit/in-list';
import { writtenForms } from '../../lots/profiles/gs1.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { insertRecallMessages, type RecallMessageKind } from './delivery-queries.ts';
import {
  concernedLots,
  concernedSkus,
  deleteMessage,
  firstMessage,
  noteLookedThrough,
  skusOfGtins,
  watchesBehind,
  whileLookedThrough,
} from './message-queries.ts';
import type { Concern, MessageRow, WatchingRow } from './message-queries.ts';

/** Watches of one slice: 500 rows take some milliseconds, in which other writers wait. */
const SLICE_ROWS = 500;

export interface FanOutDeps {
  readonly store: Pick<LedgerStore, 'change' | 'reader'>;
  readonly clock: Clock;
}

/**
 * All steps that wait, in the order in which they happened.
 * @param mayGoOn asked before each slice
 */
export async function fanOut(deps: FanOutDeps, mayGoOn: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const message = await firstMessage(deps.store.reader);
    if (message === undefined || !(await mayGoOn())) return;
    await fanOutStep(deps, message, mayGoOn);
  }
}

async function fanOutStep(
  { store, clock }: FanOutDeps,
  first: MessageRow,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  const { reader } = store;
  const skus = new Map(
    (await concernedSkus(reader, first)).map(({ sku, concern }) => [sku, concern]),
  );
  let message = first;
  while (await mayGoOn()) {
    const { tenantId, lookedThrough: after } = message;
    const watching = await watchesBehind(reader, { tenantId, after, limit: SLICE_ROWS });
    const concerns = await findConcerns(reader, message, { watching, skus });
    const concerned = watching.flatMap(
      ({ id }): readonly (readonly [string, RecallMessageKind])[] => {
        const kind = chooseKind(message, concerns.get(id));
        return kind === undefined ? [] : [[id, kind]];
      },
    );
    const last = watching.at(-1);
    const isDone = last === undefined || watching.length < SLICE_ROWS;
    const { kind } = await store.change({
      guard: whileLookedThrough(message),
      statements: [
        ...(concerned.length === 0
          ? []
          : [insertRecallMessages(message, { watches: concerned, at: clock.nowMs() })]),
        isDone ? deleteMessage(message) : noteLookedThrough(message, last.id),
      ],
    });
    // Another process has looked further.
    if (kind === 'stale' || isDone) return;
    message = { ...message, lookedThrough: last.id };
  }
}

/** What the step is to each watch; one that it does not concern is not in the map. */
async function findConcerns(
  reader: DatabaseReader,
  message: MessageRow,
  watched: {
    readonly watching: readonly WatchingRow[];
    readonly skus: ReadonlyMap<string, Concern>;
  },
): Promise<ReadonlyMap<string, Concern>> {
  const { watching, skus } = watched;
  const lots = await readLots(reader, message, listTargets(watching, 'lot'));
  const gtins = await readGtins(reader, message, { gtins: listTargets(watching, 'gtin'), skus });
  const found = { lot: lots, sku: skus, gtin: gtins };
  return new Map(
    watching.flatMap(({ id, kind, target }): readonly (readonly [string, Concern])[] => {
      const concern = found[kind].get(target);
      return concern === undefined ? [] : [[id, concern]];
    }),
  );
}

function listTargets(
  watching: readonly WatchingRow[],
  kind: WatchingRow['kind'],
): readonly string[] {
  return [...new Set(watching.filter((one) => one.kind === kind).map(({ target }) => target))];
}

async function readLots(
  reader: DatabaseReader,
  message: MessageRow,
  lotCodes: readonly string[],
): Promise<ReadonlyMap<string, Concern>> {
  const rows = await askForEach(reader, cutSlices(lotCodes), (one, codes) =>
    concernedLots(one, message, codes),
  );
  return new Map(rows.flat().map(({ lotCode, concern }) => [lotCode, concern]));
}

/** A product may have its GTIN in any form, and several products one. */
async function readGtins(
  reader: DatabaseReader,
  { tenantId }: MessageRow,
  query: { readonly gtins: readonly string[]; readonly skus: ReadonlyMap<string, Concern> },
): Promise<ReadonlyMap<string, Concern>> {
  const whole = new Map(
    query.gtins.flatMap((gtin) => writtenForms(gtin).map((form) => [form, gtin])),
  );
  const rows = await askForEach(reader, cutSlices(whole.keys()), (one, gtins) =>
    skusOfGtins(one, { tenantId, gtins }),
  );
  const found = new Map<string, Concern>();
  for (const { gtin: form, sku } of rows.flat()) {
    const gtin = whole.get(form) ?? form;
    const concern = query.skus.get(sku);
    if (concern !== undefined && found.get(gtin) !== 'entered') found.set(gtin, concern);
  }
  return found;
}

/** Undefined: no message is sent. */
function chooseKind(
  { change, notifiesAll }: MessageRow,
  concern: Concern | undefined,
): RecallMessageKind | undefined {
  if (concern === undefined) return undefined;
  const isOfLots = change === 'edited' || change === 'widened';
  if (isOfLots && concern === 'entered') return 'widened';
  if (concern === 'left') return isOfLots ? 'left' : undefined;
  return notifiesAll === 1 ? change : undefined;
}
