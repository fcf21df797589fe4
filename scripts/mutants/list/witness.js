// Mutants of the witness of other logs: what it may cosign, and what its state and its key must be.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const WITNESS_MUTANTS = [
  {
    name: 'a witness takes a tree though another one was taken meanwhile',
    file: 'packages/witness/src/state/writer.ts',
    find: '      and size = ${before.size}\n      and root = ${before.root}\n',
    replacement: '',
    engine: 'sqlite',
    subject: 'witness',
  },
  {
    name: 'a witness cosigns before the tree is on disk',
    file: 'packages/witness/src/witness.ts',
    find: 'const isTaken = await this.#store.cosign({',
    replacement: 'const isTaken = true;\n    void this.#store.cosign({',
    engine: 'sqlite',
    subject: 'witness',
    // A tree that nobody waits for is not stored when the witness ends first.
    failsWith: 'the service is shutting down',
  },
  {
    name: 'a witness cosigns the log of its own hub',
    file: 'packages/witness/src/witness.ts',
    find: 'if (log === undefined || this.#isOwn(log)) {',
    replacement: 'if (log === undefined) {',
    engine: 'sqlite',
    subject: 'witness',
  },
  {
    name: 'a witness goes on under a key whose state is lost',
    file: 'packages/witness/src/state/identity.ts',
    find: 'if (key === undefined && known === undefined) return undefined;',
    replacement: 'if (known === undefined) return undefined;',
    engine: 'sqlite',
    subject: 'witness',
  },
  {
    name: 'a wrong signature of a known key is skipped',
    file: 'packages/witness/src/judge.ts',
    find: "!key.verify(message, signature)) {\n      return { kind: 'unsigned' };",
    replacement: '!key.verify(message, signature)) {\n      continue;',
    engine: 'sqlite',
    subject: 'witness',
  },
];
