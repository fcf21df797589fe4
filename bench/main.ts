// npm run bench -- append|console|genealogy|hostile|import|log-ins|lots|notify|pages|peers|proofs|read|recall|verify|witness: each prints a table and, last, one line of JSON.
import { APPEND_USAGE, benchAppend } from './append/append.ts';
import { CONSOLE_USAGE, benchConsole } from './console/console.ts';
import { benchGenealogy } from './genealogy/genealogy.ts';
import { HOSTILE_USAGE, benchHostile } from './hostile/hostile.ts';
import { benchImport } from './import.ts';
import { LOG_INS_USAGE, benchLogIns } from './log-ins/log-ins.ts';
import { benchLots } from './lots/lots.ts';
import { NOTIFY_USAGE, benchNotify } from './notify/notify.ts';
import { benchPages } from './pages.ts';
import { PEERS_USAGE, benchPeers } from './peers/peers.ts';
import { CHAIN_USAGE } from './kit/options.ts';
import { PROOFS_USAGE, benchProofs } from './proofs/proofs.ts';
import { READ_USAGE, benchRead } from './read/read.ts';
import { formatCommand, recordFigures, requirePlace } from './kit/recorded-figures.ts';
import { printed } from './kit/report.ts';
import { benchRecall } from './recall/recall.ts';
import { benchVerify } from './verify.ts';
import { benchWitness } from './witness/witness.ts';

const BENCHES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  append: benchAppend,
  console: benchConsole,
  genealogy: benchGenealogy,
  hostile: benchHostile,
  import: benchImport,
  'log-ins': benchLogIns,
  lots: benchLots,
  notify: benchNotify,
  pages: benchPages,
  peers: benchPeers,
  proofs: benchProofs,
  read: benchRead,
  recall: benchRecall,
  verify: benchVerify,
  witness: benchWitness,
};

const USAGE = `Usage: npm run bench -- NAME

  append   single posts, batches, and what the background verifier costs;
           ${APPEND_USAGE}
  console  each page of the console on a generated hub, beside an answer that does nothing;
           ${CONSOLE_USAGE}
  genealogy  what the drawing of a genealogy takes of a frame in Chromium, and of the hub
  hostile  how long the largest and the worst bodies hold the event loop;
           ${HOSTILE_USAGE}
  import   CSV import beside batches; memory of a 500 MB file
  log-ins  posts to the hub and to a group while people log in, both services in one process;
           ${LOG_INS_USAGE}
  lots     genealogy, search and posts on a generated hub;
           ${CHAIN_USAGE}
  notify   posts, streams, deliveries, a large inbox and a real browser of the notification service;
           ${NOTIFY_USAGE}
  pages    the page of a lot behind the cache of nginx, beside a file that nginx serves
  peers    single posts beside services of others that keep less, by turns (needs Go);
           ${PEERS_USAGE}
  proofs   what the public log costs posts, proofs and evidence, and how its tree is built;
           ${PROOFS_USAGE}
  read     every GET of the interface, start and memory at 1,000,000 blocks beside 1,000;
           ${READ_USAGE}
  recall   simulations, cases, late events, notices and posts on a generated hub;
           ${CHAIN_USAGE}
  verify   verification beside a bare loop of reading and hashing
  witness  posts beside rounds with five witnesses, one of them hanging; how long a round takes;
           processor time of a witness of 1,000 logs

With --engine postgres a benchmark starts a PostgreSQL of its own, on the disk that SQLite writes to,
and measures both engines in the same run: append with posts over so many processes of the service,
lots and read with the same ledger, moved over; console, proofs and recall measure that engine alone.

With --record the figures are written into docs/performance.md, in the place of this command, with
version, commit and date.

Example: npm run bench -- append --engine postgres --processes 2`;

const RECORD = '--record';
const given = process.argv.slice(2);
const [name, ...args] = given.filter((arg) => arg !== RECORD);
const bench = name === undefined ? undefined : BENCHES[name];
if (name === '--help' || args.includes('--help')) {
  console.log(USAGE);
} else if (bench === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const command = formatCommand([name ?? '', ...args]);
  const isRecorded = given.includes(RECORD);
  if (isRecorded) requirePlace(command);
  await bench(args);
  if (isRecorded) await recordFigures(command, printed);
}
