// Terms of the glossary: the public log, in English.

export const log = {
  words: {
    log: 'log',
    logCheckpoint: 'log checkpoint',
    inclusionProof: 'inclusion proof',
    evidenceFile: 'evidence file',
    outsideWitness: 'outside witness',
    timeStamp: 'time stamp',
    cosignature: 'cosignature',
    policy: 'policy',
    held: 'held',
  },
  sentences: {
    log: 'The Merkle tree over the hashes of all blocks, which its operator signs.',
    logCheckpoint:
      'Origin, size and root of that tree, signed by the log and perhaps by witnesses. Never "checkpoint" alone where the noted height and hash could be meant.',
    inclusionProof: 'The hashes that lead from the entry of a block to the root.',
    evidenceFile: 'The blocks of a lot with their inclusion proofs under one log checkpoint.',
    outsideWitness:
      'Somebody else who saw a log checkpoint, found that the log only grew, and signed it too.',
    timeStamp:
      'The reply of a time-stamping service (RFC 3161) on one log checkpoint: it existed then at the latest. Never a time that the hub wrote.',
    cosignature: 'What an outside witness signs: a time and a log checkpoint.',
    policy:
      'Whose signatures a reader believes, and how many of the outside witnesses it takes: the quorum.',
    held: 'Of the log: nothing is signed until an operator has decided, because what is stored may contradict what was signed.',
  },
};
