// Every command of the README works as it is there, and prints what is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Likeness, missingTools, readDocument, walkThrough } from '@lothub/kit/test/walkthrough';
import { bootFronted } from './fronted.ts';

const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const GROUP_KEY = 'test-group-key-0123456789abcdef0123456789';

const MISSING = missingTools();
/** People may lack a tool; where changes are judged, a missing one fails the test below. */
const IS_JUDGED = MISSING.length === 0 || process.env['CI'] === 'true';

if (!IS_JUDGED) {
  test('the README is walked through only where its tools are', (t) => {
    t.diagnostic(`not walked through: ${MISSING.join(', ')} missing`);
  });
} else {
  test('every command of the README prints what the README shows', async () => {
    await using fronted = await bootFronted({
      TENANT_API_KEY: TENANT_KEY,
      NOTIFICATIONS_OWNER_EMAIL: 'owner@example.com',
      NOTIFICATIONS_OWNER_PASSWORD: 'correct horse battery staple',
      NOTIFICATIONS_API_KEY: GROUP_KEY,
    });

    const steps = await walkThrough(readDocument('README.md'), {
      'http://127.0.0.1:8000': fronted.base,
      'lh_tenant_put-in-your-own': TENANT_KEY,
      'nk_put-in-your-own': GROUP_KEY,
    });

    const likeness = new Likeness();
    const shown = steps.filter((step) => step.shown !== undefined);
    for (const step of shown) likeness.assertLike(step.printed, step.shown ?? '');
    assert.ok(shown.length > 2, `only ${shown.length} answers are shown`);
    const event = steps.find(({ printed }) => printed.includes('"block_hash"'));
    const blockHash = /"block_hash":"([0-9a-f]{64})"/.exec(event?.printed ?? '')?.[1];
    const sum = steps.find(({ script }) => script.includes('sha256sum'));
    assert.equal(sum?.printed.trim(), `${blockHash}  -`);
  });
}
