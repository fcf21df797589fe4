/**
 * Recalls in confidence (docs/chain-format.md#recalls-in-confidence): whether what later blocks of a file
 * disclose is what an earlier one committed to.
 *
 * A file does not hold the whole chain: a confidential block is judged where the file has it and every part
 * that discloses it.
 */
import { findCaseDecision, opensParts, type CaseDecision, type HashText } from '@lothub/chain';
import type { ProvenText } from './blocks.ts';
import { isObject } from './evidence-file.ts';
import { Refusal } from './verdict.ts';

type Disclosure = Extract<CaseDecision, { readonly kind: 'disclosure' }>;

/**
 * Answers how many confidential blocks are disclosed as they were sealed.
 *
 * @throws {Refusal} `not_canonical`
 */
export function judgeRecallDisclosures(blocks: readonly ProvenText[], hash: HashText): number {
  const commitments = new Map<string, string>();
  const disclosed = new Map<string, Disclosure[]>();
  for (const { index, block } of blocks) {
    const { brand, decision, type } = block.payload;
    if (type !== 'recall' || typeof brand !== 'string' || !isObject(decision)) continue;
    const found = findCaseDecision(decision);
    if (found === undefined) continue;
    const keyAt = (height: number): string => JSON.stringify([height, brand, found.caseNo]);
    if (found.kind === 'confidential') commitments.set(keyAt(index), found.commitment);
    if (found.kind !== 'disclosure') continue;
    const known = disclosed.get(keyAt(found.of));
    if (known === undefined) disclosed.set(keyAt(found.of), [found]);
    else known.push(found);
  }
  let opened = 0;
  for (const [key, parts] of disclosed) {
    const commitment = commitments.get(key);
    const [first] = parts;
    if (commitment === undefined || first?.parts !== parts.length) continue;
    const contents = parts.map((part) => part.contents);
    if (!opensParts({ salt: first.salt, contents }, { commitment, hash })) {
      throw new Refusal(
        'not_canonical',
        `What is disclosed of block ${first.of} is not what it committed to. (disclosure_mismatch)`,
      );
    }
    opened += 1;
  }
  return opened;
}
