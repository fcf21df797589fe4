// Waits in a test for a condition that becomes true by itself.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

const LOOK_EVERY_MS = 10;

/**
 * @param what the condition, for the message
 * @throws AssertionError when it does not become true within the patience of tests
 */
export async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineMs, `this did not become true: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
