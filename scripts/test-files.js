// Which test files run on which database engine. Those of the services run once on SQLite and once on
// PostgreSQL; the few that are about one engine alone are named here, with why.
// A file that does not import what gives tests their database says the same on both, and runs once.
// Plain JavaScript without dependencies: `npm test` asks before anything is installed.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

const TRACEABILITY = 'services/traceability';
const NOTIFICATIONS = 'services/notifications';

/** What gives tests their database: through them alone can a test of a service depend on the engine. */
const ENGINE_FILES = [`${NOTIFICATIONS}/test/engine.ts`, `${TRACEABILITY}/test/engine.ts`];

/** @typedef {'sqlite' | 'postgres'} Engine */

/**
 * Files that make sense on one engine only.
 *
 * @type {readonly { readonly file: string, readonly engine: Engine, readonly because: string }[]}
 */
export const ONE_ENGINE_FILES = [
  {
    file: `${TRACEABILITY}/src/dashboard/plans.test.ts`,
    engine: 'sqlite',
    because: 'asserts the plans of queries in the words of SQLite',
  },
  {
    file: `${TRACEABILITY}/src/explorer/plans.test.ts`,
    engine: 'sqlite',
    because: 'asserts the plans of queries in the words of SQLite',
  },
  {
    file: `${TRACEABILITY}/src/ledger/sqlite/verifier/plans.test.ts`,
    engine: 'sqlite',
    because: 'asserts the plans of queries in the words of SQLite',
  },
  {
    file: `${TRACEABILITY}/test/crash/disk-sqlite.test.ts`,
    engine: 'sqlite',
    because: 'is about a disk that refuses to write the database file',
  },
  {
    file: `${TRACEABILITY}/test/cli/rebuild-sqlite.test.ts`,
    engine: 'sqlite',
    because: 'is about foreign keys and the index over texts of SQLite',
  },
  {
    file: `${TRACEABILITY}/test/processes/standby-reads.test.ts`,
    engine: 'postgres',
    because: 'SQLite has no standby',
  },
  {
    file: `${TRACEABILITY}/test/tampering/file.test.ts`,
    engine: 'sqlite',
    because: 'changes the bytes of the database file',
  },
  {
    file: `${TRACEABILITY}/test/privacy/erase-bytes.test.ts`,
    engine: 'sqlite',
    because: 'looks through the bytes of the database file',
  },
  {
    file: `${TRACEABILITY}/test/cli/backup.test.ts`,
    engine: 'sqlite',
    because: 'copies the database file; PostgreSQL has tools of its own for that',
  },
  {
    file: `${TRACEABILITY}/test/cli/postgres.test.ts`,
    engine: 'postgres',
    because: 'is about the address of a server',
  },
  {
    file: `${TRACEABILITY}/test/clock/clock-processes.test.ts`,
    engine: 'postgres',
    because: 'takes several processes over one database',
  },
  {
    file: `${TRACEABILITY}/test/processes/restore-lost-blocks.test.ts`,
    engine: 'postgres',
    because: 'takes several processes over one database',
  },
  {
    file: `${TRACEABILITY}/test/tampering/verifier-processes.test.ts`,
    engine: 'postgres',
    because: 'takes several processes over one database',
  },
  {
    file: `${TRACEABILITY}/src/ledger/postgres/verifier/plans.test.ts`,
    engine: 'postgres',
    because: 'asserts the plans of queries in the words of PostgreSQL',
  },
  {
    file: `${TRACEABILITY}/src/ledger/postgres/tip-follower.test.ts`,
    engine: 'postgres',
    because: 'is about a part of that engine',
  },
  {
    file: `${TRACEABILITY}/src/lots/plans.test.ts`,
    engine: 'sqlite',
    because: 'asserts the plans of queries in the words of SQLite',
  },
  {
    file: `${TRACEABILITY}/src/lots/list-search-index.test.ts`,
    engine: 'sqlite',
    because: 'sets back the index of the search, which is never behind on PostgreSQL',
  },
  {
    file: `${TRACEABILITY}/test/pages/pages-browser.test.ts`,
    engine: 'sqlite',
    because: 'looks at pages in a browser, which come out the same on both',
  },
  {
    file: `${NOTIFICATIONS}/test/crash/disk-postgres.test.ts`,
    engine: 'postgres',
    because: 'is about a server that refuses to write',
  },
  {
    file: `${NOTIFICATIONS}/test/crash/disk-sqlite.test.ts`,
    engine: 'sqlite',
    because: 'is about a disk that refuses to write the database file',
  },
  {
    file: `${NOTIFICATIONS}/test/stream/feed-processes.test.ts`,
    engine: 'postgres',
    because: 'is about several processes over one database',
  },
  {
    file: `${NOTIFICATIONS}/test/pages/pages-browser.test.ts`,
    engine: 'sqlite',
    because: 'looks at pages in a browser, which come out the same on both',
  },
  {
    file: `${NOTIFICATIONS}/test/pages/pages-sight.test.ts`,
    engine: 'sqlite',
    because: 'looks at pages in a browser, which come out the same on both',
  },
  {
    file: `${TRACEABILITY}/test/processes/processes-together.test.ts`,
    engine: 'postgres',
    because: 'is about several processes over one database',
  },
  {
    file: `${TRACEABILITY}/test/recall/processes.test.ts`,
    engine: 'postgres',
    because: 'is about several processes over one database',
  },
  {
    file: `${TRACEABILITY}/test/processes/store-processes.test.ts`,
    engine: 'postgres',
    because: 'is about several processes over one database',
  },
  {
    file: `${TRACEABILITY}/test/processes/processes-chaos.test.ts`,
    engine: 'postgres',
    because: 'kills PostgreSQL, the ways to it, and processes over it',
  },
  {
    file: `${TRACEABILITY}/test/processes/processes-failover.test.ts`,
    engine: 'postgres',
    because: 'promotes a standby of PostgreSQL',
  },
];

/** Folders whose tests know no engine of a run: they run once, beside SQLite. */
const BESIDE = [
  { folder: 'host', ends: '.test.ts' },
  { folder: 'scripts', ends: '.test.js' },
  { folder: 'packages', ends: '.test.ts' },
];

/**
 * The files that a run on this engine consists of, as paths from the root.
 *
 * @param {Engine} engine
 * @param {string} root the repository
 * @returns {readonly string[]}
 */
export function testFilesOn(engine, root) {
  const elsewhere = new Set(
    ONE_ENGINE_FILES.filter((entry) => entry.engine !== engine).map(({ file }) => file),
  );
  const beside = engine === 'sqlite' ? BESIDE : [];
  const files = [...beside, { folder: 'services', ends: '.test.ts' }]
    .flatMap((place) => filesIn(root, place))
    .filter((file) => !elsewhere.has(file));
  if (engine === 'sqlite') return files;
  const named = new Set(ONE_ENGINE_FILES.map(({ file }) => file));
  return files.filter((file) => named.has(file) || knowsEngine(file, root));
}

/**
 * Whether a test file imports one of {@link ENGINE_FILES}, itself or through others.
 *
 * @param {string} file path from the root
 * @param {string} root the repository
 */
export function knowsEngine(file, root) {
  const reached = new Set([file]);
  // A Set also gives what is added to it while it is gone through.
  for (const path of reached) {
    if (ENGINE_FILES.includes(path)) return true;
    for (const imported of importsOf(path, root)) reached.add(imported);
  }
  return false;
}

/** The files of this repository that one imports by their paths, static and dynamic. */
function importsOf(file, root) {
  const text = readFileSync(join(root, file), 'utf8');
  const paths = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.[jt]s)'/g)].map(
    ([, path]) => posix.join(posix.dirname(file), path),
  );
  // What a test holds as a text may look like an import.
  return paths.filter((path) => existsSync(join(root, path)));
}

function filesIn(root, { folder, ends }) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith(ends) && !path.includes('/node_modules/'))
    .sort();
}
