// The committed vectors are what their makers make, and this package agrees with each of them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

import { toCanonicalText } from '../src/canonical.ts';
import {
  BEFORE_GENESIS,
  ChainError,
  ChainVerifier,
  computeCommitment,
  verifyBlock,
  type ChainFault,
  type ChainFaultCode,
  type ChainPosition,
  type VerificationDepth,
} from '../src/index.ts';
import { makeBrokenChains } from './vectors/broken-chains.ts';
import { makeCanonicalTexts } from './vectors/canonical-texts.ts';
import { at, sha256, type VectorBlock } from './vectors/chain-maker.ts';
import { makeCommitments } from './vectors/commitments.ts';
import { makeGoodChains } from './vectors/good-chains.ts';
import { makeVectorFiles } from './vectors/vector-files.ts';

const FOLDER = new URL('../../../vectors/', import.meta.url);
const DOCUMENT = new URL('../../../docs/chain-format.md', import.meta.url);

const DEPTHS: readonly VerificationDepth[] = ['links', 'contents'];

/** Fails to compile when a code is missing. */
const CODES: Readonly<Record<ChainFaultCode, true>> = {
  height_gap: true,
  hash_mismatch: true,
  not_json: true,
  not_canonical: true,
  height_mismatch: true,
  prev_hash_mismatch: true,
  genesis_invalid: true,
  payload_invalid: true,
  time_backwards: true,
  disclosure_mismatch: true,
  disclosure_missing: true,
};

type Chain = {
  readonly previous?: {
    readonly height: number;
    readonly block_hash: string;
    readonly recorded_at?: string;
  };
  readonly blocks: readonly VectorBlock[];
};

function stored(block: VectorBlock): { height: number; blockHash: string; canonical: string } {
  return { height: block.height, blockHash: block.block_hash, canonical: block.canonical };
}

function findPrevious({ previous }: Chain): ChainPosition {
  if (previous === undefined) return BEFORE_GENESIS;
  const { height, block_hash: blockHash, recorded_at: recordedAt } = previous;
  return recordedAt === undefined ? { height, blockHash } : { height, blockHash, recordedAt };
}

function verify(chain: Chain, depth: VerificationDepth): ChainFault | undefined {
  const verifier = new ChainVerifier({ hash: sha256, depth, previous: findPrevious(chain) });
  return verifier.verifyBlocks(chain.blocks.map(stored));
}

test('the folder vectors/ holds exactly what the makers make', () => {
  const made = makeVectorFiles();

  const committed = readdirSync(FOLDER).map((name) => ({
    name,
    text: readFileSync(new URL(name, FOLDER), 'utf8'),
  }));

  assert.deepEqual(committed.map(({ name }) => name).sort(), made.map(({ name }) => name).sort());
  for (const { name, text } of made) {
    assert.ok(
      committed.some((file) => file.name === name && file.text === text),
      `${name} is not what packages/chain/test/write-vectors.ts writes; run it and review the change`,
    );
  }
});

test('no two vectors of a kind have one name', () => {
  for (const vectors of [
    [...makeGoodChains(), ...makeBrokenChains()],
    makeCanonicalTexts(),
    makeCommitments(),
  ]) {
    const names = vectors.map(({ name }) => name);

    assert.deepEqual(names, [...new Set(names)]);
  }
});

test('there is a broken chain for every fault code', () => {
  const shown = new Set(makeBrokenChains().map(({ expect }) => expect.code));

  assert.deepEqual([...shown].sort(), Object.keys(CODES).sort());
});

suite('good chains', () => {
  for (const chain of makeGoodChains()) {
    for (const depth of DEPTHS) {
      test(`${chain.name}: valid at the depth ${depth}`, () => {
        const fault = verify(chain, depth);

        assert.equal(fault, undefined);
      });
    }

    test(`${chain.name}: blocks of later versions are counted`, () => {
      const verifier = new ChainVerifier({
        hash: sha256,
        depth: 'contents',
        previous: findPrevious(chain),
      });
      verifier.verifyBlocks(chain.blocks.map(stored));

      assert.equal(verifier.contentsNotJudged, chain.expect.contents_not_judged ?? 0);
    });

    test(`${chain.name}: the tip is the one expected`, () => {
      const tip = at(chain.blocks, chain.blocks.length - 1);

      assert.equal(sha256(tip.canonical), chain.expect.tip_hash);
      assert.equal(tip.height, chain.expect.height);
    });
  }
});

suite('broken chains', () => {
  for (const chain of makeBrokenChains()) {
    const { first_bad_height: height, code, found_at: foundAt } = chain.expect;

    test(`${chain.name}: ${code} at height ${height}`, () => {
      const fault = verify(chain, 'contents');

      assert.deepEqual({ height: fault?.height, code: fault?.code }, { height, code });
    });

    test(`${chain.name}: ${foundAt === 'links' ? 'found' : 'not found'} at the depth links`, () => {
      const fault = verify(chain, 'links');

      assert.equal(fault?.code, foundAt === 'links' ? code : undefined);
      assert.equal(fault?.height, foundAt === 'links' ? height : undefined);
    });

    // What a block discloses is judged against blocks before it.
    if (code.startsWith('disclosure_')) continue;
    test(`${chain.name}: verifyBlock says the same of that block alone`, () => {
      const first = findPrevious(chain).height + 1;
      const index = height - first;
      const verifier = new ChainVerifier({
        hash: sha256,
        depth: 'contents',
        previous: findPrevious(chain),
      });
      verifier.verifyBlocks(chain.blocks.slice(0, index).map(stored));

      const fault = verifyBlock(stored(at(chain.blocks, index)), {
        previous: verifier.position,
        hash: sha256,
        depth: 'contents',
      });

      assert.equal(fault?.code, code);
    });
  }
});

suite('canonical texts', () => {
  for (const vector of makeCanonicalTexts()) {
    if ('canonical' in vector) {
      test(`${vector.name}: has the expected text`, () => {
        assert.equal(toCanonicalText(JSON.parse(vector.json)), vector.canonical);
      });
    } else {
      test(`${vector.name}: is refused with ${vector.refused}`, () => {
        assert.throws(
          () => toCanonicalText(JSON.parse(vector.json)),
          (error) => error instanceof ChainError && error.code === vector.refused,
        );
      });
    }
  }
});

suite('commitments', () => {
  for (const { name, values, salt, canonical, commitment, valid } of makeCommitments()) {
    test(`${name}: ${valid ? 'opens' : 'does not open'} the commitment`, () => {
      const found = computeCommitment({ values, salt }, sha256);

      assert.equal(found === commitment, valid);
      assert.equal(found, sha256(canonical));
    });
  }
});

test('the worked example of docs/chain-format.md is the vector of that name', () => {
  const example = makeGoodChains().find(({ name }) => name === 'genesis and one event');
  assert.ok(example);

  const document = readFileSync(DOCUMENT, 'utf8');

  for (const { canonical, block_hash } of example.blocks) {
    assert.ok(document.includes(`'${canonical}'`), `the document lacks ${canonical}`);
    assert.ok(document.includes(block_hash), `the document lacks ${block_hash}`);
  }
});
