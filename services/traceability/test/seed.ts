// The seed of what tests leave to chance: printed by those that use it, and set to repeat them.

const SEED_VARIABLE = 'LOTHUB_TEST_SEED';
const SEED_MAX = 2 ** 31;

const given = process.env[SEED_VARIABLE];

/** Another one in each run, unless the variable says which. */
export const testSeed =
  given === undefined || given === '' ? Math.floor(Math.random() * SEED_MAX) : Number(given);
