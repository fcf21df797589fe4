// npm run pack:verify -- [FOLDER]: writes the verifier as a package of plain modules, and as one page.

import { runProgram } from './run.js';

await runProgram('packages/verify/bin/pack.ts', process.argv.slice(2));
