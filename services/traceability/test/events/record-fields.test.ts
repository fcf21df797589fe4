// Every field of a line, by the table that describes it: sealed, checked where it is on the chain,
// compared when it is posted or imported again, corrected, imported, shown and documented. A field that is added to
// the table and forgotten in one of these places fails here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { resolveReferences } from '@lothub/kit/test/description/resolve-references';
import { LINE_FIELDS, LINE_FIELD_LIST, isHidden } from '../../src/ledger/record/fields.ts';
import type { Field, FieldFacts, LineFieldName } from '../../src/ledger/record/fields.ts';
import { findPayload } from '../../src/ledger/record/payload-shape.ts';
import { COLUMNS } from '../../src/csv-import/columns.ts';
import { boot, newTenant, type Answer, type Json } from '../boot.ts';
import { change, request, send } from '../corrections/correction-requests.ts';

const EXAMPLE_LINE = Object.fromEntries(
  LINE_FIELD_LIST.map(({ name, facts }) => [name, facts.example]),
);

/** A sale, which keeps every field but the consignee of a delivery. */
const anEvent = (externalId: string, line: object, keeper = 'SELL') => ({
  external_id: externalId,
  event_type: keeper,
  occurred_at: '2026-03-02T07:15:00Z',
  location: 'SHOP-1',
  reference: 'RECEIPT-1',
  lines: [line],
});

/** Fields of a line that version 1 of the chain format has; the list is closed. */
const OF_VERSION_1: readonly LineFieldName[] = [
  'lot_code',
  'product_sku',
  'direction',
  'quantity',
  'unit',
  'customer_ref',
  'channel',
  'supplier_name',
  'origin_facility',
  'supplier_lot_code',
];

/** Another value that the field may have; of a channel one of another class. */
function otherValue({ name, facts }: Field<LineFieldName>): string | number {
  if (name === 'channel') return 'webshop';
  if (facts.kind === 'decimal') return Number(facts.example) + 1;
  if (facts.kind !== 'choice') return `${facts.example}X`;
  const other = facts.choices.find((choice) => choice !== facts.example);
  assert.ok(other !== undefined, `${name} has only one value`);
  return other;
}

/** A decimal with one place more than is kept. */
const TOO_SMALL = 1e-16;

/** A value that the field may not have. */
function impossibleValue({ facts }: Field<LineFieldName>): string | number {
  if (facts.kind === 'decimal') return facts.maximum * 10;
  return facts.kind === 'text' ? 'X'.repeat(facts.charsMax + 1) : 'nothing of the kind';
}

const tenant = newTenant();
const headers = { 'X-Tenant-Id': tenant };
const hub = await openForFile(boot());

async function post(externalId: string, line: object, keeper: string): Promise<Json> {
  const answer = await hub.post('/v1/events', anEvent(externalId, line, keeper), headers);
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

interface SealedBlock {
  readonly payload: {
    readonly event: { readonly lines: Record<string, unknown>[] };
    readonly v: number;
  };
}

async function sealedBlock(eventId: Json): Promise<SealedBlock> {
  const { json } = await hub.call(`/public/explorer/block/${String(eventId)}`);
  return JSON.parse(String(json['canonical'])) as SealedBlock;
}

/** Imports a file with one event of one line. */
async function importLine(event: object, line: object): Promise<Answer> {
  const cells: Readonly<Record<string, unknown>> = { ...event, ...line };
  const row = COLUMNS.map((column) => String(cells[column] ?? ''));
  const form = new FormData();
  form.set('file', new Blob([`${COLUMNS.join(',')}\n${row.join(',')}\n`]), 'events.csv');
  return await hub.call('/v1/import/csv', { method: 'POST', headers, body: form });
}

/** Names of the members of a line in a schema of the API description. */
function lineMembers(schema: Json): readonly string[] {
  const { lines, transactions } = schema['properties'] as Readonly<Record<string, Json>>;
  return Object.keys((lines ?? transactions)!['items']!['properties']!);
}

for (const field of LINE_FIELD_LIST) {
  const { name, facts } = field;
  const isDelivered = facts.privacy === 'apart';
  const keeper = isDelivered ? 'SHIP' : 'SELL';
  const LINE = isDelivered ? { ...EXAMPLE_LINE, direction: 'out' } : EXAMPLE_LINE;
  const other = otherValue(field);
  describe(`${name} of a line`, () => {
    test('is sealed: in clear, or as a commitment that differs with it', async () => {
      const { id } = await post(`sealed-${name}`, LINE, keeper);

      const line = (await sealedBlock(id!)).payload.event.lines[0]!;

      switch (facts.privacy) {
        case 'committed':
          assert.equal(line[name], undefined);
          assert.match(String(line['private']), /^[0-9a-f]{64}$/);
          break;
        case 'apart':
          assert.equal(line[name], undefined);
          assert.match(String(line['consignee']), /^[0-9a-f]{64}$/);
          break;
        case 'class':
          assert.equal(line[name], 'retail');
          break;
        default:
          assert.equal(line[name], String(facts.example));
      }
    });

    test('is sealed and corrected as version 2 unless version 1 has it', async () => {
      const names = LINE_FIELD_LIST.filter((one) => one.facts.required || one.name === name);
      const line = Object.fromEntries(names.map((one) => [one.name, LINE[one.name]]));
      const { id } = await post(`version-${name}`, line, keeper);
      const changes = [change(`lines[0].${name}`, facts.example, other)];
      const { json: correction } = await send(hub, tenant, request(Number(id), changes));

      const blocks = [await sealedBlock(id!), await sealedBlock(correction['id']!)];

      const version = OF_VERSION_1.includes(name) ? 1 : 2;
      assert.deepEqual(
        blocks.map(({ payload }) => payload.v),
        [version, version],
        'see versionOfEvent and versionOfCorrection of ledger/record/payload.ts',
      );
    });

    test('is compared when its event is posted again', async () => {
      await post(`again-${name}`, LINE, keeper);

      const changed = anEvent(`again-${name}`, { ...LINE, [name]: other }, keeper);
      const answer = await hub.post('/v1/events', changed, headers);

      assert.equal(answer.status, 400, answer.text);
      assert.match(String(answer.json['detail']), new RegExp(`lines\\[0\\]\\.${name}\\b`));
    });

    test('is shown to its tenant as it was sent', async () => {
      const { id } = await post(`shown-${name}`, LINE, keeper);

      const line = await newestLine(id);

      assert.equal(line[name], facts.example);
    });

    test('can be corrected, and counts from then on', async () => {
      const { id } = await post(`corrected-${name}`, LINE, keeper);

      const body = request(Number(id), [change(`lines[0].${name}`, facts.example, other)]);
      const answer = await send(hub, tenant, body);

      assert.equal(answer.status, 201, answer.text);
      assert.equal((await newestLine(id))[name], other);
    });

    test('cannot be corrected to a value that it may not have when it is posted', async () => {
      const { id } = await post(`impossible-${name}`, LINE, keeper);

      const changes = [change(`lines[0].${name}`, facts.example, impossibleValue(field))];
      const answer = await send(hub, tenant, request(Number(id), changes));

      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.text, /"new_value"/);
    });

    test('is imported from its column', async () => {
      const id = `imported-${name}`;
      const answer = await importLine(anEvent(id, LINE, keeper), LINE);

      assert.equal(answer.status, 201, answer.text);
      assert.equal((await newestLine(undefined))[name], facts.example);
    });

    test('is compared when its file is imported again without external ids', async () => {
      const event = { ...anEvent('', LINE, keeper), reference: `REGROWN-${name}` };
      await importLine(event, LINE);

      const answer = await importLine(event, { ...LINE, [name]: other });

      assert.equal(answer.status, 400, answer.text);
      assert.match(String(answer.json['detail']), /the group is regrown/);
    });

    if (!isHidden(facts)) {
      test('is checked by its kind where it is on the chain', async () => {
        const { id } = await post(`checked-${name}`, LINE, keeper);
        const block = await sealedBlock(id!);
        const [line] = block.payload.event.lines;
        assert.ok(findPayload(JSON.stringify(block)) !== undefined);

        line![name] = 12;

        assert.equal(findPayload(JSON.stringify(block)), undefined);
      });
    }

    if (facts.kind === 'decimal') {
      test('is refused when it is no decimal that is kept exactly', async () => {
        const body = anEvent(`inexact-${name}`, { ...LINE, [name]: TOO_SMALL }, keeper);

        const answer = await hub.post('/v1/events', body, headers);

        assert.equal(answer.status, 422, answer.text);
        assert.match(answer.text, new RegExp(`"lines",0,"${name}"`));
      });
    }

    test('is in the description of the API, as it is sent and as it is shown', async () => {
      const { paths } = resolveReferences((await hub.call('/openapi.json')).json);
      const getBodySchema = (described: Json): Json =>
        described['content']!['application/json']!['schema']!;
      const getAnswerSchema = (operation: Json): Json =>
        getBodySchema(operation['responses']!['200']!);

      const { post: posting, get: listing } = paths!['/v1/events'] as Record<string, Json>;
      const sent = lineMembers(getBodySchema(posting!['requestBody']!));
      const shown = lineMembers(getAnswerSchema(listing!)['properties']!['events']!['items']!);
      const block = paths!['/public/explorer/block/{height}']!['get']!;
      const open = lineMembers(getAnswerSchema(block));

      assert.ok(sent.includes(name), 'sent');
      assert.ok(shown.includes(name), 'shown to its tenant');
      assert.equal(open.includes(name), !isHidden(facts), 'shown to the public');
    });

    test('is shown to the public as the chain shows it', async () => {
      const { id } = await post(`public-${name}`, LINE, keeper);

      const { json } = await hub.call(`/public/explorer/block/${String(id)}`);

      const line = json['transactions']![0 as never]!;
      if (isHidden(facts)) assert.ok(!(name in line));
      else assert.equal(line[name], facts.privacy === 'class' ? 'retail' : facts.example);
    });

    test('is in the guide and in the chain format', () => {
      const guide = readFileSync(new URL('../../../../docs/guide.md', import.meta.url), 'utf8');
      const format = readFileSync(
        new URL('../../../../docs/chain-format.md', import.meta.url),
        'utf8',
      );

      const cutTable = (text: string, head: string): string => {
        const start = text.indexOf(`| ${head}`);
        assert.ok(start >= 0, `no table with the head ${head}`);
        return text.slice(start, text.indexOf('\n\n', start));
      };

      assert.ok(cutTable(guide, 'field of a line').includes(`\`${name}\``), 'the guide');
      if (isHidden(facts)) return;
      assert.ok(cutTable(format, 'member of a line').includes(`| \`${name}\``), 'the chain format');
    });
  });
}

test('no number of a record is below 0, because decimals have no sign on the chain', () => {
  const decimals = Object.values<FieldFacts>(LINE_FIELDS).filter(({ kind }) => kind === 'decimal');

  assert.ok(decimals.length > 0);
  for (const facts of decimals) assert.ok(facts.kind === 'decimal' && facts.minimum >= 0);
});
