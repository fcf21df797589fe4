/** The files of the folder vectors/, each with the text it must have. */
import { makeBrokenChains } from './broken-chains.ts';
import { makeCanonicalTexts } from './canonical-texts.ts';
import { makeCommitments } from './commitments.ts';
import { makeGoodChains } from './good-chains.ts';
import { makeEpochs } from './log-epochs.ts';
import { makeLogExample } from './log-example.ts';
import { makeEvidence } from './log-evidence.ts';
import { makeConsistencyProofs, makeInclusionProofs } from './log-proofs.ts';

export type VectorFile = { readonly name: string; readonly text: string };

export function makeVectorFiles(): readonly VectorFile[] {
  return [
    makeFile('good-chains.json', 'Chains that are valid.', makeGoodChains()),
    makeFile('broken-chains.json', 'Chains with one fault each.', makeBrokenChains()),
    makeFile(
      'canonical-texts.json',
      'JSON texts and the canonical text of what they mean, or why they have none.',
      makeCanonicalTexts(),
    ),
    makeFile('commitments.json', 'Commitments and what opens them.', makeCommitments()),
    makeFile(
      'log-example.json',
      'The log over the worked example of docs/chain-format.md, byte for byte.',
      makeLogExample(),
    ),
    makeFile(
      'log-inclusion.json',
      'Inclusion proofs, good ones and each with one change, in the manner of the test data of github.com/transparency-dev/merkle.',
      makeInclusionProofs(),
    ),
    makeFile(
      'log-consistency.json',
      'Consistency proofs, good ones and each with one change, in the manner of the test data of github.com/transparency-dev/merkle.',
      makeConsistencyProofs(),
    ),
    makeFile(
      'log-evidence.json',
      'Evidence files and proof files, good ones and changed ones, and the answer of a verifier.',
      makeEvidence(),
    ),
    makeFile(
      'log-epochs.json',
      'Statements that a log goes on under another name, good ones and changed ones, and whether a verifier believes them.',
      makeEpochs(),
    ),
  ];
}

function makeFile(name: string, about: string, vectors: readonly unknown[]): VectorFile {
  return { name, text: `${JSON.stringify({ about, vectors }, null, 2)}\n` };
}
