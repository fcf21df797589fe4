// The verifier as a state machine: slices, starting points, and that no single change goes unnoticed.
import assert from 'node:assert/strict';
import { hash as platformHash } from 'node:crypto';
import { test } from 'node:test';

import fc from 'fast-check';

import { anyCharacter } from '../test/any-character.ts';
import {
  canonicalize,
  ChainVerifier,
  GENESIS_PREV_HASH,
  sealBlock,
  verifyBlock,
  type SealedBlock,
  type StoredBlock,
  type VerificationDepth,
} from './index.ts';

const hash = (text: string): string => platformHash('sha256', text, 'hex');

const BLOCKS = 24;
const CHAIN = makeChain();
const DEPTHS = fc.constantFrom<VerificationDepth>('links', 'contents');

function makeChain(): readonly SealedBlock[] {
  const blocks: SealedBlock[] = [];
  for (let height = 0; height < BLOCKS; height += 1) {
    const recorded_at = `2026-01-02T03:04:05.${String(height).padStart(3, '0')}Z`;
    const payload =
      height === 0
        ? { hub: 'Lothub', nonce: 'a'.repeat(64), recorded_at, type: 'genesis', v: 1 }
        : { brand: 'acme', event: { lot: `L-${height}` }, recorded_at, type: 'event', v: 1 };
    const prevHash = blocks.at(-1)?.blockHash ?? GENESIS_PREV_HASH;
    blocks.push(sealBlock({ height, payloadText: canonicalize(payload), prevHash, hash }));
  }
  return blocks;
}

test('a chain is valid however it is cut into slices', () => {
  fc.assert(
    fc.property(DEPTHS, fc.array(fc.nat({ max: BLOCKS })), (depth, cuts) => {
      const verifier = new ChainVerifier({ hash, depth });
      const bounds = [0, ...cuts.sort((left, right) => left - right), BLOCKS];

      for (const [index, from] of bounds.entries()) {
        assert.equal(verifier.verifyBlocks(CHAIN.slice(from, bounds[index + 1])), undefined);
      }

      assert.equal(verifier.position.height, BLOCKS - 1);
      assert.equal(verifier.position.blockHash, CHAIN.at(-1)?.blockHash);
    }),
  );
});

test('verification can start after any block that is trusted', () => {
  fc.assert(
    fc.property(DEPTHS, fc.nat({ max: BLOCKS - 2 }), (depth, trusted) => {
      const { height, blockHash } = CHAIN[trusted]!;
      const verifier = new ChainVerifier({ hash, depth, previous: { height, blockHash } });

      assert.equal(verifier.verifyBlocks(CHAIN.slice(trusted + 1)), undefined);
      assert.equal(verifier.position.height, BLOCKS - 1);
    }),
  );
});

test('blocks may come from a generator, which is not read past the first fault', () => {
  let read = 0;
  function* blocks(): Generator<StoredBlock> {
    for (const block of CHAIN) {
      read += 1;
      yield block.height === 3 ? { ...block, blockHash: GENESIS_PREV_HASH } : block;
    }
  }

  const fault = new ChainVerifier({ hash, depth: 'links' }).verifyBlocks(blocks());

  assert.equal(fault?.height, 3);
  assert.equal(read, 4);
});

test('after a fault the verifier stays where it is and repeats the fault', () => {
  for (const depth of ['links', 'contents'] as const) {
    const verifier = new ChainVerifier({ hash, depth });
    const fault = verifier.verifyBlocks([...CHAIN.slice(0, 5), ...CHAIN.slice(6)]);

    const again = verifier.verifyBlocks(CHAIN.slice(5));

    assert.equal(fault?.code, 'height_gap');
    assert.equal(again, fault);
    assert.equal(verifier.position.height, 4);
  }
});

test('the position after verifying contents holds the time of its block', () => {
  const verifier = new ChainVerifier({ hash, depth: 'contents' });

  verifier.verifyBlocks(CHAIN.slice(0, 3));

  assert.equal(verifier.position.recordedAt, '2026-01-02T03:04:05.002Z');
});

test('a verifier that was fed nothing has not moved', () => {
  const verifier = new ChainVerifier({ hash, depth: 'contents' });

  assert.equal(verifier.verifyBlocks([]), undefined);
  assert.deepEqual(verifier.position, { height: -1, blockHash: GENESIS_PREV_HASH });
});

test('a changed character anywhere in a text is found at that block', () => {
  fc.assert(
    fc.property(DEPTHS, fc.nat(), fc.nat(), fc.nat({ max: 0xd7ff }), (depth, pick, spot, unit) => {
      const height = pick % BLOCKS;
      const { canonical } = CHAIN[height]!;
      const index = spot % canonical.length;
      const changed =
        canonical.slice(0, index) + String.fromCharCode(unit) + canonical.slice(index + 1);
      fc.pre(changed !== canonical);
      const blocks = CHAIN.with(height, { ...CHAIN[height]!, canonical: changed });

      const fault = new ChainVerifier({ hash, depth }).verifyBlocks(blocks);

      assert.deepEqual(
        { height: fault?.height, code: fault?.code },
        { height, code: 'hash_mismatch' },
      );
    }),
  );
});

test('a changed character that was hashed anew is found at the block after at the latest', () => {
  fc.assert(
    fc.property(DEPTHS, fc.nat(), fc.nat(), fc.nat({ max: 0xd7ff }), (depth, pick, spot, unit) => {
      const height = pick % (BLOCKS - 1);
      const { canonical } = CHAIN[height]!;
      const index = spot % canonical.length;
      const changed =
        canonical.slice(0, index) + String.fromCharCode(unit) + canonical.slice(index + 1);
      fc.pre(changed !== canonical);
      const forged = { ...CHAIN[height]!, canonical: changed, blockHash: hash(changed) };

      const fault = new ChainVerifier({ hash, depth }).verifyBlocks(CHAIN.with(height, forged));

      assert.ok(fault !== undefined && (fault.height === height || fault.height === height + 1));
    }),
  );
});

test('removing, repeating or moving any block is found where it happens', () => {
  fc.assert(
    fc.property(
      DEPTHS,
      fc.nat({ max: BLOCKS - 2 }),
      fc.nat({ max: BLOCKS - 1 }),
      (depth, from, to) => {
        fc.pre(from !== to);
        const moved = CHAIN.toSpliced(from, 1).toSpliced(to, 0, CHAIN[from]!);
        const removed = CHAIN.toSpliced(from, 1);
        const repeated = CHAIN.toSpliced(from, 0, CHAIN[from]!);

        const faults = [moved, removed, repeated].map((blocks) =>
          new ChainVerifier({ hash, depth }).verifyBlocks(blocks),
        );

        assert.deepEqual(
          faults.map((fault) => ({ height: fault?.height, code: fault?.code })),
          [Math.min(from, to), from, from + 1].map((height) => ({ height, code: 'height_gap' })),
        );
      },
    ),
  );
});

test('any text under its own hash is judged without an exception', () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.json(),
    fc.json().map((text) => `{"height":0,"payload":${text},"prev_hash":"${GENESIS_PREV_HASH}"}`),
    fc
      .string({ unit: anyCharacter })
      .map((text) => `{"height":0,"payload":{${text}},"prev_hash":"${GENESIS_PREV_HASH}"}`),
  );
  fc.assert(
    fc.property(texts, (canonical) => {
      const block = { height: 0, blockHash: hash(canonical), canonical };

      const fault = new ChainVerifier({ hash, depth: 'contents' }).verifyBlocks([block]);

      assert.equal(fault?.height, 0);
    }),
    { numRuns: 500 },
  );
});

test('a fault names no value of a payload', () => {
  const secret = 'C-1029';
  const text = canonicalize({ v: 1, type: secret, recorded_at: secret });
  const block = sealBlock({ height: 0, payloadText: text, prevHash: GENESIS_PREV_HASH, hash });

  const fault = new ChainVerifier({ hash, depth: 'contents' }).verifyBlocks([block]);

  assert.equal(fault?.code, 'genesis_invalid');
  assert.ok(!fault.message.includes(secret));
});

test('verifyBlock compares the time only when that of the block before is given', () => {
  const previous = { height: 4, blockHash: CHAIN[4]!.blockHash };
  const against = { hash, depth: 'contents' } as const;

  const unknown = verifyBlock(CHAIN[5]!, { ...against, previous });
  const later = verifyBlock(CHAIN[5]!, {
    ...against,
    previous: { ...previous, recordedAt: '2026-01-02T03:04:05.006Z' },
  });

  assert.equal(unknown, undefined);
  assert.equal(later?.code, 'time_backwards');
});
