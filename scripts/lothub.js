// npm run lothub -- COMMAND: the operator's command line.

import { runProgram } from './run.js';

await runProgram('host/bin/lothub.ts', process.argv.slice(2));
