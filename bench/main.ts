// npm run bench -- append|import|lots|read|verify: each prints a table and, last, one line of JSON.
import { benchAppend } from './append.ts';
import { benchImport } from './import.ts';
import { LOTS_USAGE, benchLots } from './lots.ts';
import { benchRead } from './read.ts';
import { benchVerify } from './verify.ts';

const BENCHES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  append: benchAppend,
  import: benchImport,
  lots: benchLots,
  read: benchRead,
  verify: benchVerify,
};

const USAGE = `Usage: npm run bench -- NAME

  append   single posts, batches, and what the background verifier costs
  import   CSV import beside batches; memory of a 500 MB file
  lots     genealogy, search and posts on a generated hub; ${LOTS_USAGE}
  read     public reads and start at 1,000,000 blocks beside 1,000
  verify   verification beside a bare loop of reading and hashing

Example: npm run bench -- append`;

const [name, ...args] = process.argv.slice(2);
const bench = name === undefined ? undefined : BENCHES[name];
if (bench === undefined) {
  console.error(USAGE);
  process.exitCode = name === '--help' ? 0 : 2;
} else {
  await bench(args);
}
