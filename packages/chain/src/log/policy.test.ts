// Policies: what they say, what is refused, and when a quorum was reached.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import {
  formatVkey,
  judgeCheckpoint,
  judgeQuorum,
  LogError,
  noteText,
  parseCheckpoint,
  parsePolicy,
  WITNESS_KEY_TYPE,
} from './index.ts';
import {
  signedCheckpoint,
  testKey,
  verifySignature,
  witnessVkey,
  type TestWitness,
} from '../../test/log/test-keys.ts';

const ORIGIN = 'example.com/log/1';
const LOG = testKey(1);
const LOG_VKEY = formatVkey(ORIGIN, LOG.publicKey);

const WITNESSES: readonly TestWitness[] = ['x1', 'x2', 'x3', 'y1', 'y2'].map((name, index) => ({
  name: `${name}.example`,
  key: testKey(10 + index),
  time: 1_000 + index,
}));
const LINES = [
  `log ${LOG_VKEY} https://example.com/log/1/`,
  ...WITNESSES.map((witness) => `witness ${witness.name.slice(0, 2)} ${witnessVkey(witness)}`),
].join('\n');
const TWO_LEVELS = `# as in the text of the format
${LINES}
group\tX 2 x1 x2 x3
 group Y any y1 y2

group X-and-Y all X Y
quorum X-and-Y`;

function judgeTimes(policyText: string, times: Readonly<Record<string, number>>) {
  const policy = parsePolicy(policyText);
  const cosignatures = Object.entries(times).map(([name, time]) => {
    const witness = policy.witnesses.find((one) => one.name === name);
    assert.ok(witness);
    return { witness, time };
  });
  return judgeQuorum(policy.quorum, cosignatures);
}

test('a policy says logs, witnesses and the quorum', () => {
  const policy = parsePolicy(TWO_LEVELS);

  assert.deepEqual(
    policy.logs.map(({ key, url }) => [key.name, url]),
    [[ORIGIN, 'https://example.com/log/1/']],
  );
  assert.deepEqual(
    policy.witnesses.map(({ name }) => name),
    ['x1', 'x2', 'x3', 'y1', 'y2'],
  );
  assert.partialDeepStrictEqual(policy.quorum, { kind: 'group', threshold: 2 });
});

suite('what is no policy', () => {
  const good = `${LINES}\nquorum none\n`;
  const another = formatVkey('other.example/log', LOG.publicKey);
  const sameKeyWitness = formatVkey('w.example', testKey(10).publicKey, WITNESS_KEY_TYPE);
  for (const [what, text, line] of [
    ['no quorum', LINES, undefined],
    ['two quorums', `${good}quorum none`, 8],
    ['a quorum that is not defined', `${LINES}\nquorum z1`, 7],
    ['a quorum before its definition', `quorum x1\n${LINES}`, 1],
    ['one log key under two names', `${good}log ${another}`, 8],
    ['one witness key under two names', `${good}witness z ${sameKeyWitness}`, 8],
    [
      'the key of the log as a witness',
      `${good}witness z ${formatVkey('w', LOG.publicKey, WITNESS_KEY_TYPE)}`,
      8,
    ],
    ['a witness key as a log', `log ${sameKeyWitness}\nquorum none`, 1],
    ['a log key as a witness', `witness z ${LOG_VKEY}\nquorum none`, 1],
    ['a name used again', `${good}group x1 any x2`, 8],
    ['the name none', `${good}group none any x2`, 8],
    ['none as a member', `${good}group g any none`, 8],
    ['a member of two groups', `${good}group g any x1\ngroup h any x1`, 9],
    ['a member twice', `${good}group g any x1 x1`, 8],
    ['a group without members', `${good}group g any`, 8],
    ['a threshold of 0', `${good}group g 0 x1`, 8],
    ['a threshold above the members', `${good}group g 2 x1`, 8],
    ['a threshold with a leading zero', `${good}group g 01 x1`, 8],
    ['an unknown keyword', `${good}logs ${LOG_VKEY}`, 8],
    ['a fourth word of a log line', `log ${LOG_VKEY} url more`, 1],
    ['a carriage return', good.replaceAll('\n', '\r\n'), 1],
    ['a key that is none', 'log example.com+00000000+AAAA', 1],
  ] as const) {
    test(what, () => {
      assert.throws(
        () => parsePolicy(text),
        (error) =>
          error instanceof LogError &&
          error.code === 'policy_invalid' &&
          (line === undefined || error.message.startsWith(`Line ${line} `)),
      );
    });
  }

  test('a policy beyond the limits', () => {
    const logs = Array.from(
      { length: 65 },
      (_, index) => `log ${formatVkey('a', testKey(index).publicKey)}`,
    );

    assert.throws(() => parsePolicy(`${'# long\n'.repeat(10_000)}quorum none`), LogError);
    assert.throws(() => parsePolicy(`${logs.join('\n')}\nquorum none`), /one log more than 64/);
  });
});

test('a quorum is reached at the time of the last of the oldest that it needs', () => {
  assert.partialDeepStrictEqual(judgeTimes(TWO_LEVELS, { x1: 50, x2: 20, x3: 30, y2: 10 }), {
    state: 'met',
    at: 30,
    witnesses: 5,
  });
  assert.partialDeepStrictEqual(judgeTimes(TWO_LEVELS, { x1: 50, x2: 20, y1: 90, y2: 60 }), {
    state: 'met',
    at: 60,
  });
});

test('a quorum is missed when one group of it is', () => {
  const verdict = judgeTimes(TWO_LEVELS, { x1: 50, x2: 20, x3: 30 });

  assert.equal(verdict.state, 'missed');
  assert.equal(verdict.at, undefined);
  assert.deepEqual(
    verdict.witnessed.map(({ witness }) => witness.name),
    ['x2', 'x3', 'x1'],
  );
});

test('a witness outside of the quorum does not count', () => {
  const verdict = judgeTimes(`${LINES}\nquorum x1`, { x2: 1, y1: 2 });

  assert.deepEqual(verdict, { state: 'missed', witnessed: [], witnesses: 1 });
});

test('a policy that asks for nobody counts nobody', () => {
  const verdict = judgeTimes(`${LINES}\nquorum none`, { x2: 1 });

  assert.deepEqual(verdict, { state: 'none', witnessed: [], witnesses: 0 });
});

suite('a checkpoint judged by a policy', () => {
  const head = { origin: ORIGIN, size: 3, root: new Uint8Array(32) };
  const policy = parsePolicy(TWO_LEVELS);
  const judge = async (note: string, by = policy) =>
    judgeCheckpoint(parseCheckpoint(note), { policy: by, verify: verifySignature });

  test('is accepted with its quorum, whatever unknown lines it has', async () => {
    const stranger = { name: 'stranger.example', key: testKey(99), time: 1 };
    const note = signedCheckpoint(head, { log: LOG, witnesses: [...WITNESSES, stranger] });

    const verdict = await judge(note);

    assert.partialDeepStrictEqual(verdict, { quorum: { state: 'met', at: 1_003 } });
  });

  test('is refused without its quorum, and one witness twice is one witness', async () => {
    const [first] = WITNESSES;
    assert.ok(first);
    const note = signedCheckpoint(head, {
      log: LOG,
      witnesses: [first, { ...first, time: 5 }, WITNESSES[3]!],
    });

    assert.deepEqual(await judge(note), { refused: 'no_quorum' });
  });

  test('is refused when the policy has no log of that name', async () => {
    const note = signedCheckpoint({ ...head, origin: 'other.example' }, { log: LOG });

    assert.deepEqual(await judge(note), { refused: 'unknown_log' });
  });

  test('is refused when another key of that name signed it', async () => {
    const note = signedCheckpoint(head, { log: testKey(77), witnesses: WITNESSES });

    assert.deepEqual(await judge(note), { refused: 'bad_signature' });
  });

  test('is refused when one known witness signed something else', async () => {
    const other = signedCheckpoint({ ...head, size: 4 }, { log: LOG, witnesses: WITNESSES });
    const good = signedCheckpoint(head, { log: LOG, witnesses: WITNESSES.slice(1) });
    const foreignLine = other.split('\n')[5];
    const { body } = parseCheckpoint(good);
    const lines = [
      ...good
        .slice(body.length + 1)
        .trimEnd()
        .split('\n'),
      foreignLine,
    ];

    const note = noteText(
      body,
      lines.map((line) => `${line}\n`),
    );

    assert.deepEqual(await judge(note), { refused: 'bad_signature' });
  });
});
