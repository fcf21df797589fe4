// Messages by mail: asking, confirming, what a mail says of a recall, and one click that ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import type { SunkMail } from '@lothub/delivery/test/smtp-sink';
import { CASE, RecallTenant } from '../recall/tenant.ts';
import {
  bootWatched,
  linkIn,
  mailsTo,
  openPage,
  sendForm,
  tokenIn,
  until,
  watchByMail,
} from './watching.ts';

const watched = await openForFile(bootWatched());

let addresses = 0;
const newAddress = (): string => `reader-${(addresses += 1)}@mail.example`;

async function readRows(address: string) {
  const rows = await watched.hub.database.rows(
    `select status, language from watches where address = '${address}'`,
  );
  return rows.map((row) => ({ ...row }));
}

async function awaitRecallMails(address: string, count: number): Promise<readonly SunkMail[]> {
  const listMails = () =>
    mailsTo(watched.sink, address).filter(({ mail }) => isRecallMail(mail.subject));
  await until(`${count} mails of recalls to ${address}`, () => listMails().length >= count);
  return listMails();
}

/** A new tenant that received the lot FLOUR, and a new address that watches the lot. */
async function watchFlour() {
  const { hub, sink } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  const email = newAddress();
  await watchByMail({ hub, sink }, { email, brand: tenant.id, lotCode: 'FLOUR' });
  return { hub, tenant, email };
}

const isRecallMail = (subject = ''): boolean => /^Recall|^Rückruf|^No longer/.test(subject);

test('nothing is kept for longer than two days before its reader presses a button', async () => {
  const { hub, sink } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  const email = newAddress();
  const fields = { brand: tenant.id, lot_code: 'FLOUR', what: 'lot', email };

  const asked = await sendForm(hub, '/watch', fields);
  await until('the mail', () => mailsTo(sink, email).length === 1);
  const [mail] = mailsTo(sink, email);
  const link = linkIn(mail!, '/watch/confirm');
  const opened = await openPage(hub, link);

  assert.match(asked.text, /Look into your mailbox/);
  assert.equal(mail!.mail.subject, `Please confirm: recall alerts for lot FLOUR of ${tenant.id}`);
  assert.match(opened.text, /<button type="submit">Yes, notify me<\/button>/);
  assert.equal(opened.headers.get('cache-control'), 'no-store');
  assert.equal(opened.headers.get('referrer-policy'), 'no-referrer');
  assert.deepEqual(await readRows(email), [{ status: 'pending', language: 'en' }]);
  const confirmed = await sendForm(hub, '/watch/confirm', { w: tokenIn(link) });
  assert.match(confirmed.text, /You will get recall alerts/);
  assert.deepEqual(await readRows(email), [{ status: 'active', language: 'en' }]);
});

test('each step of a recall is sent once, with the notice and links that end it', async () => {
  const { tenant, email } = await watchFlour();

  const { case_no: caseNo } = await tenant.open('FLOUR', { severity: 'class_i' });
  await awaitRecallMails(email, 1);
  await tenant.moveThrough(caseNo, 'notification', 'containment', 'closed');

  const mails = await awaitRecallMails(email, 4);
  const name = `lot FLOUR of ${tenant.id}`;
  assert.deepEqual(
    mails.map(({ mail }) => mail.subject),
    [
      `Recall: ${name}`,
      `Recall, new state: ${name}`,
      `Recall, new state: ${name}`,
      `Recall has ended: ${name}`,
    ],
  );
  const [{ mail, raw }] = mails as [SunkMail];
  assert.match(mail.text ?? '', new RegExp(CASE.title));
  assert.match(mail.text ?? '', /they may cause serious harm or death/);
  assert.match(mail.text ?? '', new RegExp(`https://trace.example.com/recalls/${String(caseNo)}`));
  assert.match(mail.html ?? '', new RegExp(CASE.reason));
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.match(
    headers['list-unsubscribe'] ?? '',
    /^<https:\/\/trace\.example\.com\/watch\/end\?w=/,
  );
  assert.doesNotMatch(raw, /Ada Miller/);
});

test('one click of a mail program ends it, and nothing is kept', async () => {
  const { hub, tenant, email } = await watchFlour();
  await tenant.open('FLOUR');
  const [listMails] = await awaitRecallMails(email, 1);
  const link = linkIn(listMails!, '/watch/end');

  const opened = await openPage(hub, link);
  const kept = await readRows(email);
  const ended = await sendForm(hub, link, { 'List-Unsubscribe': 'One-Click' });

  assert.match(opened.text, /Stop alerts/);
  assert.equal(kept.length, 1);
  assert.deepEqual([ended.status, await readRows(email)], [200, []]);
  const again = await sendForm(hub, link, { 'List-Unsubscribe': 'One-Click' });
  assert.equal(again.status, 404);
});

test('whoever watches a product is told of any lot of it, in their language', async () => {
  const { hub, sink } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR-1');
  await tenant.receive('FLOUR-2');
  const [ofProduct, ofLot] = [newAddress(), newAddress()];
  const brand = tenant.id;
  await watchByMail(
    { hub, sink },
    { email: ofProduct, brand, lotCode: 'FLOUR-1', what: 'product', language: 'de' },
  );
  await watchByMail({ hub, sink }, { email: ofLot, brand, lotCode: 'FLOUR-1' });

  await tenant.open('FLOUR-2', { severity: 'class_ii' });
  const [mail] = await awaitRecallMails(ofProduct, 1);

  assert.match(mail!.mail.subject ?? '', /^Rückruf: /);
  assert.match(mail!.mail.text ?? '', /Essen oder verwenden|Nicht verzehren|Verzehren|Verwenden/i);
  assert.equal(mailsTo(sink, ofLot).length, 1);
});

test('of a case in confidence nobody is told before it is public', async () => {
  const { hub, tenant, email } = await watchFlour();

  const { case_no: caseNo } = await tenant.open('FLOUR', { confidential: true });
  const waiting = await hub.database.rows(
    `select case_no from watch_messages where case_no = '${String(caseNo)}'`,
  );
  await tenant.moveThrough(caseNo, 'notification');

  const mails = await awaitRecallMails(email, 1);
  assert.deepEqual(waiting, []);
  assert.match(mails[0]!.mail.subject ?? '', /^Recall: /);
});

test('nothing of an address is in public answers, in the log or on the chain', async () => {
  const { hub, tenant, email } = await watchFlour();
  await tenant.open('FLOUR');
  await awaitRecallMails(email, 1);

  const answers = await Promise.all(
    [
      `/lot/FLOUR?brand=${tenant.id}`,
      `/public/verify/FLOUR?brand=${tenant.id}`,
      `/public/verify/FLOUR/evidence?brand=${tenant.id}`,
      '/public/explorer',
      '/public/notices',
      '/recalls',
    ].map((path) => openPage(hub, path)),
  );
  const blocks = await hub.database.rows('select canonical from blocks');
  const audit = await hub.database.rows('select details from audit_entries');

  const all = [...answers.map(({ text }) => text), hub.log(), JSON.stringify([blocks, audit])];
  assert.ok(!all.join('\n').includes(email));
});

test('whoever asks sees and ends all that is kept of an address', async () => {
  const { hub, sink } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await tenant.receive('SUGAR');
  const email = newAddress();
  await watchByMail({ hub, sink }, { email, brand: tenant.id, lotCode: 'FLOUR' });
  await watchByMail({ hub, sink }, { email, brand: tenant.id, lotCode: 'SUGAR' });

  const answers = [
    await sendForm(hub, '/watch/list', { email }),
    await sendForm(hub, '/watch/list', { email: 'nobody@mail.example' }),
  ];
  await until('the mail', () => mailsTo(sink, email).length === 3);
  const link = linkIn(mailsTo(sink, email).at(-1)!, '/watch/list');
  const page = await openPage(hub, link);
  const ended = await sendForm(hub, '/watch/list/end', { w: tokenIn(link), id: 'all' });

  assert.equal(answers[0]!.text, answers[1]!.text);
  for (const name of ['lot FLOUR', 'lot SUGAR', email]) assert.ok(page.text.includes(name), name);
  assert.match(ended.text, /Nothing is kept of this address/);
  assert.deepEqual(await readRows(email), []);
});
