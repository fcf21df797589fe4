// npm start: serves, with the settings of the environment and the options given after "--".

import { runProgram } from './run.js';

await runProgram('host/bin/lothub.ts', ['serve', ...process.argv.slice(2)]);
