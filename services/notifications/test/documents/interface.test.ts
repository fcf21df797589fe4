// docs/interface/notifications.md and the OpenAPI document of the service name the same: requests with their
// statuses, fields with their limits, members of answers, and codes of problems.
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Description } from '@lothub/kit/test/description/interface-facts';
import { assertPageListsCodes, assertPageNames } from '@lothub/kit/test/description/interface-page';
import { PROBLEMS } from '../../src/errors.ts';
import { boot } from '../boot.ts';

const page = readFileSync(
  new URL('../../../../docs/interface/notifications.md', import.meta.url),
  'utf8',
);

test('the page names every request, field, limit, status and member that is described, and no other', async () => {
  await using booted = await boot();
  const { text } = await booted.call('/api/v1/openapi.json');
  const description = JSON.parse(text) as Description;

  assertPageNames(page, description, 500);
});

test('the page lists every code of a problem with its status', () => {
  const statuses = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status] as const);

  assertPageListsCodes(page, Object.fromEntries(statuses));
});
