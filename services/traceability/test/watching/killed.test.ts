// A hub that is killed while it notifies a crowd: the next one notifies the others, whoever was notified at that
// moment is notified again with the same id, and nobody is left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutSlices } from '@lothub/kit/in-list';
import { awaitServiceChild, spawnServiceChild } from '@lothub/kit/test/service-child';
import { startSmtpSink } from '@lothub/delivery/test/smtp-sink';
import { MAIL_ROUTE } from '../../src/watching/sending/delivery-queries.ts';
import { activate, insertWatch } from '../../src/watching/watch-queries.ts';
import { ADMIN_KEY, TENANT_KEY, aLine, anEvent, boot } from '../boot.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { openTestStore } from '../ledger.ts';
import { CASE } from '../recall/tenant.ts';
import { hasNoMessages, until, watchedOptions } from './watching.ts';

/** More than one slice of a fan-out. */
const CROWD = 600;
/** The hub dies once so many mails have come. */
const MAILS_BEFORE = 25;
const FAR_MS = 4_000_000_000_000;
const SCRIPT = new URL('../crash/crash-child.ts', import.meta.url);
const HEADERS = {
  ...{ 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'acme' },
  'Content-Type': 'application/json',
};

async function addCrowd(database: TestDatabase): Promise<void> {
  await using store = await openTestStore(database);
  const ids = Array.from({ length: CROWD }, (_, index) => `wch_${index}`);
  for (const slice of cutSlices(ids)) {
    await store.write(
      slice.flatMap((id) => [
        insertWatch({
          ...{ id, tenantId: 'acme', kind: 'lot', target: 'A', channel: 'mail', language: 'en' },
          ...{ address: `${id}@mail.example`, route: MAIL_ROUTE, p256dh: null, auth: null },
          ...{ createdAt: 1, expiresAt: FAR_MS },
        }),
        activate(id, FAR_MS),
      ]),
    );
  }
}

test('everybody of a crowd is notified, although the hub is killed among them', async () => {
  await using database = await newTestDatabase();
  await addCrowd(database);
  await using sink = await startSmtpSink();
  const { env } = watchedOptions(sink);
  const child = await awaitServiceChild(
    spawnServiceChild({
      script: SCRIPT,
      env: {
        ...{ ...database.env, ...env, LOG: 'off', RATE_LIMIT_V1: '0' },
        ...{ TENANT_API_KEY: TENANT_KEY, ADMIN_API_KEY: ADMIN_KEY },
      },
    }),
  );
  const post = async (path: string, body: unknown): Promise<void> => {
    const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    const answer = await fetch(child.base + path, init);
    assert.ok(answer.ok, await answer.text());
  };
  await post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'A' })] }));

  await post('/v1/recall/cases', { ...CASE, seed_lot_code: 'A' });
  await sink.arrived(MAILS_BEFORE);
  await child.end();
  const before = sink.mails.length;
  // What it was sending is taken again once its lease has ended; nobody waits for that here.
  await database.change('update watch_deliveries set due_at = 0');
  await using hub = await boot({ database, ...watchedOptions(sink, { env: { LOG: 'off' } }) });
  await until('nothing waits', () => hasNoMessages({ hub }));

  const notified = new Map(sink.mails.map(({ to, mail }) => [to[0], mail.messageId]));
  assert.ok(before < CROWD, String(before));
  assert.equal(notified.size, CROWD);
  assert.equal(new Set(notified.values()).size, CROWD);
  const twice = sink.mails.filter(({ to, mail }) => notified.get(to[0]) !== mail.messageId);
  assert.deepEqual(twice, []);
  assert.ok(sink.mails.length <= CROWD + 8, String(sink.mails.length));
});
