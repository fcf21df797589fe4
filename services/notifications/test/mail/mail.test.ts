// What is mailed to whom and when: at once and gathered, within limits, without what nobody needs any more; and
// what refusals and silence of the mail server do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSmtpSink } from '@lothub/delivery/test/smtp-sink';
import sql from 'sql-template-tag';
import { insertMember } from '../../src/groups/new-group.ts';
import { HOUR_MS } from '../../src/mail/rhythm.ts';
import { MAILS_PER_HOUR_MAX } from '../../src/mail/test-mail.ts';
import { until } from '../delivery/outbox.ts';
import { PUBLIC_URL, findHeader, openMailing, startSinkAt, titlesIn } from './mailing.ts';
import type { MailedPerson, Mailing } from './mailing.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

test('a notification is mailed once to each member who wants it, with its link and its end', async () => {
  await using mailing = await openMailing();
  const [ada, bob, cleo] = [
    await mailing.newPerson({ minSeverity: 'critical' }),
    await mailing.newPerson({ minSeverity: 'info' }),
    await mailing.newPerson({ groupIds: [await mailing.newGroup('Elsewhere')] }),
  ];
  await using sink = await startSinkAt(mailing);

  const { id, seq } = await mailing.post({
    title: 'Oven 3 is cold',
    body: 'Since 06:00',
    severity: 'critical',
  });
  await mailing.post({ title: 'Nothing of note' });
  await mailing.settled(ada, 'delivered');
  await mailing.settled(bob, 'delivered', 2);

  const toAda = sink.mails.filter(({ to }) => to[0] === ada.email);
  assert.equal(toAda.length, 1);
  const [one] = toAda;
  assert.equal(one?.mail.subject, '[Operations] Critical: Oven 3 is cold');
  assert.equal(one?.mail.messageId, `<msg_${id}_${ada.receiverId}@example.com>`);
  assert.deepEqual(titlesIn(one), ['Oven 3 is cold']);
  const link = `${PUBLIC_URL}/inbox/groups/${mailing.groupId}/n/${seq}`;
  for (const part of [one?.mail.text, one?.mail.html]) {
    assert.ok(part?.includes(link));
    assert.ok(part?.includes('Since 06:00'));
    assert.ok(part?.includes(`${PUBLIC_URL}/inbox/unsubscribe/${ada.receiverId}.`));
  }
  assert.match(findHeader(one, 'list-unsubscribe') ?? '', /^<https:.*\/inbox\/unsubscribe\/mr_/);
  assert.equal(findHeader(one, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.ok(!sink.mails.some(({ to }) => to[0] === cleo.email));
});

test('what comes together goes as one mail, the most urgent first', async () => {
  await using mailing = await openMailing();
  const ada = await mailing.newPerson();
  for (let n = 1; n <= 33; n += 1) await mailing.post({ title: `Nothing ${n}` });
  await mailing.post({ title: 'Oven 3 is cold', severity: 'critical' });

  await using sink = await startSinkAt(mailing);
  await mailing.settled(ada, 'delivered', 34);

  assert.equal(sink.mails.length, 1);
  const [one] = sink.mails;
  assert.equal(one?.mail.subject, '[Operations] 34 notifications, 1 critical');
  const titles = titlesIn(one);
  assert.deepEqual(titles.slice(0, 2), ['Oven 3 is cold', 'Nothing 33']);
  assert.equal(titles.length, 30);
  assert.match(one?.mail.text ?? '', /^And 4 more\.$/m);
});

test('over a day, hourly and daily mails go at full hours and at 07:00 of the person', async () => {
  await using mailing = await openMailing();
  mailing.clock.ms = Date.parse('2027-01-12T04:40:00.000Z');
  const hourly = await mailing.newPerson({ rhythm: 'hourly' });
  const daily = await mailing.newPerson({ rhythm: 'daily', zone: 'Europe/Berlin' });
  const utc = await mailing.newPerson({ rhythm: 'daily' });
  await using sink = await startSinkAt(mailing);
  const seen: string[] = [];
  const names = new Map([
    [hourly.email, 'hourly'],
    [daily.email, 'Berlin'],
    [utc.email, 'UTC'],
  ]);
  let counted = 0;

  // Each 20 minutes for a bit more than a day; a post at each of the first three.
  for (let step = 0; step < 3 * 27; step += 1) {
    if (step < 3 || step === 40) await mailing.post({ title: `Post ${step}` });
    await mailing.advance(20 * MINUTE_MS);
    await quiet(mailing, [hourly, daily, utc]);
    for (const sunk of sink.mails.slice(counted)) {
      const at = new Date(mailing.clock.ms).toISOString().slice(5, 16);
      seen.push(`${at} ${names.get(sunk.to[0] ?? '')} ${titlesIn(sunk).join(', ')}`);
    }
    counted = sink.mails.length;
  }

  assert.deepEqual(seen.sort(), [
    '01-12T05:00 hourly Post 0',
    '01-12T06:00 Berlin Post 2, Post 1, Post 0',
    '01-12T06:00 hourly Post 2, Post 1',
    '01-12T07:00 UTC Post 2, Post 1, Post 0',
    '01-12T19:00 hourly Post 40',
    '01-13T06:00 Berlin Post 40',
    '01-13T07:00 UTC Post 40',
  ]);
});

/** Waits until nothing is due or under way any more: what is under way is due again after a minute. */
async function quiet(mailing: Mailing, people: readonly MailedPerson[]): Promise<void> {
  await until('nothing is due', async () => {
    const all = (await Promise.all(people.map((person) => mailing.rows(person)))).flat();
    return !all.some(
      (row) =>
        row['status'] === 'pending' && Number(row['due_at']) <= mailing.clock.ms + 2 * MINUTE_MS,
    );
  });
}

test('what was read, acknowledged, redacted or left behind meanwhile is not mailed', async () => {
  await using mailing = await openMailing();
  const { store, groupId } = mailing;
  const ada = await mailing.newPerson({ rhythm: 'hourly' });
  const places = [];
  for (const title of ['Read', 'Acknowledged', 'Redacted', 'Deleted', 'Left']) {
    places.push(await mailing.post({ title, severity: 'critical' }));
  }
  const [read, acknowledged, redacted, deleted] = places.map(({ seq }) => seq);
  await store.write([
    sql`
      insert into read_exceptions (account_id, group_id, seq, is_read)
      values (${ada.accountId}, ${groupId}, ${read}, 1)`,
    sql`
      insert into acknowledgements (group_id, seq, account_id, at)
      values (${groupId}, ${acknowledged}, 'usr_other', 1)`,
    sql`update notifications set redacted_at = 1 where group_id = ${groupId} and seq = ${redacted}`,
    sql`delete from notifications where group_id = ${groupId} and seq = ${deleted}`,
  ]);
  await using sink = await startSinkAt(mailing);

  await mailing.advance(HOUR_MS);
  await mailing.settled(ada, 'delivered', 5);

  assert.deepEqual(sink.mails.map(titlesIn), [['Left']]);
});

test('a mail with nothing left is not sent, nor is one to somebody who left the group', async () => {
  await using mailing = await openMailing();
  const { store, groupId } = mailing;
  const [ada, bob] = [
    await mailing.newPerson({ rhythm: 'hourly' }),
    await mailing.newPerson({ rhythm: 'hourly' }),
  ];
  await mailing.post();
  await store.write([
    sql`update members set read_up_to = 1 where account_id = ${ada.accountId}`,
    sql`delete from members where group_id = ${groupId} and account_id = ${bob.accountId}`,
  ]);
  await using sink = await startSinkAt(mailing);

  await mailing.advance(HOUR_MS);
  await quiet(mailing, [ada, bob]);

  assert.equal(sink.mails.length, 0);
});

test('a muted group is not mailed, and neither is what lies below the severity', async () => {
  await using mailing = await openMailing();
  const [ada, bob] = [
    await mailing.newPerson(),
    await mailing.newPerson({ minSeverity: 'warning' }),
  ];
  await mailing.store.write([
    sql`
      update members
      set muted_until = ${mailing.clock.ms + HOUR_MS}
      where account_id = ${ada.accountId}`,
  ]);

  await mailing.post();
  await mailing.post({ severity: 'warning' });
  mailing.clock.ms += HOUR_MS;
  await mailing.post();

  assert.deepEqual(
    (await mailing.rows(ada)).map(({ seq }) => seq),
    [3],
  );
  assert.deepEqual(
    (await mailing.rows(bob)).map(({ seq }) => seq),
    [2],
  );
});

test('beyond the limit of an hour what is due waits, and goes together', async () => {
  await using mailing = await openMailing();
  const ada = await mailing.newPerson();
  await using sink = await startSinkAt(mailing);
  for (let n = 1; n <= MAILS_PER_HOUR_MAX; n += 1) {
    await mailing.post({ title: `Post ${n}` });
    await mailing.settled(ada, 'delivered', n);
  }

  await mailing.post({ title: 'Late 1' });
  await mailing.post({ title: 'Late 2' });
  await quiet(mailing, [ada]);
  const before = sink.mails.length;
  await mailing.advance(HOUR_MS);
  await mailing.settled(ada, 'delivered', MAILS_PER_HOUR_MAX + 2);

  assert.equal(before, MAILS_PER_HOUR_MAX);
  assert.deepEqual(sink.mails.slice(before).map(titlesIn), [['Late 2', 'Late 1']]);
});

test('what is escalated comes at once, also when it was read and the limit is reached', async () => {
  await using mailing = await openMailing();
  const { store, groupId, clock } = mailing;
  const ada = await mailing.newPerson({ rhythm: 'daily' });
  const { id, seq } = await mailing.post({ title: 'Oven 3 is cold', severity: 'critical' });
  await store.write([
    sql`update members set read_up_to = ${seq} where account_id = ${ada.accountId}`,
    sql`
      update mail_receivers
      set hour_from = ${clock.ms}, hour_mails = ${MAILS_PER_HOUR_MAX}
      where id = ${ada.receiverId}`,
    sql`
      insert into mail_deliveries
        (id, receiver_id, group_id, seq, kind, status, due_at, created_at)
      values (
        ${`esc_${id}_${ada.receiverId}`}, ${ada.receiverId}, ${groupId}, ${seq}, 'escalated',
        'pending', ${clock.ms}, ${clock.ms}
      )`,
  ]);

  await using sink = await startSinkAt(mailing);
  await mailing.settled(ada, 'delivered');

  const [one] = sink.mails;
  assert.equal(one?.mail.subject, '[Operations] Not acknowledged: Oven 3 is cold');
});

test('an address that is refused for good is not tried again, and disabled after days of it', async () => {
  await using mailing = await openMailing();
  const [ada, bob] = [await mailing.newPerson(), await mailing.newPerson()];
  await using sink = await startSinkAt(mailing, {
    onRecipient: (address) => (address === ada.email ? '550 5.1.1 No such user' : undefined),
  });

  const statuses = [];
  for (let n = 1; n <= 6; n += 1) {
    await mailing.post({ title: `Post ${n}` });
    await mailing.settled(bob, 'delivered', n);
    await mailing.settled(ada, 'failed', n);
    statuses.push((await mailing.receiver(ada))?.['status']);
    await mailing.advance(5 * HOUR_MS);
  }

  assert.deepEqual(statuses, ['active', 'active', 'active', 'active', 'active', 'disabled']);
  assert.match(String((await mailing.receiver(ada))?.['disabled_reason']), /refused the address/);
  assert.equal(sink.mails.length, 6);
  assert.deepEqual(
    (await mailing.rows(ada)).map(({ attempts }) => attempts),
    [1, 1, 1, 1, 1, 1],
  );
});

test('five refusals within a day disable nobody, and one mail that is taken forgets them', async () => {
  await using mailing = await openMailing();
  const ada = await mailing.newPerson();
  let isRefusing = true;
  await using sink = await startSinkAt(mailing, {
    onRecipient: () => (isRefusing ? '550 5.1.1 No such user' : undefined),
  });

  for (let n = 1; n <= 7; n += 1) {
    await mailing.post();
    await mailing.settled(ada, 'failed', n);
  }
  const failures = (await mailing.receiver(ada))?.['failures'];
  isRefusing = false;
  await mailing.post();
  await sink.arrived(1);
  await mailing.settled(ada, 'delivered');

  assert.equal(failures, 7);
  const { status, failures: after } = (await mailing.receiver(ada)) ?? {};
  assert.deepEqual([status, after], ['active', 0]);
});

for (const [name, options] of [
  ['defers', { onRecipient: () => '450 4.2.0 Later' }],
  ['is set up wrongly', { onRecipient: () => '554 5.7.1 Relay access denied' }],
  ['refuses the log-in', { login: { user: 'inbox', password: 'right' } }],
] as const) {
  test(`a mail server that ${name} is tried again, and disables nobody`, async () => {
    await using mailing = await openMailing();
    const ada = await mailing.newPerson();
    await mailing.post({ title: 'Oven 3 is cold' });
    const sink = await startSmtpSink(options);
    const mail = await mailing.start(sink.url.replace('right', 'wrong'));

    for (let n = 1; n <= 8; n += 1) {
      await mailing.tried(ada, n);
      await mailing.advance(14 * HOUR_MS);
    }
    await mail.close();
    await sink[Symbol.asyncDispose]();
    const between = await mailing.receiver(ada);
    await using back = await startSinkAt(mailing);
    await mailing.advance(14 * HOUR_MS);
    await mailing.settled(ada, 'delivered');

    assert.deepEqual([between?.['status'], between?.['failures']], ['active', 0]);
    assert.deepEqual(back.mails.map(titlesIn), [['Oven 3 is cold']]);
    // Once a minute, and never with what is secret.
    assert.equal(mailing.log.length, 1);
    assert.match(mailing.log[0] ?? '', /sending failed, and is tried again: .* (450|554|535)/);
    assert.doesNotMatch(mailing.log.join(''), /wrong|right|@/);
  });
}

test('a server that is gone and comes back gets what waited, with the same Message-ID', async () => {
  await using mailing = await openMailing();
  const ada = await mailing.newPerson();
  const first = await startSmtpSink();
  await mailing.start(first.url);
  await first[Symbol.asyncDispose]();
  const { id } = await mailing.post();
  await mailing.tried(ada, 1);

  await using second = await startSmtpSink({ port: first.port });
  await mailing.advance(MINUTE_MS);
  await mailing.settled(ada, 'delivered');

  assert.deepEqual(
    second.mails.map(({ mail }) => mail.messageId),
    [`<msg_${id}_${ada.receiverId}@example.com>`],
  );
});

test('a mail that was taken although nobody heard of it keeps its Message-ID', async () => {
  await using mailing = await openMailing();
  const ada = await mailing.newPerson();
  await mailing.post({ title: 'One' });
  await mailing.post({ title: 'Two' });
  let tries = 0;
  const ids: (string | undefined)[] = [];
  await using sink = await startSinkAt(mailing, {
    onContent: ({ mail }) => {
      ids.push(mail.messageId);
      tries += 1;
      return tries === 1 ? '451 4.3.0 Lost' : undefined;
    },
  });
  await mailing.tried(ada, 2);

  await mailing.advance(MINUTE_MS);
  await sink.arrived(1);

  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
  assert.match(ids[0] ?? '', /^<all_[0-9a-f]{32}@example\.com>$/);
});

test('hostile titles and bodies change nothing but what they say', async () => {
  await using mailing = await openMailing();
  await mailing.newPerson();
  await using sink = await startSinkAt(mailing);
  const titles = [
    'Cold\r\nBcc: eve@example.com\r\n\r\nbody',
    '<img src=x onerror=alert(1)>',
    '\u202Eקר מדי',
    'x'.repeat(120),
  ];

  for (const [n, title] of titles.entries()) {
    await mailing.post({ title, body: `${title}\n-- \n`.repeat(20) });
    await sink.arrived(n + 1);
  }

  assert.ok(sink.mails.every(({ to, mail }) => to.length === 1 && mail.bcc === undefined));
  assert.ok(sink.mails.every(({ mail }) => !/<img|<script/.test(mail.html ?? '')));
  assert.ok(sink.mails.every(({ raw }) => raw.split('\r\n').every((line) => line.length <= 998)));
  const [cold, , hebrew, long] = sink.mails.map(({ mail }) => mail.subject);
  assert.equal(cold, '[Operations] Info: Cold Bcc: eve@example.com body');
  assert.equal(hebrew, '[Operations] Info: קר מדי');
  assert.equal(long, `[Operations] Info: ${'x'.repeat(120)}`);
});

test('a person of two groups gets one mail about both', async () => {
  await using mailing = await openMailing();
  const bakery = await mailing.newGroup('Bakery');
  const ada = await mailing.newPerson({ rhythm: 'hourly' });
  await mailing.store.write([
    ...insertMember({
      groupId: bakery,
      accountId: ada.accountId,
      role: 'member',
      at: mailing.clock.ms,
    }),
  ]);
  await mailing.post({ title: 'One' });
  mailing.clock.ms += 1;
  await mailing.post({ title: 'Two', groupId: bakery });
  await using sink = await startSinkAt(mailing);

  await mailing.advance(HOUR_MS + DAY_MS);
  await mailing.settled(ada, 'delivered', 2);

  assert.deepEqual(sink.mails.map(titlesIn), [['Two', 'One']]);
  assert.equal(sink.mails[0]?.mail.subject, '[2 groups] 2 notifications');
});
