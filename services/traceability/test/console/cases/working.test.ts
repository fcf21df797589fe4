// Working on a recall case without a browser: notifications marked and answered, texts edited, lots added and
// excluded; two people at once, and input that is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { present } from '@lothub/kit/present';
import { until } from '@lothub/kit/test/until';
import { KeptReach } from '../../../src/recall/outbox/kept-reach.ts';
import { boot } from '../../boot.ts';
import { newVisitor, readWords, type Page, type TestVisitor } from '../visitors.ts';
import { CUSTOMERS, readNotifications, openBakery, type Bakery } from './bakery.ts';

const booted = await openForFile(boot());

async function quality(brand: string, name = 'Quinn'): Promise<TestVisitor> {
  return await newVisitor(booted, { name, brands: { [brand]: 'quality' } });
}

/** A case whose notifications wait to be sent. */
async function notified(changes: Readonly<Record<string, unknown>> = {}): Promise<Bakery> {
  const bakery = await openBakery(booted, changes);
  await bakery.tenant.move(bakery.caseNo, 'notification');
  return bakery;
}

/** Address of the notification of a recipient. */
async function pathTo({ tenant, caseNo, path }: Bakery, recipient: string): Promise<string> {
  const found = (await readNotifications(tenant, caseNo)).find(
    (one) => String(one['recipient']) === recipient,
  );
  return `${path}/notifications/${String(present(found, recipient)['id'])}`;
}

function readSeen({ text }: Page): string {
  return present(/name="seen" value="([^"]+)"/.exec(text)?.[1], 'what a form says was seen');
}

/** A page does not wait until the amounts are read: on a busy machine the first one is without the texts. */
async function readLetterPage(person: TestVisitor, path: string): Promise<Page> {
  let page = await person.get(path);
  await until('the page has the texts', async () => {
    page = await person.get(path);
    return page.text.includes('<pre');
  });
  return page;
}

function lettersOn({ text }: Page): readonly (string | undefined)[] {
  return [...text.matchAll(/<pre[^>]*>\n([^]*?)<\/pre/g)].map(([, letter]) => letter);
}

async function readStatus({ tenant, caseNo }: Bakery, recipient: string): Promise<string> {
  const found = (await readNotifications(tenant, caseNo)).find(
    (one) => String(one['recipient']) === recipient,
  );
  return `${String(found?.['status'])} ${String(found?.['response'])}`;
}

const [SHOP, CAFE, ARABIC] = CUSTOMERS;

test('the text names the lots and amounts of its recipient, in the languages of the case', async () => {
  const bakery = await notified({
    language: 'en',
    translations: { de: { title: 'Metall in Brötchen', advice: 'Bringen Sie sie zurück.' } },
  });
  const quinn = await quality(bakery.brand);

  const path = await pathTo(bakery, SHOP);
  const page = await readLetterPage(quinn, path);
  const [english, german] = lettersOn(page);

  assert.match(english ?? '', /Metal in rolls[^]*- ROLL-1 \(SKU\): 12 pcs\nIn all: 12 pcs/);
  assert.match(
    german ?? '',
    /Metall in Brötchen[^]*Bringen Sie sie zurück\.[^]*- ROLL-1 \(SKU\): 12/,
  );
  assert.match(page.text, /href="mailto:shop@corner\.example\?subject=Recall%3A%20Metal/);
});

test('while the lots of a recipient are being read no text is offered, as it would be without them', async (t) => {
  const bakery = await notified();
  const quinn = await quality(bakery.brand);
  const path = await pathTo(bakery, SHOP);
  t.mock.method(KeptReach.prototype, 'of', () => Promise.resolve(undefined));

  const { text } = await quinn.get(path);

  assert.match(text, /id="text-title"[^]*Amounts are being added up\.[^]*id="reached-title"/);
  assert.doesNotMatch(text, /<pre|mailto:/);
});

test('a recipient that is no address gets no link to write to', async () => {
  const bakery = await notified();
  const quinn = await quality(bakery.brand);

  const { text } = await quinn.get(await pathTo(bakery, CAFE));

  assert.doesNotMatch(text, /mailto:/);
});

test('a notification is marked as sent, and the next one that waits is shown', async () => {
  const bakery = await notified();
  const quinn = await quality(bakery.brand);
  const path = await pathTo(bakery, SHOP);

  const sent = await quinn.post(`${path}/sent`, {
    seen: readSeen(await quinn.get(path)),
    then: 'next',
  });

  assert.equal(sent.status, 303);
  assert.notEqual(sent.location, `${path}?done=sent`);
  assert.match(sent.location ?? '', /notifications\/\d+\?done=sent$/);
  assert.equal(await readStatus(bakery, SHOP), 'sent null');
});

test('an answer keeps the amount that is accounted for beside its words', async () => {
  const bakery = await notified();
  const quinn = await quality(bakery.brand);
  const path = await pathTo(bakery, SHOP);
  const seen = readSeen(await quinn.get(path));

  const values = { seen, status: 'acknowledged', 'accounted-0': '10,5', response: 'Rest eaten' };
  const answered = await quinn.post(`${path}/answer`, values);
  const list = readWords(await quinn.get(`${bakery.path}/notifications?status=acknowledged`));

  assert.equal(answered.location, `${path}?done=answered`);
  assert.equal(await readStatus(bakery, SHOP), 'acknowledged Accounted for: 10.5 pcs. Rest eaten');
  assert.match(list, /shop@corner\.example/);
  assert.doesNotMatch(list, /Café/);
});

test('of two people who enter an answer the second reads the status of the notification', async () => {
  const bakery = await notified();
  const [quinn, vera] = [await quality(bakery.brand), await quality(bakery.brand, 'Vera')];
  const path = await pathTo(bakery, SHOP);
  const seen = readSeen(await quinn.get(path));
  await vera.post(`${path}/answer`, { seen, status: 'acknowledged', response: 'Of Vera' });

  const late = await quinn.post(`${path}/answer`, {
    seen,
    status: 'resolved',
    response: 'Of Quinn',
  });

  assert.equal(late.status, 409);
  assert.match(readWords(late), /somebody else has gone on .* Its status is now: Answered/);
  assert.match(late.text, />\nOf Quinn<\/textarea>/);
  assert.equal(await readStatus(bakery, SHOP), 'acknowledged Of Vera');
});

test('several are marked as sent at once, and those that others had marked are counted apart', async () => {
  const bakery = await notified();
  const quinn = await quality(bakery.brand);
  const list = `${bakery.path}/notifications`;
  const ids = (await readNotifications(bakery.tenant, bakery.caseNo)).map((one) =>
    String(one['id']),
  );
  const path = await pathTo(bakery, ARABIC);
  await quinn.post(`${path}/sent`, { seen: readSeen(await quinn.get(path)) });

  const marked = await quinn.post(
    `${list}/sent?audience=&status=`,
    Object.fromEntries(ids.slice(0, 3).map((id) => [`pick-${id}`, 'yes'])),
  );
  const words = readWords(await quinn.get(marked.location ?? ''));

  assert.equal(marked.location, `${list}?marked=2&stayed=1`);
  assert.match(words, /2 notifications are marked as sent\. One stayed as it was/);
});

test('marking none says so', async () => {
  const bakery = await notified();
  const quinn = await quality(bakery.brand);

  const page = await quinn.post(`${bakery.path}/notifications/sent`, {});

  assert.equal(page.status, 422);
  assert.match(readWords(page), /Select at least one that waits to be sent/);
});

test('nothing is sent before the case has moved to notification', async () => {
  const bakery = await openBakery(booted);
  const quinn = await quality(bakery.brand);
  const path = await pathTo(bakery, SHOP);

  const page = await quinn.get(path);
  const early = await quinn.post(`${path}/sent`, {});

  assert.match(readWords(page), /The texts are to be sent once the case has moved/);
  assert.doesNotMatch(page.text, /Mark as sent/);
  assert.equal(await readStatus(bakery, SHOP), 'pending null');
  assert.ok(early.status >= 400);
});

const TEXTS = { title: 'Glass', reason: 'A lamp broke', severity: 'class_i', language: '' };

test('texts are edited, and the history says what was changed by whom', async () => {
  const { brand, path, tenant, caseNo } = await openBakery(booted);
  const quinn = await quality(brand);
  const seen = readSeen(await quinn.get(`${path}/edit`));

  const saved = await quinn.post(`${path}/edit`, {
    ...{ ...TEXTS, seen, note: 'Seen by eye' },
    de_title: 'Glas',
  });
  const history = readWords(await quinn.get(`${path}/edit`));

  assert.equal(saved.location, `${path}?done=edited`);
  const detail = await tenant.detail(caseNo);
  assert.deepEqual(detail['translations'], { de: { title: 'Glas' } });
  assert.match(
    history,
    /Quinn Title: Metal in rolls → Glass .*Class: Class II → Class I .*Seen by eye/,
  );
});

test('an edit that changes nothing says so and seals nothing', async () => {
  const { brand, path } = await openBakery(booted);
  const quinn = await quality(brand);
  const seen = readSeen(await quinn.get(`${path}/edit`));
  await quinn.post(`${path}/edit`, { ...TEXTS, seen });

  const again = await quinn.post(`${path}/edit`, {
    ...TEXTS,
    seen: readSeen(await quinn.get(`${path}/edit`)),
  });

  assert.equal(again.location, `${path}?done=unchanged`);
});

test('an edit on texts that somebody else has changed is not saved and keeps what was typed', async () => {
  const { brand, path, tenant, caseNo } = await openBakery(booted);
  const quinn = await quality(brand);
  const seen = readSeen(await quinn.get(`${path}/edit`));
  await tenant.edit(caseNo, { title: 'Of Vera' });

  const late = await quinn.post(`${path}/edit`, { ...TEXTS, seen });
  const again = await quinn.post(`${path}/edit`, { ...TEXTS, seen: readSeen(late) });

  assert.equal(late.status, 409);
  assert.match(readWords(late), /somebody else has changed these texts meanwhile/);
  assert.match(late.text, /value="Glass"/);
  assert.equal(again.location, `${path}?done=edited`);
});

test('wrong input of an edit is said in German beside its field, and nothing is lost', async () => {
  const { brand, path } = await openBakery(booted);
  const quinn = await quality(brand);
  const seen = readSeen(await quinn.get(`${path}/edit`));

  const page = await quinn.post(`${path}/edit?lang=de`, {
    ...{ ...TEXTS, seen, title: ' ', reason: 'Bleibt stehen' },
    it_advice: 'x'.repeat(1_001),
  });

  assert.equal(page.status, 422);
  assert.match(page.text, /id="title-error"[^]*?Bitte füllen Sie/);
  assert.match(page.text, /id="it_advice-error"[^]*?1\.000/);
  assert.match(page.text, />\nBleibt stehen<\/textarea>/);
});

test('lots are excluded and added with a reason, and are among those by hand', async () => {
  const { brand, path, tenant } = await openBakery(booted);
  await tenant.receive('SALT-1');
  const quinn = await quality(brand);

  const changed = await quinn.post(`${path}/scope`, {
    ...{ add: 'SALT-1\r\n', exclude: 'ROLL-2', reason: 'Same silo' },
  });
  const words = readWords(await quinn.get(`${path}/scope`));
  const left = readWords(await quinn.get(`${path}/scope?which=left&q=`));

  assert.equal(changed.location, `${path}/scope?done=scope-changed`);
  assert.match(words, /Added and excluded by hand .*SALT-1 .*Added .*ROLL-2 .*Excluded/);
  assert.match(left, /ROLL-2 SKU made from it/);
});

test('lots are found by a piece of their code, and none found says so', async () => {
  const { brand, path } = await openBakery(booted);
  const quinn = await quality(brand);

  const found = await quinn.get(`${path}/scope?q=oll-1`);
  const none = await quinn.get(`${path}/scope?q=100%25`);

  assert.match(found.text, /ROLL-1<\/bdi>/);
  assert.doesNotMatch(found.text, /ROLL-2<\/bdi>/);
  assert.match(readWords(none), /No lot matches/);
});

test('a lot that nobody knows is named beside the field, and the other input stays', async () => {
  const { brand, path } = await openBakery(booted);
  const quinn = await quality(brand);
  const values = { add: 'NONE-1', exclude: 'ROLL-1', reason: 'Because' };

  const unknown = await quinn.post(`${path}/scope?lang=de`, values);
  const nothing = await quinn.post(`${path}/scope`, { reason: 'Because' });

  assert.equal(unknown.status, 422);
  assert.match(unknown.text, /id="add-error"[^]*?Keine eigene Charge hat diesen Code: NONE-1/);
  assert.match(unknown.text, />\nROLL-1<\/textarea>/);
  assert.match(readWords(nothing), /Name at least one lot/);
});

test('a case that has ended is not edited any more', async () => {
  const { brand, path, tenant, caseNo } = await openBakery(booted);
  const quinn = await quality(brand);
  const seen = readSeen(await quinn.get(`${path}/edit`));
  await tenant.move(caseNo, 'cancelled');

  const edited = await quinn.post(`${path}/edit`, { ...TEXTS, seen });
  const scope = await quinn.post(`${path}/scope`, { exclude: 'ROLL-1', reason: 'Because' });

  assert.match(readWords(edited), /Nothing was saved: the case has ended/);
  assert.match(readWords(scope), /Nothing was saved: the case has ended/);
});

test('lists of lots as long as they may be go through in any script, and what is longer is said', async () => {
  const { brand, path } = await openBakery(booted);
  const visitor = await quality(brand);
  // Each character takes nine bytes as a form sends it.
  const list = (sign: string): string => `${sign.repeat(199)}\n`.repeat(100).trim();

  const longest = await visitor.post(`${path}/scope`, {
    ...{ add: list('批'), exclude: list('次'), reason: '因'.repeat(4_000) },
  });
  const longer = await visitor.post(`${path}/scope`, { add: '批'.repeat(60_000), reason: 'r' });

  assert.equal(longest.status, 422);
  assert.match(longest.text, /id="add-error"/);
  assert.equal(longer.status, 413);
  assert.match(readWords(longer), /more than a form takes Nothing was changed/);
});

test('the texts to authority and quality assurance name every lot with what went out of it', async () => {
  const bakery = await notified();
  const quinn = await quality(bakery.brand);

  const [authority, quality_] = await Promise.all(
    ['regulator', 'internal_qa'].map(async (audience) => {
      const rows = await readNotifications(bakery.tenant, bakery.caseNo);
      const found = present(
        rows.find((one) => String(one['audience']) === audience),
        audience,
      );
      const path = `${bakery.path}/notifications/${String(found['id'])}`;
      return lettersOn(await readLetterPage(quinn, path))[0];
    }),
  );

  for (const text of [authority, quality_]) {
    assert.match(text ?? '', /what was delivered or sold of each:\n- /);
    assert.match(text ?? '', /- ROLL-1 \(SKU\): 36 pcs/);
    assert.match(text ?? '', /- ROLL-2 \(SKU\)/);
    assert.match(text ?? '', /\nIn all: 36 pcs/);
  }
});
