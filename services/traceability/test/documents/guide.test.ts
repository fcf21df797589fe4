// Every command of the guide works as it is there, and prints what is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boot, TENANT_KEY } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { Likeness, missingTools, readDocument, walkThrough } from '@lothub/kit/test/walkthrough';
import type { Step } from '@lothub/kit/test/walkthrough';

const MISSING = missingTools();
/** People may lack a tool; where changes are judged, a missing one fails every test below. */
const IS_JUDGED = MISSING.length === 0 || process.env['CI'] === 'true';

/** The documents show a hub on SQLite; what becomes of erased bytes depends on the engine. */
const ERASED_BYTES = { sqlite: '"bytes":"overwritten"', postgres: '"bytes":"vacuum"' };

async function readSteps(path: string): Promise<readonly Step[]> {
  // The rates that a hub has unless its operator sets others.
  await using hub = await boot({
    env: { RATE_LIMIT_V1: '120', RATE_LIMIT_PUBLIC: '60', LOG_ORIGIN: 'trace.example.com/log/1' },
  });
  return await walkThrough(readDocument(path), {
    'http://127.0.0.1:8000': hub.base,
    'lh_tenant_put-in-your-own': TENANT_KEY,
  });
}

function assertAsShown(steps: readonly Step[]): void {
  const likeness = new Likeness();
  for (const { printed, shown } of steps) {
    if (shown === undefined) continue;
    likeness.assertLike(printed.replace(ERASED_BYTES[testEngine], ERASED_BYTES.sqlite), shown);
  }
}

/** The member `block_hash` of the first answer, and what `sha256sum` printed of the block's text. */
function assertProven(steps: readonly Step[]): void {
  const answer = steps.find(({ printed }) => printed.includes('"block_hash"'));
  const blockHash = /"block_hash":"([0-9a-f]{64})"/.exec(answer?.printed ?? '')?.[1];
  const sum = steps.find(({ script }) => script.includes('printf %s "$CANONICAL" | sha256sum'));
  assert.equal(sum?.printed.trim(), `${blockHash}  -`);
}

if (!IS_JUDGED) {
  test('the documents are walked through only where their tools are', (t) => {
    t.diagnostic(`not walked through: ${MISSING.join(', ')} missing`);
  });
} else {
  test('every command of the guide prints what the guide shows', async () => {
    const steps = await readSteps('docs/guide.md');

    assert.ok(steps.length > 15, `only ${steps.length} shell blocks were found`);
    assertAsShown(steps);
    assertProven(steps);
  });
}

test('an id that is shown in part may be any, but the same everywhere and of its kind', () => {
  const shown = '{"a":"grp_12…","b":"/groups/grp_12…/x"}';

  assert.doesNotThrow(() =>
    new Likeness().assertLike('{"a":"grp_9","b":"/groups/grp_9/x"}', shown),
  );
  assert.throws(() => new Likeness().assertLike('{"a":"grp_9","b":"/groups/grp_8/x"}', shown));
  assert.throws(() => new Likeness().assertLike('{"a":"usr_9","b":"/groups/usr_9/x"}', shown));
});

test('another value, another key and a hash that stands for two are no likeness', () => {
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
  const shown = '{"n":1,"h":"aaaa…","g":"aaaa…"}';

  assert.doesNotThrow(() => new Likeness().assertLike(`{"n":1,"h":"${b}","g":"${b}"}`, shown));
  assert.throws(() => new Likeness().assertLike(`{"n":2,"h":"${a}","g":"${a}"}`, shown));
  assert.throws(() => new Likeness().assertLike(`{"n":1,"h":"${a}"}`, shown));
  assert.throws(() => new Likeness().assertLike(`{"n":1,"h":"${a}","g":"${b}"}`, shown));
  assert.throws(() => new Likeness().assertLike('200', '201'));
});
