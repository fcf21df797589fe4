// What cannot be done with other people's addresses: flood them, break mails with them, find out what they watch, or
// open links that were never sent.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { ASKED_PER_ADDRESS_MAX } from '../../src/watching/limits.ts';
import { runCli } from '../cli/run.ts';
import { newVisitor } from '../console/visitors.ts';
import { RecallTenant } from '../recall/tenant.ts';
import {
  bootWatched,
  hasNoMessages,
  linkIn,
  mailsTo,
  openPage,
  sendForm,
  until,
  watchByMail,
} from './watching.ts';

/** What the mail server says of an address. */
const refusals = new Map<string, string>();
const watched = await openForFile(
  bootWatched({ sink: { onRecipient: (address) => refusals.get(address) } }),
);

async function newTenant(...lots: readonly string[]): Promise<RecallTenant> {
  const tenant = new RecallTenant(watched.hub);
  await tenant.receive(...lots);
  return tenant;
}

async function countRows(address: string): Promise<number> {
  const rows = await watched.hub.database.rows(
    `select id from watches where address = '${address}'`,
  );
  return rows.length;
}

test('an address that confirms nothing gets three mails at most, however many ask at once', async () => {
  const { hub, sink } = watched;
  const lots = Array.from({ length: 12 }, (_, index) => `LOT-${index}`);
  const { id: brand } = await newTenant(...lots);
  const email = 'victim@mail.example';

  const answers = await Promise.all(
    lots.map((lot) =>
      sendForm(hub, '/watch', { brand, lot_code: lot, email: email.toUpperCase() }),
    ),
  );
  await sendForm(hub, '/watch', { brand, lot_code: 'LOT-0', email });
  await until('nothing waits', () => hasNoMessages(watched));

  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(mailsTo(sink, email).length, ASKED_PER_ADDRESS_MAX);
  assert.equal(await countRows(email), ASKED_PER_ADDRESS_MAX);
});

test('a client that asks too often is asked to come back', async () => {
  await using limited = await bootWatched({ env: { RATE_LIMIT_PUBLIC: '60' } });
  const fields = { email: 'nobody@mail.example' };

  const statuses: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    statuses.push((await sendForm(limited.hub, '/watch/list', fields)).status);
  }

  assert.deepEqual(statuses, [...new Array<number>(10).fill(200), 429, 429]);
});

for (const email of [
  'anna@example.com\r\nBcc: all@example.com',
  'anna@example.com, bob@example.com',
  'Anna <anna@example.com>',
  'anna@example.com>\n',
  '"anna smith"@example.com',
  'anna@exa mple.com',
  'anna@example.com\u0000',
  `${'a'.repeat(65)}@example.com`,
  'anna',
]) {
  test(`${JSON.stringify(email)} is no address, and nothing is kept or sent`, async () => {
    const { hub, sink } = watched;
    const { id: brand } = await newTenant('FLOUR');
    const before = sink.mails.length;

    const answer = await sendForm(hub, '/watch', { brand, lot_code: 'FLOUR', email: `${email}x` });

    const rows = await hub.database.rows(`select id from watches where tenant_id = '${brand}'`);
    assert.deepEqual([answer.status, rows.length, sink.mails.length], [422, 0, before]);
  });
}

test('a lot whose name is hostile breaks no header of a mail', async () => {
  const { hub, sink } = watched;
  const lotCode = 'L-1"<b>&=?utf-8?B?';
  const { id: brand } = await newTenant(lotCode);
  const email = 'hostile@mail.example';

  await watchByMail({ hub, sink }, { email, brand, lotCode });

  const [mail] = mailsTo(sink, email);
  assert.equal(mail!.mail.subject, `Please confirm: recall alerts for lot ${lotCode} of ${brand}`);
  assert.ok(!mail!.mail.html?.includes('<b>'));
  assert.equal(mail!.mail.to?.length, 1);
});

test('nobody opens a link that was never sent', async () => {
  const { hub, sink } = watched;
  const { id: brand } = await newTenant('FLOUR');
  const email = 'links@mail.example';
  await watchByMail({ hub, sink }, { email, brand, lotCode: 'FLOUR' });
  const confirm = linkIn(mailsTo(sink, email)[0]!, '/watch/confirm');
  const [id = ''] = /wch_\w{12}/.exec(confirm) ?? [];
  const forged = createHmac('sha256', 'guess').update(`end\n${id}\n`).digest('hex');

  const answers = [
    // A link of one purpose is none of another.
    await sendForm(hub, confirm.replace('/confirm', '/end'), {}),
    await sendForm(hub, `/watch/end?w=${id}.${forged}`, {}),
    await openPage(hub, `/watch/list?w=${id}.9999999999999.${forged}`),
    await sendForm(hub, `/watch/end?w=${id}`, {}),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 422],
  );
  assert.equal(await countRows(email), 1);
});

test('an address that is refused for good three times is forgotten, and a pending one at once', async () => {
  const { hub, sink } = watched;
  const tenant = await newTenant('FLOUR');
  const [email, never] = ['gone@mail.example', 'never@mail.example'];
  await watchByMail({ hub, sink }, { email, brand: tenant.id, lotCode: 'FLOUR' });
  for (const address of [email, never]) refusals.set(address, '550 5.1.1 No such user');

  const { case_no: caseNo } = await tenant.open('FLOUR');
  await sendForm(hub, '/watch', { brand: tenant.id, lot_code: 'FLOUR', email: never });
  await until('the first refusal', async () => {
    const [row] = await hub.database.rows(
      `select refusals from watches where address = '${email}'`,
    );
    return row?.['refusals'] === 1;
  });
  await tenant.moveThrough(caseNo, 'notification', 'containment');

  await until('nothing waits', () => hasNoMessages(watched));
  assert.deepEqual([await countRows(email), await countRows(never)], [0, 0]);
});

test('the operator erases an address with all that it watches', async () => {
  const { hub, sink } = watched;
  const { id: brand } = await newTenant('FLOUR', 'SUGAR');
  const email = 'erased@mail.example';
  for (const lotCode of ['FLOUR', 'SUGAR']) {
    await watchByMail({ hub, sink }, { email, brand, lotCode });
  }
  const args = ['watch', 'erase', '--email', 'Erased@Mail.example', '--json'];

  const first = await runCli(args, hub.database.env);
  const second = await runCli(args, hub.database.env);

  assert.deepEqual(JSON.parse(first.stdout), { ok: true, erased: 2 });
  assert.deepEqual(JSON.parse(second.stdout), { ok: true, erased: 0 });
  assert.equal(await countRows(email), 0);
});

test('the console says of a lot that a few watch it, and names nobody', async () => {
  await using plain = await bootWatched({ env: { PUBLIC_URL: 'http://trace.example.com' } });
  const { hub } = plain;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  const brand = tenant.id;
  const email = 'counted@mail.example';
  await sendForm(hub, '/watch', { brand, lot_code: 'FLOUR', email });
  const viewer = await newVisitor(hub, { brands: { [brand]: 'viewer' } });
  const read = () => viewer.get(`/console/b/${brand}/lots/FLOUR`);

  const pending = await read();
  await hub.database.change("update watches set status = 'active'");
  const active = await read();

  assert.doesNotMatch(pending.text, /Recall alerts/);
  assert.match(active.text, /Recall alerts for this lot: a few/);
  assert.doesNotMatch(active.text, /Recall alerts for its product/);
  assert.ok(!active.text.includes(email));
});
