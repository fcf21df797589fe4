// A bakery with a flour that went into 10,000 lots, over three steps, with rework that leads back: what pages of
// genealogies are tested on.
import type { Answer, Booted } from '../../boot.ts';

export const BRAND = 'bakery';
/** Doughs of one flour, and breads of one dough. */
const DOUGHS = 20;
const BREADS = 500;
const BREADS_PER_EVENT = 10;
const PRODUCTS = ['BREAD-500', 'BREAD-750', 'ROLL', 'BAGUETTE', 'CIABATTA'] as const;
const EVENTS_PER_BATCH = 250;

interface Line {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly direction: 'in' | 'out';
  readonly supplier_name?: string;
  readonly supplier_lot_code?: string;
}

function event(event_type: string, reference: string, lines: readonly Line[]) {
  return {
    ...{ event_type, reference, location: 'BAKERY-1', occurred_at: '2026-03-02T06:15:00Z' },
    lines: lines.map((line) => ({ quantity: 10, unit: 'kg', ...line })),
  };
}

function line(direction: Line['direction'], lot_code: string, product_sku: string): Line {
  return { lot_code, product_sku, direction };
}

/** How the code of a bread is written: `B-01-0007`. */
export function breadCode(dough: number, bread: number): string {
  return `B-${String(dough).padStart(2, '0')}-${String(bread).padStart(4, '0')}`;
}

function* events(doughs: number) {
  const delivered = { supplier_name: 'Mill Brandt', supplier_lot_code: 'BR-118' };
  yield event('RECEIVE', 'PO-1', [{ ...line('in', 'FLOUR-1', 'FLOUR'), ...delivered }]);
  yield event('RECEIVE', 'PO-2', [line('in', 'YEAST-1', 'YEAST')]);
  for (let dough = 1; dough <= doughs; dough += 1) {
    const code = `DOUGH-${dough}`;
    yield event('PRODUCE', `WO-${dough}`, [
      line('in', 'FLOUR-1', 'FLOUR'),
      line('in', 'YEAST-1', 'YEAST'),
      line('out', code, 'DOUGH'),
    ]);
    for (let first = 1; first <= BREADS; first += BREADS_PER_EVENT) {
      const product = PRODUCTS[((first / BREADS_PER_EVENT) | 0) % PRODUCTS.length] ?? PRODUCTS[0];
      const breads = Array.from({ length: BREADS_PER_EVENT }, (_, index) =>
        line('out', breadCode(dough, first + index), product),
      );
      yield event('PRODUCE', `WO-${dough}-${first}`, [line('in', code, 'DOUGH'), ...breads]);
    }
  }
  yield event('PRODUCE', 'RW-1', [
    line('in', breadCode(1, 1), 'BREAD-500'),
    line('out', 'CRUMBS-1', 'CRUMBS'),
  ]);
  yield event('PRODUCE', 'RW-2', [
    line('in', 'CRUMBS-1', 'CRUMBS'),
    line('out', 'DOUGH-1', 'DOUGH'),
  ]);
}

/** Records all of it; DOUGH-2 is on hold, and the last bread of DOUGH-1 recalled. */
export async function fillBakery(booted: Booted, doughs = DOUGHS): Promise<void> {
  const headers = { 'X-Tenant-Id': BRAND };
  const send = async (path: string, body: unknown, method = 'POST'): Promise<Answer> => {
    const answer = await booted.call(path, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const all = [...events(doughs)];
  for (let first = 0; first < all.length; first += EVENTS_PER_BATCH) {
    await send('/v1/events/batch', all.slice(first, first + EVENTS_PER_BATCH));
  }
  await send('/v1/lots/DOUGH-2/hold', { reason: 'Sticky', by: 'Ada' });
  const opened = await send('/v1/recall/cases', {
    ...{ seed_lot_code: breadCode(1, BREADS), direction: 'downstream', title: 'Metal in bread' },
    ...{ reason: 'A sieve broke', opened_by: 'Ada', auto_hold: false },
  });
  const path = `/v1/recall/cases/${String(opened.json['case_no'])}/status`;
  await send(path, { status: 'notification', by: 'Ada' }, 'PATCH');
}
