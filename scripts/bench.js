// npm run bench: measures, prints a table and writes the figures to bench/results.

import { runProgram } from './run.js';

await runProgram('bench/main.ts', process.argv.slice(2));
