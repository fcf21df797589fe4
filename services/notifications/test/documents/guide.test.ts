// Every command of the guide works unchanged, and prints what is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Likeness, missingTools, readDocument, walkThrough } from '@lothub/kit/test/walkthrough';
import { FIRST_OWNER, OWNER_PASSWORD, boot } from '../boot.ts';

/** It is in links, as in the document. */
const PUBLIC_URL = 'http://127.0.0.1:8000';

const MISSING = missingTools();
/** People may lack a tool; where changes are judged, a missing one fails the test below. */
const IS_JUDGED = MISSING.length === 0 || process.env['CI'] === 'true';

if (!IS_JUDGED) {
  test('the guide is walked through only where its tools are', (t) => {
    t.diagnostic(`not walked through: ${MISSING.join(', ')} missing`);
  });
} else {
  test('every command of the guide prints what the guide shows', async () => {
    await using service = await boot({ env: { ...FIRST_OWNER, PUBLIC_URL } });

    const steps = await walkThrough(readDocument('docs/notifications/guide.md'), {
      [PUBLIC_URL]: service.base,
      'put in your own': OWNER_PASSWORD,
    });

    const likeness = new Likeness();
    const shown = steps.filter((step) => step.shown !== undefined);
    for (const step of shown) likeness.assertLike(step.printed, step.shown ?? '');
    assert.ok(shown.length > 10, `only ${shown.length} answers are shown`);
  });
}
