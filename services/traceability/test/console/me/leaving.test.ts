// Leaving a brand on the page of the own account, and invitations of first managers that an operator withdraws.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../../boot.ts';
import { newVisitor, open, readWords, type Page, type TestVisitor } from '../visitors.ts';

let olga: TestVisitor;

const hub = await openForFile(boot());
before(async () => {
  olga = await newVisitor(hub, { name: 'Olga', isOperator: true });
});

async function inviteFirst(brand: string, who = olga): Promise<string> {
  const made = await who.post('/console/hub/invitations', { brand });
  const link = /id="made-link"[^>]*>([^<]+)</.exec(made.text)?.[1] ?? '';
  return new URL(link.trim()).pathname;
}

/** Where the first button posts to that withdraws. */
function withdrawing({ text }: Page, brand: string): string {
  const forms = text.split('<form').filter((form) => form.includes(`value="${brand}"`));
  return /action="([^"]*withdraw)"/.exec(forms[0] ?? '')?.[1] ?? '';
}

test('a person leaves one brand and keeps the others', async () => {
  const max = await newVisitor(hub, { brands: { bakery: 'viewer', mill: 'manager' } });

  const left = await max.post('/console/me/brands/bakery/leave');
  const page = await max.get(left.location ?? '');

  assert.equal(left.status, 303);
  assert.match(readWords(page), /You have left the brand/);
  assert.doesNotMatch(page.text, /brands\/bakery\/leave/);
  assert.equal((await max.get('/console/b/bakery')).status, 404);
  assert.equal((await max.get('/console/b/mill')).status, 200);
});

test('the last manager stays, and the page says so in German', async () => {
  const max = await newVisitor(hub, { brands: { dairy: 'manager' } });
  await newVisitor(hub, { brands: { dairy: 'quality' } });

  const page = await max.post('/console/me/brands/dairy/leave?lang=de');

  assert.equal(page.status, 409);
  assert.match(readWords(page), /Sie sind die letzte Person in der Leitung dieser Marke/);
  assert.equal((await max.get('/console/b/dairy')).status, 200);
});

test('of two managers who leave at the same moment one stays', async () => {
  const two = await Promise.all(
    ['Ada', 'Bo'].map((name) => newVisitor(hub, { name, brands: { press: 'manager' } })),
  );

  const left = await Promise.all(two.map((one) => one.post('/console/me/brands/press/leave')));

  assert.deepEqual(left.map(({ status }) => status).sort(), [303, 409]);
});

test('a brand that the person is not in is not left', async () => {
  const max = await newVisitor(hub, { brands: { bakery: 'viewer' } });

  const page = await max.post('/console/me/brands/mill/leave');

  assert.equal(page.status, 404);
  assert.match(readWords(page), /You are not in this brand any more/);
});

test('an operator sees and withdraws the open invitation of a first manager, whose link ends', async () => {
  const link = await inviteFirst('winery');
  const listed = await olga.get('/console/hub');

  const withdrawn = await olga.post(withdrawing(listed, 'winery'), { brand: 'winery' });
  const after = await olga.get(withdrawn.location ?? '');

  assert.match(
    readWords(listed),
    /Open invitations of first managers .*winery Anybody with the link Olga/,
  );
  assert.match(readWords(after), /The invitation is withdrawn/);
  assert.doesNotMatch(readWords(after), /winery/);
  assert.equal((await open(hub, link)).status, 410);
});

test('invitations of brands with a manager, and of former operators, are not listed', async () => {
  const former = await newVisitor(hub, { name: 'Former', isOperator: true });
  await inviteFirst('brewery', former);
  await inviteFirst('cannery');
  await newVisitor(hub, { brands: { cannery: 'manager' } });
  await olga.post(`/console/hub/people/${former.accountId}/remove`);

  const page = await olga.get('/console/hub');

  assert.doesNotMatch(page.text, /name="brand" value="(?:brewery|cannery)"/);
});

test('nobody but an operator withdraws, and none by the id of another brand’s', async () => {
  await inviteFirst('tannery');
  const path = withdrawing(await olga.get('/console/hub'), 'tannery');
  const max = await newVisitor(hub, { brands: { tannery: 'viewer' } });

  const byViewer = await max.post(path, { brand: 'tannery' });
  const ofOther = await olga.post(path, { brand: 'smokehouse' });

  assert.equal(byViewer.status, 403);
  assert.equal(ofOther.status, 404);
  assert.match((await olga.get('/console/hub')).text, /value="tannery"/);
});
