// Terms of the glossary: the chain, in English.

export const chain = {
  words: {
    chain: 'chain',
    block: 'block',
    height: 'height',
    genesis: 'genesis',
    seal: 'seal',
    replay: 'replay',
    correction: 'correction',
    effectiveValue: 'effective value',
    void: 'void',
    commitment: 'commitment',
    erase: 'erase',
    verify: 'verify',
    verifier: 'verifier',
    chainValid: 'chain valid',
    proof: 'proof',
  },
  sentences: {
    chain:
      'The one append-only sequence of blocks of a hub, all tenants together. Identified by the hash of its genesis block.',
    block: 'One sealed payload: height, hash, canonical text. Never changed after it was appended.',
    height:
      "The position of a block; the genesis block is 0. An event's id is the height of its block.",
    genesis: 'Block 0. It names the hub and holds a nonce, so that no two chains are alike.',
    seal: 'To make a block of a draft: give it height, time and the previous hash, and hash it.',
    replay:
      'The same event sent again. It is answered with the block of the first time, and nothing is appended.',
    correction:
      'A block that says which fields of an earlier event were wrong, and what is right. The earlier block stays as it is.',
    effectiveValue:
      "A field's value after all corrections; the original value is what was first recorded.",
    void: "To correct an event's status to `voided`: it did not happen.",
    commitment:
      'A hash over private values and a random salt, in place of the values. Whoever has both can check it; without them it says nothing.',
    erase: 'To delete private values and their salts for good. Every hash still verifies.',
    verify:
      'To hash stored blocks again, compare each link, and compare the derived rows with their blocks.',
    verifier:
      'The background reader that verifies round and round, in slices that do not disturb requests. Of several processes one at a time does it.',
    chainValid:
      "No mismatch is known. Once false it stays so until an operator's full verification passes.",
    proof:
      'Height and hash of every block that carries a lot, for whoever wants to check for themselves.',
  },
};
