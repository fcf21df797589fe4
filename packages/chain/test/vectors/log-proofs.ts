/**
 * Inclusion and consistency proofs, good ones and each with one change.
 *
 * The kinds of change are those of the test data of github.com/transparency-dev/merkle (commit
 * 417fb0c314750d94e53942e9f92e79b6d35915db, `testdata/`). The trees are our own: over the block
 * hashes of the vector chain, made with the recursive definitions of RFC 6962, and every root has 32
 * bytes.
 */
import { bytesOfHex, leafHash, toBase64, toHex } from '../../src/log/index.ts';
import {
  listConsistency,
  listPath,
  rootOfEntries,
  rootOfLeaves,
  sha256Bytes,
} from '../log/naive-tree.ts';
import { plainChain } from './chain-maker.ts';

export type InclusionVector = {
  readonly name: string;
  readonly index: number;
  readonly size: number;
  /** Hex. */
  readonly leaf: string;
  /** Base64. */
  readonly proof: readonly string[];
  readonly root: string;
  readonly valid: boolean;
};

export type ConsistencyVector = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly from_root: string;
  readonly to_root: string;
  readonly proof: readonly string[];
  readonly valid: boolean;
};

const LEAVES: readonly Uint8Array[] = plainChain(13).map((block) =>
  leafHash(bytesOfHex(block.block_hash), sha256Bytes),
);
const FOREIGN = sha256Bytes(Buffer.from('a hash of another tree'));
const SHORT = FOREIGN.subarray(0, 31);

type Inclusion = {
  readonly index: number;
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
};

export function makeInclusionProofs(): readonly InclusionVector[] {
  const places = [
    [0, 1],
    [0, 8],
    [5, 8],
    [2, 3],
    [1, 5],
    [4, 5],
    [8, 9],
    [11, 13],
    [12, 13],
  ] as const;
  return places.flatMap(([index, size]) => inclusionsAt(index, size));
}

function inclusionsAt(index: number, size: number): readonly InclusionVector[] {
  const leaves = LEAVES.slice(0, size);
  const good: Inclusion = {
    index,
    size,
    leaf: leafAt(index),
    proof: listPath(index, leaves),
    root: rootOfLeaves(leaves),
  };
  const changes: readonly (readonly [string, Partial<Inclusion>])[] = [
    ['index + 1', { index: index + 1 }],
    ['index XOR 2', { index: index ^ 2 }],
    ['index beyond the size', { index: size }],
    ['twice the size', { size: size * 2 }],
    ['half the size', { size: Math.floor(size / 2) }],
    ['size 0', { size: 0 }],
    ['another leaf', { leaf: FOREIGN }],
    ['another root', { root: FOREIGN }],
    ['root of no leaves', { root: rootOfEntries([]) }],
    ['root of 31 bytes', { root: good.root.subarray(0, 31) }],
    ['a hash after the last', { proof: [...good.proof, FOREIGN] }],
    ['the root after the last', { proof: [...good.proof, good.root] }],
    ['a hash before the first', { proof: [FOREIGN, ...good.proof] }],
    ['the leaf before the first', { proof: [good.leaf, ...good.proof] }],
    ['a hash of 31 bytes after the last', { proof: [...good.proof, SHORT] }],
    ...good.proof.flatMap((_, at): readonly (readonly [string, Partial<Inclusion>])[] => [
      [`hash ${at} with one bit changed`, { proof: good.proof.with(at, flipped(good.proof, at)) }],
      [`without hash ${at}`, { proof: good.proof.toSpliced(at, 1) }],
    ]),
    ...(good.proof.length > 1
      ? ([['hashes in reverse order', { proof: good.proof.toReversed() }]] as const)
      : []),
  ];
  const place = `leaf ${index} of ${size}`;
  return [
    inclusion(place, good, true),
    ...changes.map(([change, made]) =>
      inclusion(`${place}: ${change}`, { ...good, ...made }, false),
    ),
  ];
}

function inclusion(name: string, claim: Inclusion, valid: boolean): InclusionVector {
  const { index, size, leaf, proof, root } = claim;
  return {
    name,
    index,
    size,
    leaf: toHex(leaf),
    proof: proof.map(toBase64),
    root: toBase64(root),
    valid,
  };
}

type Consistency = {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
};

export function makeConsistencyProofs(): readonly ConsistencyVector[] {
  const pairs = [
    [1, 8],
    [6, 8],
    [2, 5],
    [6, 7],
    [8, 13],
    [12, 13],
    [4, 8],
  ] as const;
  return [...pairs.flatMap(([from, to]) => listConsistencies(from, to)), ...equalAndEmpty()];
}

function listConsistencies(from: number, to: number): readonly ConsistencyVector[] {
  const good: Consistency = {
    from,
    to,
    fromRoot: rootOfLeaves(LEAVES.slice(0, from)),
    toRoot: rootOfLeaves(LEAVES.slice(0, to)),
    proof: listConsistency(from, LEAVES.slice(0, to)),
  };
  const { fromRoot, toRoot, proof } = good;
  const changes: readonly (readonly [string, Partial<Consistency>])[] = [
    ['no hashes', { proof: [] }],
    ['roots swapped', { fromRoot: toRoot, toRoot: fromRoot }],
    ['another older root', { fromRoot: FOREIGN }],
    ['another newer root', { toRoot: FOREIGN }],
    ['older root of 31 bytes', { fromRoot: fromRoot.subarray(0, 31) }],
    ['older size + 1', { from: from + 1 }],
    ['older size - 1', { from: from - 1 }],
    ['older size XOR 2', { from: from ^ 2 }],
    ['twice the newer size', { to: to * 2 }],
    ['half the newer size', { to: Math.floor(to / 2) }],
    ['sizes swapped', { from: to, to: from }],
    ['a hash after the last', { proof: [...proof, FOREIGN] }],
    ['the newer root after the last', { proof: [...proof, toRoot] }],
    ['a hash before the first', { proof: [FOREIGN, ...proof] }],
    ['the older root before the first', { proof: [fromRoot, ...proof] }],
    ['the first hash twice', { proof: [...proof.slice(0, 1), ...proof] }],
    ...proof.flatMap((_, at): readonly (readonly [string, Partial<Consistency>])[] => [
      [`hash ${at} with one bit changed`, { proof: proof.with(at, flipped(proof, at)) }],
      [`without hash ${at}`, { proof: proof.toSpliced(at, 1) }],
    ]),
  ];
  const pair = `${from} to ${to}`;
  return [
    consistency(pair, good, true),
    ...changes.map(([change, made]) =>
      consistency(`${pair}: ${change}`, { ...good, ...made }, false),
    ),
  ];
}

/** Equal sizes need equal roots and no hash; so does a tree that had no leaves yet. */
function equalAndEmpty(): readonly ConsistencyVector[] {
  const none = rootOfEntries([]);
  const one = rootOfLeaves(LEAVES.slice(0, 1));
  const eight = rootOfLeaves(LEAVES.slice(0, 8));
  const good: readonly (readonly [string, Consistency])[] = [
    ['0 to 0', { from: 0, to: 0, fromRoot: none, toRoot: none, proof: [] }],
    ['0 to 8', { from: 0, to: 8, fromRoot: none, toRoot: eight, proof: [] }],
    ['1 to 1', { from: 1, to: 1, fromRoot: one, toRoot: one, proof: [] }],
    ['8 to 8', { from: 8, to: 8, fromRoot: eight, toRoot: eight, proof: [] }],
  ];
  return good.flatMap(([name, claim]) => [
    consistency(name, claim, true),
    consistency(`${name}: with a hash`, { ...claim, proof: [FOREIGN] }, false),
    consistency(`${name}: another older root`, { ...claim, fromRoot: FOREIGN }, false),
  ]);
}

function consistency(name: string, claim: Consistency, valid: boolean): ConsistencyVector {
  const { from, to, fromRoot, toRoot, proof } = claim;
  return {
    name,
    from,
    to,
    from_root: toBase64(fromRoot),
    to_root: toBase64(toRoot),
    proof: proof.map(toBase64),
    valid,
  };
}

function leafAt(index: number): Uint8Array {
  const leaf = LEAVES[index];
  if (leaf === undefined) throw new RangeError(`The vectors have no leaf ${index}.`);
  return leaf;
}

/** The hash at this place of a proof with its fifth bit changed. */
function flipped(proof: readonly Uint8Array[], at: number): Uint8Array {
  const changed = Uint8Array.from(proof[at] ?? []);
  changed[0] = (changed[0] ?? 0) ^ 0x10;
  return changed;
}
