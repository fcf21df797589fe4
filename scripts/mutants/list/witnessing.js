// Mutants of the hub that asks witnesses: what counts, what is believed, what is signed before they answer.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const WITNESSING_MUTANTS = [
  {
    name: 'witnessing: witnesses of the operator’s own count',
    file: 'services/traceability/src/witnessing/cosigners.ts',
    find: 'cosignatures.filter(({ witness }) => !own.has(witness)),',
    replacement: 'cosignatures,',
    engine: 'sqlite',
    subject: 'witnessing',
  },
  {
    name: 'witnessing: a checkpoint is published without its quorum',
    file: 'services/traceability/src/witnessing/witness-round.ts',
    find: "if (state === 'missed' || all.length === 0) return undefined;",
    replacement: "if (state === 'met' && all.length === 0) return undefined;",
    engine: 'sqlite',
    subject: 'witnessing',
  },
  {
    name: 'witnessing: the time of a cosignature is not compared with ours',
    file: 'services/traceability/src/witnessing/ask-witness.ts',
    find: 'Math.abs(time - now) > TIME_TOLERANCE_SECONDS',
    replacement: 'Math.abs(time - now) < 0',
    engine: 'sqlite',
    subject: 'witnessing',
  },
  {
    name: 'witnessing: a witness is believed that says more than it shows',
    file: 'services/traceability/src/witnessing/rounds.ts',
    find: 'if (proven !== undefined && proven.size < size)',
    replacement: 'if (proven !== undefined && proven.size < 0)',
    engine: 'sqlite',
    subject: 'witnessing',
  },
  {
    name: 'witnessing: a new machine signs before it has asked the witnesses',
    file: 'services/traceability/src/ledger/log/open-keeper.ts',
    find: 'isRecordNeeded: isBegun && log.settings.hasWitnesses,',
    replacement: 'isRecordNeeded: isBegun && !log.settings.hasWitnesses,',
    engine: 'sqlite',
    subject: 'witnessing-start',
  },
];
