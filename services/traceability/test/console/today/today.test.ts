// The start of a brand: what needs somebody, the most urgent first, each with the way to its list.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anEvent, boot } from '../../boot.ts';
import { newVisitor, open, readWords, type Page, type TestVisitor } from '../visitors.ts';
import { WORDS } from '../../../src/web/words/reader.ts';
import { openBakery } from '../cases/bakery.ts';
import { makeBusyBrand } from './busy-brand.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const HOSTILE = '<script>alert("x")</script> {{x}} مرحبا';
const busy = await makeBusyBrand(booted, { brand: 'bakery', text: HOSTILE });
const START = '/console/b/bakery';
const CHECKING = WORDS.en.console.today.checking;
const ada = await newVisitor(booted, { brands: { bakery: 'quality' } });
const vera = await newVisitor(booted, { brands: { bakery: 'viewer' } });

/** A page whose checks have been made: on a busy machine the first answer does not wait for them. */
async function getChecked(who: TestVisitor, path: string): Promise<Page> {
  for (;;) {
    const page = await who.get(path);
    if (!page.text.includes(CHECKING)) return page;
  }
}

/** Tasks in their order: the link of each, and its number. */
function tasksIn({ text }: Page): readonly string[] {
  const [list = ''] = /<ul class="tasks">[^]*?<\/ul>/.exec(text) ?? [];
  return [...list.matchAll(/<li class="(\w+)">([^]*?)<\/li>/g)].map(([, tone = '', task = '']) => {
    const href = /class="whole" href="([^"]*)"/.exec(task)?.[1] ?? '';
    const count = /<strong class="number">([^<]*)</.exec(task)?.[1] ?? '-';
    return `${tone} ${href.replace(START, '')} ${count.trim()}`;
  });
}

/** Items of the list of a page: its rows, or recalls of suppliers, each of which is a card. */
function countItems({ text }: Page): number {
  const recalls = [...text.matchAll(/<section class="card" id="RC-/g)].length;
  const [, body = ''] = /<tbody>([^]*?)<\/tbody>/.exec(text) ?? [];
  return recalls > 0 ? recalls : [...body.matchAll(/<tr>/g)].length;
}

/** The first day of the imports that the start counts. */
function sevenDaysAgo(): string {
  return new Date(Date.now() - 7 * 24 * 3_600_000).toISOString().slice(0, 10);
}

test('what needs somebody stands there, the most urgent first, and leads to its list', async () => {
  const page = await getChecked(ada, START);

  assert.deepEqual(tasksIn(page), [
    `bad /recalls/${busy.caseNo} 5`,
    'bad /recalls/inbound 1',
    'bad /checks/hold_breaches 1',
    'warn /lots?hold_status=on_hold 1',
    `warn /imports?state=with_errors&amp;from=${sevenDaysAgo()} 1`,
    'warn /checks/lots_not_over_issued 1',
    'warn /checks/recorded_in_time 1',
    'info /checks/provenance_complete 1',
    'info /checks/production_linked 1',
  ]);
  assert.match(readWords(page), /Class II Notification 5 to send/);
});

test('every list that a number leads to has as many as the number says', async () => {
  // The number of a case is that of its notifications, which are on its page.
  const isList = (task: string): boolean => !task.includes(busy.caseNo);
  const lists = tasksIn(await getChecked(ada, START)).filter(isList);

  assert.deepEqual(
    new Set(lists.map((task) => /^\w+ \/(\w+)/.exec(task)?.[1])),
    new Set(['recalls', 'checks', 'lots', 'imports']),
  );
  for (const task of lists) {
    const [, path = '', count = ''] = task.split(' ');
    const list = await getChecked(ada, START + path.replaceAll('&amp;', '&'));
    assert.equal(list.status, 200, path);
    assert.equal(String(countItems(list)), count, path);
  }
});

test('the list of a check names the lot or the event, says what to do, and leads to its page', async () => {
  const overIssued = await getChecked(ada, `${START}/checks/lots_not_over_issued`);
  const late = await getChecked(ada, `${START}/checks/recorded_in_time?lang=de`);
  const breaches = await getChecked(ada, `${START}/checks/hold_breaches`);

  assert.match(readWords(overIssued), /a delivery that was not recorded/);
  assert.match(overIssued.text, /href="\/console\/b\/bakery\/lots\/BREAD-1"/);
  assert.match(late.text, /href="\/console\/b\/bakery\/events\/3">Wareneingang 3</);
  assert.match(readWords(late), /über einen Tag zu spät erfasst/);
  assert.match(breaches.text, /href="\/console\/b\/bakery\/lots\/FLOUR-1"/);
});

test('a list behind its end is empty and says so, and there is no list of an unknown check', async () => {
  const behind = await getChecked(ada, `${START}/checks/recorded_in_time?offset=100`);
  const unknown = await Promise.all(
    ['none', 'drilled_in_time', 'constructor'].map((check) =>
      getChecked(ada, `${START}/checks/${check}`),
    ),
  );

  assert.match(readWords(behind), /Nothing of this kind was found/);
  assert.deepEqual(
    unknown.map(({ status }) => status),
    [404, 404, 404],
  );
});

test('hostile texts of a brand stay texts', async () => {
  for (const path of [START, `${START}/checks/recorded_in_time`, `${START}/checks/hold_breaches`]) {
    const { text } = await ada.get(path);
    assert.doesNotMatch(text, /<script>alert/, path);
  }
  assert.match((await getChecked(ada, START)).text, /&lt;script&gt;alert/);
});

test('nothing of another brand is on the start or in its lists', async () => {
  const mo = await newVisitor(booted, { brands: { other: 'manager', 'bakery-mill': 'viewer' } });
  await booted.post('/v1/events', anEvent(), { 'X-Tenant-Id': 'other' });

  const pages = [
    await getChecked(mo, '/console/b/other'),
    await getChecked(mo, '/console/b/other/checks/recorded_in_time'),
    await mo.get('/console/b/other/checks/hold_breaches'),
  ];

  assert.deepEqual(tasksIn(pages[0]!), [
    'warn /console/b/other/checks/recorded_in_time 1',
    'info /console/b/other/checks/provenance_complete 1',
  ]);
  for (const page of pages) assert.doesNotMatch(readWords(page), /BREAD|RC-2026|script/);
  assert.equal((await mo.get(START)).status, 404);
});

test('a viewer reads all of it, and gets no button for what the role does not allow', async () => {
  const [mine, theirs] = [await getChecked(ada, START), await vera.get(START)];

  assert.deepEqual(tasksIn(theirs), tasksIn(mine));
  assert.match(readWords(mine), /Simulate a recall Record an event/);
  assert.doesNotMatch(readWords(theirs), /Simulate a recall|Record an event|Start a drill/);
  assert.match(readWords(theirs), /This needs the role Quality/);
});

test('an empty brand is led: nothing is done, and a viewer reads who may do it', async () => {
  const max = await newVisitor(booted, { brands: { fresh: 'manager' } });

  const page = await max.get('/console/b/fresh');

  assert.match(readWords(page), /Bring in your first file/);
  assert.match(page.text, /href="\/console\/b\/fresh\/imports"/);
  assert.match(readWords(page), /A label needs a lot.* A drill needs lots/);
  assert.doesNotMatch(page.text, /is-done/);
  assert.deepEqual(tasksIn(page), []);
});

test('what is done is ticked: an event, a label made in this browser, a drill', async () => {
  const brand = 'started';
  const max = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const done = (page: Page): number => [...page.text.matchAll(/class="is-done"/g)].length;

  const before = await max.get(`/console/b/${brand}`);
  await booted.post('/v1/events', anEvent({ occurred_at: new Date().toISOString() }), {
    'X-Tenant-Id': brand,
  });
  const fed = await max.get(`/console/b/${brand}`);
  await booted.post(
    '/v1/recall/drills',
    { lot_code: 'FLOUR-1', drilled_by: 'Max' },
    { 'X-Tenant-Id': brand },
  );
  const drilled = await max.get(`/console/b/${brand}`);
  const help = await max.get(`/console/b/${brand}/help`);
  const labelled = await open(booted, `/console/b/${brand}/help`, {
    headers: { ...max.headers, Cookie: `${max.headers['Cookie']}; lothub_label=yes` },
  });

  assert.deepEqual([before, fed, help, labelled].map(done), [0, 1, 2, 3]);
  assert.match(fed.text, /href="\/console\/b\/started\/lots\/FLOUR-1\/labels"/);
  assert.doesNotMatch(readWords(drilled), /The way to your first drill/);
});

test('a day on which nothing is to do says so', async () => {
  const brand = 'calm';
  const max = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const flour = { supplier_name: 'M', supplier_lot_code: 'M-1', origin_facility: 'F' };
  const event = anEvent({
    occurred_at: new Date().toISOString(),
    lines: [
      { ...flour, lot_code: 'L-1', product_sku: 'S', direction: 'in', quantity: 1, unit: 'kg' },
    ],
  });
  await booted.post('/v1/events', event, { 'X-Tenant-Id': brand });
  await booted.post(
    '/v1/recall/drills',
    { lot_code: 'L-1', drilled_by: 'M' },
    { 'X-Tenant-Id': brand },
  );

  const page = await max.get(`/console/b/${brand}`);

  assert.match(readWords(page), /Nothing needs you now/);
  assert.deepEqual(tasksIn(page), []);
});

test('notifications that were sent still need somebody until they are answered', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  await tenant.move(caseNo, 'notification');
  const quinn = await newVisitor(booted, { brands: { [brand]: 'quality' } });
  const start = `/console/b/${brand}`;
  const [before] = tasksIn(await getChecked(quinn, start));
  const list = await quinn.get(`${path}/notifications`);
  const [one = ''] = /\/notifications\/\d+/.exec(list.text) ?? [];
  const { text } = await quinn.get(path + one);
  const seen = /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';

  await quinn.post(`${path}${one}/sent`, { seen });
  const page = await getChecked(quinn, start);

  assert.deepEqual(tasksIn(page)[0]?.split(' ').at(-1), before?.split(' ').at(-1));
  assert.match(readWords(page), /1 (?:sent|without)/);
});
