// docs/interface/traceability.md and the OpenAPI document of the hub name the same: requests with their
// statuses, fields with their limits, members of answers, and codes of refusals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { collectFacts, type Description } from '@lothub/kit/test/description/interface-facts';
import {
  assertPageListsCodes,
  assertPageNames,
  findUnknownRequests,
  readFacts,
} from '@lothub/kit/test/description/interface-page';
import { STATUS_OF_DATABASE_ERROR, STATUS_OF_REFUSAL } from '../../src/errors.ts';
import { boot } from '../boot.ts';

const page = readFileSync(
  new URL('../../../../docs/interface/traceability.md', import.meta.url),
  'utf8',
);

let description: Description;
const hub = await openForFile(boot());
before(async () => {
  description = JSON.parse((await hub.call('/openapi.json')).text) as Description;
});

test('the page names every request, field, limit, status and member that is described, and no other', () => {
  assertPageNames(page, description, 1_000);
});

test('the page lists every code of a refusal with its status', () => {
  const codes = { ...STATUS_OF_REFUSAL, fields_invalid: 422, ...STATUS_OF_DATABASE_ERROR };

  assertPageListsCodes(page, codes);
});

test('a row that is left out, another limit and a request that does not exist are found', () => {
  // What the page lacks anyway is the finding of the first test alone.
  const named = collectFacts(description).intersection(readFacts(page));
  const changed = page
    .replace(/^\| `GET \/v1\/brand` .*\n/m, '')
    .replace(/^(\| `unit` +\| yes +\| 1 to )20/m, '$130')
    .replace('`POST /v1/lots/holds` holds', '`POST /v1/lots/hold` holds');

  assert.deepEqual([...named.difference(readFacts(changed))].toSorted(), [
    'GET /v1/brand: answer Brand',
    'GET /v1/brand: body none',
    'GET /v1/brand: statuses 200 401 403 422 429 500 503',
    'body Line: unit yes: 1 to 20 characters',
  ]);
  assert.deepEqual(findUnknownRequests(changed, description), ['POST /v1/lots/hold']);
});
