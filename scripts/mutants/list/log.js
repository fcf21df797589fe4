// Defects of the log over the chain: what it signs, what it compares, and the tree it keeps.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const LOG_MUTANTS = [
  {
    name: 'the log signs blocks that are not those it signed before',
    file: 'services/traceability/src/ledger/log/log-keeper.ts',
    find: 'if (signed !== undefined && !sameBytes(await database.rootAt(signed.size), signed.root)) {',
    replacement: 'if (false) {',
    engine: 'sqlite',
    subject: 'log-attacks',
  },
  {
    name: 'the log signs fewer blocks than it signed before',
    file: 'services/traceability/src/ledger/log/log-keeper.ts',
    find: 'if (signed !== undefined && signed.size > size) return rolledBack(size, signed.size);',
    replacement: 'if (signed !== undefined && signed.size > size) return undefined;',
    engine: 'sqlite',
    subject: 'log-attacks',
  },
  {
    name: 'an alarm about the tip does not hold the log',
    file: 'services/traceability/src/ledger/log/log-keeper.ts',
    find: 'if (mismatch !== undefined || tree.isAlarmed) this.#stop();',
    replacement: 'if (mismatch !== undefined) this.#stop();',
    engine: 'sqlite',
    subject: 'log-attacks',
  },
  {
    name: 'a process signs with a key that is not of the log',
    file: 'services/traceability/src/ledger/log/log-identity.ts',
    find: 'if (key === undefined || !known.includes(key.vkey)) {',
    replacement: 'if (key === undefined) {',
    engine: 'sqlite',
    subject: 'log-attacks',
  },
  {
    name: 'the frontier is not stored with the head',
    file: 'services/traceability/src/ledger/append/derived-rows.ts',
    find: 'head.frontier === undefined ? null : frontierBytes(head.frontier)',
    replacement: 'head.frontier === undefined ? frontierBytes({ size: 0, hashes: [] }) : null',
    engine: 'both',
    subject: 'log-answers',
  },
  {
    name: 'an edge of the tree forgets the roots of the last tiles',
    file: 'services/traceability/src/ledger/log/tile-edge.ts',
    find: 'roots: [...roots] }',
    replacement: 'roots: [] }',
    engine: 'sqlite',
    subject: 'log-tree',
  },
  {
    name: 'a tile that was changed is no mismatch',
    file: 'services/traceability/src/ledger/verify/tiles.ts',
    find: 'sameBytes(row.hashes, expected.hashes) && sameBytes(row.root, expected.root)',
    replacement: 'sameBytes(row.root, expected.root)',
    engine: 'both',
    subject: 'log-tree',
  },
  {
    name: 'groups that come while the tree is read for the first time are forgotten',
    file: 'services/traceability/src/ledger/log/log-keeper.ts',
    find: 'if (isSameFrontier(before, frontier)) frontier = after;',
    replacement: '',
    engine: 'sqlite',
    subject: 'log-keeper',
  },
];
