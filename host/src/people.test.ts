// Where `lothub people` finds the people of a process, and where the links lead that it prints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPeople } from './people.ts';

const HUB = 'postgresql://user@hub.example/hub';
const INBOX = 'postgresql://user@inbox.example/inbox';

for (const [services, prefix, databaseUrl] of [
  ['both', '/console', INBOX],
  ['notifications', '/inbox', INBOX],
  ['traceability', '/console', HUB],
] as const) {
  test(`with ${services} served the people are where that service has them`, () => {
    const found = readPeople({
      SERVICES: services,
      DATABASE_URL: HUB,
      NOTIFICATIONS_DATABASE_URL: INBOX,
    });

    assert.deepEqual([found.prefix, found.databaseUrl], [prefix, databaseUrl]);
  });
}
