// Evidence files and proof files: every vector is judged as expected, every changed bit is refused.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

import { plainChain } from '@lothub/chain/test/vectors/chain-maker';
import type { EvidenceVector } from '@lothub/chain/test/vectors/evidence-vector';
import { makeEvidence } from '@lothub/chain/test/vectors/log-evidence';
import {
  LOG_KEY,
  ORIGIN,
  POLICY,
  POLICY_OF_NOBODY,
  TestLog,
  WITNESSES,
} from '@lothub/chain/test/log/evidence-maker';
import { testKey, verifySignature } from '@lothub/chain/test/log/test-keys';
import { listConsistency, sha256Bytes } from '@lothub/chain/test/log/naive-tree';
import {
  bytesOfHex,
  leafHash,
  LogError,
  utf8,
  formatVkey,
  type VerifySignature,
} from '@lothub/chain/log';

import {
  keptText,
  KeptUnreadable,
  parseKept,
  verifyCheckpoint,
  verifyEvidence,
  verifyProof,
  type RefusalCode,
  type Report,
} from '../src/index.ts';

/** Fails to compile when a code is missing. */
const CODES: Readonly<Record<RefusalCode, 'in vectors' | 'below'>> = {
  malformed: 'in vectors',
  unknown_log: 'in vectors',
  bad_signature: 'in vectors',
  no_quorum: 'in vectors',
  not_in_tree: 'in vectors',
  other_height: 'in vectors',
  not_canonical: 'in vectors',
  rolled_back: 'below',
  split_view: 'in vectors',
};

async function judge(vector: EvidenceVector): Promise<Report> {
  const { policy, evidence, proof, block_hash: blockHash } = vector;
  const kept = vector.kept === undefined ? {} : { kept: parseKept(vector.kept) };
  if (evidence !== undefined) return await verifyEvidence({ file: evidence, policy, ...kept });
  assert.ok(proof !== undefined);
  return await verifyProof({
    proof,
    policy,
    ...kept,
    ...(blockHash === undefined ? {} : { blockHash }),
  });
}

suite('vectors', () => {
  for (const vector of makeEvidence()) {
    test(`${vector.name}: ${vector.expect}`, async () => {
      const report = await judge(vector);

      assert.equal(report.sentence, vector.expect, JSON.stringify(report.steps.at(-1)));
      const unjudged = report.blocks.filter(({ contents }) => contents === 'not judged');
      assert.equal(unjudged.length, vector.contents_not_judged ?? 0);
      assert.equal(
        report.steps.every(({ isGood }) => isGood),
        report.outcome.verdict !== 'refused',
      );
    });
  }

  test('there is one for every code that needs no second look at the log', () => {
    const expected = Object.entries(CODES).filter(([, where]) => where === 'in vectors');
    const shown = makeEvidence().map(({ expect }) => expect.replace('refused: ', ''));

    for (const [code] of expected) assert.ok(shown.includes(code), code);
  });
});

test('docs/chain-format.md lists exactly the codes there are', () => {
  const file = new URL('../../../docs/chain-format.md', import.meta.url);
  const [, chapter = ''] = readFileSync(file, 'utf8').split('### Verifying a proof\n');
  const [section = ''] = chapter.split('\n### ');

  const listed = [...section.matchAll(/\| `([a-z_]+)` +\|$/gm)].map(([, code]) => code);

  assert.deepEqual([...new Set(listed)].sort(), Object.keys(CODES).sort());
});

/** Signatures are checked once for each message; a test that changes bits asks for few of them. */
function remembered(): VerifySignature {
  const known = new Map<string, boolean | Promise<boolean>>();
  return (signed) => {
    const key = Object.values(signed)
      .map((bytes) => Buffer.from(bytes).toString('base64'))
      .join();
    const answer = known.get(key) ?? verifySignature(signed);
    known.set(key, answer);
    return answer;
  };
}

test('every single-bit change of an evidence file with no witness to spare is refused', async () => {
  const log = new TestLog(plainChain(3), WITNESSES.slice(0, 2));
  const file = utf8(log.evidenceText([0, 1]));
  const verify = remembered();
  const accepted: number[] = [];

  for (let bit = 0; bit < file.length * 8; bit += 1) {
    const changed = Uint8Array.from(file);
    changed[Math.floor(bit / 8)]! ^= 1 << (bit % 8);
    const report = await verifyEvidence({
      file: changed,
      policy: POLICY,
      hash: sha256Bytes,
      verify,
    });
    if (report.outcome.verdict !== 'refused') accepted.push(bit);
  }

  assert.deepEqual(accepted, []);
});

suite('kept checkpoints', () => {
  const chain = plainChain(20);
  const leaves = chain.map((block) => leafHash(bytesOfHex(block.block_hash), sha256Bytes));
  const older = new TestLog(chain.slice(0, 13));
  const newer = new TestLog(chain);
  const readConsistency = async ({ from, to }: { from: number; to: number }) =>
    listConsistency(from, leaves.slice(0, to));

  test('the first one of a log is kept', async () => {
    const report = await verifyEvidence({
      file: older.evidenceText([1]),
      policy: POLICY,
      kept: new Map(),
    });

    assert.deepEqual(report.kept, new Map([[ORIGIN, older.checkpoint]]));
  });

  test('a larger tree that goes on from the kept one takes its place', async () => {
    const report = await verifyEvidence({
      file: newer.evidenceText([1]),
      policy: POLICY,
      kept: new Map([[ORIGIN, older.checkpoint]]),
      readConsistency,
    });

    assert.equal(report.outcome.verdict, 'witnessed');
    assert.deepEqual(report.kept, new Map([[ORIGIN, newer.checkpoint]]));
  });

  test('an older file is good, and the kept tree stays', async () => {
    const kept = new Map([[ORIGIN, newer.checkpoint]]);

    const report = await verifyEvidence({
      file: older.evidenceText([1]),
      policy: POLICY,
      kept,
      readConsistency,
    });

    assert.equal(report.outcome.verdict, 'witnessed');
    assert.deepEqual(report.kept, kept);
  });

  test('without a proof of consistency nothing is put in place of the kept tree', async () => {
    const kept = new Map([[ORIGIN, older.checkpoint]]);

    const report = await verifyEvidence({ file: newer.evidenceText([1]), policy: POLICY, kept });

    assert.deepEqual(report.kept, kept);
    assert.match(report.steps.at(-1)?.text ?? '', /^Not compared/);
  });

  test('a tree that does not go on from the kept one is a split view, with both checkpoints', async () => {
    const forked = new TestLog(
      plainChain(13)
        .toReversed()
        .map((block) => block),
    );
    const kept = new Map([[ORIGIN, forked.checkpoint]]);

    const report = await verifyEvidence({
      file: newer.evidenceText([1]),
      policy: POLICY,
      kept,
      readConsistency,
    });

    assert.equal(report.sentence, 'refused: split_view');
    assert.deepEqual(report.contradiction, { kept: forked.checkpoint, seen: newer.checkpoint });
    assert.equal(report.kept, undefined);
  });

  test('a kept checkpoint that the log did not sign is the reader’s own mistake', async () => {
    const foreign = new TestLog(chain, WITNESSES, testKey(0x70));

    await assert.rejects(
      verifyEvidence({
        file: newer.evidenceText([1]),
        policy: POLICY,
        kept: new Map([[ORIGIN, foreign.checkpoint]]),
      }),
      KeptUnreadable,
    );
  });

  test('a newest checkpoint that is smaller than the kept one is rolled back', async () => {
    const kept = new Map([[ORIGIN, newer.checkpoint]]);

    const report = await verifyCheckpoint({ checkpoint: older.checkpoint, policy: POLICY, kept });

    assert.equal(report.sentence, 'refused: rolled_back');
    assert.deepEqual(report.contradiction, { kept: newer.checkpoint, seen: older.checkpoint });
  });

  test('a newest checkpoint that is none is malformed', async () => {
    const report = await verifyCheckpoint({ checkpoint: 'x', policy: POLICY, kept: new Map() });

    assert.equal(report.sentence, 'refused: malformed');
  });

  test('what is kept is written and read back', () => {
    const kept = new Map([[ORIGIN, newer.checkpoint]]);

    assert.deepEqual(parseKept(keptText(kept)), kept);
    for (const text of ['', '[]', '{}', '{"checkpoints":{"a":1},"format":"lothub-kept/1"}']) {
      assert.throws(() => parseKept(text), KeptUnreadable);
    }
  });
});

suite('what the reader gives', () => {
  const file = new TestLog(plainChain(3)).evidenceText([1]);

  test('a policy that is none is the reader’s own mistake', async () => {
    for (const policy of ['', 'quorum none\n', `log ${ORIGIN}\nquorum none`]) {
      await assert.rejects(verifyEvidence({ file, policy }), LogError);
    }
  });

  test('a block hash that is none is one too', async () => {
    const proof = new TestLog(plainChain(3)).proofText(1);

    await assert.rejects(verifyProof({ proof, policy: POLICY, blockHash: 'abc' }), TypeError);
  });

  test('two keys of one log are both believed while it changes its key', async () => {
    const other = testKey(0x72);
    const policy = POLICY_OF_NOBODY.replace(
      'quorum',
      `log ${formatVkey(ORIGIN, other.publicKey)}\nquorum`,
    );
    const byOther = new TestLog(plainChain(3), WITNESSES, other).evidenceText([1]);

    assert.equal((await verifyEvidence({ file, policy })).outcome.verdict, 'operator_only');
    assert.equal(
      (await verifyEvidence({ file: byOther, policy })).outcome.verdict,
      'operator_only',
    );
    assert.notDeepEqual(LOG_KEY.publicKey, other.publicKey);
  });
});

suite('limits are held before anything is verified', () => {
  const verify: VerifySignature = () => assert.fail('a signature was verified');
  const log = new TestLog(plainChain(3));

  test('64 MiB', async () => {
    for (const file of ['x'.repeat(67_108_865), new Uint8Array(67_108_865)]) {
      const report = await verifyEvidence({ file, policy: POLICY, verify });

      assert.partialDeepStrictEqual(report.outcome, {
        code: 'malformed',
        reason: 'The evidence file is larger than 64 MiB.',
      });
    }
  });

  test('100,000 blocks', async () => {
    const block = { canonical: '', inclusion: [], index: 0 };
    const blocks = Array.from({ length: 100_001 }, (_, index) => ({ ...block, index }));

    const report = await verifyEvidence({
      file: log.evidenceText([], { blocks }),
      policy: POLICY,
      verify,
    });

    assert.partialDeepStrictEqual(report.outcome, {
      code: 'malformed',
      reason: 'The evidence file has more than 100000 blocks.',
    });
  });
});
