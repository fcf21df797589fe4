// A brand with something of everything that needs somebody: an open case, lots on hold that were moved all the
// same, a lot that is over-issued, an event that was recorded late, a recall of a supplier.
import { aLine, anEvent, type Answer, type Booted } from '../../boot.ts';

const IMPORT_HEADER =
  'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit';

export interface BusyBrand {
  readonly brand: string;
  readonly caseNo: string;
}

/** @param text what the brand writes into its texts: hostile ones, or in other scripts */
export async function makeBusyBrand(
  booted: Booted,
  { brand, text = 'Salmonella found' }: { readonly brand: string; readonly text?: string },
): Promise<BusyBrand> {
  const mill = `${brand}-mill`;
  const now = new Date().toISOString();
  const send = async (
    tenant: string,
    path: string,
    body: unknown,
    method = 'POST',
  ): Promise<Answer> => {
    const answer = await booted.call(path, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Tenant-Id': tenant },
      body: JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  };
  const record = (changes: Readonly<Record<string, unknown>>, tenant = brand): Promise<Answer> =>
    send(tenant, '/v1/events', anEvent({ occurred_at: now, ...changes }));
  const flour = { supplier_name: 'The Mill', supplier_lot_code: 'MILL-1', origin_facility: 'M' };

  await record({ lines: [aLine({ lot_code: 'MILL-1', product_sku: 'WHEAT' })] }, mill);
  await record({ lines: [aLine(flour)] });
  await record({ occurred_at: '2026-03-02T07:15:00+01:00', reference: text, lines: [aLine()] });
  await record({
    event_type: 'PRODUCE',
    reference: 'WO-1',
    lines: [
      aLine({ quantity: 100 }),
      aLine({ lot_code: 'BREAD-1', product_sku: 'BREAD', direction: 'out', quantity: 100 }),
    ],
  });
  const sold = { direction: 'out', lot_code: 'BREAD-1', product_sku: 'BREAD', customer_ref: 'C-1' };
  await record({ event_type: 'SELL', lines: [aLine({ ...sold, quantity: 120 })] });
  await send(brand, '/v1/lots/FLOUR-1/hold', { by: 'Ada', reason: text });
  await record({
    event_type: 'CONSUME',
    lines: [aLine({ quantity: 1 })],
  });
  const opened = await send(brand, '/v1/recall/cases', {
    ...{
      seed_lot_code: 'BREAD-1',
      opened_by: 'Ada',
      title: text,
      reason: text,
      severity: 'class_ii',
    },
    auto_hold: false,
  });
  const caseNo = String(opened.json['case_no']);
  await send(
    brand,
    `/v1/recall/cases/${caseNo}/status`,
    { status: 'notification', note: 'n', changed_by: 'Ada' },
    'PATCH',
  );
  await sendWrongFile(booted, brand);
  await send(brand, '/v1/suppliers/The%20Mill', { brand: mill }, 'PUT');
  const theirs = await send(mill, '/v1/recall/cases', {
    ...{
      seed_lot_code: 'MILL-1',
      opened_by: 'Bo',
      title: 'Mill',
      reason: 'Mill',
      severity: 'class_i',
    },
  });
  const theirNo = String(theirs.json['case_no']);
  await send(
    mill,
    `/v1/recall/cases/${theirNo}/status`,
    { status: 'notification', note: 'n', changed_by: 'Ada' },
    'PATCH',
  );
  return { brand, caseNo };
}

/** A file that holds one row, which is wrong: nothing is stored, and the list of imports says so. */
async function sendWrongFile(booted: Booted, brand: string): Promise<void> {
  const row = 'RECEIVE,2026-03-02T07:15:00Z,BAKERY-1,PO-1,LOT-1,SKU-1,in,much,kg';
  const body = new FormData();
  body.append('file', new Blob([`${IMPORT_HEADER}\n${row}\n`]), 'wrong.csv');
  await booted.call('/v1/import/csv', { method: 'POST', body, headers: { 'X-Tenant-Id': brand } });
}
