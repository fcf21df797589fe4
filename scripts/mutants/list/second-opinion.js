// Defects of what people and readers see of witnesses and time stamps.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const SECOND_OPINION_MUTANTS = [
  {
    name: 'a page judges by a witness of the hub’s own domain',
    file: 'services/traceability/src/witnessing/independent-policy.ts',
    find: 'hub.witnesses.filter(({ isOwn }) => !isOwn)',
    replacement: 'hub.witnesses',
    engine: 'sqlite',
    subject: 'second-opinion',
  },
  {
    name: 'a witness of the hub’s own domain makes a quorum',
    file: 'services/traceability/src/witnessing/cosigners.ts',
    find: 'cosignatures.filter(({ witness }) => !own.has(witness)),',
    replacement: 'cosignatures,',
    engine: 'sqlite',
    subject: 'second-opinion',
  },
  {
    name: 'an entry above the published checkpoint is shown as seen by witnesses',
    file: 'services/traceability/src/web/log-words.ts',
    find: 'if (size <= height) {',
    replacement: 'if (false) {',
    engine: 'sqlite',
    subject: 'second-opinion',
  },
  {
    name: 'a time stamp of something else is kept',
    file: 'services/traceability/src/timestamps/rfc3161.ts',
    find: 'Buffer.from(hashed.getValue()).equals(digest);',
    replacement: 'true;',
    engine: 'sqlite',
    subject: 'timestamps',
  },
  {
    name: 'a time stamp that answers another request is kept',
    file: 'services/traceability/src/timestamps/rfc3161.ts',
    find: 'if (nonce?.toBigInt() !== asked.nonce) {',
    replacement: 'if (nonce === undefined) {',
    engine: 'sqlite',
    subject: 'timestamps',
  },
  {
    name: 'every start asks for a time stamp',
    file: 'services/traceability/src/timestamps/time-stamper.ts',
    find: '>= STAMP_EVERY_MS',
    replacement: '>= 0',
    engine: 'sqlite',
    subject: 'timestamps',
  },
];
