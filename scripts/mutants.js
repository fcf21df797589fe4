// npm run test:mutants: plants one small defect after the other in a copy of this repository and runs
// the tests that must notice it. `npm run test:mutants -- --help` says more.

import { join } from 'node:path';

import { ensureInstalled, repositoryRoot } from './install.js';
import { exitWith, runNode } from './run.js';

await exitWith(async () => {
  const node = ensureInstalled({ groups: ['optional', 'dev'] });
  return runNode(node, [join(repositoryRoot, 'scripts/mutants/main.js'), ...process.argv.slice(2)]);
});
