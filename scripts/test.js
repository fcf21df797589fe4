// npm test, npm run test:long, npm run test:watch: brings the dependencies and goes on with the pinned
// Node in test-run/command.js. `npm test -- --help` lists what can be asked for.

import { join } from 'node:path';

import { ensureInstalled, repositoryRoot } from './install.js';
import { exitWith, runNode } from './run.js';

const COMMAND = join(repositoryRoot, 'scripts', 'test-run', 'command.js');

await exitWith(async () => {
  const node = ensureInstalled({ groups: ['optional', 'dev'] });
  process.chdir(repositoryRoot);
  return runNode(node, [COMMAND, ...process.argv.slice(2)]);
});
