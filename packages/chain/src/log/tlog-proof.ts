/** Proof files (c2sp.org/tlog-proof): an inclusion proof and its checkpoint in one text. */
import { strictBase64, toBase64, utf8 } from './bytes.ts';
import { parseCheckpoint, type Checkpoint } from './checkpoint.ts';
import { LogError } from './log-error.ts';
import { PROOF_HASHES_MAX } from './proofs.ts';
import { HASH_BYTES, isTreeSize } from './tree.ts';

/**
 * Longest `extra` that is written, in bytes before base64: the reader of formats/proof (Go) takes
 * lines of at most 64 KiB.
 */
export const EXTRA_BYTES_MAX = 48_000;
/** Longest proof file that is read, in bytes: room for an `extra` of a block of 1,000 lines. */
export const TLOG_PROOF_BYTES_MAX = 4_194_304;

/** What a proof file says; nothing of it is verified. */
export interface TlogProof {
  readonly index: number;
  /** The inclusion proof, from the leaf up. */
  readonly proof: readonly Uint8Array[];
  /** The checkpoint as it is in the file. */
  readonly checkpoint: string;
  /** Bytes that the file carries along; here the canonical text of the block. */
  readonly extra?: Uint8Array;
}

/** A proof file that was read, with its checkpoint parsed. */
export interface ParsedTlogProof extends TlogProof {
  readonly head: Checkpoint;
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
const EXTRA_OPENING = 'extra ';
const INDEX_LINE = /^index (0|[1-9][0-9]{0,15})$/;

/**
 * The text of a proof file.
 *
 * @throws {LogError} `proof_invalid` when what comes out cannot be read back, or `extra` is longer
 *   than {@link EXTRA_BYTES_MAX}
 */
export function tlogProofText({ checkpoint, ...part }: TlogProof): string {
  return `${tlogProofLines(part).join('\n')}\n\n${checkpoint}`;
}

/**
 * The lines of a proof file before the empty one, all of printable ASCII; its checkpoint follows that.
 *
 * @throws {LogError} as {@link tlogProofText}
 */
export function tlogProofLines({
  index,
  proof,
  extra,
}: Omit<TlogProof, 'checkpoint'>): readonly string[] {
  if (!isTreeSize(index)) throw invalid('has an index that is no whole number');
  if (extra !== undefined && extra.length > EXTRA_BYTES_MAX) {
    throw invalid(`has an extra of more than ${EXTRA_BYTES_MAX} bytes`);
  }
  if (proof.length > PROOF_HASHES_MAX || proof.some((hash) => hash.length !== HASH_BYTES)) {
    throw invalid(`has more than ${PROOF_HASHES_MAX} hashes, or one that is not 32 bytes`);
  }
  return [
    FIRST_LINE,
    ...(extra === undefined ? [] : [`${EXTRA_OPENING}${toBase64(extra)}`]),
    `index ${index}`,
    ...proof.map(toBase64),
  ];
}

/**
 * The parts of a proof file.
 *
 * @throws {LogError} `proof_invalid`, `checkpoint_invalid`, `note_invalid` or `base64_invalid`
 */
export function parseTlogProof(text: string): ParsedTlogProof {
  if (text.length > TLOG_PROOF_BYTES_MAX || utf8(text).length > TLOG_PROOF_BYTES_MAX) {
    throw invalid(`is longer than ${TLOG_PROOF_BYTES_MAX} bytes`);
  }
  const headEnd = text.indexOf('\n\n');
  if (headEnd === -1) throw invalid('lacks the empty line before its checkpoint');
  const checkpoint = text.slice(headEnd + 2);
  const head = parseCheckpoint(checkpoint);
  const [first, ...lines] = text.slice(0, headEnd).split('\n', PROOF_HASHES_MAX + 4);
  if (first !== FIRST_LINE) throw invalid(`does not begin with ${FIRST_LINE}`);
  const extraLine = lines[0]?.startsWith(EXTRA_OPENING) === true ? lines.shift() : undefined;
  const index = Number(INDEX_LINE.exec(lines.shift() ?? '')?.[1]);
  if (!isTreeSize(index)) throw invalid('has no index');
  if (lines.length > PROOF_HASHES_MAX) throw invalid(`has more than ${PROOF_HASHES_MAX} hashes`);
  const proof = lines.map(strictBase64);
  if (proof.some((hash) => hash.length !== HASH_BYTES)) {
    throw invalid('has a hash that is not 32 bytes');
  }
  const parsed = { index, proof, checkpoint, head };
  return extraLine === undefined
    ? parsed
    : { ...parsed, extra: strictBase64(extraLine.slice(EXTRA_OPENING.length)) };
}

function invalid(what: string): LogError {
  return new LogError('proof_invalid', `The proof file ${what}.`);
}
