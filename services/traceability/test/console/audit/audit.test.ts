// The audit on its page: what its filters leave, who did something and how it came, and the file of it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { auditRow, type AuditEntry } from '../../../src/ledger/audit.ts';
import { AUDIT_ENTRIES } from '../../../src/ledger/tables/audit.ts';
import { boot } from '../../boot.ts';
import { newVisitor, readWords, type Page, type TestVisitor } from '../visitors.ts';

const BRAND = 'bakery';
const AUDIT = `/console/b/${BRAND}/audit`;
const OF_BRAND = { 'X-Tenant-Id': BRAND };
let vera: TestVisitor;

const hub = await openForFile(boot());
before(async () => {
  vera = await newVisitor(hub, { name: 'Vera', brands: { [BRAND]: 'viewer' } });
  const max = await newVisitor(hub, { name: 'Max', brands: { [BRAND]: 'manager' } });
  await max.post(`/console/b/${BRAND}/places/HALL-2`, { name: 'Hall 2' });
  await max.post(`/console/b/${BRAND}/products/RYE`, { name_en: 'Rye' });
  await hub.call('/v1/places/HALL-3', {
    method: 'PUT',
    headers: { ...OF_BRAND, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Hall 3' }),
  });
});

function listRows({ text }: Page): readonly string[] {
  const body = /<tbody>(.*)<\/tbody>/s.exec(text)?.[1] ?? '';
  return body
    .split('<tr>')
    .slice(1)
    .map((row) => readWords({ text: row } as Page));
}

/** Writes entries past the service, as it would. */
async function write(entries: readonly Partial<AuditEntry>[]): Promise<void> {
  for (const entry of entries) {
    const row = auditRow({
      at: '2026-01-01T00:00:00.000Z',
      tenantId: BRAND,
      caller: { actor: 'test', requestId: 'r' },
      action: 'hold_lot',
      entityType: 'lot',
      entityId: 'L-1',
      blockHeight: null,
      details: {},
      ...entry,
    });
    const names = AUDIT_ENTRIES.insertedNames;
    const statement = `insert into audit_entries (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    await hub.database.change(statement, ...names.map((name) => row[name]));
  }
}

test('what a person did stands beside what a key did, each with how it came', async () => {
  const rows = listRows(await vera.get(AUDIT));

  assert.match(
    rows[0] ?? '',
    /Key: tenant key of the settings Place changed Place HALL-3 Block \d+/,
  );
  assert.match(rows[1] ?? '', /Person: Max Product changed Product RYE Block \d+/);
});

test('a key that is called like a person is distinguished from that person', async () => {
  await write([
    { caller: { actor: 'Max', requestId: 'r1' }, entityId: 'BY-KEY' },
    { caller: { actor: 'Max', requestId: 'r2', via: 'session' }, entityId: 'BY-PERSON' },
    { caller: { actor: 'lothub', requestId: null }, entityId: 'BY-HUB' },
  ]);

  const came = async (id: string) => listRows(await vera.get(`${AUDIT}?entity_id=${id}`))[0] ?? '';

  assert.match(await came('BY-KEY'), /Key: Max/);
  assert.match(await came('BY-PERSON'), /Person: Max/);
  assert.match(await came('BY-HUB'), /Hub: lothub/);
});

for (const [query, left] of [
  ['actor=Max&action=set_place', ['HALL-2']],
  ['action=set_product', ['RYE']],
  ['entity_type=place', ['HALL-3', 'HALL-2']],
  ['entity_id=RYE', ['RYE']],
  ['actor=nobody', []],
  ['action=no_such_action&entity_id=RYE', ['RYE']],
  ['from=2999-01-01', []],
  ['to=2020-01-01', []],
  ['from=someday&entity_id=RYE', ['RYE']],
] as const) {
  test(`the filters ${query} leave ${left.join(' and ') || 'nothing'}`, async () => {
    const rows = listRows(await vera.get(`${AUDIT}?${query}`));

    assert.deepEqual(
      rows.map((row) => /(?:Place|Product) ([A-Z]+(?:-\d)?)(?= )/.exec(row)?.[1]),
      left,
    );
  });
}

test('days are whole days in UTC, however many entries lie between', async () => {
  const day = (at: string, entityId: string) => ({ at, entityId, action: 'release_lot' }) as const;
  await write([
    day('2026-02-03T23:59:59.999Z', 'D-BEFORE'),
    day('2026-02-04T00:00:00.000Z', 'D-FIRST'),
    day('2026-02-05T23:59:59.999Z', 'D-LAST'),
    day('2026-02-06T00:00:00.000Z', 'D-BEHIND'),
    ...Array.from({ length: 600 }, (_, index) => day('2026-03-01T00:00:00.000Z', `L-${index}`)),
  ]);

  const { text } = await vera.get(`${AUDIT}?from=2026-02-04&to=2026-02-05&action=release_lot`);

  const shown = [...text.matchAll(/lots\/(D-[A-Z]+)"/g)].map(([, id]) => id);
  assert.deepEqual(shown, ['D-LAST', 'D-FIRST']);
});

test('pages follow each other by the cursor, with their filters', async () => {
  const seen: string[] = [];
  let next: string | undefined = `${AUDIT}?action=release_lot`;
  while (next !== undefined) {
    const page = await vera.get(next);
    seen.push(...[...page.text.matchAll(/lots\/([A-Z]+-[A-Z\d]+)"/g)].map(([, id]) => id ?? ''));
    next = /href="([^"]*[?&;]before=\d+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    assert.match(next ?? 'action=release_lot', /action=release_lot/);
  }

  assert.equal(seen.length, 604);
  assert.equal(new Set(seen).size, 604);
});

test('details are folded, in German, and stay text', async () => {
  await write([{ entityId: 'EVIL', details: { reason: '<script>alert(1)</script>' } }]);

  const { text } = await vera.get(`${AUDIT}?entity_id=EVIL&lang=de`);

  assert.match(text, /<details class="edit">/);
  assert.match(text, /<dt>Grund<\/dt>\s*<dd><bdi>&lt;script&gt;alert\(1\)/);
  assert.match(text, /Charge gesperrt/);
  assert.doesNotMatch(text, /<script>alert/);
});

test('the file has what the filters leave', async () => {
  const { status, headers, text } = await vera.get(`${AUDIT}.csv?entity_type=place`);

  assert.equal(status, 200);
  assert.match(
    headers.get('content-disposition') ?? '',
    /attachment; filename="audit-bakery\.csv"/,
  );
  const lines = text.trim().split('\r\n');
  assert.equal(lines.length, 3);
  assert.match(lines[2] ?? '', /,Max,person,set_place,place,HALL-2,\d+,/);
});

test('the audit of another brand is not shown', async () => {
  await write([{ tenantId: 'mill', entityId: 'OF-MILL' }]);

  assert.doesNotMatch((await vera.get(`${AUDIT}?entity_id=OF-MILL`)).text, /lots\/OF-MILL/);
  assert.equal((await vera.get('/console/b/mill/audit')).status, 404);
});
