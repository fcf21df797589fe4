// Importing files by pages, without a script: what is understood, what is refused, what is kept, who may.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { present } from '@lothub/kit/present';
import { boot, newTenant } from '../../boot.ts';
import { newVisitor, readWords, type Page, type TestVisitor } from '../visitors.ts';
import { BAKERY_HEADER, bakeryRow, buildWorkbook, sendFile } from './files.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

async function newBrand(role: 'viewer' | 'quality' = 'quality') {
  const brand = newTenant();
  const visitor = await newVisitor(booted, { brands: { [brand]: role } });
  return { brand, visitor, path: `/console/b/${brand}/imports` };
}

/** The page of an import once nothing runs, in German. */
async function settled(visitor: TestVisitor, path: string): Promise<Page> {
  for (;;) {
    const page = await visitor.get(`${path}?lang=de`);
    if (!page.text.includes('data-running')) return page;
    await wait(20);
  }
}

/** The fields of the forms on a page, as a browser would send them. */
function readFields({ text }: Page): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(
    /<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g,
  ))
    fields[name] = value;
  for (const [, name = '', inside = ''] of text.matchAll(
    /<select[^>]*name="([^"]+)"[^>]*>([^]*?)<\/select>/g,
  )) {
    const chosen =
      /<option value="([^"]*)"\s+selected/.exec(inside) ?? /<option value="([^"]*)"/.exec(inside);
    fields[name] = chosen?.[1] ?? '';
  }
  return fields;
}

const HEADER =
  'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit';
const ROW = 'RECEIVE,2026-03-02T07:15:00Z,BAKERY-1,PO-1,FLOUR-1,FLOUR-T55,in,250.5,kg';

test('a bakery’s workbook goes in: columns are suggested, wrong rows mended, the next file needs nothing', async () => {
  const { brand, visitor } = await newBrand();
  const rows = [1, 2, 3, 4].map((number) => bakeryRow(number));
  const wrong = [bakeryRow(5, { 4: 'viel' }), bakeryRow(6, { 3: '' })];
  const file = buildWorkbook([BAKERY_HEADER, ...rows, ...wrong]);

  const sent = await sendFile(booted, visitor, {
    brand,
    file,
    name: 'C:\\März\\Wareneingang.xlsx',
  });
  const importPath = present(sent.location, 'the page of the import');
  const columns = await visitor.get(`${importPath}?lang=de`);
  const proposed = readFields(columns);
  const incomplete = await visitor.post(`${importPath}/columns`, proposed);
  const said = {
    ...proposed,
    same_event_type: 'RECEIVE',
    same_location: 'BACKSTUBE',
    same_unit: 'kg',
    column_7: 'notes',
  };
  await visitor.post(`${importPath}/columns`, said);
  const checked = await settled(visitor, importPath);
  await visitor.post(`${importPath}/mend`, { 'row_6.quantity': '12,5', 'row_7.lot_code': 'M-6' });
  const mended = await settled(visitor, importPath);
  await visitor.post(`${importPath}/start`, { on_error: 'abort' });
  const imported = await settled(visitor, importPath);
  const second = buildWorkbook([BAKERY_HEADER, bakeryRow(7)]);
  const sentAgain = await sendFile(booted, visitor, { brand, file: second, name: 'April.xlsx' });
  const secondPath = present(sentAgain.location, 'the page of the second import');
  const secondChecked = await settled(visitor, secondPath);
  const lots = await booted.call('/v1/lots', { headers: { 'X-Tenant-Id': brand } });
  const event = await booted.call('/v1/events', { headers: { 'X-Tenant-Id': brand } });

  assert.equal(sent.status, 303);
  assert.match(readWords(columns), /Wareneingang\.xlsx/);
  assert.doesNotMatch(readWords(columns), /März/);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((place) => proposed[`column_${place}`]),
    ['occurred_at', 'reference', 'product_sku', 'lot_code', 'quantity', 'supplier_name', ''],
  );
  assert.equal(incomplete.status, 422);
  assert.match(readWords(checked), /Fehlerhafte Ereignisse: 2/);
  assert.match(
    readWords(checked),
    /Zeile 6 .*viel.*Das ist keine Zahl.*Zeile 7 .*Diese Angabe fehlt/,
  );
  assert.match(readWords(mended), /Zu speichernde Ereignisse: 6/);
  assert.match(readWords(imported), /Gespeicherte Ereignisse: 6/);
  assert.match(readWords(imported), /Block \d/);
  assert.match(readWords(secondChecked), /früheren Datei zugeordnet.*Zu speichernde Ereignisse: 1/);
  assert.match(lots.text, /"M-6"/);
  assert.match(event.text, /"occurred_at":"2026-03-07T11:00:00Z"/);
});

/** Sends a file and waits for what is found in it. */
async function checkedFile(
  sender: { readonly brand: string; readonly visitor: TestVisitor },
  file: string | Uint8Array<ArrayBuffer>,
  name = 'events.csv',
): Promise<{ readonly importPath: string; readonly page: Page }> {
  const sent = await sendFile(booted, sender.visitor, { brand: sender.brand, file, name });
  const importPath = present(sent.location, 'the page of the import');
  return { importPath, page: await settled(sender.visitor, importPath) };
}

async function waitingFolders(): Promise<readonly string[]> {
  const names = await readdir(join(booted.dataDir, 'imports'));
  return names.filter((name) => name.startsWith('waiting-'));
}

test('a file whose header has the names of an import is checked at once, whatever it is written in', async () => {
  const sender = await newBrand();
  const german = 'Ereignis;Zeitpunkt;Ort;Beleg;Charge;Artikel;Richtung;Menge;Einheit';
  const text = `${german}\r\nWareneingang;02.03.2026 07:15;Köln;LS-1;M-1;MEHL;Eingang;1,5;kg\r\n`;

  const { page } = await checkedFile(sender, new Uint8Array(Buffer.from(text, 'latin1')));

  assert.match(readWords(page), /Alles in Ordnung. Zu speichernde Ereignisse: 1/);
});

test('good rows go in without the wrong ones, whose cells can be read for a day', async () => {
  const sender = await newBrand();
  const file = `${HEADER}\n${ROW}\n${ROW.replace('250.5', 'many').replace('PO-1', 'PO-2')}\n`;
  const { importPath } = await checkedFile(sender, file);

  await sender.visitor.post(`${importPath}/start`, { on_error: 'proceed' });

  const page = await settled(sender.visitor, importPath);
  assert.match(readWords(page), /Gespeicherte Ereignisse: 1. Weggelassene Ereignisse: 1/);
  assert.match(readWords(page), /Zeile 3 .*many/);
  assert.doesNotMatch(page.text, /\/mend"/);
});

test('an import that brings nothing new says so, and stores nothing', async () => {
  const sender = await newBrand();
  const first = await checkedFile(sender, `${HEADER}\n${ROW}\n`);
  await sender.visitor.post(`${first.importPath}/start`, { on_error: 'abort' });
  await settled(sender.visitor, first.importPath);

  const { page } = await checkedFile(sender, `${HEADER}\n${ROW}\n`);

  assert.match(readWords(page), /Alles in dieser Datei ist schon gespeichert/);
  assert.doesNotMatch(page.text, /\/start"/);
});

test('of two people who import a file at once one does, and the other reads how it stands', async () => {
  const sender = await newBrand();
  const { importPath } = await checkedFile(sender, `${HEADER}\n${ROW}\n`);

  const answers = await Promise.all(
    [1, 2].map(() => sender.visitor.post(`${importPath}/start`, { on_error: 'abort' })),
  );

  assert.deepEqual(answers.map(({ location }) => location).toSorted(), [
    importPath,
    `${importPath}?changed=yes`,
  ]);
  assert.match(readWords(await settled(sender.visitor, importPath)), /Gespeicherte Ereignisse: 1/);
});

function toFolder(importPath: string): string {
  return `waiting-${importPath.split('/').at(-1)}`;
}

test('a file that is removed or imported leaves nothing on the disk', async () => {
  const sender = await newBrand();
  const removed = await checkedFile(sender, `${HEADER}\n${ROW}\n`);
  const imported = await checkedFile(sender, `${HEADER}\n${ROW}\n`);

  await sender.visitor.post(`${removed.importPath}/remove`);
  await sender.visitor.post(`${imported.importPath}/start`, { on_error: 'abort' });

  await settled(sender.visitor, imported.importPath);
  const page = await sender.visitor.get(`${removed.importPath}?lang=de`);
  assert.match(readWords(page), /Diese Datei wurde entfernt/);
  // The folder goes right behind the row that says so.
  while ((await waitingFolders()).includes(toFolder(imported.importPath))) await wait(20);
  assert.ok(!(await waitingFolders()).includes(toFolder(removed.importPath)));
});

test('a viewer reads the list, and may neither send nor import a file', async () => {
  const sender = await newBrand();
  const { importPath } = await checkedFile(sender, `${HEADER}\n${ROW}\n`);
  const viewer = await newVisitor(booted, { brands: { [sender.brand]: 'viewer' } });

  const list = await viewer.get(`${sender.path}?lang=de`);
  const page = await viewer.get(importPath);
  const refused = [
    await sendFile(booted, viewer, { brand: sender.brand, file: HEADER, name: 'a.csv' }),
    await viewer.post(`${importPath}/start`, { on_error: 'abort' }),
    await viewer.post(`${importPath}/columns`),
    await viewer.post(`${importPath}/mend`),
    await viewer.post(`${importPath}/remove`),
  ];

  assert.match(readWords(list), /events\.csv/);
  assert.doesNotMatch(list.text, /type="file"/);
  assert.doesNotMatch(page.text, /<form method="post" action="[^"]*imports/);
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403, 403, 403],
  );
});

test('an import of another brand is not there', async () => {
  const sender = await newBrand();
  const { importPath } = await checkedFile(sender, `${HEADER}\n${ROW}\n`);
  const other = await newBrand();
  const path = importPath.replace(sender.brand, other.brand);

  const answers = [await other.visitor.get(path), await other.visitor.post(`${path}/start`)];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404],
  );
});

test('texts of a file and its name are shown as texts', async () => {
  const sender = await newBrand();
  const hostile = '<script>alert(1)</script>';
  const file = `${HEADER},"${hostile}"\n${ROW.replace('FLOUR-1', `"${hostile}"`)},"${hostile}"\n`;

  const { page } = await checkedFile(sender, file, `${hostile}.csv`);

  const list = await sender.visitor.get(sender.path);
  assert.doesNotMatch(page.text + list.text, /<script>alert/);
  assert.match(page.text, /&lt;script&gt;/);
});

test('what is no file to import is refused in words, and nothing of it stays', async () => {
  const { brand, visitor } = await newBrand();
  const before = await waitingFolders();
  const old = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0]);

  const answers = [
    await sendFile(booted, visitor, { brand, file: '', name: 'a.csv' }),
    await sendFile(booted, visitor, { brand, file: old, name: 'a.xls' }),
    await visitor.post(`/console/b/${brand}/imports`, { file: 'a.csv' }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 422, 415],
  );
  assert.match(readWords(present(answers[0], 'an answer')), /Diese Datei ist leer/);
  assert.match(readWords(present(answers[1], 'an answer')), /älteren Programms/);
  const added = (await waitingFolders()).filter((name) => !before.includes(name));
  assert.deepEqual(added, []);
});

test('a brand has as many waiting files as it may, and one more is refused', async () => {
  const { brand, visitor } = await newBrand();
  const send = () =>
    sendFile(booted, visitor, { brand, file: `${HEADER}\n${ROW}\n`, name: 'a.csv' });
  for (let count = 0; count < 5; count += 1) assert.equal((await send()).status, 303);

  const refused = await send();

  assert.equal(refused.status, 409);
  assert.match(readWords(refused), /5 Dateien dieser Marke warten/);
});

test('an import by a key is in the list, too, and what was wrong with it', async () => {
  const { brand, visitor, path } = await newBrand();
  const post = async (file: string): Promise<number> => {
    const form = new FormData();
    form.append('file', new Blob([file]), 'erp.csv');
    const headers = { 'X-Tenant-Id': brand };
    return (await booted.call('/v1/import/csv', { method: 'POST', body: form, headers })).status;
  };

  const statuses = [await post(`${HEADER}\n${ROW}\n`), await post(`${HEADER}\n${ROW},7\n`)];

  const list = readWords(await visitor.get(`${path}?lang=de`));
  assert.deepEqual(statuses, [201, 422]);
  assert.match(
    list,
    /erp\.csv .* über die Schnittstelle .*Nicht importiert.*erp\.csv .*Importiert/,
  );
});

test('columns that are chosen twice or not at all are said in words, and nothing typed is lost', async () => {
  const sender = await newBrand();
  const { importPath, page } = await checkedFile(sender, 'a;b;c\n1;2;3\n');
  const typed = {
    ...readFields(page),
    column_0: 'lot_code',
    column_1: 'lot_code',
    same_unit: 'Stück',
  };

  const answer = await sender.visitor.post(`${importPath}/columns?lang=de`, typed);

  assert.equal(answer.status, 422);
  assert.match(readWords(answer), /Zwei Spalten sind „Chargennummer“/);
  assert.match(readWords(answer), /Keine Spalte ist „Menge“/);
  assert.equal(readFields(answer)['same_unit'], 'Stück');
});

test('an import whose process fell silent counts as stopped, and importing again completes it', async () => {
  const sender = await newBrand();
  const { importPath } = await checkedFile(sender, `${HEADER}\n${ROW}\n`);
  const id = present(importPath.split('/').at(-1), 'an id');
  await booted.database.change(
    `update imports set state = 'importing', changed_at = '2026-01-01T00:00:00.000Z' where import_id = ?`,
    id,
  );

  const page = await sender.visitor.get(`${importPath}?lang=de`);
  await sender.visitor.post(`${importPath}/start`, { on_error: 'proceed' });

  assert.match(readWords(page), /Der Import ist abgebrochen/);
  assert.match(readWords(await settled(sender.visitor, importPath)), /Gespeicherte Ereignisse: 1/);
});

test('a file that waits on another machine is named with it, and nothing can be done here', async () => {
  const sender = await newBrand();
  const { importPath } = await checkedFile(sender, `${HEADER}\n${ROW}\n`);
  const id = present(importPath.split('/').at(-1), 'an id');
  await booted.database.change(
    `update imports set folder_id = 'dir_other', machine = 'hub-2' where import_id = ?`,
    id,
  );

  const page = await sender.visitor.get(`${importPath}?lang=de`);
  const answer = await sender.visitor.post(`${importPath}/start`, { on_error: 'abort' });

  assert.match(readWords(page), /auf einem anderen Rechner der Plattform, hub-2/);
  assert.doesNotMatch(page.text, /\/start"/);
  assert.equal(answer.location, `${importPath}?changed=yes`);
});

test('a file waits through a restart', async () => {
  const own = await boot();
  const brand = newTenant();
  const visitor = await newVisitor(own, { brands: { [brand]: 'quality' } });
  const sent = await sendFile(own, visitor, { brand, file: `${HEADER}\n${ROW}\n`, name: 'a.csv' });
  const importPath = present(sent.location, 'the page of the import');
  await settled(visitor, importPath);
  const restarted = await own.restart();
  await using _own = restarted;
  const headers = { Accept: 'text/html', ...visitor.headers };

  const start = await fetch(`${restarted.base}${importPath}/start`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ on_error: 'abort' }),
    redirect: 'manual',
  });

  let text = '';
  do text = await (await fetch(`${restarted.base}${importPath}?lang=de`, { headers })).text();
  while (text.includes('data-running'));
  assert.equal(start.headers.get('location'), importPath);
  assert.match(text, /Gespeicherte Ereignisse: 1/);
});

test('the list of imports shows those with errors, of a state and from a day on', async () => {
  const sender = await newBrand();
  const { brand, visitor, path } = sender;
  const good = await checkedFile(sender, `${HEADER}\n${ROW}\n`);
  const body = new FormData();
  body.append('file', new Blob([`${HEADER}\n${ROW.replace('250.5', 'much')}\n`]), 'wrong.csv');
  const headers = { 'X-Tenant-Id': brand };
  await booted.call('/v1/import/csv', { method: 'POST', body, headers });
  const mixed = new FormData();
  const other = ROW.replace('PO-1', 'PO-2').replace('250.5', 'much');
  mixed.append('file', new Blob([`${HEADER}\n${ROW}\n${other}\n`]), 'mixed.csv');
  await booted.call('/v1/import/csv?on_error=proceed', { method: 'POST', body: mixed, headers });
  const listed = async (query: string): Promise<readonly string[]> => {
    const { text } = await visitor.get(`${path}${query}`);
    return [...text.matchAll(/href="[^"]*\/imports\/imp_\w+">(?:<bdi[^>]*>)?([^<]*)</g)].map(
      ([, name = '']) => name,
    );
  };

  const all = await listed('');
  const withErrors = await listed('?state=with_errors');
  const checked = await listed('?state=checked&from=2020-01-01');
  const later = await listed('?from=2999-01-01');
  const misspelt = await listed('?state=nothing&from=yesterday');
  await booted.database.change(
    "update imports set state = 'checking', changed_at = '2020-01-01' where import_id = ?",
    present(good.importPath.split('/').at(-1), 'an id'),
  );
  const [silent, stopped, checking] = [
    await listed('?state=with_errors'),
    await listed('?state=stopped'),
    await listed('?state=checking'),
  ];

  const name = present(all[2], 'the name of the good file');
  const bad = ['mixed.csv', 'wrong.csv'];
  assert.deepEqual(all, [...bad, name]);
  assert.deepEqual([withErrors, checked, later, misspelt], [bad, [name], [], all]);
  assert.deepEqual([silent, stopped, checking], [all, [name], []]);
});
