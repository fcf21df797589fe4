/** What a verifier answers: the steps that it took, and one verdict with a code when it refuses. */

/** Why a proof is refused. docs/chain-format.md#verifying-a-proof, has the same list. */
export type RefusalCode =
  | 'malformed'
  | 'unknown_log'
  | 'bad_signature'
  | 'no_quorum'
  | 'not_in_tree'
  | 'other_height'
  | 'not_canonical'
  | 'rolled_back'
  | 'split_view';

/** In the order in which they are taken. */
export type StepName =
  'file' | 'epochs' | 'log' | 'witnesses' | 'blocks' | 'chain' | 'kept' | 'disclosures';

/** One step of the judgement, and its result in plain words. */
export interface Step {
  readonly name: StepName;
  readonly isGood: boolean;
  readonly text: string;
}

/** How many of the witnesses that count have cosigned. */
export interface WitnessCount {
  readonly cosigned: number;
  readonly of: number;
  /** When the quorum was reached, `YYYY-MM-DDTHH:MM:SSZ`: what is proven existed then at the latest. */
  readonly at: string;
}

export type Outcome =
  | { readonly verdict: 'witnessed'; readonly witnessed: WitnessCount }
  /** The log signed, and the policy asks for nobody else. */
  | { readonly verdict: 'operator_only' }
  | { readonly verdict: 'refused'; readonly code: RefusalCode; readonly reason: string };

/** A block that was found in the tree. */
export interface ProvenBlock {
  readonly index: number;
  readonly blockHash: string;
  /**
   * `judged`: the text is a well-formed block. `not judged`: its payload is of a later format than
   * this verifier knows. `not given`: the hash alone was proven.
   */
  readonly contents: 'judged' | 'not judged' | 'not given';
}

/** A refusal on its way out of the step that found it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Two checkpoints of one log that cannot both be true; each is signed by it. */
export interface Contradiction {
  readonly kept: string;
  readonly seen: string;
}

/** A refusal by a kept checkpoint, with both notes as the proof of it. */
export class KeptRefusal extends Refusal {
  readonly contradiction: Contradiction;

  constructor(code: 'rolled_back' | 'split_view', message: string, contradiction: Contradiction) {
    super(code, message);
    this.contradiction = contradiction;
  }
}

/** The answer in one line: `proved, witnessed 2 of 3 at …`, `proved, operator's word only` or `refused: …`. */
export function sentenceOf(outcome: Outcome): string {
  switch (outcome.verdict) {
    case 'witnessed': {
      const { cosigned, of: witnesses, at } = outcome.witnessed;
      return `proved, witnessed ${cosigned} of ${witnesses} at ${at}`;
    }
    case 'operator_only':
      return "proved, operator's word only";
    case 'refused':
      return `refused: ${outcome.code}`;
  }
}
