// Every type of event, by the table that describes it: posted, summed up, called by its label, and
// documented. A type that is added to the table and forgotten in one of these places fails here.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { readDocument } from '@lothub/kit/test/walkthrough';
import {
  DIRECTIONS,
  EVENT_TYPES,
  PARTS,
  findPart,
  formatSources,
  getFacts,
} from '../../src/ledger/record/event-types.ts';
import { aLine, anEvent, boot, newTenant } from '../boot.ts';

const GUIDE = readDocument('docs/guide.md');
const QUANTITY = 7;

const headers = { 'X-Tenant-Id': newTenant() };
const hub = await openForFile(boot());

/** The row of a table of a document that begins with a cell. */
function findRow(document: string, cell: string): string {
  const row = document.split('\n').find((line) => new RegExp(`^\\| ${cell} +\\|`).test(line));
  assert.ok(row !== undefined, `no row ${cell}`);
  return row;
}

/** Names of types of events in a text, in its order. */
const typesIn = (text: string): readonly string[] => text.match(/(?<=`)[A-Z]{4,}(?=`)/g) ?? [];

for (const type of EVENT_TYPES) {
  const { counts, label } = getFacts(type);
  describe(`an event of the type ${type}`, () => {
    for (const direction of DIRECTIONS) {
      test(`adds to the balance of its lot what the table says of ${direction}`, async () => {
        const lot = `${type}-${direction}`;
        const line = aLine({ lot_code: lot, direction, quantity: QUANTITY });
        const posted = await hub.post(
          '/v1/events',
          anEvent({ external_id: lot, event_type: type, lines: [line] }),
          headers,
        );
        assert.equal(posted.status, 201, posted.text);

        const { json } = await hub.call(`/v1/lots/${lot}`, { headers });

        const [balance] = json['quantities'] as unknown as readonly Record<string, unknown>[];
        const part = findPart(type, direction);
        for (const name of PARTS) {
          assert.equal(balance?.[name] ?? 0, name === part ? QUANTITY : 0, name);
        }
      });
    }

    test('is called by its label on the page of its block', async () => {
      const event = anEvent({ external_id: `page-${type}`, event_type: type });
      const posted = await hub.post('/v1/events', event, headers);

      const page = await hub.call(`/explorer/block/${String(posted.json['id'])}`);

      assert.ok(page.text.includes(`<dd>${label}</dd>`), page.text);
    });

    if (counts) {
      test('is in the table of the guide that says what its lines are', () => {
        assert.ok(findRow(GUIDE, `\`${type}\``).length > 0);
      });
    }
  });
}

test('guide, chain format and glossary name every type, in the order of the table', () => {
  const rows = {
    guide: findRow(GUIDE, '`event_type`'),
    format: findRow(readDocument('docs/chain-format.md'), '`event_type`'),
    glossary: findRow(readDocument('docs/glossary.md'), 'event'),
  };

  for (const [document, row] of Object.entries(rows)) {
    assert.deepEqual(typesIn(row), [...EVENT_TYPES], document);
  }
});

for (const part of PARTS) {
  test(`the guide names the types that add to ${part}`, () => {
    const [, , lines = ''] = findRow(GUIDE, `\`${part}\``).split('|');

    const named = EVENT_TYPES.filter((type) => formatSources(part).split(' ').includes(type));
    assert.deepEqual(typesIn(lines), named);
  });
}
