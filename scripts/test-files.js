// Which test files run on which database engine. Those of the services and of people run once on SQLite and
// once on PostgreSQL; the few that are about one engine alone are named here, with why. test-files-long.js names
// those that wait for the long run.
// A file that does not import what gives tests their database says the same on both, and runs once.
// Plain JavaScript without dependencies: `npm test` asks before anything is installed.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import { LONG_ALONE, LONG_ON_POSTGRES, LONG_ON_SQLITE, SQLITE_ALONE } from './test-files-long.js';

const TRACEABILITY = 'services/traceability';
const NOTIFICATIONS = 'services/notifications';
const PEOPLE = 'packages/people';

/** What gives tests their database: through them alone can a test of a service depend on the engine. */
const ENGINE_FILES = [NOTIFICATIONS, PEOPLE, TRACEABILITY].map(
  (owner) => `${owner}/test/engine.ts`,
);

/** @typedef {'sqlite' | 'postgres'} Engine */

/**
 * Files that make sense on one engine only, by engine and reason.
 *
 * @type {readonly { readonly engine: Engine, readonly because: string, readonly files: readonly string[] }[]}
 */
export const ONE_ENGINE = [
  {
    engine: 'sqlite',
    because: 'asserts the plans of queries in the words of SQLite',
    files: [
      `${TRACEABILITY}/src/dashboard/plans.test.ts`,
      `${TRACEABILITY}/src/events/plans.test.ts`,
      `${TRACEABILITY}/src/explorer/plans.test.ts`,
      `${TRACEABILITY}/src/ledger/sqlite/verifier/plans.test.ts`,
      `${TRACEABILITY}/src/lots/plans.test.ts`,
    ],
  },
  {
    engine: 'sqlite',
    because: 'copies from SQLite to a server of its own, whatever the engine of the run is',
    files: [`${TRACEABILITY}/test/cli/copy-to-postgres.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'asserts the plans of PostgreSQL, on a server of its own',
    files: [`${TRACEABILITY}/test/contract/plans.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'asks both engines, with a server of its own, whatever the engine of the run is',
    files: [`${TRACEABILITY}/test/contract/queries.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'is about a disk that refuses to write the database file',
    files: [
      `${TRACEABILITY}/test/crash/disk-sqlite.test.ts`,
      `${NOTIFICATIONS}/test/crash/disk-sqlite.test.ts`,
    ],
  },
  {
    engine: 'sqlite',
    because: 'is about foreign keys and the index over texts of SQLite',
    files: [`${TRACEABILITY}/test/cli/rebuild-sqlite.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'SQLite has no standby',
    files: [`${TRACEABILITY}/test/processes/standby-reads.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'changes the bytes of the database file',
    files: [`${TRACEABILITY}/test/tampering/file.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'looks through the bytes of the database file',
    files: [`${TRACEABILITY}/test/privacy/erase-bytes.test.ts`],
  },
  {
    engine: 'sqlite',
    because:
      'puts database files in place of others; what notices it is the same above both engines',
    files: [
      `${TRACEABILITY}/test/log/attacks.test.ts`,
      `${TRACEABILITY}/test/log/attacks-witnessed.test.ts`,
    ],
  },
  {
    engine: 'postgres',
    because:
      'cuts the tail on a server, under several processes; attacks.test.ts does so on SQLite',
    files: [`${TRACEABILITY}/test/log/attacks-server.test.ts`],
  },
  {
    engine: 'sqlite',
    because:
      'kills a hub between rounds of witnesses; what it keeps of them is written as all else is, which crash.test.ts kills on both',
    files: [`${TRACEABILITY}/test/witnessing/rounds-killed.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'copies the database file; PostgreSQL has tools of its own for that',
    files: [`${TRACEABILITY}/test/cli/backup.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'moves from SQLite to a server of its own, whatever the engine of the run is',
    files: [`${TRACEABILITY}/test/cli/migrate.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'is about the address of a server',
    files: [`${TRACEABILITY}/test/cli/postgres.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'is about several processes over one database',
    files: [
      `${TRACEABILITY}/test/audit/processes.test.ts`,
      `${TRACEABILITY}/test/clock/clock-processes.test.ts`,
      `${TRACEABILITY}/test/witnessing/rounds-processes.test.ts`,
      `${TRACEABILITY}/test/processes/timestamp-processes.test.ts`,
      `${TRACEABILITY}/test/processes/restore-lost-blocks.test.ts`,
      `${TRACEABILITY}/test/tampering/verifier-processes.test.ts`,
      `${TRACEABILITY}/test/watching/processes.test.ts`,
      `${NOTIFICATIONS}/test/stream/feed-processes.test.ts`,
      `${TRACEABILITY}/test/console/imports/import-processes.test.ts`,
      `${TRACEABILITY}/test/processes/processes-together.test.ts`,
      `${TRACEABILITY}/test/recall/processes.test.ts`,
      `${TRACEABILITY}/test/processes/store-processes.test.ts`,
    ],
  },
  {
    engine: 'postgres',
    because: 'asserts the plans of queries in the words of PostgreSQL',
    files: [`${TRACEABILITY}/src/ledger/postgres/verifier/plans.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'is about a part of that engine',
    files: [`${TRACEABILITY}/src/ledger/postgres/tip-follower.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'sets back the index of the search, which is never behind on PostgreSQL',
    files: [`${TRACEABILITY}/src/lots/list-search-index.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'looks at pages in a browser, which come out the same on both',
    files: [
      `${TRACEABILITY}/test/console/cases/story.test.ts`,
      `${TRACEABILITY}/test/console/genealogy/story.test.ts`,
      `${TRACEABILITY}/test/console/imports/story.test.ts`,
      `${TRACEABILITY}/test/console/lots/story.test.ts`,
      `${TRACEABILITY}/test/console/profile/story.test.ts`,
      `${TRACEABILITY}/test/console/record/story.test.ts`,
      `${TRACEABILITY}/test/console/rows/story.test.ts`,
      `${TRACEABILITY}/test/console/simulation/story.test.ts`,
      `${TRACEABILITY}/test/console/today/story.test.ts`,
      `${TRACEABILITY}/test/console/webhooks/story.test.ts`,
      `${TRACEABILITY}/test/console/sign-on-story.test.ts`,
      `${TRACEABILITY}/test/console/stories.test.ts`,
      `${TRACEABILITY}/test/pages/explorer-browser.test.ts`,
      `${TRACEABILITY}/test/pages/lot-story.test.ts`,
      `${TRACEABILITY}/test/pages/package-browser.test.ts`,
      `${TRACEABILITY}/test/pages/pages-browser.test.ts`,
      `${NOTIFICATIONS}/test/pages/items-browser.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-browser.test.ts`,
      `${NOTIFICATIONS}/test/devices/app-story.test.ts`,
      `${NOTIFICATIONS}/test/devices/install-story.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-sight.test.ts`,
    ],
  },
  {
    engine: 'sqlite',
    because: 'looks at pages in Chromium; mail.test.ts and device.test.ts ask the same on both',
    files: [`${TRACEABILITY}/test/watching/story.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'is about a server that refuses to write',
    files: [`${NOTIFICATIONS}/test/crash/disk-postgres.test.ts`],
  },
  {
    engine: 'sqlite',
    because: 'is about who is let in, and compares all rows of the database files',
    files: [`${NOTIFICATIONS}/test/people/route-walk.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'kills PostgreSQL, the ways to it, and processes over it',
    files: [`${TRACEABILITY}/test/processes/processes-chaos.test.ts`],
  },
  {
    engine: 'postgres',
    because: 'promotes a standby of PostgreSQL',
    files: [`${TRACEABILITY}/test/processes/processes-failover.test.ts`],
  },
];

const ENGINE_OF = new Map(
  ONE_ENGINE.flatMap(({ engine, files }) => files.map((file) => [file, engine])),
);

/**
 * Files that get a process of their own: they change the process, or measure it.
 *
 * @type {readonly { readonly file: string, readonly because: string }[]}
 */
export const OWN_PROCESS_FILES = [];

/** Folders whose tests know no engine of a run: they run once, beside SQLite. */
const RUN_ONCE = [
  { folder: 'bench', ends: '.test.ts' },
  { folder: 'tidy', ends: '.test.ts' },
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
  // On SQLite all packages run.
  const beside = engine === 'sqlite' ? RUN_ONCE : [{ folder: PEOPLE, ends: '.test.ts' }];
  const files = [...beside, { folder: 'services', ends: '.test.ts' }]
    .flatMap((place) => filesIn(root, place))
    .filter((file) => engineFor(file, engine) === engine);
  if (engine === 'sqlite') return files;
  const imports = new Imports(root);
  return files.filter((file) => ENGINE_OF.has(file) || knowsEngine(file, root, imports));
}

/**
 * Whether a test file imports one of {@link ENGINE_FILES}, itself or through others.
 *
 * @param {string} file path from the root
 * @param {string} root the repository
 */
export function knowsEngine(file, root, imports = new Imports(root)) {
  const reached = imports.reachedFrom(file);
  return ENGINE_FILES.some((path) => reached.has(path));
}

/**
 * The engine that a file runs on when it is named: the one that is asked for, unless it makes sense on
 * another one alone.
 *
 * @param {string} file path from the root
 * @param {Engine} engine
 * @returns {Engine}
 */
export function engineFor(file, engine) {
  return ENGINE_OF.get(file) ?? engine;
}

/**
 * What the runner needs to know of a test file.
 *
 * @param {string} file path from the root
 * @param {Engine} engine
 * @param {{ isOnlyAdded?: boolean }} options whether of its tests only those run that
 *   the long run adds
 * @returns {import('./test-run/pool.js').FileTask}
 */
export function fileTask(file, engine, { isOnlyAdded = false } = {}) {
  const isAlone = OWN_PROCESS_FILES.some((entry) => entry.file === file);
  return { kind: 'file', file, engine, isAlone, isOnlyAdded };
}

/**
 * Whether a file belongs to `npm test`; CONTRIBUTING.md says which tests are long.
 *
 * @param {string} file path from the root
 * @param {Engine} engine
 */
export function isUsualFile(file, engine) {
  return !isOnlyLong(file, engine) && !isLeftOut(file, engine);
}

/**
 * Whether a file belongs to the long run: it runs nowhere else, or plays more there: rounds, which it
 * takes from `rounds.ts` of the kit, or on PostgreSQL the tests of `above-engines.ts`.
 *
 * @param {string} file path from the root
 * @param {Engine} engine
 * @param {string} root the repository
 */
export function isLongFile(file, engine, root) {
  if (isLeftOut(file, engine)) return false;
  if (isOnlyLong(file, engine)) return true;
  const text = readFileSync(join(root, file), 'utf8');
  return PLAYS_MORE[engine].test(text);
}

/**
 * Whether the long run differs from `npm test` in whole tests of a file alone: it need not play the others again.
 *
 * @param {string} file path from the root, as of {@link isLongFile}
 * @param {Engine} engine
 * @param {string} root the repository
 */
export function addsWholeTests(file, engine, root) {
  if (!isUsualFile(file, engine)) return false;
  return !PLAYS_OTHERWISE.test(readFileSync(join(root, file), 'utf8'));
}

/** What else the kit's rounds.ts gives. */
const PLAYS_OTHERWISE = /\b(?:chooseRounds|isLongRun)\b/;

const PLAYS_MORE = {
  sqlite: /\bfrom '[^']*\/rounds(?:\.ts)?'/,
  postgres: /\bfrom '[^']*\/(?:rounds|above-engines)(?:\.ts)?'/,
};

function isOnlyLong(file, engine) {
  if (file.endsWith('.long.test.ts') || LONG_ONES.has(file)) return true;
  return engine === 'postgres' && LONG_ON_POSTGRES_ONES.has(file);
}

/** Whether a file runs on this engine only when it is named. */
function isLeftOut(file, engine) {
  return engine === 'postgres' && LEFT_OUT.has(file);
}

const LONG_ONES = namedIn([...LONG_ALONE, ...LONG_ON_SQLITE]);
const LONG_ON_POSTGRES_ONES = namedIn(LONG_ON_POSTGRES);
const LEFT_OUT = namedIn([...SQLITE_ALONE, ...LONG_ON_SQLITE]);

function namedIn(list) {
  return new Set(list.flatMap(({ files }) => files));
}

/** A word or path that leads to no test file. */
export class UnknownSubject extends Error {}

/**
 * The test files of a subject: those in a folder of that name, at any depth, and those whose name
 * begins with it (`recall` is `src/recall/…` and `recall-cases.test.ts`).
 *
 * @param {string} word
 * @param {readonly string[]} files the test files to choose from, as of {@link testFilesOn}
 * @returns {readonly string[]}
 * @throws {UnknownSubject} listing the subjects
 */
export function filesOfSubject(word, files) {
  const found = files.filter((file) => isOfSubject(file, word));
  if (found.length > 0) return found;

  const subjects = [...new Set(files.flatMap(listSubjects))].sort();
  throw new UnknownSubject(
    `No tests are about "${word}". The subjects are: ${subjects.join(', ')}. A path holds a "/" ` +
      'or a ".": `npm test -- --help` shows both.',
  );
}

function isOfSubject(file, word) {
  const [name, ...folders] = file.split('/').reverse();
  return folders.includes(word) || toStem(name) === word || name.startsWith(`${word}-`);
}

/** What a listing names: the folders of a file, and the first word of its name. */
function listSubjects(file) {
  const [name, ...folders] = file.split('/').reverse();
  const [first] = toStem(name).split('-');
  return [...folders, first].filter((subject) => !EVERYWHERE.has(subject));
}

/** Folders that are about no subject. */
const EVERYWHERE = new Set(['src', 'test', 'packages', 'services']);

function toStem(name) {
  return name.replace(/(\.long)?\.test\.[jt]s$/, '');
}

/**
 * The test files that concern changed files: those that reach one by imports or are one themselves.
 * A changed file that no test reaches, such as a page's style, concerns the tests of its nearest
 * folder that has some.
 *
 * @param {readonly string[]} changed paths from the root
 * @param {readonly string[]} files the test files to choose from
 * @param {string} root the repository
 * @returns {readonly string[]}
 */
export function filesReaching(changed, files, root) {
  const imports = new Imports(root);
  const reaches = new Map(files.map((file) => [file, imports.reachedFrom(file)]));
  const found = changed.flatMap((path) => {
    const importing = files.filter((file) => reaches.get(file).has(path));
    return importing.length > 0 ? importing : testsNear(path, files);
  });
  return [...new Set(found)];
}

function testsNear(path, files) {
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    const near = files.filter((file) => file.startsWith(`${folder}/`));
    if (near.length > 0) return near;
  }
  return [];
}

/** What leads to what, each file read once. */
export class Imports {
  #root;
  #importsOf = new Map();

  constructor(root) {
    this.#root = root;
  }

  /** Every file that one leads to, and the file itself. */
  reachedFrom(file) {
    const reached = new Set([file]);
    // A Set also gives what is added to it while it is gone through.
    for (const path of reached) {
      for (const imported of this.#of(path)) reached.add(imported);
    }
    return reached;
  }

  #of(file) {
    const known = this.#importsOf.get(file);
    if (known !== undefined) return known;

    const text = readFileSync(join(this.#root, file), 'utf8');
    const paths = [...text.matchAll(QUOTED_PATH)].map(([, path]) =>
      path.startsWith('.') ? posix.join(posix.dirname(file), path) : pathInPackage(path),
    );
    // What a test holds as a text may look like an import.
    const imports = paths.filter(
      (path) => /\.[jt]s$/.test(path) && existsSync(join(this.#root, path)),
    );
    this.#importsOf.set(file, imports);
    return imports;
  }
}

/** A file that another one imports, or starts by its address as a thread or process. */
const QUOTED_PATH = /'(\.{1,2}\/[^'\n]+|@lothub\/[^'\n]+)'/g;

/** `@lothub/kit/test/engine` is packages/kit/test/engine.ts, `@lothub/kit/clock` …/src/clock.ts. */
function pathInPackage(specifier) {
  const [, name, ...rest] = specifier.split('/');
  const folder = rest[0] === 'test' ? [] : ['src'];
  return [`packages/${name}`, ...folder, ...(rest.length > 0 ? rest : ['index'])].join('/') + '.ts';
}

function filesIn(root, { folder, ends }) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith(ends) && !path.includes('/node_modules/'))
    .sort();
}
