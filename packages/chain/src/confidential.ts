/**
 * Steps of recall cases that are sealed in confidence, and the blocks that disclose them later
 * (docs/chain-format.md#recalls-in-confidence).
 *
 * A confidential step commits to the canonical text of an array of ordinary steps. Each disclosing block
 * carries one entry of one such array, so that anybody can make the text again and open the commitment.
 */
import { isJsonObject } from './block.ts';
import { canonicalize, type JsonObject, type JsonValue } from './canonical.ts';
import { computeCommitment } from './commitment.ts';
import { ChainError } from './chain-error.ts';
import type { HashText } from './sha256.ts';

/** Under this name a confidential step commits to its parts. */
const COMMITTED_PARTS = 'parts';

/** What disclosing blocks say of one confidential block. */
export interface DisclosedParts {
  readonly salt: string;
  /** In their order. */
  readonly contents: readonly JsonValue[];
}

/** Whether disclosed parts are those that a confidential step committed to. */
export function opensParts(
  { salt, contents }: DisclosedParts,
  by: { readonly commitment: string; readonly hash: HashText },
): boolean {
  try {
    const values = { [COMMITTED_PARTS]: canonicalize(contents) };
    return computeCommitment({ values, salt }, by.hash) === by.commitment;
  } catch (error) {
    if (error instanceof ChainError) return false;
    throw error;
  }
}

/** A step of a case as far as confidence is concerned. */
export type CaseDecision =
  | { readonly kind: 'public'; readonly caseNo: string }
  | { readonly kind: 'confidential'; readonly caseNo: string; readonly commitment: string }
  | {
      readonly kind: 'disclosure';
      readonly caseNo: string;
      /** Height of the confidential block. */
      readonly of: number;
      readonly salt: string;
      /** 1 to `parts`. */
      readonly part: number;
      readonly parts: number;
      readonly contents: JsonValue;
    };

/** Reads the decision of a block of type `recall`; undefined when it names no case. */
export function findCaseDecision(decision: JsonObject): CaseDecision | undefined {
  const { case_no: caseNo, committed, confidential, change } = decision;
  if (typeof caseNo !== 'string') return undefined;
  if (confidential === true) {
    const commitment = isJsonObject(committed) ? committed[COMMITTED_PARTS] : undefined;
    return typeof commitment === 'string'
      ? { kind: 'confidential', caseNo, commitment }
      : undefined;
  }
  if (change !== 'disclosed') return { kind: 'public', caseNo };
  const { of, salt, part, parts, contents } = decision;
  if (
    typeof of !== 'number' ||
    typeof salt !== 'string' ||
    typeof part !== 'number' ||
    typeof parts !== 'number' ||
    contents === undefined
  ) {
    return undefined;
  }
  return { kind: 'disclosure', caseNo, of, salt, part, parts, contents };
}

export interface DisclosureFault {
  readonly code: 'disclosure_mismatch' | 'disclosure_missing';
  /** One sentence for an operator; holds no value of a payload. */
  readonly message: string;
}

/** A case of which something is sealed in confidence. */
interface ConfidentialCase {
  /** Blocks that are not disclosed yet, in their order. */
  readonly sealed: { readonly height: number; readonly commitment: string }[];
  /** Of the block that is disclosed at present. */
  open: (DisclosedParts & { readonly contents: JsonValue[] }) | undefined;
}

/**
 * Follows the cases of a chain: each confidential block is disclosed whole and in order before anything else
 * of its case is public.
 *
 * Owns the commitments of cases that are not disclosed yet. What was sealed before the first block that it
 * is fed is not judged.
 */
export class Disclosures {
  readonly #hash: HashText;
  /** Height of the trusted block before the first one that is fed. */
  readonly #after: number;
  readonly #cases = new Map<string, ConfidentialCase>();

  constructor(options: { readonly hash: HashText; readonly after: number }) {
    this.#hash = options.hash;
    this.#after = options.after;
  }

  /** Takes the decision of the next block of type `recall`. */
  take(
    height: number,
    { brand, decision }: { readonly brand: string; readonly decision: JsonObject },
  ): DisclosureFault | undefined {
    const found = findCaseDecision(decision);
    if (found === undefined) return undefined;
    const key = JSON.stringify([brand, found.caseNo]);
    const known = this.#cases.get(key);
    switch (found.kind) {
      case 'confidential': {
        const sealed = { height, commitment: found.commitment };
        if (known === undefined) this.#cases.set(key, { sealed: [sealed], open: undefined });
        else known.sealed.push(sealed);
        return undefined;
      }
      case 'public':
        if (known === undefined) return undefined;
        return missing(
          height,
          'is public before all confidential blocks of its case are disclosed',
        );
      case 'disclosure':
        return this.#disclose({ height, key, known, found });
    }
  }

  #disclose({
    height,
    key,
    known,
    found,
  }: {
    readonly height: number;
    readonly key: string;
    readonly known: ConfidentialCase | undefined;
    readonly found: Extract<CaseDecision, { readonly kind: 'disclosure' }>;
  }): DisclosureFault | undefined {
    if (found.of <= this.#after) return undefined;
    const first = known?.sealed[0];
    if (known === undefined || first === undefined) {
      return mismatch(height, 'discloses a block that is not sealed in confidence');
    }
    if (first.height !== found.of) {
      return missing(height, 'does not disclose the first confidential block of its case');
    }
    const { salt, part, parts, contents } = found;
    const open = known.open ?? { salt, contents: [] };
    if (part !== open.contents.length + 1 || part > parts) {
      return missing(height, 'does not disclose the part that comes next');
    }
    open.contents.push(contents);
    known.open = open;
    if (part < parts) return undefined;
    if (
      open.salt !== salt ||
      !opensParts(open, { commitment: first.commitment, hash: this.#hash })
    ) {
      return mismatch(height, `does not open the commitment of block ${first.height}`);
    }
    known.open = undefined;
    known.sealed.shift();
    if (known.sealed.length === 0) this.#cases.delete(key);
    return undefined;
  }
}

function missing(height: number, what: string): DisclosureFault {
  return { code: 'disclosure_missing', message: `Block ${height} ${what}.` };
}

function mismatch(height: number, what: string): DisclosureFault {
  return { code: 'disclosure_mismatch', message: `Block ${height} ${what}.` };
}
