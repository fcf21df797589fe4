// Holds set and ended by hand (docs/interface/traceability.md#holds): what they answer, what they do to
// events on the lot, and what the audit keeps of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import type { FieldError } from '@lothub/kit/http/field-errors';
import { aLine, anEvent, boot, newTenant, valueAt } from '../boot.ts';
import type { Answer, Booted, Json } from '../boot.ts';
import { rebuildRows } from '../verified.ts';

const hub = await openForFile(boot());

/** What the key that the tests use is called. */
const KEY_LABEL = 'tenant key of the settings';
const HOLD = { reason: 'moisture above limit', by: 'Ada' };

/** One tenant with lots, and what it asks of them. */
class Tenant {
  readonly id = newTenant();
  readonly #headers = { 'X-Tenant-Id': this.id };

  static async with(...lotCodes: readonly string[]): Promise<Tenant> {
    const tenant = new Tenant();
    const posted = await tenant.post(lotCodes);
    assert.equal(posted.status, 201, posted.text);
    return tenant;
  }

  /** Posts an event on lots. */
  async post(lotCodes: readonly string[], changes: Record<string, unknown> = {}): Promise<Answer> {
    const lines = lotCodes.map((lot_code) => aLine({ lot_code }));
    return await hub.post('/v1/events', anEvent({ lines, ...changes }), this.#headers);
  }

  async postBatch(events: readonly unknown[]): Promise<Answer> {
    return await hub.post('/v1/events/batch', { events }, this.#headers);
  }

  async importCsv(rows: readonly string[]): Promise<Answer> {
    const header =
      'external_id,event_type,occurred_at,location,reference,lot_code,product_sku,direction,' +
      'quantity,unit';
    const body = new FormData();
    body.set('file', new Blob([[header, ...rows].join('\n')]), 'events.csv');
    return await hub.call('/v1/import/csv', { method: 'POST', headers: this.#headers, body });
  }

  async hold(lotCode: string, body: unknown = HOLD): Promise<Answer> {
    return await this.#change(lotCode, 'hold', body);
  }

  async release(lotCode: string, body: unknown = { by: 'Bob' }): Promise<Answer> {
    return await this.#change(lotCode, 'release', body);
  }

  /** Opens a case on a lot, which holds the lot. @returns its number */
  async openCase(lotCode: string): Promise<string> {
    const opened = await hub.post(
      '/v1/recall/cases',
      { seed_lot_code: lotCode, title: 'T', reason: 'R', opened_by: 'Ada', auto_hold: true },
      this.#headers,
    );
    assert.equal(opened.status, 201, opened.text);
    return String(opened.json['case_no']);
  }

  async #change(lotCode: string, what: string, body: unknown): Promise<Answer> {
    return await hub.post(`/v1/lots/${encodeURIComponent(lotCode)}/${what}`, body, this.#headers);
  }

  async lot(lotCode: string, from: Booted = hub): Promise<Json> {
    const path = `/v1/lots/${encodeURIComponent(lotCode)}`;
    return (await from.call(path, { headers: this.#headers })).json;
  }

  async audit(): Promise<readonly Record<string, unknown>[]> {
    const rows = await hub.database.rows(
      'select actor, action, entity_type, entity_id, block_height, details from audit_entries ' +
        'where tenant_id = ? order by id',
      this.id,
    );
    return rows.map((row) => ({ ...row, details: JSON.parse(String(row['details'])) as unknown }));
  }
}

function listWarnings(answer: Answer): readonly Json[] {
  const warnings = answer.json['warnings'] as unknown as readonly Json[] | undefined;
  return (warnings ?? []).filter((warning) => String(warning['code']) === 'lot_on_hold');
}

test('a hold answers what holds the lot, and the record shows it', async () => {
  const tenant = await Tenant.with('L', 'FREE');
  const before = new Date().toISOString();

  const answer = await tenant.hold('L');

  assert.equal(answer.status, 200, answer.text);
  const since = String(answer.json['holds']?.[0]?.['since']);
  const holds = [{ case_no: 'manual', reason: HOLD.reason, by: 'Ada', since }];
  assert.ok(since >= before && since <= new Date().toISOString(), since);
  const { block_height: height, block_hash: hash } = answer.json;
  assert.deepEqual(answer.json, {
    lot_code: 'L',
    hold_status: 'on_hold',
    holds,
    truncated: false,
    block_height: height,
    block_hash: hash,
  });
  assert.equal(
    (await hub.call(`/public/explorer/block/${String(height)}`)).json['block_hash'],
    hash,
  );
  const lot = await tenant.lot('L');
  assert.equal(lot['hold_status'], 'on_hold');
  assert.equal(lot['status'], 'active');
  assert.deepEqual(lot['holds'], holds);
  assert.equal((await tenant.lot('FREE'))['hold_status'], 'released');
});

test('a lot that is held by hand already stays as it is', async () => {
  const tenant = await Tenant.with('L');
  const first = await tenant.hold('L');

  const second = await tenant.hold('L', { reason: 'another reason', by: 'Bob' });

  assert.equal(second.status, 200);
  assert.deepEqual(second.json, { ...first.json, block_height: null, block_hash: null });
  assert.equal((await tenant.audit()).length, 1);
});

test('a release ends the hold, and a second one changes nothing', async () => {
  const tenant = await Tenant.with('L');
  await tenant.hold('L');

  const first = await tenant.release('L', { by: 'Bob', reason: 'second sample is dry' });
  const second = await tenant.release('L');

  const free = { lot_code: 'L', hold_status: 'released', holds: [], truncated: false };
  const { block_height, block_hash } = first.json;
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(first.json, { ...free, block_height, block_hash });
  assert.equal(typeof block_height, 'number');
  assert.equal(second.status, 200);
  assert.deepEqual(second.json, { ...free, block_height: null, block_hash: null });
  assert.equal((await tenant.lot('L'))['hold_status'], 'released');
  assert.equal((await tenant.audit()).length, 2);
});

test('a lot can be held again after its release', async () => {
  const tenant = await Tenant.with('L');
  await tenant.hold('L');
  await tenant.release('L');

  const again = await tenant.hold('L', { reason: 'again', by: 'Cid' });

  const holds = again.json['holds'] as unknown as readonly Json[];
  assert.deepEqual(
    holds.map((hold) => [hold['reason'], hold['by']]),
    [['again', 'Cid']],
  );
});

test('ending the hold of a case leaves the hold by hand, and the other way round', async () => {
  const tenant = await Tenant.with('L');
  await tenant.hold('L');

  const ofCase = await tenant.release('L', { by: 'Bob', case_no: 'RC-2026-0001' });
  const byHand = await tenant.release('L', { by: 'Bob', case_no: 'manual' });

  assert.equal(ofCase.status, 200);
  assert.equal(ofCase.json['hold_status'], 'on_hold');
  assert.equal(byHand.json['hold_status'], 'released');
});

test('a lot that a case holds as well stays on hold when the hold by hand ends', async () => {
  const tenant = await Tenant.with('L');
  const caseNo = await tenant.openCase('L');
  await tenant.hold('L');

  const byHand = await tenant.release('L', { by: 'Bob' });
  const used = await tenant.post(['L']);
  const ofCase = await tenant.release('L', { by: 'Bob', case_no: caseNo });

  assert.equal(byHand.json['hold_status'], 'on_hold');
  assert.deepEqual(
    (byHand.json['holds'] as unknown as readonly Json[]).map((hold) => hold['case_no']),
    [caseNo],
  );
  assert.equal(listWarnings(used).length, 1);
  assert.equal(ofCase.json['hold_status'], 'released');
  assert.equal((await tenant.lot('L'))['hold_status'], 'released');
});

test('hold and release are kept in the audit with key, person and reason', async () => {
  const tenant = await Tenant.with('A/B');

  const held = await tenant.hold('A/B');
  const released = await tenant.release('A/B', { by: 'Bob', reason: 'dry again' });

  const entry = { entity_type: 'lot', entity_id: 'A/B' };
  assert.deepEqual(await tenant.audit(), [
    {
      ...entry,
      actor: `${KEY_LABEL} (Ada)`,
      action: 'hold_lot',
      block_height: held.json['block_height'],
      details: { source: 'manual', reason: HOLD.reason },
    },
    {
      ...entry,
      actor: `${KEY_LABEL} (Bob)`,
      action: 'release_lot',
      block_height: released.json['block_height'],
      details: { source: 'manual', reason: 'dry again' },
    },
  ]);
});

test('a hold of one tenant leaves the lot of the same code of another free', async () => {
  const [one, other] = [await Tenant.with('SAME'), await Tenant.with('SAME')];

  await one.hold('SAME');

  assert.equal((await one.lot('SAME'))['hold_status'], 'on_hold');
  assert.equal((await other.lot('SAME'))['hold_status'], 'released');
  assert.deepEqual(listWarnings(await other.post(['SAME'])), []);
});

test('a lot that the tenant does not have cannot be held or released', async () => {
  const [one, other] = [await Tenant.with('MINE'), await Tenant.with('THEIRS')];

  const answers = [
    await one.hold('THEIRS'),
    await one.hold('NEVER'),
    await one.release('THEIRS'),
    await new Tenant().hold('MINE'),
  ];

  assert.deepEqual(
    answers.map((answer) => answer.status),
    [404, 404, 404, 404],
  );
  assert.deepEqual(new Set(answers.map((answer) => answer.text)).size, 1);
  assert.equal((await other.lot('THEIRS'))['hold_status'], 'released');
});

test('an event on a held lot is accepted with a warning that names the lot', async () => {
  const tenant = await Tenant.with('HELD', 'FREE');
  await tenant.hold('HELD');

  const touching = await tenant.post(['FREE', 'HELD', 'HELD'], { event_type: 'CONSUME' });
  const passing = await tenant.post(['FREE']);
  await tenant.release('HELD');
  const afterwards = await tenant.post(['HELD']);

  assert.equal(touching.status, 201, touching.text);
  const [warning, ...others] = listWarnings(touching);
  assert.deepEqual(others, []);
  assert.match(String(warning?.['message']), /\bHELD\b/);
  assert.doesNotMatch(String(warning?.['message']), /\bFREE\b/);
  assert.deepEqual(listWarnings(passing), []);
  assert.deepEqual(listWarnings(afterwards), []);
});

test('a breach is kept in the audit with the block and the key', async () => {
  const tenant = await Tenant.with('HELD', 'FREE');
  await tenant.hold('HELD');

  const event = await tenant.post(['HELD', 'FREE', 'HELD'], { event_type: 'CONSUME' });

  assert.deepEqual((await tenant.audit()).slice(1), [
    {
      actor: KEY_LABEL,
      action: 'hold_breach',
      entity_type: 'lot',
      entity_id: 'HELD',
      block_height: event.json['id'],
      details: { event_type: 'CONSUME' },
    },
  ]);
});

test('a replay of an event on a held lot is no second breach', async () => {
  const tenant = await Tenant.with('HELD');
  await tenant.hold('HELD');
  await tenant.post(['HELD'], { external_id: 'e1' });

  const replay = await tenant.post(['HELD'], { external_id: 'e1' });

  assert.equal(replay.status, 200);
  assert.deepEqual(listWarnings(replay), []);
  assert.equal(
    (await tenant.audit()).filter((entry) => entry['action'] === 'hold_breach').length,
    1,
  );
});

test('of many held lots a warning names a few and counts the rest', async () => {
  const codes = Array.from({ length: 8 }, (_, index) => `HELD-${index}`);
  const tenant = await Tenant.with(...codes);
  for (const code of codes) await tenant.hold(code);

  const [warning] = listWarnings(await tenant.post(codes));

  const message = String(warning?.['message']);
  assert.deepEqual(message.match(/HELD-\d/g), codes.slice(0, 5));
  assert.match(message, /and 3 more/);
});

test('in a batch the events on held lots have the warning, and only they', async () => {
  const tenant = await Tenant.with('HELD', 'FREE');
  await tenant.hold('HELD');
  const eventOn = (lot_code: string) => anEvent({ lines: [aLine({ lot_code })] });

  const answer = await tenant.postBatch([eventOn('FREE'), eventOn('HELD'), eventOn('FREE')]);

  assert.equal(answer.status, 201, answer.text);
  const results = answer.json['results'] as unknown as readonly Json[];
  const codes = results.map((result) =>
    (result['warnings'] as unknown as readonly Json[]).map((warning) => warning['code']),
  );
  assert.deepEqual(codes, [[], ['lot_on_hold'], []]);
  assert.equal((await tenant.audit()).at(-1)?.['action'], 'hold_breach');
});

test('an import counts its events on held lots', async () => {
  const tenant = await Tenant.with('HELD', 'FREE');
  await tenant.hold('HELD');

  const answer = await tenant.importCsv(
    ['HELD', 'FREE', 'HELD'].map(
      (lot, index) => `e${index},RECEIVE,2026-03-02T06:15:00Z,X,PO-1,${lot},P,in,1,kg`,
    ),
  );

  assert.equal(answer.status, 201, answer.text);
  const [warning] = answer.json['warnings'] as unknown as readonly Json[];
  assert.deepEqual([warning?.['code'], warning?.['count']], ['lot_on_hold', 2]);
  assert.deepEqual(
    (warning?.['rows'] as unknown as readonly Json[]).map((row) => row['row']),
    [2, 4],
  );
});

test('the public page of a lot says that it is on hold, not why', async () => {
  const tenant = await Tenant.with('L');
  await tenant.hold('L', { reason: 'top secret', by: 'Ada Miller' });

  const answer = await hub.call(`/public/verify/L?brand=${tenant.id}`);

  assert.equal(valueAt(answer.json, 'lot', 'hold_status'), 'on_hold');
  assert.doesNotMatch(answer.text, /top secret|Ada Miller/);
});

test('a hold survives a restart and a rebuild', async () => {
  await using first = await boot();
  const headers = { 'X-Tenant-Id': 'acme' };
  const lines = ['A', 'HELD', 'B'].map((lot_code) => aLine({ lot_code }));
  await first.post('/v1/events', anEvent({ lines }), headers);
  const held = await first.post('/v1/lots/HELD/hold', HOLD, headers);
  await first.service.close();
  await rebuildRows(first.database);

  await using again = await first.restart();

  const record = await again.call('/v1/lots/HELD', { headers });
  const list = await again.call('/v1/lots?hold_status=on_hold', { headers });
  assert.deepEqual(record.json['holds'], held.json['holds']);
  assert.equal(record.json['hold_status'], 'on_hold');
  assert.equal(list.json['total'], 1);
  const event = await again.post('/v1/events', anEvent({ lines: [lines[1]] }), headers);
  assert.equal(listWarnings(event).length, 1);
});

const WRONG_HOLDS: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['nothing', {}, ['body.reason missing', 'body.by missing']],
  ['no object', [], ['body dict_type']],
  [
    'empty strings and an unknown key',
    { reason: '', by: '', until: 'x' },
    ['body.reason string_too_short', 'body.by string_too_short', 'body.until extra_forbidden'],
  ],
  [
    'strings that are too long',
    { reason: 'x'.repeat(2_001), by: 'x'.repeat(201) },
    ['body.reason string_too_long', 'body.by string_too_long'],
  ],
  ['other types', { reason: 1, by: null }, ['body.reason string_type', 'body.by string_type']],
  ['a NUL', { reason: 'a\0b', by: 'Ada' }, ['body.reason string_unicode']],
];
const WRONG_RELEASES: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['nothing', {}, ['body.by missing']],
  [
    'wrong fields',
    { by: 'Ada', reason: 'x'.repeat(2_001), case_no: '', lot: 1 },
    ['body.reason string_too_long', 'body.case_no string_too_short', 'body.lot extra_forbidden'],
  ],
];

for (const [what, wrong] of [
  ['hold', WRONG_HOLDS],
  ['release', WRONG_RELEASES],
] as const) {
  for (const [name, body, expected] of wrong) {
    test(`a ${what} with ${name} is refused with all errors at once`, async () => {
      const answer = await hub.post(`/v1/lots/L/${what}`, body);

      const detail = answer.json['detail'] as unknown as readonly FieldError[];
      const errors = detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(errors.toSorted(), expected.toSorted());
    });
  }
}

test('a hold without a body is refused', async () => {
  const answer = await hub.call('/v1/lots/L/hold', { method: 'POST' });

  assert.equal(answer.status, 422, answer.text);
});

test('a hold with the longest texts is accepted', async () => {
  const tenant = await Tenant.with('L');

  const answer = await tenant.hold('L', { reason: 'ü'.repeat(2_000), by: 'ü'.repeat(200) });

  assert.equal(answer.status, 200, answer.text);
});
