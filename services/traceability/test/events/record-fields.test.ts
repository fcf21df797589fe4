// Every field of a line, by the table that describes it: sealed, compared when it is posted again,
// corrected, imported, shown and documented. A field that is added to the table and forgotten in one
// of these places fails here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { LINE_FIELD_LIST } from '../../src/ledger/record/fields.ts';
import type { Field, LineFieldName } from '../../src/ledger/record/fields.ts';
import { COLUMNS } from '../../src/csv-import/columns.ts';
import { boot, newTenant } from '../boot.ts';
import type { Booted, Json } from '../boot.ts';
import { change, request, send } from '../corrections/correction-requests.ts';

const LINE = Object.fromEntries(LINE_FIELD_LIST.map(({ name, facts }) => [name, facts.example]));

/** A sale, because no other event keeps every field. */
const anEvent = (externalId: string, line: object) => ({
  external_id: externalId,
  event_type: 'SELL',
  occurred_at: '2026-03-02T07:15:00Z',
  location: 'SHOP-1',
  reference: 'RECEIPT-1',
  lines: [line],
});

/** Another value that the field may have; of a channel one of another class. */
function otherValue({ name, facts }: Field<LineFieldName>): string | number {
  if (name === 'channel') return 'webshop';
  if (facts.kind === 'decimal') return Number(facts.example) + 1;
  if (facts.kind !== 'choice') return `${facts.example}X`;
  const other = facts.choices.find((choice) => choice !== facts.example);
  assert.ok(other !== undefined, `${name} has only one value`);
  return other;
}

let hub: Booted;
const tenant = newTenant();
const headers = { 'X-Tenant-Id': tenant };
before(async () => {
  hub = await boot();
});
after(async () => {
  await hub[Symbol.asyncDispose]();
});

async function post(externalId: string, line: object): Promise<Json> {
  const answer = await hub.post('/v1/events', anEvent(externalId, line), headers);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

/** The newest event's line as its tenant is shown it. */
async function newestLine(eventId: Json | undefined): Promise<Json> {
  const { json } = await hub.call('/v1/events?limit=1', { headers });
  const event = json['events']![0 as never]!;
  if (eventId !== undefined) assert.equal(event['id'], eventId);
  return event['lines']![0 as never]!;
}

async function sealedLine(eventId: Json): Promise<Record<string, unknown>> {
  const { json } = await hub.call(`/public/explorer/block/${String(eventId)}`);
  const canonical = JSON.parse(String(json['canonical'])) as {
    payload: { event: { lines: Record<string, unknown>[] } };
  };
  return canonical.payload.event.lines[0]!;
}

for (const field of LINE_FIELD_LIST) {
  const { name, facts } = field;
  const other = otherValue(field);
  describe(`${name} of a line`, () => {
    test('is sealed: in clear, or as a commitment that differs with it', async () => {
      const { id } = await post(`sealed-${name}`, LINE);

      const line = await sealedLine(id!);

      switch (facts.privacy) {
        case 'committed':
          assert.equal(line[name], undefined);
          assert.match(String(line['private']), /^[0-9a-f]{64}$/);
          break;
        case 'class':
          assert.equal(line[name], 'retail');
          break;
        default:
          assert.equal(line[name], String(facts.example));
      }
    });

    test('is compared when its event is posted again', async () => {
      await post(`again-${name}`, LINE);

      const changed = anEvent(`again-${name}`, { ...LINE, [name]: other });
      const answer = await hub.post('/v1/events', changed, headers);

      assert.equal(answer.status, 400, answer.text);
      assert.match(String(answer.json['detail']), new RegExp(`lines\\[0\\]\\.${name}\\b`));
    });

    test('is shown to its tenant as it was sent', async () => {
      const { id } = await post(`shown-${name}`, LINE);

      const line = await newestLine(id);

      assert.equal(line[name], facts.example);
    });

    test('can be corrected, and counts from then on', async () => {
      const { id } = await post(`corrected-${name}`, LINE);

      const body = request(Number(id), [change(`lines[0].${name}`, facts.example, other)]);
      const answer = await send(hub, tenant, body);

      assert.equal(answer.status, 201, answer.text);
      assert.equal((await newestLine(id))[name], other);
    });

    test('is imported from its column', async () => {
      const id = `imported-${name}`;
      const cells: Readonly<Record<string, unknown>> = { ...anEvent(id, LINE), ...LINE };
      const row = COLUMNS.map((column) => String(cells[column] ?? ''));
      const form = new FormData();
      form.set('file', new Blob([`${COLUMNS.join(',')}\n${row.join(',')}\n`]), 'events.csv');

      const answer = await hub.call('/v1/import/csv', { method: 'POST', headers, body: form });

      assert.equal(answer.status, 201, answer.text);
      assert.equal((await newestLine(undefined))[name], facts.example);
    });

    test('is shown to the public as the chain shows it', async () => {
      const { id } = await post(`public-${name}`, LINE);

      const { json } = await hub.call(`/public/explorer/block/${String(id)}`);

      const line = json['transactions']![0 as never]!;
      if (facts.privacy === 'committed') assert.ok(!(name in line));
      else assert.equal(line[name], facts.privacy === 'class' ? 'retail' : facts.example);
    });

    test('stands in the guide and in the chain format', () => {
      const guide = readFileSync(new URL('../../../../docs/guide.md', import.meta.url), 'utf8');
      const format = readFileSync(
        new URL('../../../../docs/chain-format.md', import.meta.url),
        'utf8',
      );

      const tableOf = (text: string, head: string): string => {
        const start = text.indexOf(`| ${head}`);
        assert.ok(start >= 0, `no table with the head ${head}`);
        return text.slice(start, text.indexOf('\n\n', start));
      };

      assert.ok(tableOf(guide, 'field of a line').includes(`\`${name}\``), 'the guide');
      if (facts.privacy === 'committed') return;
      assert.ok(tableOf(format, 'member of a line').includes(`| \`${name}\``), 'the chain format');
    });
  });
}
