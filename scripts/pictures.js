// npm run pictures: makes the pictures of the README and the documents, and the icons as PNG;
// npm run pictures -- --all FOLDER: pictures of all kinds of pages of the console.

import { ensureInstalled, repositoryRoot } from './install.js';
import { exitWith, runNode } from './run.js';
import { join } from 'node:path';

await exitWith(async () => {
  const node = ensureInstalled({ groups: ['optional', 'dev'] });
  return runNode(node, [
    join(repositoryRoot, 'host/test/pictures/pictures.ts'),
    ...process.argv.slice(2),
  ]);
});
