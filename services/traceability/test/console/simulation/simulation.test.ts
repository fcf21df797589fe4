// The page of a simulation: what it shows, to whom, as of when; its CSV files; holding what it finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot, valueAt } from '../../boot.ts';
import { newVisitor, readWords, type TestVisitor } from '../visitors.ts';
import { Bakery, MILL, MILLS_CODE, OTHER_MILL } from './bakery.ts';

const hub = await openForFile(boot());

interface Set {
  readonly bakery: Bakery;
  readonly ada: TestVisitor;
  readonly path: string;
  /** Of the flour of the first mill. */
  readonly mills: string;
}

async function setUp(): Promise<Set> {
  const bakery = new Bakery(hub);
  await bakery.record();
  const ada = await newVisitor(hub, { brands: { [bakery.id]: 'quality' } });
  const path = `/console/b/${bakery.id}/simulation`;
  const asked = new URLSearchParams({ lot_code: MILLS_CODE, supplier_name: MILL });
  return { bakery, ada, path, mills: `${path}?${asked.toString()}` };
}

test('of a code that two suppliers use the reader chooses one, and sees what that one reached', async () => {
  const { ada, path } = await setUp();

  const choice = await ada.get(`${path}?lot_code=${MILLS_CODE}`);
  const [, chosen = ''] = /href="([^"]*supplier_name=Mill[^"]*)"/.exec(choice.text) ?? [];
  const result = await ada.get(chosen.replaceAll('&amp;', '&'));

  assert.match(choice.text, /Müller &amp; Söhne &lt;GmbH&gt;/);
  const words = readWords(result);
  assert.match(words, /Lot of the supplier Mill Brandt/);
  assert.match(words, /Lots 3 On hold 0 Products 2 Customers 1 Shipments 1 Places 1/);
  assert.match(words, /BREAD-1 RYE-BREAD Made from it 2 steps Active 40 pcs/);
  assert.match(words, /CAFÉ ROSA 1 20 pcs Wochenmarkt 2 Mar 2026/);
  assert.match(words, /DOCK-1 1 1 60 pcs/);
  assert.doesNotMatch(words, /FLOUR-2/);
});

test('quantities are given by product and unit', async () => {
  const { ada, mills } = await setUp();

  const words = readWords(await ada.get(mills));

  assert.match(words, /RYE-997 245\.5 kg 0 kg 0 kg 0 kg RYE-BREAD 140 pcs 60 pcs 20 pcs 0 pcs/);
});

test('a result of a moment stays as it is, whatever is recorded later', async () => {
  const { bakery, ada, mills } = await setUp();
  const [, pinned = ''] = /href="([^"]*as_of=[^"]*)"/.exec((await ada.get(mills)).text) ?? [];
  const address = pinned.replaceAll('&amp;', '&');
  const first = await ada.get(address);
  await bakery.bake('FLOUR-1', ['BREAD-LATE']);

  const again = await ada.get(address);
  const now = await ada.get(mills);

  assert.equal(readWords(again), readWords(first));
  assert.match(readWords(again), /What was known on .* was the newest/);
  assert.doesNotMatch(readWords(again), /BREAD-LATE|Hold quietly|Open a case/);
  assert.match(readWords(now), /BREAD-LATE/);
});

test('what cannot be simulated is said beside its field, in the language of the reader', async () => {
  const { ada, path } = await setUp();
  const said = async (query: string): Promise<readonly [number, string]> => {
    const page = await ada.get(`${path}?lang=de&${query}`);
    const errors = [...page.text.matchAll(/<p class="field-error"[^>]*>[^]*?<\/p>/g)];
    return [page.status, errors.map(([error]) => readWords({ ...page, text: error })).join(' ')];
  };

  const unknown = await said('lot_code=bread1');
  const future = await said('lot_code=BREAD-1&as_of=2999-01-01T00:00');
  const early = await said('lot_code=BREAD-1&as_of=1999-01-01T00:00');
  const malformed = await said('lot_code=BREAD-1&as_of=yesterday');
  const long = await said(`lot_code=${'x'.repeat(300)}`);
  const control = await said('lot_code=%00');
  const direction = await said('lot_code=BREAD-1&direction=sideways');
  const offered = await ada.get(`${path}?lot_code=bread1`);

  assert.deepEqual(
    [unknown, future, early, malformed, long, control, direction],
    [
      [404, 'Diese Chargennummer ist nicht bekannt, weder eine eigene noch die eines Lieferanten.'],
      [422, 'Dieser Zeitpunkt liegt in der Zukunft.'],
      [422, 'Zu diesem Zeitpunkt war noch nichts erfasst.'],
      [422, 'Bitte geben Sie Tag und Uhrzeit an, etwa 2026-03-02T18:00.'],
      [422, 'Bitte höchstens 200 Zeichen verwenden.'],
      [422, 'Das enthält Zeichen, die hier nicht möglich sind.'],
      [422, 'Bitte wählen Sie eine der Möglichkeiten.'],
    ],
  );
  assert.match(offered.text, /simulation\?lot_code=BREAD-1"/);
});

test('lots and customers are CSV files with all of them', async () => {
  const { ada, mills } = await setUp();
  const csv = async (list: string): Promise<string> =>
    (await ada.get(mills.replace('simulation?', `simulation/${list}.csv?`))).text;

  const lots = (await csv('lots')).trim().split('\r\n');
  const customers = (await csv('customers')).trim().split('\r\n');

  assert.match(lots[0] ?? '', /^\uFEFF?lot_code,relation,distance,status,hold_status,product_sku/);
  assert.deepEqual(
    lots.slice(1).map((row) => row.split(',').slice(0, 2).join(' ')),
    ['FLOUR-1 downstream', 'BREAD-1 downstream', 'ROLLS-1 downstream'],
  );
  assert.deepEqual(
    customers.slice(1).map((row) => row.split(',').slice(0, 5).join(' ')),
    ['CAFÉ ROSA 1 20 pcs Wochenmarkt'],
  );
});

test('holding quietly holds all that is found, and publishes no notice', async () => {
  const { bakery, ada, path, mills } = await setUp();

  const held = await ada.post(`${path}/hold`, {
    lot_code: MILLS_CODE,
    supplier_name: MILL,
    reason: 'salmonella',
  });
  const landed = await ada.get(held.location ?? '');

  assert.equal(held.status, 303);
  assert.equal(held.location, `${mills.replaceAll('+', '%20')}&done=held`.replaceAll('%20', '+'));
  assert.match(readWords(landed), /All lots of this recall are on hold\. Lots 3 On hold 3/);
  assert.deepEqual(
    await Promise.all(
      ['FLOUR-1', 'BREAD-1', 'ROLLS-1', 'FLOUR-2'].map((lot) => bakery.standing(lot)),
    ),
    ['active on_hold', 'active on_hold', 'active on_hold', 'active released'],
  );
  assert.deepEqual(await bakery.notices(), []);
});

test('a hold without a reason is refused at its field, with what was simulated', async () => {
  const { bakery, ada, path } = await setUp();

  const refused = await ada.post(`${path}/hold?lang=de`, { lot_code: 'BREAD-1', reason: ' ' });

  assert.equal(refused.status, 422);
  assert.match(readWords(refused), /Rückruf von BREAD-1/);
  assert.match(readWords(refused), /Bitte füllen Sie das aus\./);
  assert.equal(await bakery.standing('BREAD-1'), 'active released');
});

test('a viewer has no page of simulations, and nothing is held for one', async () => {
  const { bakery, path, mills } = await setUp();
  const vera = await newVisitor(hub, { brands: { [bakery.id]: 'viewer' } });

  const answers = [
    await vera.get(path),
    await vera.get(mills),
    await vera.get(mills.replace('simulation?', 'simulation/lots.csv?')),
    await vera.get(mills.replace('simulation?', 'simulation/open?')),
    await vera.post(`${path}/hold`, { lot_code: 'BREAD-1', reason: 'mine' }),
    await vera.post(`${path}/preview`, { lot_code: 'BREAD-1', title: 'T', reason: 'R' }),
    await vera.post(`${path}/case`, { lot_code: 'BREAD-1', title: 'T', reason: 'R' }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 403),
  );
  assert.equal(await bakery.standing('BREAD-1'), 'active released');
});

test('the lots of another brand are not known, and its page is not there', async () => {
  const { path } = await setUp();
  const other = new Bakery(hub);
  await other.receive('SECRET-1');
  const eve = await newVisitor(hub, { brands: { [other.id]: 'quality' } });

  const page = await eve.get(path);
  const theirs = await eve.get(`/console/b/${other.id}/simulation?lot_code=BREAD-1`);

  assert.deepEqual([page.status, theirs.status], [404, 404]);
});

test('what suppliers are called is text, whatever is in it', async () => {
  const { bakery, ada, path } = await setUp();
  const hostile = '<script>alert(1)</script>"\u202e';
  await bakery.flour('FLOUR-X', hostile);
  const query = new URLSearchParams({ lot_code: MILLS_CODE, supplier_name: hostile });

  const page = await ada.get(`${path}?${query.toString()}`);

  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /<script>alert/);
  assert.match(page.text, /<bdi>&lt;script&gt;alert\(1\)/);
  assert.match(readWords(page), /FLOUR-X/);
});

test('a simulation is in the audit under the name of the person', async () => {
  const { bakery, ada, mills } = await setUp();

  await ada.get(mills);

  const { json } = await bakery.get('/v1/dashboard/audit?limit=1');
  const entry = (name: string) => valueAt(json, 'entries', 0, name);
  assert.deepEqual(['action', 'actor', 'entity_id'].map(entry), [
    'simulate_recall',
    ada.name,
    MILLS_CODE,
  ]);
  assert.notEqual(OTHER_MILL, MILL);
});
