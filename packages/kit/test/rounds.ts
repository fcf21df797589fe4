// How many rounds a test plays of what it repeats: as many in `npm test` as notice a planted defect,
// and many more in `npm run test:long`. A test file that imports this one belongs to the long run.

/** Set by the long run. */
const LONG_VARIABLE = 'LOTHUB_TEST_LONG';

/** Whether this is the long run. */
export const isLongRun = process.env[LONG_VARIABLE] === '1';

export function chooseRounds(rounds: { readonly usual: number; readonly long: number }): number {
  return isLongRun ? rounds.long : rounds.usual;
}
