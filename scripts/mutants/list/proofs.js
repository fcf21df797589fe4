// Mutants of what a hub signs and of the verifiers of it: trees, signatures, quorums, kept checkpoints.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const PROOF_MUTANTS = [
  {
    name: 'an inclusion proof is accepted though it does not lead to the root',
    file: 'packages/chain/src/log/proofs.ts',
    find: 'return last === 0 && sameBytes(node, root);',
    replacement: 'return last === 0;',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'a consistency proof is not compared with the older root',
    file: 'packages/chain/src/log/proofs.ts',
    find: 'sameBytes(older, fromRoot) && ',
    replacement: '',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'base64 may leave bits behind its last byte',
    file: 'packages/chain/src/log/bytes.ts',
    find: 'if ((bits & ((1 << held) - 1)) !== 0) throw notStrict();',
    replacement: '',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'one public key counts as two witnesses',
    file: 'packages/chain/src/log/policy.ts',
    find: "if (this.#publicKeys.has(publicKey)) return 'has a public key that another line has';",
    replacement: '',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'a checkpoint is believed without its quorum',
    file: 'packages/chain/src/log/judge-checkpoint.ts',
    find: "quorum.state === 'missed' ? { refused: 'no_quorum' } : { log, quorum }",
    replacement: '{ log, quorum }',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'the text of a block may stand at another index',
    file: 'packages/verify/src/blocks.ts',
    find: 'if (height !== String(index)) {',
    replacement: 'if (height === undefined) {',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'an evidence file need not be canonical',
    file: 'packages/verify/src/evidence-file.ts',
    find: "if (canonical !== text) throw malformed('is not the canonical JSON of what it says');",
    replacement: '',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'two trees of one size are no split view',
    file: 'packages/verify/src/kept.ts',
    find: 'if (sameBytes(keptHead.root, head.root)) {',
    replacement: 'if (keptHead.root.length === head.root.length) {',
    engine: 'sqlite',
    subject: 'proofs',
  },
  {
    name: 'a log may show a smaller tree than the one that is kept',
    file: 'packages/verify/src/kept.ts',
    find: 'if (seen.isNewest && head.size < keptHead.size) {',
    replacement: 'if (head.size < 0) {',
    engine: 'sqlite',
    subject: 'log-follower',
    // It goes on with tiles of the smaller tree.
    failsWith: 'is too short',
  },
];
