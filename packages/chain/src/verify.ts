/**
 * Verification: whether stored blocks are the chain they claim to be, and where they first are not.
 *
 * A {@link ChainVerifier} is fed blocks in ascending order, in slices of any size, from block 0 or
 * from any block that is trusted already. It stops at the first fault, because nothing after a
 * broken link is proven.
 */
import {
  BEFORE_GENESIS,
  BLOCK_CLOSING,
  HEIGHT_OPENING,
  isJsonObject,
  PAYLOAD_OPENING,
  PREV_HASH_FROM_END,
  PREV_HASH_OPENING,
  PREV_HASH_OPENING_FROM_END,
  type ChainPosition,
  type StoredBlock,
} from './block.ts';
import { isCanonicalText, type JsonObject } from './canonical.ts';
import { Disclosures } from './confidential.ts';
import { findPayloadFault, type PayloadFinding } from './payload.ts';
import type { HashText } from './sha256.ts';

/**
 * How much of each block is checked.
 *
 * - `links`: height, hash and link to the block before. Costs little more than the hashing itself,
 *   and is enough to notice any change to a chain whose tip hash is known.
 * - `contents`: besides, that the text is canonical JSON with a payload of a known form, whose time
 *   does not go backwards, and that what recalls sealed in confidence is disclosed as it was sealed. It
 *   finds what a faulty writer may have sealed. Of a payload of a later
 *   version (`v` above 1) the form and the time are not judged, and the verifier counts it.
 */
export type VerificationDepth = 'links' | 'contents';

/** What is wrong with a block. docs/chain-format.md#verifying, has the same list. */
export type ChainFaultCode =
  | 'height_gap'
  | 'hash_mismatch'
  | 'not_json'
  | 'not_canonical'
  | 'height_mismatch'
  | 'prev_hash_mismatch'
  | 'genesis_invalid'
  | 'payload_invalid'
  | 'time_backwards'
  | 'disclosure_mismatch'
  | 'disclosure_missing';

/** The first thing that is wrong with a chain. */
export interface ChainFault {
  /** The height at which the chain breaks: the one expected next, not what a wrong block claims. */
  readonly height: number;
  readonly code: ChainFaultCode;
  /** One sentence for an operator; holds no value of a payload. */
  readonly message: string;
}

/** What verification needs besides the blocks. */
export interface Verification {
  readonly hash: HashText;
  readonly depth: VerificationDepth;
}

/** Judges one block as the successor of `previous`; `undefined` means nothing is wrong. */
export function verifyBlock(
  block: StoredBlock,
  against: Verification & { readonly previous: ChainPosition },
): ChainFault | undefined {
  const { previous, hash, depth } = against;
  const linkFault = findLinkFault(block, previous, hash);
  if (linkFault !== undefined || depth === 'links') return linkFault;
  const contents = readContents(block, previous.recordedAt);
  return 'code' in contents ? contents : undefined;
}

/**
 * Judges the text of one block whose hash is known to be right, as the depth `contents` does, without
 * the block before it.
 */
export function verifyContents(block: StoredBlock): ChainFault | PayloadFinding {
  return readContents(block, undefined);
}

/**
 * Verifies a chain slice by slice.
 *
 * Owns the position it has reached. After a fault it stays there and returns the same fault for
 * whatever it is fed, so that a caller who overlooks it once gets it again.
 */
export class ChainVerifier {
  readonly #hash: HashText;
  readonly #depth: VerificationDepth;
  #position: ChainPosition;
  readonly #disclosures: Disclosures;
  #unjudged = 0;
  #fault: ChainFault | undefined;

  /**
   * @param options `previous` is the trusted block before the first one fed; left out, block 0 comes first.
   *   `disclosures` has followed the recalls of the chain through `previous`; left out, what was sealed
   *   there in confidence is not judged
   */
  constructor(
    options: Verification & {
      readonly previous?: ChainPosition;
      readonly disclosures?: Disclosures;
    },
  ) {
    this.#hash = options.hash;
    this.#depth = options.depth;
    this.#position = options.previous ?? BEFORE_GENESIS;
    const { height: after } = this.#position;
    this.#disclosures = options.disclosures ?? new Disclosures({ hash: options.hash, after });
  }

  /** The last block that was found good, or the one that verification started from. */
  get position(): ChainPosition {
    const { height, blockHash, recordedAt } = this.#position;
    return recordedAt === undefined ? { height, blockHash } : { height, blockHash, recordedAt };
  }

  /**
   * At the depth `contents`: how many good blocks have a payload of a later version, of which hash,
   * link and canonical form were checked and the contents were not judged.
   */
  get contentsNotJudged(): number {
    return this.#unjudged;
  }

  /**
   * Takes the next blocks, ascending; answers the first fault of the chain so far, if any.
   *
   * @param payloads at the depth `contents` the payload of each good block is added, for a caller that would
   *   parse the texts again
   */
  verifyBlocks(blocks: Iterable<StoredBlock>, payloads?: JsonObject[]): ChainFault | undefined {
    if (this.#fault !== undefined) return this.#fault;
    this.#fault =
      this.#depth === 'links' ? this.#verifyLinks(blocks) : this.#verifyContents(blocks, payloads);
    return this.#fault;
  }

  #verifyLinks(blocks: Iterable<StoredBlock>): ChainFault | undefined {
    const hash = this.#hash;
    let { height, blockHash } = this.#position;
    let fault: ChainFault | undefined;
    for (const block of blocks) {
      if (!linksTo(block, height + 1, blockHash, hash)) {
        fault = nameLinkFault(block, { height, blockHash }, hash);
        break;
      }
      height += 1;
      blockHash = block.blockHash;
    }
    this.#position = { height, blockHash };
    return fault;
  }

  #verifyContents(
    blocks: Iterable<StoredBlock>,
    payloads: JsonObject[] | undefined,
  ): ChainFault | undefined {
    for (const block of blocks) {
      const linkFault = findLinkFault(block, this.#position, this.#hash);
      if (linkFault !== undefined) return linkFault;
      const contents = readContents(block, this.#position.recordedAt);
      if ('code' in contents) return contents;
      const disclosureFault = this.#followRecall(block, contents.payload);
      if (disclosureFault !== undefined) return disclosureFault;
      payloads?.push(contents.payload);
      if (contents.version === 'later') this.#unjudged += 1;
      const { height, blockHash } = block;
      this.#position =
        contents.version === 'known'
          ? { height, blockHash, recordedAt: contents.recordedAt }
          : { ...this.#position, height, blockHash };
    }
    return undefined;
  }

  #followRecall(
    { height, canonical }: StoredBlock,
    { brand, decision }: JsonObject,
  ): ChainFault | undefined {
    const payloadEnd = canonical.length - PREV_HASH_OPENING_FROM_END;
    if (!canonical.endsWith(RECALL_CLOSING, payloadEnd)) return undefined;
    if (typeof brand !== 'string' || !isJsonObject(decision)) return undefined;
    const fault = this.#disclosures.take(height, { brand, decision });
    return fault === undefined ? undefined : { height, ...fault };
  }
}

/** How the canonical text of a recall's payload ends. */
const RECALL_CLOSING = '"type":"recall","v":2';

/** As {@link linksTo}, saying what is wrong. */
function findLinkFault(
  block: StoredBlock,
  previous: ChainPosition,
  hash: HashText,
): ChainFault | undefined {
  return linksTo(block, previous.height + 1, previous.blockHash, hash)
    ? undefined
    : nameLinkFault(block, previous, hash);
}

/**
 * Height, hash and link of one block, without parsing it.
 *
 * The canonical text must begin with `{"height":H,"payload":{` and end with `},"prev_hash":"P"}`.
 * Comparing these two ends is enough. In a JSON text the first member of the outermost object is
 * what the text begins with. The last `}` closes the outermost object; before it is `"P"`, in
 * which no quote is escaped, since the characters before the quotes are `:` and a hex digit, so it
 * is a whole string and not the end of a longer one. The same holds for `"prev_hash"`, before which
 * is a comma. Hence the text ends with the member `prev_hash` of the outermost object, and a
 * payload cannot imitate it: inside a string every quote would carry a backslash, and inside a
 * deeper object at least one more `}` would follow. That the text is JSON at all, and that no other
 * member is between, is checked at the depth `contents`; a change to sealed text does not get
 * that far, because it changes the hash.
 *
 * Short slices are compared instead of startsWith(): V8 compares slices by words of memory and
 * startsWith by single characters, and the difference is a tenth of the cost of hashing.
 */
function linksTo(block: StoredBlock, height: number, prevHash: string, hash: HashText): boolean {
  const { canonical } = block;
  if (block.height !== height || hash(canonical) !== block.blockHash) return false;
  const payloadAt = endOfHeight(canonical, height);
  return (
    payloadAt !== -1 &&
    canonical.slice(payloadAt, payloadAt + PAYLOAD_OPENING.length) === PAYLOAD_OPENING &&
    canonical.slice(-PREV_HASH_OPENING_FROM_END, -PREV_HASH_FROM_END) === PREV_HASH_OPENING &&
    canonical.slice(-PREV_HASH_FROM_END, -BLOCK_CLOSING.length) === prevHash &&
    canonical.endsWith(BLOCK_CLOSING)
  );
}

function nameLinkFault(block: StoredBlock, previous: ChainPosition, hash: HashText): ChainFault {
  const { canonical } = block;
  const height = previous.height + 1;
  if (block.height !== height) {
    return {
      height,
      code: 'height_gap',
      message: `Block ${height} is expected next, but the next stored block has height ${block.height}.`,
    };
  }
  if (hash(canonical) !== block.blockHash) {
    return {
      height,
      code: 'hash_mismatch',
      message: `The SHA-256 of the canonical text of block ${height} is not its block_hash.`,
    };
  }
  return nameFrameFault(canonical, previous);
}

const ZERO_CODE = '0'.charCodeAt(0);

/**
 * Where the text continues after `{"height":H`, or -1 when it does not begin with that.
 *
 * Digits are added up to a number, which is exact as far as a safe integer reaches, and beyond that
 * stays greater than any.
 */
function endOfHeight(canonical: string, height: number): number {
  if (canonical.slice(0, HEIGHT_OPENING.length) !== HEIGHT_OPENING) return -1;
  let at = HEIGHT_OPENING.length;
  let digit = canonical.charCodeAt(at) - ZERO_CODE;
  // No leading zero: the digit 0 is followed by no other.
  if (digit === 0) return height === 0 ? at + 1 : -1;
  let found = 0;
  do {
    if (!(digit >= 0 && digit <= 9)) return -1;
    found = found * 10 + digit;
    at += 1;
    digit = canonical.charCodeAt(at) - ZERO_CODE;
  } while (digit >= 0 && digit <= 9);
  return found === height ? at : -1;
}

const HEIGHT_FRAME = /^\{"height":(?:0|[1-9][0-9]*),"payload":\{/;
const PREV_HASH_FRAME = /^\},"prev_hash":"[0-9a-f]{64}"\}$/;

/** Says which part of the frame is wrong, once it is known that one is. */
function nameFrameFault(canonical: string, previous: ChainPosition): ChainFault {
  const height = previous.height + 1;
  if (parseJson(canonical) === NOT_JSON) return notJson(height);
  const tail = canonical.slice(-PREV_HASH_OPENING_FROM_END);
  if (!HEIGHT_FRAME.test(canonical) || !PREV_HASH_FRAME.test(tail)) return notCanonical(height);
  if (endOfHeight(canonical, height) === -1) {
    return {
      height,
      code: 'height_mismatch',
      message: `The canonical text stored at height ${height} was sealed with another height.`,
    };
  }
  return {
    height,
    code: 'prev_hash_mismatch',
    message: `Block ${height} does not link to block ${previous.height}: its prev_hash is not that block's hash.`,
  };
}

/** What the depth `contents` adds for a block whose links are good. */
function readContents(
  block: StoredBlock,
  previousRecordedAt: string | undefined,
): ChainFault | PayloadFinding {
  const { height, canonical } = block;
  const parsed = parseJson(canonical);
  if (parsed === NOT_JSON) return notJson(height);
  if (!isCanonicalText(canonical, parsed) || !isJsonObject(parsed)) return notCanonical(height);
  if (Object.keys(parsed).length !== BLOCK_MEMBERS) return notCanonical(height);
  const finding = findPayloadFault(parsed['payload'], height);
  if ('code' in finding) return { height, ...finding };
  if (
    finding.version === 'known' &&
    previousRecordedAt !== undefined &&
    finding.recordedAt < previousRecordedAt
  ) {
    return {
      height,
      code: 'time_backwards',
      message: `Block ${height} says it was recorded before the block that precedes it.`,
    };
  }
  return finding;
}

/** height, payload, prev_hash. */
const BLOCK_MEMBERS = 3;

const NOT_JSON = Symbol('not JSON');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function notJson(height: number): ChainFault {
  return {
    height,
    code: 'not_json',
    message: `The canonical text of block ${height} is not JSON.`,
  };
}

function notCanonical(height: number): ChainFault {
  return {
    height,
    code: 'not_canonical',
    message: `The text of block ${height} is not the canonical JSON of a block.`,
  };
}
