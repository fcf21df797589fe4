// examples/verify_proof.py, which shares no code with this package, judges files as this package does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { POLICY, TestLog } from '@lothub/chain/test/log/evidence-maker';
import { plainChain } from '@lothub/chain/test/vectors/chain-maker';
import { makeEvidence } from '@lothub/chain/test/vectors/log-evidence';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';

import { verifyEvidence, verifyProof } from '../src/index.ts';

const SCRIPT = fileURLToPath(new URL('../../../examples/verify_proof.py', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../../vectors/', import.meta.url));

const PROVED = 0;
const REFUSED = 1;
const UNUSABLE = 2;

const RANDOM_FILES = 300;
/** Fixed, so that a disagreement that is found once can be found again. */
const SEED = 20_261_122;

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
/** The one package that the program needs; people may be without it. */
const HAS_CRYPTOGRAPHY =
  HAS_PYTHON && spawnSync('python3', ['-c', 'import cryptography']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'lothub-verify-proof-'));
after(() => {
  rmSync(folder, { recursive: true });
});

function run(...args: readonly string[]) {
  return spawnSync('python3', [SCRIPT, ...args], { encoding: 'utf8' });
}

function fileWith(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const LOG = new TestLog(plainChain(13));
const [LOG_LINE = '', ALDER = ''] = POLICY.split('\n');

test('examples/verify_proof.py is checked only where python3 and cryptography are there', (t) => {
  t.diagnostic(`python3: ${HAS_PYTHON}, cryptography: ${HAS_CRYPTOGRAPHY}`);
});

if (HAS_PYTHON) {
  test('without the package cryptography it says what to install', () => {
    const absent = join(folder, 'absent', 'cryptography');
    mkdirSync(absent, { recursive: true });
    writeFileSync(join(absent, '__init__.py'), 'raise ImportError("absent")\n');
    const file = fileWith('lot.json', LOG.evidenceText([1]));
    const policy = fileWith('policy', POLICY);

    const answer = spawnSync('python3', [SCRIPT, file, '--policy', policy], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], PYTHONPATH: join(folder, 'absent') },
    });

    assert.equal(answer.status, UNUSABLE);
    assert.match(answer.stderr, /pip install cryptography/);
  });
}

if (HAS_CRYPTOGRAPHY) {
  suite('examples/verify_proof.py', () => {
    test('agrees with every vector', () => {
      const answer = run('--vectors', VECTORS);

      assert.equal(answer.status, PROVED, answer.stdout + answer.stderr);
      assert.match(answer.stdout, /^[0-9]{3} vectors, 0 judged otherwise\n$/);
    });

    test('says which vector it judges otherwise, and ends with 1', () => {
      const vectors = makeEvidence().map((vector) => ({ ...vector, expect: 'refused: nothing' }));
      writeVectors(vectors.slice(0, 1));

      const answer = run('--vectors', folder);

      assert.equal(answer.status, REFUSED);
      assert.match(answer.stdout, /^a lot with five blocks: /);
    });

    test('agrees with this package on files that were changed at random', async () => {
      writeVectors(await randomFiles());

      const answer = run('--vectors', folder);

      assert.equal(answer.status, PROVED, answer.stdout + answer.stderr);
    });

    test('proves a file, keeps its checkpoint, and finds another tree of the same size', () => {
      const policy = fileWith('policy', POLICY);
      const state = join(folder, 'state.json');
      const other = new TestLog(plainChain(14).toSpliced(5, 1));
      const first = run(
        ...[fileWith('lot.json', LOG.evidenceText([0, 1])), '--policy', policy],
        ...['--state', state],
      );

      const forked = run(
        ...[fileWith('other.json', other.evidenceText([0, 1])), '--policy', policy],
        ...['--state', state, '--json'],
      );

      assert.equal(first.status, PROVED, first.stderr);
      assert.match(first.stdout, /^proved, witnessed 3 of 3 at 2026-01-03T00:28:20Z\n$/);
      assert.ok(readFileSync(state, 'utf8').includes('lothub-kept/1'));
      assert.equal(forked.status, REFUSED);
      assert.partialDeepStrictEqual(JSON.parse(forked.stdout), { code: 'split_view' });
    });

    for (const [name, lines] of [
      ['one key under two names', [ALDER, ALDER.replace('witness alder', 'witness birch')]],
      ['a member of two groups', [ALDER, 'group a any alder', 'group b any alder']],
      ['a group of more than it has', [ALDER, 'group a 2 alder']],
      ['a quorum that is not there', ['quorum alder']],
      ['two quorums', ['quorum none', 'quorum none']],
      ['a key of a log for a witness', [LOG_LINE.replace('log', 'witness alder')]],
    ] as const) {
      test(`refuses the policy, as this package does, with ${name}`, async () => {
        const evidence = LOG.evidenceText([1]);
        const policy = [LOG_LINE, ...lines, 'quorum none', ''].join('\n');

        const answer = run(fileWith('lot.json', evidence), '--policy', fileWith('policy', policy));

        assert.equal(answer.status, UNUSABLE);
        assert.match(answer.stderr, /line [234] of the policy/);
        await assert.rejects(verifyEvidence({ file: evidence, policy }), {
          code: 'policy_invalid',
        });
      });
    }

    for (const [name, args] of [
      ['no arguments', []],
      ['a missing file', ['none.json', '--policy', 'none']],
      ['a policy that is none', [SCRIPT, '--policy', SCRIPT]],
      ['a hash that is none', [SCRIPT, '--policy', SCRIPT, '--block-hash', 'abc']],
    ] as const) {
      test(`ends with 2 for ${name}`, () => {
        const answer = run(...args);

        assert.equal(answer.status, UNUSABLE);
        assert.notEqual(answer.stderr, '');
        assert.doesNotMatch(answer.stderr, /Traceback/);
      });
    }
  });
}

/** A folder of vectors of which the evidence files alone are other ones. */
function writeVectors(vectors: readonly unknown[]): void {
  for (const name of ['log-inclusion.json', 'log-consistency.json', 'log-epochs.json']) {
    copyFileSync(join(VECTORS, name), join(folder, name));
  }
  fileWith('log-evidence.json', JSON.stringify({ vectors }));
}

/** Files with a random change, and what this package says of them. */
async function randomFiles(): Promise<readonly object[]> {
  const evidence = LOG.evidenceText([0, 1, 2]);
  const proof = LOG.proofText(5, LOG.block(5).canonical);
  const pieces = fc.oneof(
    fc.constantFrom('"', '\\', '{', '}', ',', ':', ' ', '\n', '0', '1.0', '-', '\\u0041', '[', ']'),
    fc.constantFrom('=', '+', '/', 'A', '\u2014', '\\ud800', 'null', '\u{1f35e}', '\n\n', '\u00a0'),
    fc.string({ unit: anyCharacter, maxLength: 2 }),
  );
  const changes = fc.record({
    spot: fc.nat(),
    length: fc.nat({ max: 3 }),
    piece: pieces,
    isProof: fc.boolean(),
  });
  const made = fc.sample(changes, { numRuns: RANDOM_FILES, seed: SEED });
  return await Promise.all(
    made.map(async ({ spot, length, piece, isProof }, index) => {
      const text = isProof ? proof : evidence;
      const at = spot % text.length;
      const file = (text.slice(0, at) + piece + text.slice(at + length)).toWellFormed();
      const given = { policy: POLICY };
      // A proof that no longer begins as one counts as an evidence file.
      const report = file.startsWith('c2sp.org/tlog-proof@')
        ? await verifyProof({ ...given, proof: file })
        : await verifyEvidence({ ...given, file });
      const unjudged = report.blocks.filter(({ contents }) => contents === 'not judged').length;
      return {
        name: `random file ${index}`,
        policy: POLICY,
        evidence: file,
        expect: report.sentence,
        ...(unjudged === 0 ? {} : { contents_not_judged: unjudged }),
      };
    }),
  );
}
