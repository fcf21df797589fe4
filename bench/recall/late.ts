// Events that come after a case was opened: how long it takes from the 201 until the lot that an event
// brought into the case is on hold, and until its public verification shows the notice.
import { setTimeout } from 'node:timers/promises';
import type { ServiceChild } from '../kit/child.ts';
import { TENANT } from '../kit/hub.ts';
import { listAt, valueAt } from '../kit/json-answer.ts';
import { summarizeLatencies, type Latencies } from '../kit/load.ts';
import { sendJson } from './cases.ts';
import type { SupplyModel } from '../supply/model.ts';

const POLL_MS = 5;
/** A lot that is not held by then never will be. */
const HELD_MAX_MS = 120_000;
/** Between two rounds up to so much, so that they fall anywhere into the turns of who follows. */
const PAUSE_MAX_MS = 250;

export interface LateEvents {
  readonly post: Latencies;
  readonly held: Latencies & { readonly maxMs: number };
  readonly noticed: Latencies & { readonly maxMs: number };
}

const CUSTOMERS = 1_000;

let eventsMade = 0;

/** @param options.lots of which nothing can be made that no case covers; taken in turn */
export async function measureLateEvents(options: {
  readonly service: ServiceChild;
  readonly model: SupplyModel;
  readonly lots: readonly number[];
  readonly rounds: number;
}): Promise<LateEvents> {
  const waits: { post: number; held: number; noticed: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const lot = options.lots[round % options.lots.length];
    if (lot === undefined) throw new Error('no case covers a lot');
    waits.push(await measureLateEvent(options.service, options.model, lot));
    await setTimeout(Math.random() * PAUSE_MAX_MS);
  }
  return {
    post: summarizeLatencies(waits.map(({ post }) => post)),
    held: withMax(waits.map(({ held }) => held)),
    noticed: withMax(waits.map(({ noticed }) => noticed)),
  };
}

function withMax(waits: readonly number[]): Latencies & { readonly maxMs: number } {
  return { ...summarizeLatencies(waits), maxMs: Math.max(...waits) };
}

/** The waits in ms; the last two from the 201 on. */
export async function measureLateEvent(
  service: ServiceChild,
  model: SupplyModel,
  lot: number,
): Promise<{ readonly post: number; readonly held: number; readonly noticed: number }> {
  const { lotCode, body } = lateEvent(model, lot);
  const startedAt = performance.now();
  await sendJson(service, { method: 'POST', path: '/v1/events', body });
  const postedAt = performance.now();
  const encoded = encodeURIComponent(lotCode);
  const isHeld = async (): Promise<boolean> => {
    const record = await sendJson(service, { method: 'GET', path: `/v1/lots/${encoded}` });
    return valueAt(record, 'hold_status') === 'on_hold';
  };
  const isNoticed = async (): Promise<boolean> => {
    const path = `/public/verify/${encoded}?brand=${TENANT}`;
    return listAt(await sendJson(service, { method: 'GET', path }), 'notices').length > 0;
  };
  const [held, noticed] = await Promise.all(
    [isHeld, isNoticed].map(async (isSo) => {
      while (!(await isSo())) {
        if (performance.now() - postedAt > HELD_MAX_MS) throw new Error(`${lotCode} is not held`);
        await setTimeout(POLL_MS);
      }
      return performance.now() - postedAt;
    }),
  );
  if (held === undefined || noticed === undefined) throw new Error('a wait was not taken');
  return { post: postedAt - startedAt, held, noticed };
}

/** An event that makes a new lot of one of the hub. */
export function lateEvent(
  model: SupplyModel,
  lot: number,
): { readonly lotCode: string; readonly body: object } {
  eventsMade += 1;
  const lotCode = `LATE-${eventsMade}`;
  return {
    lotCode,
    body: {
      external_id: `late-${eventsMade}`,
      event_type: 'PRODUCE',
      occurred_at: new Date().toISOString(),
      location: 'PLANT-1',
      reference: `WO-LATE-${eventsMade}`,
      lines: [
        {
          lot_code: model.getCode(lot),
          product_sku: model.getSku(lot),
          direction: 'in',
          quantity: 0.25,
          unit: model.getUnit(lot),
        },
        {
          lot_code: lotCode,
          product_sku: 'LATE-PRODUCT',
          direction: 'out',
          quantity: 1,
          unit: 'pcs',
        },
      ],
    },
  };
}

/** An event that sells a little of a lot of the hub. */
export function lateSale(model: SupplyModel, lot: number): object {
  eventsMade += 1;
  return {
    external_id: `late-${eventsMade}`,
    event_type: 'SELL',
    occurred_at: new Date().toISOString(),
    location: 'SHOP-1',
    reference: `INV-LATE-${eventsMade}`,
    lines: [
      {
        lot_code: model.getCode(lot),
        product_sku: model.getSku(lot),
        direction: 'out',
        quantity: 0.25,
        unit: model.getUnit(lot),
        customer_ref: `CUST-LATE-${eventsMade % CUSTOMERS}`,
        channel: 'webshop',
      },
    ],
  };
}
