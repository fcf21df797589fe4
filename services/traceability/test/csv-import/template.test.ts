// The template of an import: it can be imported as it is, and names every word of the closed lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTIONS, EVENT_TYPES } from '../../src/ledger/record/event-types.ts';
import { CHANNEL_CLASSES } from '../../src/terms.ts';
import { HEADER, shareImportApp, type ImportApp } from './app.ts';

const openTenant = shareImportApp();

async function template(app: ImportApp, query: string): Promise<Response> {
  return await fetch(`${app.base}/v1/import/template${query}`);
}

for (const query of ['', '?format=csv']) {
  test(`the template of ${query || 'no format'} is CSV with the columns of the document`, async () => {
    await using app = await openTenant();

    const response = await template(app, query);

    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(response.headers.get('content-disposition') ?? '', /lothub-import\.csv/);
    assert.equal(text.split('\r\n')[0], `${HEADER},consignee_ref`);
  });
}

test('the template can be imported as it is, without a warning', async () => {
  await using app = await openTenant();
  const file = await (await template(app, '?format=csv')).text();

  const reply = await app.send(file);

  assert.equal(reply.json['accepted'], 1, reply.text);
  assert.deepEqual(reply.json['warnings'], []);
});

test('the example names every word of the closed lists', async () => {
  await using app = await openTenant();

  const file = await (await template(app, '?format=csv')).text();

  for (const word of [...EVENT_TYPES, ...DIRECTIONS, ...CHANNEL_CLASSES]) {
    assert.match(file, new RegExp(`\\b${word}\\b`));
  }
});

test('a workbook comes with its media type and name', async () => {
  await using app = await openTenant();

  const response = await template(app, '?format=xlsx');

  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /spreadsheetml\.sheet$/);
  assert.match(response.headers.get('content-disposition') ?? '', /lothub-import\.xlsx/);
  assert.equal(bytes.toString('latin1', 0, 2), 'PK');
});

test('an unknown format is a 422', async () => {
  await using app = await openTenant();

  const response = await template(app, '?format=ods');

  assert.equal(response.status, 422);
});
