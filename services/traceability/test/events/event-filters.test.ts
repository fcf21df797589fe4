// GET /v1/events by filters and in both directions, GET /v1/events/{id}, and parameters that no endpoint of
// /v1 knows. Written from docs/interface/traceability.md#reading-events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { ADMIN_KEY, aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { change, corrected, record } from '../corrections/correction-requests.ts';
import { LOOKED_AT_MAX, RANGE_SORTED_MAX } from '../../src/events/find-heights.ts';

const hub = await openForFile(boot());

const asTenant = (tenant: string) => ({ headers: { 'X-Tenant-Id': tenant } });

async function list(tenant: string, query: Readonly<Record<string, string | number>>) {
  const text = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
  return await hub.call(`/v1/events?${text.toString()}`, asTenant(tenant));
}

function listIds(answer: Answer): readonly number[] {
  assert.equal(answer.status, 200, answer.text);
  const events = valueAt(answer.json, 'events');
  assert.ok(Array.isArray(events));
  return events.map((event) => Number(valueAt(event, 'id')));
}

/** Posts events of a new tenant; answers their ids, oldest first. */
async function post(tenant: string, events: readonly object[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let from = 0; from < events.length; from += 1_000) {
    const part = events.slice(from, from + 1_000);
    const answer = await hub.post('/v1/events/batch', part, { 'X-Tenant-Id': tenant });
    assert.equal(answer.status, 201, answer.text.slice(0, 500));
    part.forEach((_, index) => ids.push(Number(valueAt(answer.json, 'results', index, 'id'))));
  }
  return ids;
}

/** Every page until the end, as `next` leads through them. */
async function walk(
  tenant: string,
  query: Readonly<Record<string, string | number>>,
  by: 'before' | 'after',
): Promise<readonly (readonly number[])[]> {
  const pages: (readonly number[])[] = [];
  let place: Readonly<Record<string, string | number>> = by === 'after' ? { after: 0 } : {};
  for (;;) {
    const answer = await list(tenant, { ...query, ...place });
    pages.push(listIds(answer));
    const next: unknown = answer.json['next'];
    if (next === null) return pages;
    place = { [by]: Number(next) };
  }
}

interface Filtered {
  readonly tenant: string;
  readonly ids: readonly number[];
}

async function withVariedEvents(): Promise<Filtered> {
  const tenant = newTenant();
  const ids = await post(tenant, [
    anEvent({ external_id: 'a', reference: 'PO-1', occurred_at: '2026-03-01T00:00:00Z' }),
    anEvent({ external_id: 'b', reference: 'PO-1', occurred_at: '2026-03-02T00:00:00.5Z' }),
    anEvent({ reference: 'PO-2', occurred_at: '2026-03-02T00:00:00Z' }),
    anEvent({
      event_type: 'SHIP',
      reference: 'PO-1',
      occurred_at: '2026-03-02T00:00:00.25Z',
      lines: [aLine({ direction: 'out', lot_code: 'RYE-1' })],
    }),
    anEvent({ reference: 'PO-1', occurred_at: '2026-03-03T00:00:00Z', lines: [aLine(), aLine()] }),
  ]);
  await post(newTenant(), [anEvent({ external_id: 'a', reference: 'PO-1' })]);
  return { tenant, ids };
}

const FILTERS: readonly (readonly [Readonly<Record<string, string>>, places: readonly number[]])[] =
  [
    [{ external_id: 'b' }, [1]],
    [{ external_id: 'c' }, []],
    [{ reference: 'PO-1' }, [0, 1, 3, 4]],
    [{ reference: 'PO' }, []],
    [{ lot_code: 'FLOUR-1' }, [0, 1, 2, 4]],
    [{ lot_code: 'RYE-1' }, [3]],
    [{ lot_code: 'flour-1 ' }, []],
    [{ event_type: 'SHIP' }, [3]],
    [{ event_type: 'PACK' }, []],
    [{ occurred_from: '2026-03-02T00:00:00Z' }, [1, 2, 3, 4]],
    [{ occurred_from: '2026-03-02T00:00:00.25Z' }, [1, 3, 4]],
    [{ occurred_from: '2026-03-02T00:00:00.3Z' }, [1, 4]],
    [{ occurred_to: '2026-03-02T00:00:00Z' }, [0, 2]],
    [{ occurred_to: '2026-03-02T00:00:00.25Z' }, [0, 2, 3]],
    [{ occurred_to: '2026-03-02T01:00:00.25+01:00' }, [0, 2, 3]],
    [{ occurred_from: '2026-03-02T00:00:00', occurred_to: '2026-03-02T00:00:00' }, [2]],
    [{ occurred_from: '2026-03-03T00:00:00Z', occurred_to: '2026-03-02T00:00:00Z' }, []],
    [{ reference: 'PO-1', lot_code: 'FLOUR-1' }, [0, 1, 4]],
    [{ reference: 'PO-1', event_type: 'SHIP' }, [3]],
    [{ lot_code: 'FLOUR-1', event_type: 'SHIP' }, []],
    [{ lot_code: 'FLOUR-1', occurred_from: '2026-03-02T00:00:00Z' }, [1, 2, 4]],
    [{ external_id: 'a', reference: 'PO-2' }, []],
    [{ external_id: 'a', reference: 'PO-1', event_type: 'RECEIVE', lot_code: 'FLOUR-1' }, [0]],
  ];

test('each filter leaves what matches, newest first, and all of them apply', async () => {
  const { tenant, ids } = await withVariedEvents();

  for (const [filter, places] of FILTERS) {
    const found = listIds(await list(tenant, filter));

    const expected = places.map((place) => ids[place]!).toReversed();
    assert.deepEqual(found, expected, JSON.stringify(filter));
  }
});

test('each filter is paged through in both directions, without a gap or a repeat', async () => {
  const { tenant, ids } = await withVariedEvents();

  for (const [filter, places] of FILTERS) {
    const query = { ...filter, limit: 2 };
    const newest = (await walk(tenant, query, 'before')).flat();
    const oldest = (await walk(tenant, query, 'after')).flat();

    const expected = places.map((place) => ids[place]!);
    assert.deepEqual(newest, expected.toReversed(), JSON.stringify(filter));
    assert.deepEqual(oldest, expected, JSON.stringify(filter));
  }
});

test('after follows a tenant upwards: what is posted later is behind the last id', async () => {
  const tenant = newTenant();
  const first = await post(tenant, [anEvent(), anEvent({ reference: 'PO-2' })]);
  const seen = listIds(await list(tenant, { after: 0 }));
  const later = await post(tenant, [anEvent({ reference: 'PO-3' })]);

  const further = await list(tenant, { after: seen.at(-1)! });

  assert.deepEqual(seen, first);
  assert.deepEqual(listIds(further), later);
  assert.equal(further.json['next'], null);
});

test('filters go by what counts now', async () => {
  const recorded = await record(hub, { reference: 'PO-1' });
  await corrected(
    hub,
    recorded,
    change('reference', 'PO-1', 'PO-9'),
    change('occurred_at', '2026-03-02T06:15:00Z', '2026-02-01T00:00:00Z'),
    change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-9'),
  );
  const found = async (query: Readonly<Record<string, string>>): Promise<readonly number[]> =>
    listIds(await list(recorded.tenant, query));

  for (const query of [
    { reference: 'PO-9' },
    { lot_code: 'FLOUR-9' },
    { occurred_to: '2026-02-02T00:00:00Z' },
  ]) {
    assert.deepEqual(await found(query), [recorded.eventId], JSON.stringify(query));
  }
  for (const query of [
    { reference: 'PO-1' },
    { lot_code: 'FLOUR-1' },
    { occurred_from: '2026-02-02T00:00:00Z' },
  ]) {
    assert.deepEqual(await found(query), [], JSON.stringify(query));
  }
});

test('a range of more events than are sorted, and a rare filter among them, are paged through', async () => {
  const tenant = newTenant();
  const count = LOOKED_AT_MAX + RANGE_SORTED_MAX;
  const ids = await post(
    tenant,
    Array.from({ length: count }, (_, index) =>
      anEvent({
        reference: index % 5_000 === 0 ? 'RARE' : `PO-${index}`,
        location: index === 0 ? 'FIRST' : 'BAKERY-1',
      }),
    ),
  );
  const range = { occurred_from: '2026-03-01T00:00:00Z', occurred_to: '2026-03-31T00:00:00Z' };

  const typed = await list(tenant, { ...range, event_type: 'RECEIVE', limit: 3 });
  const rare = await walk(tenant, { ...range, event_type: 'SELL' }, 'before');
  const referenced = await walk(tenant, { ...range, reference: 'RARE' }, 'after');

  assert.deepEqual(listIds(typed), ids.toReversed().slice(0, 3));
  assert.deepEqual(rare, [[]]);
  assert.deepEqual(referenced.flat(), [ids[0]!, ids[5_000]!, ids[10_000]!]);
});

test('a page for which too many events would be looked at ends early and goes on', async () => {
  const tenant = newTenant();
  const count = LOOKED_AT_MAX + 500;
  const ids = await post(
    tenant,
    Array.from({ length: count }, (_, index) =>
      anEvent({ reference: `PO-${index}`, event_type: index === 0 ? 'DISPOSE' : 'RECEIVE' }),
    ),
  );

  const pages = await walk(tenant, { lot_code: 'FLOUR-1', event_type: 'DISPOSE' }, 'before');

  assert.deepEqual(pages, [[], [ids[0]!]]);
});

for (const [query, loc] of [
  [{ before: 5, after: 5 }, ['query', 'after']],
  [{ event_type: 'EAT' }, ['query', 'event_type']],
  [{ external_id: '' }, ['query', 'external_id']],
  [{ reference: 'x'.repeat(201) }, ['query', 'reference']],
  [{ occurred_from: '2026-03-02' }, ['query', 'occurred_from']],
  [{ occurred_to: 'yesterday' }, ['query', 'occurred_to']],
  [{ after: -1 }, ['query', 'after']],
] as const) {
  test(`GET /v1/events by ${JSON.stringify(query).slice(0, 40)} is a 422 that names it`, async () => {
    const answer = await list(newTenant(), query);

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), loc);
  });
}

test('one event is answered as the list has it', async () => {
  const { tenant, ids } = await withVariedEvents();
  const listed = valueAt((await list(tenant, { external_id: 'b' })).json, 'events', 0);

  const answer = await hub.call(`/v1/events/${ids[1]}`, asTenant(tenant));

  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, listed);
});

test('an event of another tenant, a correction and no event at all are the same 404', async () => {
  const recorded = await record(hub, {});
  const correction = await corrected(hub, recorded, change('location', 'BAKERY-1', 'BAKERY-2'));
  const own = (id: unknown) => hub.call(`/v1/events/${String(id)}`, asTenant(recorded.tenant));

  const answers = [
    await hub.call(`/v1/events/${recorded.eventId}`, asTenant(newTenant())),
    await own(correction['id']),
    await own(0),
    await own(999_999_999),
  ];

  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.equal(answer.text, answers[0]!.text);
  }
  assert.equal((await own('99999999999999999999')).status, 422);
});

const aForm = (): FormData => {
  const form = new FormData();
  form.set('file', new Blob(['event_type']), 'events.csv');
  return form;
};

const UNKNOWN: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/v1/events'],
  ['GET', '/v1/events/1'],
  ['GET', '/v1/events/1/disclosure'],
  ['POST', '/v1/events', {}],
  ['POST', '/v1/events/batch', []],
  [
    'POST',
    '/v1/corrections',
    {
      corrects_event_id: 1,
      reason: 'r',
      requested_by: 'p',
      changes: [{ field: 'location', old_value: 'A', new_value: 'B' }],
    },
  ],
  ['POST', '/v1/import/csv', aForm()],
  ['GET', '/v1/lots'],
  ['GET', '/v1/lots/FLOUR-1'],
  ['GET', '/v1/lots/FLOUR-1/genealogy'],
  ['GET', '/v1/lots/FLOUR-1/chain'],
  ['POST', '/v1/lots/FLOUR-1/hold', { reason: 'r', by: 'p' }],
  ['PATCH', '/v1/recall/cases/RC-2026-0001/status', { status: 'closed' }],
  ['GET', '/v1/recall/cases'],
  ['GET', '/v1/recall/cases/RC-2026-0001'],
  ['GET', '/v1/dashboard/summary'],
  ['GET', '/v1/brand'],
  ['GET', '/v1/products'],
  ['PUT', '/v1/places/D', { name: 'D' }],
];

for (const [method, path, sent] of UNKNOWN) {
  test(`an unknown parameter of ${method} ${path} is a 422 that names it`, async () => {
    const isForm = sent instanceof FormData;
    const body = sent === undefined ? {} : { body: isForm ? sent : JSON.stringify(sent) };
    const headers = isForm || sent === undefined ? {} : { 'Content-Type': 'application/json' };

    const answer = await hub.call(`${path}?colour=red`, { method, headers, ...body });

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      (valueAt(answer.json, 'detail') as readonly object[]).map((error) => [
        valueAt(error, 'type'),
        valueAt(error, 'loc'),
      ]),
      [['extra_forbidden', ['query', 'colour']]],
    );
  });
}

test('an unknown parameter of /v1/admin is a 422 after the key was checked', async () => {
  const path = '/v1/admin/overview?colour=red';

  const answer = await hub.call(path, { headers: { 'X-Api-Key': ADMIN_KEY } });
  const refused = await hub.call(path, { headers: { 'X-Api-Key': 'wrong' } });

  assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['query', 'colour']);
  assert.equal(refused.status, 401);
});

test('/public and /health ignore parameters that they do not know', async () => {
  await hub.post('/v1/events', anEvent());
  for (const path of [
    '/health',
    '/public/explorer',
    '/public/explorer/blocks',
    '/public/notices',
    '/public/verify/FLOUR-1',
  ]) {
    const answer = await hub.call(`${path}?colour=red`);
    assert.equal(answer.status, 200, answer.text);
  }
});
