// The hub's policy without the operator's own witnesses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePolicy } from '@lothub/chain/log';
import { testKey, witnessVkey } from '@lothub/chain/test/log/test-keys';
import { independentPolicyText } from './independent-policy.ts';

const VKEY = 'example.com/hub/1+0fe55aaa+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4';
const NAMES = ['a', 'b', 'c', 'own'];
const LINES = NAMES.map(
  (name, index) =>
    `witness ${name} ${witnessVkey({ name: `${name}.example/1`, key: testKey(32 * (index + 1)) })}`,
);

/** What is left of a policy whose witness `own` is the operator's. */
function withoutOwn(...quorum: readonly string[]): readonly string[] | undefined {
  const policy = parsePolicy([...LINES, ...quorum].join('\n'));
  const witnesses = policy.witnesses.map((witness) => ({
    witness,
    operator: undefined,
    isOwn: witness.name === 'own',
  }));
  const text = independentPolicyText({ policy, witnesses }, [VKEY]);
  if (text === undefined) return undefined;
  assert.equal(parsePolicy(text).logs.length, 1);
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('log '));
}

const INDEPENDENT = LINES.slice(0, 3);

for (const [what, quorum, left] of [
  ['nobody', ['quorum none'], ['quorum none']],
  ['one of the others', ['quorum b'], ['quorum b']],
  ['the own one', ['quorum own'], undefined],
  ['two of four', ['group g 2 a b c own', 'quorum g'], ['group group-1 2 a b c', 'quorum group-1']],
  ['all, the own one too', ['group g all a own', 'quorum g'], undefined],
  [
    'any of two groups, one of them with the own one',
    ['group g all a own', 'group h all b c', 'group i any g h', 'quorum i'],
    ['group group-1 2 b c', 'group group-2 1 group-1', 'quorum group-2'],
  ],
] as const) {
  test(`of a quorum of ${what} is left ${left?.at(-1) ?? 'nothing'}`, () => {
    const found = withoutOwn(...quorum);

    assert.deepEqual(found, left === undefined ? undefined : [...INDEPENDENT, ...left]);
  });
}
