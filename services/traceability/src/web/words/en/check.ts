// "Check in this browser", in English; browsers load this module alone of all words.
import type { RefusalCode, StepName } from '@lothub/verify';

/** What a reader learns from a step that is good. */
const meanings: Readonly<Record<StepName, string>> = {
  file: 'The file is well formed, and about what this page is about.',
  epochs: 'The operator has signed that the log goes on under another name, and what was lost.',
  log: 'The operator has signed the tree that these hashes lead to.',
  witnesses:
    'Each of these witnesses keeps the newest tree that it has seen of this log, and signs no tree that contradicts it.',
  blocks: 'Each text gives its hash, and its hash leads to the signed root.',
  chain: 'Blocks that follow each other name each other’s hash.',
  kept: 'The tree goes on from the one that was checked before.',
  disclosures: 'Values that were given open their commitments.',
};

/** What is wrong, by the code of the verifier. */
const refusals: Readonly<Record<RefusalCode, string>> = {
  malformed: 'What the hub sent is no proof, or is about something else.',
  unknown_log: 'The proof is of another log than that of this hub.',
  bad_signature: 'A signature is not that of the operator.',
  no_quorum: 'Too few witnesses have confirmed it.',
  not_in_tree: 'What is stored now is not what was signed: it was changed afterwards.',
  other_height: 'The text is that of another block.',
  not_canonical: 'The text is not that of a block: it was changed afterwards.',
  rolled_back: 'The log is shorter than one that was seen before: something was taken away.',
  split_view: 'The operator has signed two logs that contradict each other.',
};

export const check = {
  button: 'Check in this browser',
  checking: 'Checking…',
  heading: 'Checked in this browser',
  proved: 'Proved,',
  seen: (cosigned: number, members: number, at: string): string =>
    `and seen by ${cosigned} of ${members} independent witnesses: it existed on ${at} at the latest.`,
  operatorOnly: 'on the word of the operator alone: nobody else has signed.',
  refused: 'Refused:',
  good: 'Good.',
  wrong: 'Wrong.',
  meanings,
  refusals,
  operatorsWord: 'Nobody else has signed: so this is the operator’s word, which it can be held to.',
  verifierSays: 'What the verifier says (in English)',
  ownKey:
    'This page, its program, the key and the names of the witnesses came from this hub. Compare the key with one that you have from elsewhere, or check the file with a program of your own:',
  tooOld: 'This browser cannot check signatures here: it needs https and a newer version.',
  nothingChecked: (reason: string) => `Nothing was checked: ${reason}.`,
  hubAnswered: (status: number, path: string) => `the hub answered ${status} for ${path}`,
  notReached: 'the hub could not be reached',
  noProof:
    'The hub gives no proof of this: what is stored may not be what was signed. Do not rely on this page before it does.',
  hubSays: 'What the hub says (in English)',
  otherWays: 'The links on this page lead to the file and to other ways of checking it.',
};
