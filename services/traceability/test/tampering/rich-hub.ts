// A hub with a row in every table that is compared, which nobody serves any more, and the columns of its schema.
import assert from 'node:assert/strict';
import { COLUMNS_NOT_COMPARED, isCompared } from '../../src/ledger/verify/not-compared.ts';
import { LEDGER_TABLES } from '../../src/ledger/tables/all.ts';
import { TENANT_KEY, aLine, anEvent, type Booted } from '../boot.ts';
import { bootSealing, untilSealed } from '../audit/chained.ts';
import { png } from '../brand/pictures.ts';
import { PLACE, PRODUCT } from '../brand/test-brand.ts';
import { testEngine } from '../engine.ts';
import { caughtUp } from '../recall/following.ts';
import { RecallTenant, readArray } from '../recall/tenant.ts';
import type { Tampering } from './database.ts';

/** So many blocks have a complete tile. */
const FILLING_EVENTS = 257;

/** Blocks and lines of a slice of a round over it, as many as the verifier takes at most: each has a dozen of queries. */
export const RICH_SLICES = { rowsPerSlice: 1_024 } as const;
/** Blocks of a range of a full verification of it: two of them. */
export const RICH_RANGES = { blocksPerRange: 200 } as const;

const FILE = `event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit
RECEIVE,2026-03-01T08:00:00Z,MILL,PO-9,FROM-FILE,SKU,in,5,kg
`;

/** Decisions of all types, private values, answers, drills, keys, the audit, brands, products, places, pictures. */
export async function makeRichHub(): Promise<Booted> {
  const hub = await bootSealing();
  const mill = new RecallTenant(hub, 'mill');
  const ask = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { ...mill.headers, 'Content-Type': 'application/json' };
    const answer = await hub.call(path, { method, headers, body: JSON.stringify(body) });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  };
  await publishProfiles(hub, mill, ask);
  await fillTile(ask);
  await mill.post({
    notes: 'by lorry',
    lines: [
      { ...aLine({ lot_code: 'FLOUR' }), supplier_name: 'Farm', supplier_lot_code: 'S-1' },
      aLine({ lot_code: 'OTHER' }),
    ],
  });
  const batch = await mill.produce(['FLOUR'], ['DOUGH']);
  for (const customer_ref of ['Anna', 'Ben', 'Carl']) {
    const line = aLine({ lot_code: 'DOUGH', direction: 'out', customer_ref, channel: 'retail' });
    const sold = await mill.post({ event_type: 'SELL', notes: 'by hand', lines: [line] });
    if (customer_ref !== 'Carl') continue;
    await ask('POST', '/v1/corrections', {
      ...{ corrects_event_id: sold.json['id'], reason: 'a typing error', requested_by: 'Ada' },
      changes: [{ field: 'lines[0].customer_ref', old_value: 'Carl', new_value: 'Carla' }],
    });
  }
  await mill.post({
    event_type: 'SHIP',
    lines: [aLine({ lot_code: 'DOUGH', direction: 'out', consignee_ref: 'Shop 1' })],
  });
  const form = new FormData();
  form.append('file', new Blob([FILE], { type: 'text/csv' }), 'events.csv');
  const imported = await fetch(`${hub.base}/v1/import/csv`, {
    ...{ method: 'POST', body: form, headers: { ...mill.headers, 'X-Api-Key': TENANT_KEY } },
  });
  assert.equal(imported.status, 201, await imported.text());
  await decide(hub, mill, { ask, batchId: batch.json['id'] });
  await untilSealed(hub);
  await hub.service.close();
  return hub;
}

type Ask = (method: string, path: string, body: object) => Promise<void>;

async function publishProfiles(hub: Booted, mill: RecallTenant, ask: Ask): Promise<void> {
  await ask('PATCH', '/v1/brand', { name: 'Mill', website: 'https://mill.example' });
  await ask('PATCH', '/v1/brand', {
    ...{ recall_contact: 'recall@mill.example', language: 'en', names: { de: 'Mühle' } },
  });
  await ask('PUT', '/v1/products/RYE', PRODUCT);
  await ask('PUT', '/v1/places/HALL', { ...PLACE, language: 'en', names: { de: 'Halle 2' } });
  const picture = await hub.call('/v1/products/RYE/picture', {
    ...{ method: 'PUT', body: png() },
    headers: { ...mill.headers, 'Content-Type': 'image/png' },
  });
  assert.equal(picture.status, 200, picture.text);
}

async function fillTile(ask: Ask): Promise<void> {
  const events = Array.from({ length: FILLING_EVENTS }, (_, index) =>
    anEvent({ external_id: `fill-${index}`, lines: [aLine({ lot_code: 'FILL' })] }),
  );
  await ask('POST', '/v1/events/batch', events);
}

async function decide(
  hub: Booted,
  mill: RecallTenant,
  { ask, batchId }: { readonly ask: Ask; readonly batchId: unknown },
): Promise<void> {
  await ask('POST', '/v1/lots/OTHER/hold', { by: 'Ada', reason: 'a second look' });
  await ask('POST', '/v1/lots/OTHER/release', { by: 'Bo', reason: 'good' });
  await ask('POST', '/v1/lots/OTHER/hold', { by: 'Ada', reason: 'a third look' });
  const caseNo = String((await mill.open('FLOUR'))['case_no']);
  await mill.moveThrough(caseNo, 'notification');
  await mill.produce(['DOUGH'], ['BREAD']);
  await caughtUp(hub);
  const listed = await mill.get(`/v1/recall/cases/${caseNo}/notifications`);
  const [ben] = readArray(listed.json['notifications']).filter(
    ({ recipient }) => String(recipient) === 'Ben',
  );
  const notification = `/v1/recall/cases/${caseNo}/notifications/${Number(ben?.['id'])}`;
  await ask('PATCH', notification, { status: 'sent' });
  await ask('PATCH', notification, { status: 'resolved', response: 'thrown away' });
  await ask('POST', '/v1/corrections', {
    ...{ corrects_event_id: batchId, reason: 'another flour', requested_by: 'Ada' },
    changes: [{ field: 'lines[0].lot_code', old_value: 'FLOUR', new_value: 'OTHER' }],
  });
  await caughtUp(hub);
  const wording = { language: 'en', translations: { de: { title: 'Glas' } } };
  const closed = String((await mill.open('OTHER', { title: 'Glass', ...wording }))['case_no']);
  await mill.moveThrough(closed, 'notification', 'containment');
  await mill.move(closed, 'closed', { release_holds: true, changed_by: 'Bo', note: 'all back' });
  await mill.receive('RYE', 'MALT');
  const edited = String((await mill.open('FLOUR', { confidential: true }))['case_no']);
  const scope = { add: ['RYE', 'MALT'], exclude: ['OTHER'], reason: 'milled beside it' };
  await mill.edit(edited, {
    ...{ title: 'Ergot', scope, note: 'asked the miller', changed_by: 'Bo' },
    translations: { de: { title: 'Mutterkorn', advice: 'Bringen Sie es zurück' } },
  });
  await mill.moveThrough(edited, 'notification');
  await mill.edit(edited, { severity: 'class_i', changed_by: 'Ada', translations: null });
  const shop = { 'X-Tenant-Id': 'shop' };
  await hub.post('/v1/events', anEvent({ lines: [aLine({ supplier_name: 'Mill' })] }), shop);
  const linked = await hub.call('/v1/suppliers/Mill', {
    ...{ method: 'PUT', body: JSON.stringify({ brand: mill.id }) },
    headers: { ...shop, 'Content-Type': 'application/json' },
  });
  assert.equal(linked.status, 201, linked.text);
  await ask('POST', '/v1/recall/drills', { lot_code: 'FLOUR', drilled_by: 'Ada' });
  await ask('POST', '/v1/privacy/erase', { customer_ref: 'Anna' });
}

/** A column that is compared. */
export interface Column {
  readonly table: string;
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'bytes';
}

const COLUMNS = {
  sqlite: `
    select t.name as table_name, c.name as column_name, lower(c.type) as type
    from sqlite_schema t
    join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite%'
    order by t.name, c.cid`,
  postgres: `
    select table_name, column_name, data_type as type
    from information_schema.columns
    where table_schema = current_schema()
    order by table_name, ordinal_position`,
};

const KINDS: Readonly<Record<string, Column['kind']>> = {
  ...{ text: 'text', integer: 'integer', bigint: 'integer', blob: 'bytes', bytea: 'bytes' },
};

/** Of the schema as it is in the database, all but what is not compared. */
export async function comparedColumns(tampering: Tampering): Promise<readonly Column[]> {
  const rows = await tampering.all(COLUMNS[testEngine]);
  return rows.flatMap((row) => {
    const [table, name] = [String(row['table_name']), String(row['column_name'])];
    if (!isCompared(table)) return [];
    if (`${table}.${name}` in COLUMNS_NOT_COMPARED && table !== 'import_keys') return [];
    const kind = KINDS[String(row['type'])];
    assert.ok(kind, `${table}.${name} is ${String(row['type'])}`);
    return [{ table, name, kind }];
  });
}

type Key = Readonly<Record<string, string | number>>;

export function listKeyColumns(table: string): readonly string[] {
  const described = LEDGER_TABLES.find(({ name }) => name === table);
  assert.ok(described, table);
  return described.key;
}

/** A condition that finds one row. */
export function isRow(key: Key): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} = ${literal(value)}`)
    .join(' and ');
}

export function literal(value: string | number | bigint | null | Uint8Array): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value).toString('hex');
    return testEngine === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'::bytea`;
  }
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
