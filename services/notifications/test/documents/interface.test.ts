// docs/interface/notifications.md and the OpenAPI document of the service name the same: requests with their
// statuses, fields with their limits, members of answers, and codes of problems.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { collectFacts } from '@lothub/kit/test/description/interface-facts';
import type { Description } from '@lothub/kit/test/description/interface-facts';
import {
  readTableCodes,
  readFacts,
  findUnknownRequests,
} from '@lothub/kit/test/description/interface-page';
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

  const described = collectFacts(description);
  const named = readFacts(page);

  assert.ok(described.size > 500, `${described.size} facts`);
  assert.deepEqual([...described.difference(named)], [], 'missing on the page');
  assert.deepEqual([...named.difference(described)], [], 'not described by the service');
  assert.deepEqual(findUnknownRequests(page, description), []);
});

test('the page lists every code of a problem with its status', () => {
  assert.deepEqual(readTableCodes(page, 'code').toSorted(), Object.keys(PROBLEMS).toSorted());
  for (const [code, { status }] of Object.entries(PROBLEMS)) {
    assert.match(page, new RegExp(`^\\| \`${code}\` +\\| ${status} `, 'm'));
  }
});
