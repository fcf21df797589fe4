// CSV of events, of lots, and of the lots, the distribution and the notifications of a case.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { TENANT_KEY, aLine, anEvent, boot, newTenant, type Answer } from '../boot.ts';
import { change, corrected, record } from '../corrections/correction-requests.ts';

const hub = await openForFile(boot());

const as = (tenant: string) => ({ headers: { 'X-Tenant-Id': tenant } });

interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Reads RFC 4180, by its letter. */
function parsed(text: string): Csv {
  const [columns = [], ...rows] = text
    .split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .slice(0, -1)
    .map((row) =>
      [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );
  return {
    columns,
    rows: rows.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, row[index]!])),
    ),
  };
}

async function read(path: string, tenant: string): Promise<Csv> {
  const response = await fetch(hub.base + path, {
    headers: { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': tenant },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="[\w-]+\.csv"$/,
  );
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'the byte order mark');
  return parsed(bytes.subarray(3).toString());
}

async function post(path: string, body: unknown, tenant: string): Promise<Answer> {
  const answer = await hub.post(path, body, { 'X-Tenant-Id': tenant });
  assert.ok([200, 201].includes(answer.status), answer.text.slice(0, 500));
  return answer;
}

const column = (csv: Csv, name: string): readonly unknown[] => csv.rows.map((row) => row[name]);

test('events come with one row for each line, all of them, and can be narrowed and turned', async () => {
  const tenant = newTenant();
  const count = 450;
  const events = Array.from({ length: count }, (_, index) =>
    anEvent({ reference: `PO-${index}`, lines: [aLine(), aLine({ lot_code: 'RYE-1' })] }),
  );
  await post('/v1/events/batch', events, tenant);

  const all = await read('/v1/events.csv', tenant);
  const oldest = await read('/v1/events.csv?after=0&lot_code=RYE-1', tenant);
  const one = await read('/v1/events.csv?reference=PO-7', tenant);

  assert.equal(all.rows.length, 2 * count);
  assert.equal(all.rows[0]!['reference'], `PO-${count - 1}`);
  assert.deepEqual(
    column(oldest, 'reference').filter((_, index) => index % 2 === 0),
    events.map(({ reference }) => reference),
  );
  assert.deepEqual(column(one, 'lot_code'), ['FLOUR-1', 'RYE-1']);
  assert.deepEqual(column(one, 'quantity'), ['250.5', '250.5']);
});

test('an event is in the file with what counts, in the columns of an import', async () => {
  const recorded = await record(hub, {
    event_type: 'SELL',
    external_id: 'sale-1',
    notes: 'left at the "back" door,\nby the gate',
    lines: [aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'Webshop' })],
  });
  await corrected(hub, recorded, change('location', 'BAKERY-1', 'BAKERY-2'));

  const { columns, rows } = await read('/v1/events.csv', recorded.tenant);

  assert.deepEqual(columns, [
    ...[
      'id',
      'status',
      'external_id',
      'event_type',
      'occurred_at',
      'location',
      'reference',
      'notes',
    ],
    ...['lot_code', 'product_sku', 'direction', 'quantity', 'unit', 'customer_ref', 'channel'],
    ...['supplier_name', 'origin_facility', 'supplier_lot_code', 'recorded_at', 'block_hash'],
    ...['consignee_ref'],
  ]);
  const { recorded_at: at, block_hash: hash, ...row } = rows[0]!;
  assert.match(`${at} ${hash}`, /^\d{4}-\S+Z [0-9a-f]{64}$/);
  assert.deepEqual(row, {
    id: String(recorded.eventId),
    status: 'corrected',
    external_id: 'sale-1',
    event_type: 'SELL',
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY-2',
    reference: 'PO-1',
    notes: 'left at the "back" door,\nby the gate',
    lot_code: 'FLOUR-1',
    product_sku: 'FLOUR-T55',
    direction: 'out',
    quantity: '250.5',
    unit: 'kg',
    customer_ref: 'CUST-1',
    consignee_ref: '',
    channel: 'Webshop',
    supplier_name: '',
    origin_facility: '',
    supplier_lot_code: '',
  });
});

test('a cell that a spreadsheet would run as a formula is a text', async () => {
  const tenant = newTenant();
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x","y")'];
  for (const reference of formulas) await post('/v1/events', anEvent({ reference }), tenant);

  const { rows } = await read('/v1/events.csv?after=0', tenant);

  assert.deepEqual(
    rows.map((row) => row['reference']),
    formulas.map((text) => `'${text}`),
  );
});

test('lots come with one row for each unit, all of them, and can be narrowed', async () => {
  const tenant = newTenant();
  const lines = Array.from({ length: 700 }, (_, index) => aLine({ lot_code: `LOT-${index}` }));
  await post('/v1/events', anEvent({ lines }), tenant);
  await post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'LOT-7', unit: 'bag' })] }), tenant);

  const all = await read('/v1/lots.csv', tenant);
  const some = await read('/v1/lots.csv?q=LOT-7&hold_status=released', tenant);

  assert.equal(all.rows.length, 701);
  assert.equal(new Set(column(all, 'lot_code')).size, 700);
  assert.deepEqual(column(some, 'lot_code').slice(0, 2), ['LOT-7', 'LOT-7']);
  assert.equal(some.rows.length, 12);
  const { received, remaining, status } = some.rows.find(({ unit }) => unit === 'kg')!;
  assert.deepEqual([received, remaining, status], ['250.5', '250.5', 'active']);
});

test('a file of nothing has a header alone', async () => {
  for (const path of ['/v1/events.csv', '/v1/lots.csv']) {
    const { columns, rows } = await read(path, newTenant());
    assert.ok(columns.length > 5);
    assert.deepEqual(rows, []);
  }
});

/** A case of a lot that was shipped, and sold to two customers and to nobody. */
async function withCase(): Promise<{ readonly tenant: string; readonly path: string }> {
  const tenant = newTenant();
  const out = (changes: object) => aLine({ direction: 'out', quantity: 10, ...changes });
  await post('/v1/events', anEvent(), tenant);
  await post('/v1/events', anEvent({ event_type: 'SHIP', lines: [out({})] }), tenant);
  const sold = [
    out({ customer_ref: 'CUST-1', channel: 'Webshop' }),
    out({ customer_ref: 'CUST-2', unit: 'bag' }),
    out({ lot_code: 'OTHER' }),
    out({}),
  ];
  await post('/v1/events', anEvent({ event_type: 'SELL', reference: 'T-1', lines: sold }), tenant);
  const opened = await post(
    '/v1/recall/cases',
    { seed_lot_code: 'FLOUR-1', title: 'Metal', reason: 'wire', opened_by: 'Ada' },
    tenant,
  );
  return { tenant, path: `/v1/recall/cases/${String(opened.json['case_no'])}` };
}

test('the distribution list of a case has what was shipped and sold of its lots, and to whom', async () => {
  const { tenant, path } = await withCase();

  const { rows } = await read(`${path}/distribution.csv`, tenant);

  assert.deepEqual(
    rows.map((row) =>
      ['event_type', 'lot_code', 'quantity', 'unit', 'customer_ref', 'channel', 'location'].map(
        (name) => row[name],
      ),
    ),
    [
      ['SHIP', 'FLOUR-1', '10', 'kg', '', '', 'BAKERY-1'],
      ['SELL', 'FLOUR-1', '10', 'kg', 'CUST-1', 'Webshop', 'BAKERY-1'],
      ['SELL', 'FLOUR-1', '10', 'bag', 'CUST-2', '', 'BAKERY-1'],
      ['SELL', 'FLOUR-1', '10', 'kg', '', '', 'BAKERY-1'],
    ],
  );
  assert.deepEqual(column({ columns: [], rows }, 'reference'), ['PO-1', 'T-1', 'T-1', 'T-1']);
});

test('an erased customer of the distribution list is erased in the file', async () => {
  const { tenant, path } = await withCase();
  await post('/v1/privacy/erase', { customer_ref: 'CUST-1', requested_by: 'Ada' }, tenant);

  const { rows } = await read(`${path}/distribution.csv`, tenant);

  assert.doesNotMatch(JSON.stringify(rows), /CUST-1/);
  assert.equal(rows[1]!['customer_ref'], 'erased');
});

test('the lots and the notifications of a case come as their lists have them', async () => {
  const { tenant, path } = await withCase();

  const lots = await read(`${path}/lots.csv?which=covered`, tenant);
  const notifications = await read(`${path}/notifications.csv`, tenant);
  const customers = await read(`${path}/notifications.csv?audience=customer`, tenant);

  assert.deepEqual(
    lots.rows.map((row) => [row['lot_code'], row['relation'], row['hold_status']]),
    [['FLOUR-1', 'self', 'on_hold']],
  );
  assert.deepEqual(
    customers.rows.map((row) => [row['recipient'], row['quantity'], row['unit'], row['status']]),
    [
      ['CUST-1', '10', 'kg', 'pending'],
      ['CUST-2', '10', 'bag', 'pending'],
    ],
  );
  const listed = (await hub.call(`${path}/notifications`, as(tenant))).json['notifications'];
  assert.deepEqual(
    [...new Set(column(notifications, 'id'))],
    (listed as unknown as readonly { id: number }[]).map(({ id }) => String(id)),
  );
});

test('files of a case of another tenant are the same 404, and files need a key', async () => {
  const { path } = await withCase();

  for (const file of ['lots', 'distribution', 'notifications']) {
    const answer = await hub.call(`${path}/${file}.csv`, as(newTenant()));
    assert.equal(answer.status, 404, answer.text);
  }
  for (const file of [`${path}/distribution.csv`, '/v1/events.csv', '/v1/lots.csv']) {
    const answer = await hub.call(file, { headers: { 'X-Api-Key': 'wrong' } });
    assert.equal(answer.status, 401);
  }
});

test('a file has no pages: limit and offset are refused', async () => {
  for (const path of ['/v1/events.csv?limit=5', '/v1/lots.csv?offset=5']) {
    assert.equal((await hub.call(path, as(newTenant()))).status, 422, path);
  }
});

test('a client that leaves in the middle of a file leaves nothing behind', async () => {
  const tenant = newTenant();
  const notes = 'x'.repeat(2_000);
  const lines = Array.from({ length: 1_000 }, () => aLine());
  for (let index = 0; index < 12; index += 1) {
    await post('/v1/events', anEvent({ notes, reference: `R-${index}`, lines }), tenant);
  }
  const request = get(`${hub.base}/v1/events.csv`, {
    headers: { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': tenant },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response, 'data');

  response.destroy();
  await once(response, 'close');

  assert.equal((await hub.call('/v1/events?limit=1', as(tenant))).status, 200);
  assert.doesNotMatch(hub.log(), /"level":50/);
});
