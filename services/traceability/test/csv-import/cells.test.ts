// Cells of an imported file that no column takes: a row with more cells than the header is refused,
// and no answer repeats what the file has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEADER, aFile, aRow, listErrors, shareImportApp } from './app.ts';

const openTenant = shareImportApp();

const LOC = ['body', 'file', 2] as const;

for (const [name, cells] of [
  ['is empty', ','],
  ['has a value', ',surplus'],
  ['is quoted and empty', ',""'],
] as const) {
  test(`a row with one cell more than the header is refused when the cell ${name}`, async () => {
    await using app = await openTenant();

    const reply = await app.send(aFile([aRow()]).replace(/\n$/, `${cells}\n`));

    assert.deepEqual(listErrors(reply), [[LOC, 'too_many_cells']]);
    assert.equal(await app.height(), 0);
  });
}

test('a decimal comma in a row of commas is refused: it moves the unit into another column', async () => {
  await using app = await openTenant();
  const row = ',RECEIVE,2026-03-02T07:15:00Z,BAKERY-1,PO-1,FLOUR-1,FLOUR-T55,in,12,5,kg,,,,,,';

  const reply = await app.send(`${HEADER}\n${row}\n`);

  assert.deepEqual(listErrors(reply), [[LOC, 'too_many_cells']]);
  assert.equal(await app.height(), 0);
});

test('a row of too many cells is left out with on_error=proceed', async () => {
  await using app = await openTenant();
  const [header, first, second] = aFile([aRow(), aRow({ external_id: 'b' })]).split('\n');

  const reply = await app.send(`${header}\n${first},\n${second}\n`, '?on_error=proceed');

  assert.equal(reply.json['accepted'], 1, reply.text);
  assert.equal(reply.json['errors']?.[0]?.['type'], 'too_many_cells');
  assert.deepEqual(
    (await app.events()).map((event) => event.external_id),
    ['b'],
  );
});

test('delimiters at the end of the header allow for as many empty cells in each row', async () => {
  await using app = await openTenant();
  const file = aFile([aRow()]).replace(HEADER, `${HEADER},,`);

  const short = await app.send(file);
  const long = await app.send(file.replace(/\n$/, ',,\n'));
  const longer = await app.send(file.replace(/\n$/, ',,,\n'));

  assert.equal(short.status, 201, short.text);
  assert.equal(long.json['duplicates'], 1, long.text);
  assert.deepEqual(listErrors(longer), [[LOC, 'too_many_cells']]);
});

test('a value below a nameless cell of the header is refused', async () => {
  await using app = await openTenant();
  const file = aFile([aRow()]).replace(HEADER, `${HEADER},,`);

  const reply = await app.send(file.replace(/\n$/, ',surplus\n'));

  assert.deepEqual(listErrors(reply), [[LOC, 'too_many_cells']]);
});

test('an unknown column is refused by its place in the header, and its name is not repeated', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow()]).replace('notes', 'colour'));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'extra_forbidden']]);
  assert.match(reply.text, /Cell 16 of the header/);
  assert.doesNotMatch(reply.text, /colour/);
});

for (const [name, file] of [
  ['a workbook', Buffer.from('PK\x03\x04\x14\0\x06\0xl/secret.xml\n')],
  ['bytes that are no text', Buffer.from('\x80\xffsecret\n', 'latin1')],
  ['text without a header', Buffer.from('secret,secret\nsecret,1\n')],
] as const) {
  test(`an answer to ${name} does not contain what was sent`, async () => {
    await using app = await openTenant();

    const reply = await app.send(new Uint8Array(file));

    assert.equal(reply.status, 422, reply.text);
    assert.doesNotMatch(reply.text, /secret|PK|xml/);
  });
}

test('a workbook is refused with what to do', async () => {
  await using app = await openTenant();

  const reply = await app.send('PK\x03\x04\x14');

  assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'csv_invalid']]);
  assert.match(reply.text, /save it as CSV/);
});
