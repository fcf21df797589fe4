// A bakery's lots for tests of the pages on lots and events: flour that came in and was used, bread that was sold,
// a lot with two products, one out of which more went than came in, and hostile, Arabic and very long texts.
import assert from 'node:assert/strict';
import type { Booted } from '../../boot.ts';

export const BAKERY = { 'X-Tenant-Id': 'bakery' };
export const HOSTILE = '<img src=x onerror=alert(1)>"\'&';
export const ARABIC = 'خبز الشعير ١٢٣';
export const LONG = 'L'.repeat(100);

interface Line {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly direction: 'in' | 'out';
  readonly quantity: number;
  readonly unit: string;
  readonly supplier_name?: string;
  readonly supplier_lot_code?: string;
  readonly customer_ref?: string;
  readonly channel?: string;
}

function line(
  lot_code: string,
  product_sku: string,
  direction: 'in' | 'out',
  quantity: number,
  more: Partial<Line> = {},
): Line {
  return { lot_code, product_sku, direction, quantity, unit: 'kg', ...more };
}

/** Posts an event of a tenant, and answers its id. */
export async function post(
  booted: Booted,
  event: Readonly<Record<string, unknown>> & { readonly lines: readonly Line[] },
  headers: Readonly<Record<string, string>> = BAKERY,
): Promise<number> {
  const whole = {
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY-1',
    reference: 'PO-2026-0815',
    ...event,
  };
  const answer = await booted.post('/v1/events', whole, headers);
  assert.equal(answer.status, 201, answer.text);
  return Number(answer.json['id']);
}

export interface Bakery {
  /** Event that received FLOUR-0711: 250.5 kg. */
  readonly received: number;
  /** Event that made BREAD-0302 of FLOUR-0711. */
  readonly baked: number;
  readonly sold: number;
}

export async function fillBakery(booted: Booted): Promise<Bakery> {
  const received = await post(booted, {
    event_type: 'RECEIVE',
    notes: 'dry, sealed',
    lines: [
      line('FLOUR-0711', 'FLOUR-T55', 'in', 250.5, {
        supplier_name: 'Mill Brandt',
        supplier_lot_code: 'BR-2026-118',
      }),
    ],
  });
  const baked = await post(booted, {
    event_type: 'PRODUCE',
    occurred_at: '2026-03-03T04:00:00Z',
    reference: 'WO-77',
    lines: [
      line('FLOUR-0711', 'FLOUR-T55', 'in', 100.2),
      line('BREAD-0302', 'RYE-750', 'out', 130, { unit: 'pcs' }),
    ],
  });
  const sold = await post(booted, {
    event_type: 'SELL',
    occurred_at: '2026-03-04T09:00:00Z',
    location: 'SHOP-3',
    reference: 'INV-9',
    lines: [
      line('BREAD-0302', 'RYE-750', 'out', 140, {
        ...{ unit: 'pcs', customer_ref: 'CUST-4711', channel: 'supermarket' },
      }),
    ],
  });
  await post(booted, {
    event_type: 'PACK',
    reference: 'WO-78',
    lines: [
      line('MIX-1', 'BOX-A', 'out', 12, { unit: 'pcs' }),
      line('MIX-1', 'BOX-B', 'out', 3.25),
      line('FLOUR-0711', 'FLOUR-T55', 'in', 0.05),
    ],
  });
  await post(booted, {
    event_type: 'RECEIVE',
    reference: HOSTILE,
    location: ARABIC,
    notes: LONG.repeat(3),
    lines: [
      line(HOSTILE, ARABIC, 'in', 1, { supplier_name: HOSTILE, supplier_lot_code: LONG }),
      line(LONG, LONG, 'in', 999_999_999_999.125, { unit: 'W'.repeat(20) }),
    ],
  });
  const headers = { 'Content-Type': 'application/json', ...BAKERY };
  const body = JSON.stringify({ names: { de: 'Roggenbrot', en: 'Rye bread' } });
  await booted.call('/v1/products/RYE-750', { method: 'PUT', headers, body });
  return { received, baked, sold };
}

/** A lot of the same code in another brand. */
export async function fillOther(booted: Booted): Promise<number> {
  const headers = { 'X-Tenant-Id': 'dairy' };
  const lines = [line('FLOUR-0711', 'MILK', 'in', 7, { unit: 'l' })];
  return await post(booted, { event_type: 'RECEIVE', reference: 'D-1', lines }, headers);
}
