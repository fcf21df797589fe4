// Opening private values for an authority: what the tenant gets, and that a program which shares no
// code with the hub checks it against the public chain (examples/verify.py).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { aLine, anEvent, boot, newTenant, valueAt } from '../boot.ts';
import type { Answer, Booted, Json } from '../boot.ts';
import { change, corrected, type Recorded } from '../corrections/correction-requests.ts';

const SCRIPT = fileURLToPath(new URL('../../../../examples/verify.py', import.meta.url));
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
/** People may be without Python; where changes are judged, a missing one fails the tests below. */
const IS_JUDGED = HAS_PYTHON || process.env['CI'] === 'true';

let hub: Booted;
let folder: string;
before(async () => {
  hub = await boot();
  folder = await mkdtemp(join(tmpdir(), 'lothub-test-'));
});
after(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A sale of three lines, one of which says nothing of a customer. */
async function sell(changes: Readonly<Record<string, unknown>> = {}): Promise<Recorded> {
  const tenant = newTenant();
  const lines = [
    { customer_ref: 'C-1', channel: 'Farm shop' },
    {},
    { customer_ref: 'C-2', channel: 'Farm shop' },
  ].map((line) => aLine({ direction: 'out', ...line }));
  const event = anEvent({ event_type: 'SELL', notes: 'Back door', lines, ...changes });
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 201, answer.text);
  return { tenant, eventId: Number(answer.json['id']) };
}

async function ask({ tenant, eventId }: Recorded, query = ''): Promise<Answer> {
  const headers = { 'X-Tenant-Id': tenant };
  return await hub.call(`/v1/events/${eventId}/disclosure${query}`, { headers });
}

async function disclosed(recorded: Recorded, query = ''): Promise<Json> {
  const answer = await ask(recorded, query);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Openings without their proof. */
function listOpenings(disclosure: Json): readonly unknown[] {
  return Object.values(disclosure['openings'] ?? {}).map((one) => [one['field'], one['values']]);
}

/** What the independent verifier says of a disclosure, beside the public chain of the hub. */
async function judge(disclosure: unknown): Promise<Json> {
  const file = join(folder, 'disclosure.json');
  await writeFile(file, JSON.stringify(disclosure));
  const child = spawn('python3', [SCRIPT, '--url', hub.base, '--disclosure', file, '--json'], {
    env: { PATH: process.env['PATH'], no_proxy: '*' },
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  await once(child, 'close');
  return JSON.parse(text) as Json;
}

test('an event is opened with every value, salt and text that was hashed', async () => {
  const sold = await sell();

  const disclosure = await disclosed(sold);

  assert.deepEqual(listOpenings(disclosure), [
    ['lines[0]', { channel: 'Farm shop', customer_ref: 'C-1' }],
    ['lines[2]', { channel: 'Farm shop', customer_ref: 'C-2' }],
    ['notes', { notes: 'Back door' }],
  ]);
  const block = await hub.call(`/public/explorer/block/${sold.eventId}`);
  for (const opening of Object.values(disclosure['openings'] ?? {})) {
    assert.equal(sha256Hex(String(opening['canonical'])), opening['commitment']);
    assert.ok(block.text.includes(String(opening['commitment'])));
    assert.equal(opening['block_hash'], block.json['block_hash']);
  }
});

test('one line is opened alone, with what its corrections said', async () => {
  const sold = await sell();
  await corrected(hub, sold, change('lines[2].customer_ref', 'C-2', 'C-3'));
  await corrected(hub, sold, change('lines[0].channel', 'Farm shop', 'Web shop'));

  const disclosure = await disclosed(sold, '?line=2');

  assert.deepEqual(listOpenings(disclosure), [
    ['lines[2]', { channel: 'Farm shop', customer_ref: 'C-2' }],
    ['lines[2].customer_ref', { from: 'C-2', to: 'C-3' }],
  ]);
  assert.deepEqual(disclosure['effective'], {
    notes: null,
    lines: [
      { line: 2, customer_ref: 'C-3', consignee_ref: null, channel: 'Farm shop', erased: false },
    ],
  });
});

test('what was erased is said to be so, and nothing of it is disclosed', async () => {
  const sold = await sell();
  const headers = { 'X-Tenant-Id': sold.tenant };
  await hub.post('/v1/privacy/erase', { customer_ref: 'C-1' }, headers);

  const disclosure = await disclosed(sold);

  assert.partialDeepStrictEqual(valueAt(disclosure, 'openings', 0), {
    field: 'lines[0]',
    erased: true,
    values: null,
    salt: null,
    canonical: null,
  });
  assert.deepEqual(valueAt(disclosure, 'effective', 'lines'), [
    { line: 0, customer_ref: null, consignee_ref: null, channel: null, erased: true },
    { line: 2, customer_ref: 'C-2', consignee_ref: null, channel: 'Farm shop', erased: false },
  ]);
});

test("unknown events, corrections, another tenant's events and lines that are not there are 404", async () => {
  const sold = await sell();
  const correction = await corrected(hub, sold, change('reference', 'PO-1', 'PO-2'));
  const other = newTenant();

  const answers = [
    await ask({ ...sold, tenant: other }),
    await ask({ ...sold, eventId: 1_000_000 }),
    await ask({ ...sold, eventId: 0 }),
    await ask({ ...sold, eventId: Number(correction['id']) }),
    await ask(sold, '?line=3'),
  ];

  assert.deepEqual(
    answers.map((answer) => answer.status),
    [404, 404, 404, 404, 404],
  );
  assert.deepEqual(answers[0]?.json, answers[1]?.json);
  assert.equal((await ask(sold, '?line=-1')).status, 422);
});

test('the audit says that an event was opened, without a value', async () => {
  const sold = await sell();

  await disclosed(sold, '?line=0');

  const rows = await hub.database.rows(
    'select action, entity_id, details from audit_entries where tenant_id = ?',
    sold.tenant,
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      {
        action: 'disclose_line',
        entity_id: String(sold.eventId),
        details: '{"line":0,"openings":1}',
      },
    ],
  );
});

if (IS_JUDGED) {
  test('a consignee, as sent and as corrected, is judged beside the public chain', async () => {
    const tenant = newTenant();
    const lines = [aLine({ direction: 'out', consignee_ref: 'C-1' })];
    const event = anEvent({ event_type: 'SHIP', lines });
    const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenant });
    const shipped = { tenant, eventId: Number(answer.json['id']) };
    await corrected(hub, shipped, change('lines[0].consignee_ref', 'C-1', 'C-2'));
    const whole = await disclosed(shipped);
    const other = structuredClone(whole) as unknown as {
      readonly effective: { readonly lines: { consignee_ref: string }[] };
    };
    other.effective.lines[0]!.consignee_ref = 'C-1';

    const [good, bad] = [await judge(whole), await judge(other)];

    assert.equal(good['valid'], true as never, JSON.stringify(good));
    assert.equal(bad['code'], 'effective_mismatch' as never, JSON.stringify(bad));
  });

  test('the independent verifier finds every opening of an answer on the chain', async () => {
    const sold = await sell();
    await corrected(hub, sold, change('lines[2].customer_ref', 'C-2', 'C-3'));
    await corrected(hub, sold, change('notes', 'Back door', 'Front door'));

    const judged = await judge(await disclosed(sold));

    assert.partialDeepStrictEqual(judged, { valid: true, openings: 5, erased: 0 });
  });

  test('the independent verifier says how much of an answer is erased', async () => {
    const sold = await sell();
    const headers = { 'X-Tenant-Id': sold.tenant };
    await corrected(hub, sold, change('lines[2].customer_ref', 'C-2', 'C-3'));
    await hub.post('/v1/privacy/erase', { customer_ref: 'C-2' }, headers);

    const judged = await judge(await disclosed(sold));

    assert.partialDeepStrictEqual(judged, { valid: true, openings: 4, erased: 2 });
  });

  test('the independent verifier refuses a disclosure that was changed or leaves something out', async () => {
    const sold = await sell();
    await corrected(hub, sold, change('lines[0].customer_ref', 'C-1', 'C-9'));
    const text = JSON.stringify(await disclosed(sold));
    const changed = (edit: (copy: Copy) => void): Copy => {
      const copy = JSON.parse(text) as Copy;
      edit(copy);
      return copy;
    };

    const codes = [];
    for (const disclosure of [
      changed(({ openings }) => (openings[0]!.values!['customer_ref'] = 'C-8')),
      changed(({ effective }) => (effective.lines[0]!.customer_ref = 'C-1')),
      changed(({ openings, effective }) => {
        openings.pop();
        effective.lines[0]!.customer_ref = 'C-1';
      }),
      changed(({ openings }) => (openings[0]!.block_height = 1_000_000)),
    ])
      codes.push((await judge(disclosure))['code']);

    assert.deepEqual(codes, [
      'commitment_mismatch',
      'effective_mismatch',
      'opening_missing',
      'commitment_missing',
    ]);
  });
} else {
  test('a disclosure is checked by examples/verify.py only where python3 is on the path', (t) => {
    t.diagnostic('not judged: there is no python3 on the path');
  });
}

/** What the tests above change of a disclosure. */
interface Copy {
  readonly openings: { values: Record<string, string> | null; block_height: number }[];
  readonly effective: { readonly lines: { customer_ref: string }[] };
}
