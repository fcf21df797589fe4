// Mails of processes that die, or work beside each other.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { startSmtpSink } from '@lothub/delivery/test/smtp-sink';
import { openTestStore } from '../delivery/outbox.ts';
import { startChild } from '../child-process.ts';
import { testEngine } from '../engine.ts';
import { openMailing, titlesIn, type MailedPerson, type Mailing } from './mailing.ts';

const PEOPLE = 12;
/** Of the mails that come, those after whose arrival the process is killed. */
const KILLS_AT = testEngine === 'sqlite' ? [3, 9] : [4];
/** Longer than a claim lasts. */
const CLAIM_MS = 61_000;

function startMailing({ database }: Mailing, url: string, aheadMs: number): ChildProcess {
  const env = { SMTP_URL: url, MAIL_FROM: 'inbox@example.com' };
  return startChild(new URL('./mail-child.ts', import.meta.url), { database, aheadMs, env });
}

async function newPeople(mailing: Mailing): Promise<readonly MailedPerson[]> {
  const people = [];
  for (let n = 0; n < PEOPLE; n += 1) people.push(await mailing.newPerson());
  return people;
}

test('processes that are killed in the middle lose no mail, and change no Message-ID', async () => {
  await using mailing = await openMailing();
  let child: ChildProcess | undefined;
  const killed: Promise<unknown>[] = [];
  const came: { readonly to: string; readonly id: string | undefined }[] = [];
  await using sink = await startSmtpSink({
    onContent: ({ to, mail }) => {
      came.push({ to: to[0] ?? '', id: mail.messageId });
      if (child === undefined || !KILLS_AT.includes(came.length)) return undefined;
      // It has arrived, and nobody hears of it.
      child.kill('SIGKILL');
      killed.push(once(child, 'exit'));
      return undefined;
    },
  });
  const people = await newPeople(mailing);
  await mailing.post({ title: 'Oven 3 is cold', severity: 'critical' });

  for (const [round, killAt] of KILLS_AT.entries()) {
    child = startMailing(mailing, sink.url, round * CLAIM_MS);
    await sink.arrived(killAt);
    await killed[round];
  }
  child = startMailing(mailing, sink.url, KILLS_AT.length * CLAIM_MS);
  for (const person of people) await mailing.settled(person, 'delivered');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const idsOf = Map.groupBy(came, ({ to }) => to);
  assert.equal(idsOf.size, PEOPLE);
  for (const [to, mails] of idsOf) {
    assert.equal(new Set(mails.map(({ id }) => id)).size, 1, to);
  }
  assert.ok(came.length >= PEOPLE + KILLS_AT.length, `${came.length} mails`);
});

test('two services over one store send each mail once', async () => {
  await using mailing = await openMailing();
  // A SQLite database is served by one process: there both are one.
  await using other =
    testEngine === 'sqlite' ? undefined : await openTestStore(mailing.database, mailing.clock);
  await using sink = await startSmtpSink();
  const people = await newPeople(mailing);
  await mailing.start(sink.url);
  await mailing.start(sink.url, other ?? mailing.store);

  await mailing.post({ title: 'Oven 3 is cold' });
  for (const person of people) await mailing.settled(person, 'delivered');

  assert.deepEqual(
    sink.mails.map(titlesIn),
    people.map(() => ['Oven 3 is cold']),
  );
  assert.equal(new Set(sink.mails.map(({ to }) => to[0])).size, PEOPLE);
});
