// POST /v1/corrections/batch: all or nothing, or the good ones; each of an event after those before it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { correctEvent, correctEvents } from '../../src/corrections/correct.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { boot, valueAt, type Answer } from '../boot.ts';
import { makeEvent, makeLine, openTestLedger } from '../ledger.ts';
import { BATCH_CORRECTIONS_MAX, type CorrectionInput } from '../../src/corrections/schema.ts';
import { findChainFault, storedHeight } from '../stored.ts';
import { readArray } from '../recall/tenant.ts';
import { change, record, request } from './correction-requests.ts';

const hub = await openForFile(boot());

async function send(tenant: string, body: unknown, query = ''): Promise<Answer> {
  return await hub.post(`/v1/corrections/batch${query}`, body, { 'X-Tenant-Id': tenant });
}

const moved = (eventId: number, from: string, to: string, id?: string): object => ({
  ...request(eventId, [change('location', from, to)]),
  ...(id === undefined ? {} : { external_id: id }),
});

async function readLocation(tenant: string, eventId: number): Promise<unknown> {
  const { json } = await hub.call(`/v1/events/${eventId}`, { headers: { 'X-Tenant-Id': tenant } });
  return json['location'];
}

const statuses = (answer: Answer): readonly unknown[] =>
  readArray(answer.json['results']).map(({ status }) => status);

describe('a batch of corrections', () => {
  for (const form of ['an object', 'a list']) {
    test(`as ${form} is appended whole, with one checkpoint, an event twice in its order`, async () => {
      const { tenant, eventId } = await record(hub);
      const other = await record(hub, { reference: 'PO-2' }, tenant);
      const list = [
        moved(eventId, 'BAKERY-1', 'BAKERY-2', 'a'),
        moved(other.eventId, 'BAKERY-1', 'BAKERY-5'),
        moved(eventId, 'BAKERY-2', 'BAKERY-3'),
      ];

      const answer = await send(tenant, form === 'a list' ? list : { corrections: list });

      assert.equal(answer.status, 201, answer.text);
      const { status, total, accepted, results, log } = answer.json;
      assert.deepEqual([status, total, accepted], ['accepted', 3, 3]);
      const heights = readArray(results).map((one) => Number(one['block_height']));
      assert.deepEqual(heights, [other.eventId + 1, other.eventId + 2, other.eventId + 3]);
      assert.equal(typeof valueAt(log, 'checkpoint'), 'string');
      assert.equal(await readLocation(tenant, eventId), 'BAKERY-3');
      assert.equal(await findChainFault(hub.database), undefined);
    });
  }

  test('of which one cannot be made is refused whole, and every such one is named', async () => {
    const { tenant, eventId } = await record(hub);
    const height = await storedHeight(hub.database);

    const answer = await send(tenant, [
      moved(eventId, 'BAKERY-1', 'BAKERY-2'),
      moved(eventId, 'BAKERY-1', 'BAKERY-3'),
      moved(999_999, 'BAKERY-1', 'BAKERY-3'),
    ]);

    assert.equal(answer.status, 400, answer.text);
    assert.match(
      String(answer.json['detail']),
      /^corrections\[1\]: changes\[0\]\.old_value is not .* \(and 1 more correction\)$/,
    );
    const places = readArray(answer.json['errors']).map(({ loc }) => loc);
    assert.deepEqual(places, [
      ['body', 'corrections', 1],
      ['body', 'corrections', 2],
    ]);
    assert.equal(await storedHeight(hub.database), height);
  });

  test('that may be accepted in part keeps the good ones', async () => {
    const { tenant, eventId } = await record(hub);

    const answer = await send(
      tenant,
      [
        moved(eventId, 'BAKERY-9', 'BAKERY-2', 'bad'),
        moved(eventId, 'BAKERY-1', 'BAKERY-2'),
        { ...moved(eventId, 'BAKERY-2', 'BAKERY-3', 'x'), changes: [] },
        moved(eventId, 'BAKERY-2', 'BAKERY-4'),
      ],
      '?on_error=proceed',
    );

    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(statuses(answer), ['rejected', 'accepted', 'rejected', 'accepted']);
    assert.equal(answer.json['status'], 'partially_accepted' as never);
    const errors = readArray(answer.json['results']).map((one) =>
      valueAt(one, 'errors', 0, 'type'),
    );
    assert.deepEqual(errors, ['rule_broken', undefined, 'too_short', undefined]);
    assert.equal(await readLocation(tenant, eventId), 'BAKERY-4');
  });

  for (const query of ['', '?on_error=proceed']) {
    test(`that is sent again is duplicates and appends nothing${query}`, async () => {
      const { tenant, eventId } = await record(hub);
      const list = [
        moved(eventId, 'BAKERY-1', 'BAKERY-2', 'a'),
        moved(eventId, 'BAKERY-2', 'BAKERY-3', 'b'),
        moved(eventId, 'BAKERY-1', 'BAKERY-2', 'a'),
      ];
      const first = await send(tenant, list, query);
      const height = await storedHeight(hub.database);

      const again = await send(tenant, list, query);

      assert.deepEqual(statuses(first), ['accepted', 'accepted', 'duplicate']);
      assert.equal(again.status, 200, again.text);
      assert.deepEqual(statuses(again), ['duplicate', 'duplicate', 'duplicate']);
      assert.equal(await storedHeight(hub.database), height);
    });
  }

  test('refuses an external id that two of its corrections give to different content', async () => {
    const { tenant, eventId } = await record(hub);
    const list = [
      moved(eventId, 'BAKERY-1', 'BAKERY-2', 'a'),
      moved(eventId, 'BAKERY-2', 'BAKERY-3', 'a'),
    ];

    const answer = await send(tenant, list);

    assert.equal(answer.status, 400, answer.text);
    const [error] = readArray(answer.json['errors']);
    assert.deepEqual(error?.['loc'], ['body', 'corrections', 1, 'external_id'] as never);
    assert.equal(error?.['type'], 'external_id_conflict' as never);
    assert.equal(await readLocation(tenant, eventId), 'BAKERY-1');
  });

  test('names who asked for each of its corrections in the audit', async () => {
    const { tenant, eventId } = await record(hub);
    const list = [
      { ...moved(eventId, 'BAKERY-1', 'BAKERY-2'), requested_by: 'Ann' },
      { ...moved(eventId, 'BAKERY-2', 'BAKERY-3'), requested_by: 'Bob' },
    ];

    await send(tenant, list);

    const rows = await hub.database.rows(
      `select actor from audit_entries where action = 'correct_event' order by block_height desc limit 2`,
    );
    const actors = rows.map(({ actor }) => String(actor));
    assert.ok(actors[0]!.endsWith('(Bob)') && actors[1]!.endsWith('(Ann)'), actors.join());
  });

  for (const [what, body, type] of [
    ['nothing', [], 'too_short'],
    ['too many', Array.from({ length: BATCH_CORRECTIONS_MAX + 1 }, () => ({})), 'too_long'],
    ['another member', { events: [] }, 'extra_forbidden'],
    ['no list', { corrections: 1 }, 'list_type'],
    ['a text', 'x', 'dict_type'],
  ] as const) {
    test(`of ${what} is refused`, async () => {
      const { tenant } = await record(hub);

      const answer = await send(tenant, body);

      assert.equal(answer.status, 422, answer.text);
      assert.equal(valueAt(answer.json, 'detail', 0, 'type'), type);
    });
  }

  test('of which one cannot be made any more once it is to be written writes nothing', async () => {
    await using ledger = await openTestLedger();
    const events = ['FLOUR-1', 'FLOUR-2'].map((lot) => makeEvent('RECEIVE', [makeLine('in', lot)]));
    const [first = 0, second = 0] = await ledger.record(events);
    const { reader } = ledger;
    const call = { tenantId: 'bakery', reader, newSalt };
    const caller = { actor: 'erp', requestId: null };
    const buildUnitChange = (eventId: number): CorrectionInput => ({
      corrects_event_id: eventId,
      reason: 'typing error',
      requested_by: 'Jane Miller',
      changes: [{ field: 'unit', old_value: 'kg', new_value: 'g' }],
    });
    const voided = [{ field: 'status', old_value: 'accepted', new_value: 'voided' }];
    let isBefore = true;
    const overtaken: Pick<LedgerStore, 'correct'> = {
      correct: async (submission) => {
        const { store } = ledger;
        if (isBefore) {
          isBefore = false;
          await correctEvent(
            { ...buildUnitChange(second), changes: voided },
            { ...call, caller, store },
          );
        }
        return await store.correct(submission);
      },
    };

    const { results } = await correctEvents([buildUnitChange(first), buildUnitChange(second)], {
      ...call,
      callerFor: () => caller,
      unit: 'all',
      store: overtaken,
    });

    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['withheld', 'refused'],
    );
    assert.equal((await reader.head()).height, second + 1);
  });

  test('races with others, each correction appended once', async () => {
    const { tenant, eventId } = await record(hub, {
      lines: Array.from({ length: 6 }, (_, index) => ({
        lot_code: `L-${index}`,
        product_sku: 'P',
        direction: 'in',
        quantity: 1,
        unit: 'kg',
      })),
    });
    const list = Array.from({ length: 6 }, (_, line) => ({
      ...request(eventId, [change(`lines[${line}].quantity`, 1, 2)]),
      external_id: `q-${line}`,
    }));
    const height = await storedHeight(hub.database);

    const answers = await Promise.all([
      send(tenant, list),
      send(tenant, list.toReversed()),
      send(tenant, list, '?on_error=proceed'),
    ]);

    for (const answer of answers) assert.ok(answer.status < 300, answer.text);
    assert.equal(await storedHeight(hub.database), height + 6);
    const accepted = answers.reduce((sum, { json }) => sum + Number(json['accepted']), 0);
    assert.equal(accepted, 6);
  });
});
