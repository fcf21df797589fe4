// The command line of `npm run test:mutants`: its options, its help and its exit codes.

import { parseArgs } from 'node:util';

/** What the exit code of a run says. */
export const EXIT = {
  allNoticed: 0,
  unnoticed: 1,
  usageWrong: 2,
  listOutOfDate: 3,
  couldNotRun: 4,
};

/** Copies in which mutants are tried side by side: one for each core of the smallest machine. */
const AT_ONCE_MAX = 2;
const ENGINES = ['sqlite', 'postgres'];

export const HELP = `npm run test:mutants -- [OPTION…]

Plants one small defect (a mutant) after the other in a copy of this repository under the system's
temporary folder, and runs the tests of the subject that must notice it, up to the first that fails.
The working tree stays as it is. The test that noticed a mutant the last time is tried first, and only
when it does not the others of the subject: a whole run takes a quarter of an hour on two idle cores.

  --only TEXT      only the mutants whose name contains this text; given again, also those of others
  --engine ENGINE  only on sqlite or only on postgres
  --at-once N      copies side by side, 1 or ${AT_ONCE_MAX} (default ${AT_ONCE_MAX})
  --list           prints the mutants and runs none
  --record         keeps which test noticed which mutant, in scripts/mutants/witnesses.json
  --json           prints the result as one JSON object; progress goes to stderr in any case
  --help           prints this

Exit code: ${EXIT.allNoticed} every mutant was noticed, ${EXIT.unnoticed} some were not, ${EXIT.usageWrong} the options are wrong,
${EXIT.listOutOfDate} the list is out of date (the text of a mutant is not in its file exactly once),
${EXIT.couldNotRun} some could not be tried: the tests fail without a mutant too, or the mutant does not run.

Example: npm run test:mutants -- --only "foreign keys"
`;

/** The command line was wrong; the message says how. */
export class UsageError extends Error {}

/**
 * @param {readonly string[]} args
 * @returns {{ names: readonly string[], atOnce: number, engine: string | undefined, list: boolean, record: boolean, json: boolean, help: boolean }}
 * @throws {UsageError}
 */
export function readOptions(args) {
  const { only: names, engine, 'at-once': atOnceText, list, record, json, help } = parse(args);
  if (engine !== undefined && !ENGINES.includes(engine)) {
    throw new UsageError(`--engine takes ${ENGINES.join(' or ')}, not ${engine}.`);
  }
  const atOnce = Number(atOnceText);
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > AT_ONCE_MAX) {
    throw new UsageError(`--at-once takes a number from 1 to ${AT_ONCE_MAX}, not ${atOnceText}.`);
  }
  return { names, atOnce, engine, list, record, json, help };
}

function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        engine: { type: 'string' },
        'at-once': { type: 'string', default: String(AT_ONCE_MAX) },
        list: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
}
