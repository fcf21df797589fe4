// One's own mail over HTTP and on pages: turning it on and off, the test mail, the link that ends it, and the end of
// the account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { startReceiver } from '@lothub/delivery/test/receiver';
import { startSmtpSink, type SmtpSink } from '@lothub/delivery/test/smtp-sink';
import { MAILS_PER_HOUR_MAX } from '../../src/mail/test-mail.ts';
import { boot, type Answer, type Booted } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { findHeader } from './mailing.ts';

const MAIL = '/api/v1/me/mail';
const PUBLIC_URL = 'https://trace.example.com';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CRITICAL = { command: 'notify', title: 'Oven 3 is cold', severity: 'critical' };

let sink: SmtpSink;
let inbox: Booted;
/** Its operator has set no mail server. */
let silent: Booted;
/** What the server answers to the recipient. */
let answer: string | undefined;

before(async () => {
  sink = await startSmtpSink({ onRecipient: () => answer });
  const env = {
    SMTP_URL: sink.url,
    MAIL_FROM: 'Inbox <inbox@example.com>',
    PUBLIC_URL,
  };
  [inbox, silent] = await Promise.all([boot({ env }), boot()]);
});

after(async () => {
  await inbox[Symbol.asyncDispose]();
  await silent[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

/** A session is a cookie of another name where the address is https. */
function asPerson(person: TestPerson): Readonly<Record<string, string>> {
  const { Cookie: cookie = '' } = person.headers;
  return { ...person.headers, Cookie: cookie.replace('lothub_session', '__Host-lothub_session') };
}

async function newAda(): Promise<TestPerson> {
  const ada = await newPerson(inbox);
  const headers = asPerson(ada);
  return {
    ...ada,
    headers,
    get: (path) => inbox.call(path, { headers }),
    send: (method, path, body) =>
      body === undefined
        ? inbox.call(path, { method, headers })
        : inbox.send({ method, path, body, headers }),
  };
}

function submit(
  ada: TestPerson,
  path: string,
  values: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = new URLSearchParams(values).toString();
  return inbox.call(path, { method: 'POST', headers: { ...FORM, ...ada.headers }, body });
}

const AT_ONCE = { min_severity: 'critical', rhythm: 'at_once' };

async function mailsTo(ada: TestPerson, count: number) {
  const found = () => sink.mails.filter(({ to }) => to[0] === ada.email);
  await until(`${count} mails`, () => found().length >= count);
  return found();
}

async function postTo(ada: TestPerson, groupId: string): Promise<void> {
  const made = await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Oven' });
  await inbox.send({
    method: 'POST',
    path: '/api/v1/ingest',
    body: CRITICAL,
    headers: { 'X-Api-Key': String(made.json['key']) },
  });
}

test('mail is off at first, is turned on, changed and turned off', async () => {
  const ada = await newAda();

  const first = await ada.get(MAIL);
  const on = await ada.send('PUT', MAIL, { min_severity: 'warning', rhythm: 'daily' });
  const off = await ada.send('DELETE', MAIL);
  const last = await ada.get(MAIL);

  assert.deepEqual(first.json, {
    available: true,
    status: 'off',
    disabled_reason: null,
    address: ada.email,
    min_severity: 'critical',
    rhythm: 'at_once',
    time_zone: 'UTC',
  });
  assert.deepEqual([on.status, on.json['status'], on.json['rhythm']], [200, 'on', 'daily']);
  assert.equal(off.status, 204);
  assert.deepEqual([last.json['status'], last.json['min_severity']], ['off', 'warning']);
});

test('what is no severity, no rhythm or nothing known is refused', async () => {
  const ada = await newAda();

  for (const body of [
    { ...AT_ONCE, rhythm: 'weekly' },
    { ...AT_ONCE, min_severity: 'loud' },
    { ...AT_ONCE, address: 'eve@example.com' },
    {},
  ]) {
    const refused = await ada.send('PUT', MAIL, body);
    assert.equal(`${refused.status} ${String(refused.json['code'])}`, '422 fields_invalid');
  }
  assert.equal((await ada.get(MAIL)).json['status'], 'off');
});

test('without a mail server it cannot be turned on, and the page says who can do something', async () => {
  const ada = await newPerson(silent);

  const settings = await ada.get(MAIL);
  const refused = await ada.send('PUT', MAIL, AT_ONCE);
  const tested = await ada.send('POST', `${MAIL}/test`);
  const page = await ada.get('/inbox/me');

  assert.equal(settings.json['available'], false);
  for (const { status, json } of [refused, tested]) {
    assert.equal(`${status} ${String(json['code'])}`, '409 conflict');
    assert.match(String(json['detail']), /SMTP_URL and MAIL_FROM/);
  }
  assert.match(page.text, /whoever operates it has to set a mail server first/);
});

test('a test mail says what the mail server answered, and is one of those of the hour', async () => {
  const ada = await newAda();
  const whileOff = await ada.send('POST', `${MAIL}/test`);
  await ada.send('PUT', MAIL, AT_ONCE);

  const accepted = await ada.send('POST', `${MAIL}/test`);
  answer = '550 5.1.1 No such user';
  const refused = await ada.send('POST', `${MAIL}/test`);
  answer = '450 4.2.0 Later';
  const failed = await ada.send('POST', `${MAIL}/test`);
  answer = undefined;
  for (let n = 3; n < MAILS_PER_HOUR_MAX; n += 1) await ada.send('POST', `${MAIL}/test`);
  const tooMany = await ada.send('POST', `${MAIL}/test`);

  assert.equal(whileOff.status, 409);
  assert.deepEqual(
    [accepted, refused, failed].map(({ json }) => json['outcome']),
    ['accepted', 'refused', 'failed'],
  );
  assert.equal(refused.json['detail'], 'The mail server refused the address (550)');
  assert.equal(`${tooMany.status} ${String(tooMany.json['code'])}`, '422 limit_reached');
  assert.equal((await mailsTo(ada, MAILS_PER_HOUR_MAX - 2)).length, MAILS_PER_HOUR_MAX - 2);
});

test('on the page mail is turned on, tested and turned off without scripts', async () => {
  const ada = await newAda();
  const before = await ada.get('/inbox/me');

  const on = await submit(ada, '/inbox/me/mail', { min_severity: 'info', rhythm: 'hourly' });
  const page = await ada.get('/inbox/me');
  const tested = await submit(ada, '/inbox/me/mail/test');
  answer = '550 5.1.1 No such user';
  const refused = await submit(ada, '/inbox/me/mail/test');
  answer = undefined;
  const wrong = await submit(ada, '/inbox/me/mail', { min_severity: 'info', rhythm: 'never' });
  const off = await submit(ada, '/inbox/me/mail/off');

  assert.match(before.text, /Turn mail on/);
  assert.equal(on.headers.get('location'), '/inbox/me?done=mail-saved#mail');
  assert.match(page.text, new RegExp(`${ada.email}[^]*Send a test mail[^]*Turn mail off`));
  assert.equal(tested.headers.get('location'), '/inbox/me?done=mail-tested#mail');
  assert.match(refused.text, /The mail server refused the address \(550\)/);
  assert.equal(wrong.status, 422);
  assert.equal(off.headers.get('location'), '/inbox/me?done=mail-off#mail');
  assert.equal((await ada.get(MAIL)).json['status'], 'off');
});

test('a mail program ends the mails by one click, and opening the link ends nothing', async () => {
  const ada = await newAda();
  const groupId = await newGroup(ada);
  await ada.send('PUT', MAIL, AT_ONCE);
  await postTo(ada, groupId);
  const [one] = await mailsTo(ada, 1);
  // As a mail program reads it: what is in the headers, and nothing else.
  const [, url = ''] = /^<(.*)>$/.exec(findHeader(one!, 'list-unsubscribe') ?? '') ?? [];
  const body = findHeader(one!, 'list-unsubscribe-post') ?? '';
  assert.ok(url.startsWith(`${PUBLIC_URL}/inbox/unsubscribe/`));
  const path = new URL(url).pathname;

  const opened = await inbox.call(path);
  const stillOn = await ada.get(MAIL);
  const ended = await inbox.call(path, { method: 'POST', headers: FORM, body });
  const form = new FormData();
  form.append('List-Unsubscribe', 'One-Click');
  const again = await fetch(inbox.base + path, { method: 'POST', body: form, redirect: 'manual' });
  await postTo(ada, groupId);
  const page = await inbox.call(path);

  assert.match(opened.text, /<button type="submit">Stop the mails<\/button>/);
  assert.doesNotMatch(opened.text, new RegExp(ada.email));
  assert.equal(stillOn.json['status'], 'on');
  assert.deepEqual([ended.status, again.status], [200, 200]);
  assert.match(page.text, /The mails are stopped/);
  assert.equal((await ada.get(MAIL)).json['status'], 'off');
  assert.equal((await mailsTo(ada, 1)).length, 1);
});

test('a person ends the mails with the button of the page behind the link', async () => {
  const ada = await newAda();
  await ada.send('PUT', MAIL, AT_ONCE);
  const groupId = await newGroup(ada);
  await postTo(ada, groupId);
  const [one] = await mailsTo(ada, 1);
  const path = /\/inbox\/unsubscribe\/\S+/.exec(one?.mail.text ?? '')?.[0] ?? '';

  const ended = await inbox.call(path, { method: 'POST', headers: FORM, body: 'from=page' });
  await ada.send('PUT', MAIL, AT_ONCE);
  const endedAgain = await inbox.call(path, { method: 'POST', headers: FORM, body: 'from=page' });

  assert.deepEqual([ended.status, ended.headers.get('location')], [303, path]);
  // The link of an old mail is good for as long as there is the account.
  assert.equal(endedAgain.status, 303);
  assert.equal((await ada.get(MAIL)).json['status'], 'off');
});

test('a link that is not whole ends nothing', async () => {
  const ada = await newAda();
  await ada.send('PUT', MAIL, AT_ONCE);
  const [row] = await inbox.database.rows(
    'select id from mail_receivers where account_id = ?',
    ada.accountId,
  );

  for (const token of [String(row?.['id']), `${String(row?.['id'])}.${'A'.repeat(43)}`, 'x']) {
    const path = `/inbox/unsubscribe/${token}`;
    const answers = [await inbox.call(path), await inbox.call(path, { method: 'POST' })];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404],
    );
  }
  assert.equal((await ada.get(MAIL)).json['status'], 'on');
});

test('the mail goes to the e-mail that the account has now', async () => {
  const ada = await newAda();
  const groupId = await newGroup(ada);
  await ada.send('PUT', MAIL, AT_ONCE);
  await inbox.database.change(
    'update people.accounts set email = ? where id = ?',
    'new@example.com',
    ada.accountId,
  );

  await postTo(ada, groupId);

  await until('a mail to the new address', () =>
    sink.mails.some(({ to }) => to[0] === 'new@example.com'),
  );
});

test('what one has set is in the export, and is gone with the account', async () => {
  const owner = await newAda();
  const groupId = await newGroup(owner);
  const ada = await newAda();
  await join(inbox, { groupId, person: ada });
  await ada.send('PUT', MAIL, { ...AT_ONCE, rhythm: 'daily' });
  await postTo(owner, groupId);

  const exported = await submit(ada, '/inbox/me/export');
  const erased = await submit(ada, '/inbox/me/erase', { email: ada.email });

  assert.match(exported.text, /"min_severity": "critical",\s+"rhythm": "daily"/);
  assert.equal(erased.status, 303);
  const left = await inbox.database.rows(
    'select id from mail_receivers where account_id = ?',
    ada.accountId,
  );
  assert.deepEqual(left, []);
});

test('a mail server that never answers holds up neither posts nor webhooks', async () => {
  const silentServer = createServer((socket) => socket.on('error', () => undefined));
  const called = once(silentServer, 'connection');
  silentServer.listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  const { port } = silentServer.address() as AddressInfo;
  await using receiver = await startReceiver();
  await using hung = await boot({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'inbox@example.com',
      NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1',
    },
  });
  const ada = await newPerson(hung);
  const groupId = await newGroup(ada);
  await ada.send('PUT', MAIL, AT_ONCE);
  await ada.send('POST', `/api/v1/groups/${groupId}/webhooks`, {
    name: 'Pager',
    url: receiver.base,
  });
  const made = await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Oven' });
  const post = async (): Promise<number> => {
    const headers = { 'X-Api-Key': String(made.json['key']) };
    return (await hung.send({ method: 'POST', path: '/api/v1/ingest', body: CRITICAL, headers }))
      .status;
  };

  const first = await post();
  const [socket] = (await called) as [Socket];
  const second = await post();
  await receiver.arrived(2);

  assert.deepEqual([first, second], [201, 201]);
  socket.destroy();
  silentServer.close();
});

test('neither the password of the mail server nor an address is in the log', () => {
  assert.doesNotMatch(inbox.log(), /@example\.com|smtp:\/\//);
});
