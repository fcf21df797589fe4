/**
 * Disclosures in an evidence file: values and salt that open a commitment on the chain
 * (docs/chain-format.md#commitments).
 *
 * That a disclosure leaves nothing out cannot be judged here: the file does not hold the whole chain.
 */
import {
  ChainError,
  computeCommitment,
  type Disclosure,
  type JsonObject,
  toCanonicalText,
} from '@lothub/chain';
import type { HashText } from '@lothub/chain';
import type { ProvenText } from './blocks.ts';
import { isObject } from './evidence-file.ts';
import { Refusal } from './verdict.ts';

/** An opening that is to be found in one block, or in any when it does not say which. */
interface Opening extends Disclosure {
  readonly commitment: string;
  readonly height: number | undefined;
}

/** Members that commit to private values; within a string their quotes would have backslashes. */
const COMMITTING = ['private', 'consignee'];

/**
 * Checks every opening: values and salt give the commitment, and a proven block carries it. Answers
 * how many there are.
 *
 * @throws {Refusal} `malformed`
 */
export function judgeDisclosures(
  disclosures: readonly unknown[],
  by: { readonly blocks: readonly ProvenText[]; readonly hash: HashText },
): number {
  const openings = disclosures.flatMap(parseOpenings);
  for (const opening of openings) {
    if (!opens(opening, by.hash)) {
      throw refused('has values that do not open their commitment');
    }
    const isCarried = by.blocks.some(
      ({ index, canonical }) =>
        (opening.height === undefined || opening.height === index) &&
        COMMITTING.some((name) => canonical.includes(`"${name}":"${opening.commitment}"`)),
    );
    if (!isCarried) throw refused('has a commitment that none of its blocks carries');
  }
  return openings.length;
}

function parseOpenings(disclosure: unknown): readonly Opening[] {
  if (!isObject(disclosure)) throw refused('has another form');
  const { openings } = disclosure;
  if (openings === undefined) return [parseOpening(disclosure)];
  if (!Array.isArray(openings)) throw refused('has another form');
  return openings.flatMap((opening: unknown) => {
    if (!isObject(opening)) throw refused('has another form');
    return opening['erased'] === true ? [] : [parseOpening(opening)];
  });
}

function parseOpening(opening: Readonly<Record<string, unknown>>): Opening {
  const { values, salt, commitment, block_height: height } = opening;
  if (!isValues(values) || typeof salt !== 'string' || typeof commitment !== 'string') {
    throw refused('lacks its values, its salt or its commitment');
  }
  if (height !== undefined && typeof height !== 'number')
    throw refused('has no height of its block');
  return { values, salt, commitment, height };
}

function opens({ values, salt, commitment }: Opening, hash: HashText): boolean {
  try {
    return computeCommitment({ values, salt }, hash) === commitment;
  } catch (error) {
    if (error instanceof ChainError) return false;
    throw error;
  }
}

function isValues(values: unknown): values is JsonObject {
  return isObject(values) && toCanonicalText(values) !== '';
}

function refused(what: string): Refusal {
  return new Refusal('malformed', `A disclosure in the evidence file ${what}.`);
}
