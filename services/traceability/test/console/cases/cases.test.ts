// The pages of recall cases without a browser: the list, a case and its next step, what a viewer may do, what another
// brand's number leads to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot, newTenant } from '../../boot.ts';
import { newVisitor, readWords, type TestVisitor } from '../visitors.ts';
import { readHidden, readNotifications, openBakery } from './bakery.ts';

const booted = await openForFile(boot());

async function quality(brand: string, name = 'Quinn'): Promise<TestVisitor> {
  return await newVisitor(booted, { name, brands: { [brand]: 'quality' } });
}

const HOSTILE = '<img src=x onerror=alert(1)>';

test('the list shows open cases before ended ones, with what each waits for', async () => {
  const { brand, tenant, caseNo } = await openBakery(booted);
  const ended = await tenant.open('ROLL-2', { title: 'Ended' });
  await tenant.move(ended['case_no'], 'cancelled');
  await tenant.move(caseNo, 'notification');
  const quinn = await quality(brand);

  const words = readWords(await quinn.get(`/console/b/${brand}/recalls`));

  assert.match(
    words,
    /Open cases.*Metal in rolls.*Notification.*Class II.*3 7 .*Ended cases.*Ended/,
  );
});

test('the list is narrowed by the filters in its address', async () => {
  const { brand, tenant } = await openBakery(booted);
  await tenant.open('ROLL-2', { title: 'Glass', severity: 'class_i' });
  const quinn = await quality(brand);
  const list = `/console/b/${brand}/recalls`;

  const grave = readWords(await quinn.get(`${list}?severity=class_i`));
  const ended = readWords(await quinn.get(`${list}?status=ended&severity=&seed_lot_code=`));

  assert.match(grave, /Glass/);
  assert.doesNotMatch(grave, /Metal in rolls/);
  assert.match(ended, /No case matches these filters/);
});

test('the page of a brand without a case says what begins one', async () => {
  const brand = newTenant();
  const quinn = await quality(brand);

  const words = readWords(await quinn.get(`/console/b/${brand}/recalls`));

  assert.match(words, /There is no open case\. A case begins with a simulation/);
});

test('a case is moved on with a note, under the name of the person', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  const quinn = await quality(brand);
  const { seen } = readHidden(await quinn.get(path), 'notification');

  const moved = await quinn.post(`${path}/move`, { to: 'notification', seen, note: 'All called' });
  const timeline = readWords(await quinn.get(`${path}/timeline`));

  assert.deepEqual([moved.status, moved.location], [303, `${path}?done=moved`]);
  assert.equal((await tenant.detail(caseNo))['status'], 'notification');
  assert.match(timeline, /Moved to: Notification .* by Quinn All called Block \d+/);
});

test('of two people who move a case at once the second reads who moved it and where it stands', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  const quinn = await quality(brand);
  const vera = await quality(brand, 'Vera');
  const { seen } = readHidden(await quinn.get(path), 'cancelled');
  await vera.post(`${path}/move`, { to: 'notification', seen });

  const late = await quinn.post(`${path}/move`, { to: 'cancelled', seen });
  const same = await quinn.post(`${path}/move`, { to: 'notification', seen });

  assert.deepEqual([late.status, same.status], [409, 409]);
  assert.match(
    readWords(late),
    /Nothing was done: Vera has moved the case .* status is now: Notification/,
  );
  assert.equal((await tenant.detail(caseNo))['status'], 'notification');
});

test('moves that race each other are done once', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  const people = await Promise.all([quality(brand, 'Quinn'), quality(brand, 'Vera')]);
  const { seen } = readHidden(await quality(brand).then((one) => one.get(path)), 'notification');

  const answers = await Promise.all(
    people.map((one) => one.post(`${path}/move`, { to: 'notification', seen })),
  );

  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409]);
  const { timeline } = await tenant.detail(caseNo);
  assert.equal(JSON.stringify(timeline).match(/"status":"notification"/g)?.length, 1);
});

test('before a case is closed it says what is still out, and holds stay unless they are ended', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  await tenant.moveThrough(caseNo, 'notification', 'containment');
  const quinn = await quality(brand);
  const page = await quinn.get(path);
  const { seen } = readHidden(page, 'closed');

  const closed = await quinn.post(`${path}/move`, { to: 'closed', seen });

  assert.match(
    readWords(page),
    /Still out 7 to be sent 3 on hold by this case 0 pcs of 36 pcs accounted for/,
  );
  assert.equal(closed.location, `${path}?done=closed`);
  assert.equal(await tenant.standing('ROLL-1'), 'recalled on_hold');
});

test('closing ends the holds of the case when that is ticked', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  await tenant.moveThrough(caseNo, 'notification', 'containment');
  const quinn = await quality(brand);
  const { seen } = readHidden(await quinn.get(path), 'closed');

  await quinn.post(`${path}/move`, { to: 'closed', seen, release: 'yes' });

  assert.equal(await tenant.standing('ROLL-1'), 'recalled released');
});

test('a confidential case says what is sealed and what its move will publish', async () => {
  const { brand, tenant, path, caseNo } = await openBakery(booted, { confidential: true });
  const quinn = await quality(brand);

  const before = readWords(await quinn.get(path));
  await tenant.move(caseNo, 'notification');
  const behind = readWords(await quinn.get(path));

  assert.match(
    before,
    /This case is confidential\. The chain shows its number and one sealed step/,
  );
  assert.match(before, /Move to notification .*publishes it: title, reason, class/);
  assert.match(before, /Nothing of this case is public/);
  assert.doesNotMatch(behind, /confidential/i);
});

test('a case shows what came in and what left since its opening', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  await tenant.edit(caseNo, { scope: { exclude: ['ROLL-2'], reason: 'Baked before' } });
  const quinn = await quality(brand);

  const words = readWords(await quinn.get(path));

  assert.match(words, /Lots at the opening 3 Lots now 2 Not covered any more 1 ROLL-2/);
  assert.match(words, /By hand: 0 added, 1 excluded\./);
});

test('a viewer reads every page of a case and changes nothing', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted);
  await tenant.move(caseNo, 'notification');
  const [first] = await readNotifications(tenant, caseNo);
  const vera = await newVisitor(booted, { name: 'Vera', brands: { [brand]: 'viewer' } });
  const one = `/notifications/${String(first?.['id'])}`;
  const pages = ['', '/scope', '/notifications', one, '/timeline'];
  const forms = ['/move', '/scope', '/edit', '/notifications/sent', `${one}/sent`, `${one}/answer`];

  const shown = await Promise.all(pages.map((page) => vera.get(path + page)));
  const refused = await Promise.all(forms.map((form) => vera.post(path + form)));

  assert.deepEqual(
    shown.map(({ status }) => status),
    pages.map(() => 200),
  );
  for (const { text } of shown)
    assert.doesNotMatch(text, /<form method="post" action="\/console\/b/);
  assert.deepEqual(
    refused.map(({ status }) => status),
    forms.map(() => 403),
  );
  assert.equal((await vera.get(`${path}/edit`)).status, 403);
  assert.equal((await tenant.detail(caseNo))['status'], 'notification');
});

test('the number of another brand’s case leads nowhere', async () => {
  const { caseNo } = await openBakery(booted);
  const brand = newTenant();
  const quinn = await quality(brand);
  const path = `/console/b/${brand}/recalls/${caseNo}`;
  const pages = ['', '/scope', '/notifications', '/timeline', '/edit', '/report', '/scope.csv'];

  const answers = await Promise.all(pages.map((page) => quinn.get(path + page)));
  const moved = await quinn.post(`${path}/move`, { to: 'cancelled', seen: '' });

  assert.deepEqual(
    [...answers, moved].map(({ status }) => status),
    [...pages, ''].map(() => 404),
  );
});

test('hostile texts are on the pages as they were written', async () => {
  const { brand, tenant, caseNo, path } = await openBakery(booted, {
    title: HOSTILE,
    reason: HOSTILE,
  });
  await tenant.move(caseNo, 'notification', { note: HOSTILE, changed_by: HOSTILE });
  const quinn = await quality(brand);
  const pages = ['', '/scope', '/notifications', '/timeline', '/edit'];

  for (const page of pages) {
    const { status, text } = await quinn.get(path + page);
    assert.equal(status, 200, page);
    assert.doesNotMatch(text, /<img/, page);
    assert.match(text, /&lt;img src=x onerror=alert\(1\)&gt;/, page);
  }
});

test('the report is the one of the interface', async () => {
  const { brand, path, caseNo } = await openBakery(booted, { reason: 'A wire' });
  const quinn = await quality(brand);

  const page = await quinn.get(`${path}/report`);

  assert.equal(page.status, 200);
  assert.match(page.text, new RegExp(`${caseNo}[^]*A wire`));
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /default-src 'none'; style-src 'sha256-/,
  );
});

test('the lists of a case are files, too', async () => {
  const { brand, path } = await openBakery(booted);
  const quinn = await quality(brand);

  const lots = await quinn.get(`${path}/scope.csv`);
  const sold = await quinn.get(`${path}/distribution.csv`);
  const notified = await quinn.get(`${path}/notifications.csv?audience=customer&status=`);

  assert.match(lots.text, /lot_code,product_sku[^]*ROLL-1/);
  assert.match(sold.text, /customer_ref[^]*shop@corner\.example/);
  assert.equal(notified.text.trim().split('\r\n').length, 4);
});
