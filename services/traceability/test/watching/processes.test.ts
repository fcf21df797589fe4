// Two processes over one database: whichever is asked, confirmed or notified of a recall, each address gets each mail once,
// with links that the other opens, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootSecond } from '../boot.ts';
import { RecallTenant } from '../recall/tenant.ts';
import {
  bootWatched,
  hasNoMessages,
  linkIn,
  mailsTo,
  sendForm,
  tokenIn,
  until,
  watchByMail,
  watchedOptions,
} from './watching.ts';

test('each of two processes does what the other has begun, and notifies nobody twice', async () => {
  await using watched = await bootWatched();
  const { hub, sink } = watched;
  const { env, ...options } = watchedOptions(sink);
  await using other = await bootSecond(hub, env, options);
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  const brand = tenant.id;
  const emails = Array.from({ length: 6 }, (_, index) => `reader-${index}@mail.example`);
  for (const [index, email] of emails.entries()) {
    const asked = index % 2 === 0 ? hub : other;
    await watchByMail({ hub: asked, sink }, { email, brand, lotCode: 'FLOUR' });
  }

  const { case_no: caseNo } = await new RecallTenant(other, brand).open('FLOUR');
  await tenant.moveThrough(caseNo, 'notification');
  await until('nothing waits', () => hasNoMessages(watched));
  const link = linkIn(mailsTo(sink, emails[0]!).at(-1)!, '/watch/end');
  const ended = await sendForm(other, '/watch/end', { w: tokenIn(link) });

  for (const email of emails) assert.equal(mailsTo(sink, email).length, 3, email);
  assert.equal(ended.status, 200);
});
