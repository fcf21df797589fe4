// The command line of `npm run interop`: its options, its help and its exit codes.

import { parseArgs } from 'node:util';

/** What the exit code of a run says. */
export const EXIT = {
  allGood: 0,
  failed: 1,
  usageWrong: 2,
  notRun: 3,
};

export const HELP = `npm run interop -- [OPTION…]

Starts a hub of this working tree on a free port, with data of its own that are thrown away, and checks
its public log with programs that are not ours: tessera's fsck and client, and torchwood. Each must take
what the hub signed, and refuse a fork and a flipped byte. Its witness must answer as litewitness and
omniwitness do, and tessera's writer must publish with it and not without it. A hub that asks these three
must be published with two of them and not with one, and none of them cosigns what was cut back or a fork.
Needs Go, and OpenSSH for litewitness; the first run builds the programs into node_modules/.cache, which
takes minutes and needs the network.

  --json  prints the result as one JSON object; progress goes to stderr in any case
  --help  prints this

Exit code: ${EXIT.allGood} every check is good, ${EXIT.failed} some are not, ${EXIT.usageWrong} the options are wrong,
${EXIT.notRun} some were not run, because Go is missing or a program could not be built.

Example: npm run interop -- --json
`;

/** The command line was wrong; the message says how. */
export class UsageError extends Error {}

/**
 * @param {readonly string[]} args
 * @returns {{ json: boolean, help: boolean }}
 * @throws {UsageError}
 */
export function readOptions(args) {
  try {
    const { json, help } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
    return { json, help };
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
}
