// npm run interop: checks the public log of a hub of this working tree with the tools of others, which
// are written in Go. `npm run interop -- --help` says more.

import { join } from 'node:path';

import { ensureInstalled, repositoryRoot } from './install.js';
import { exitWith, runNode } from './run.js';

await exitWith(async () => {
  const node = ensureInstalled();
  return runNode(node, [join(repositoryRoot, 'scripts/interop/main.js'), ...process.argv.slice(2)]);
});
