// Imports point down only: host, bin, server, capabilities' routes, rules and queries, the rooms that
// capabilities share, kit, chain. Each rule below is one wall of that house; a test prints every import
// that goes through one.

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';

import { assertNone, finding, isTest, isTypeScript, readSources } from './repository.ts';
import type { Source } from './repository.ts';
import { listEdges, type Edge } from './syntax.ts';

/** The place of a file; `room` is the folder under src, or the file itself when it is in none. */
type Place = {
  readonly room: string;
  readonly isSource: boolean;
  readonly layer: 'routes' | 'queries' | 'other';
};

/** The room that puts both services into one process. */
const HOST = 'host';

type Wall = { readonly rule: string; readonly isBrokenBy: (edge: Edge) => boolean };

/** Rooms of a service that are no capability of it. */
const LEDGER = 'ledger';
const LOTS = 'lots';
const STORE = 'store';
/** What the capabilities of a service share, of either service. */
const SHARED_ROOMS = new Set([LEDGER, LOTS, STORE, 'feed', 'access']);
const NOT_CAPABILITIES = new Set([...SHARED_ROOMS, 'schema', 'web', 'cli']);

/** What the host may know of a service: how it is set, and how it is served and operated. */
const SEEN_BY_HOST = new Set(['settings.ts', 'cli']);

/** What puts the routes of a service together: of the open one, and of the one that is starting. */
const ROUTES_TOGETHER = new Set(['server.ts', 'starting.ts']);

const ENGINES = [/\bsqlite\b/, /\bpostgres\b|^npm:pg\b/];
/** Where an engine is chosen, or one is left for the other; all else sees only the seam. */
const NAME_BOTH_ENGINES = new Set([
  'bench/notify/one-by-one.ts',
  'packages/people/src/store/copy-to-postgres.ts',
  'packages/people/src/store/open-store.ts',
  'packages/kit/src/cli/schema-state.ts',
  'packages/people/src/store/schema.ts',
  'services/notifications/src/store/open-store.ts',
  'services/notifications/src/store/schema.ts',
  'services/traceability/src/cli/migrate.ts',
  'services/traceability/src/ledger/operate/copy-to-postgres.ts',
  'services/traceability/src/ledger/operate/open-operated.ts',
  'services/traceability/src/ledger/operate/open-rebuild.ts',
  'services/traceability/src/ledger/open-store.ts',
  'services/traceability/src/ledger/schema.ts',
]);

const WALLS: readonly Wall[] = [
  {
    rule: 'the chain package imports nothing but itself',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/chain' && findOwner(to) !== findOwner(from),
  },
  {
    rule: 'what is published of the verify package imports only itself and the chain package',
    isBrokenBy: ({ from, to }) =>
      /^packages\/verify\/(?:src|page)\//.test(from) &&
      !['packages/verify', 'packages/chain'].includes(findOwner(to)),
  },
  {
    rule: 'the package of private keys imports only the chain package and Node',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/note-key' &&
      !['packages/note-key', 'packages/chain', 'node'].includes(findOwner(to)),
  },
  {
    rule: 'the package of languages imports nothing but itself',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/languages' && findOwner(to) !== findOwner(from),
  },
  {
    rule: 'the witness imports only the packages below it',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/witness' &&
      ![
        ...['packages/witness', 'packages/note-key', 'packages/kit', 'packages/chain'],
        ...['npm', 'node'],
      ].includes(findOwner(to)),
  },
  {
    rule: 'kit imports only the chain package and packages from npm',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/kit' &&
      !['packages/kit', 'packages/chain', 'npm', 'node'].includes(findOwner(to)),
  },
  {
    rule: 'the design of pages imports only kit and packages from npm',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/design' &&
      !['packages/design', 'packages/kit', 'npm', 'node'].includes(findOwner(to)),
  },
  {
    rule: 'people import only kit, design, languages and packages from npm',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/people' &&
      ![
        ...['packages/people', 'packages/kit', 'packages/design', 'packages/languages'],
        ...['npm', 'node'],
      ].includes(findOwner(to)),
  },
  {
    rule: 'what delivers imports only kit and packages from npm',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === 'packages/delivery' &&
      !['packages/delivery', 'packages/kit', 'npm', 'node'].includes(findOwner(to)),
  },
  {
    rule: 'a service does not import another service',
    isBrokenBy: ({ from, to }) =>
      isService(from) && isService(to) && findOwner(from) !== findOwner(to),
  },
  {
    rule: 'other packages are imported by name, not by a path into them',
    isBrokenBy: ({ from, to, specifier }) =>
      specifier.startsWith('.') &&
      isPackage(from) &&
      isPackage(to) &&
      findOwner(from) !== findOwner(to),
  },
  {
    rule: 'the host is above all: nothing imports it',
    isBrokenBy: ({ from, to }) => findOwner(to) === HOST && findOwner(from) !== HOST,
  },
  {
    rule: 'the host sees settings and command line of a service alone',
    isBrokenBy: ({ from, to }) =>
      findOwner(from) === HOST && isService(to) && !SEEN_BY_HOST.has(toPlace(to).room),
  },
  {
    rule: 'rooms that capabilities share import no capability',
    isBrokenBy: ({ from, to }) =>
      isWithinOneSource(from, to) &&
      SHARED_ROOMS.has(toPlace(from).room) &&
      isCapability(toPlace(to)),
  },
  {
    rule: 'the ledger is below lots',
    isBrokenBy: ({ from, to }) =>
      isWithinOneSource(from, to) && toPlace(from).room === LEDGER && toPlace(to).room === LOTS,
  },
  {
    rule: 'the store is below access',
    isBrokenBy: ({ from, to }) =>
      isWithinOneSource(from, to) && toPlace(from).room === STORE && toPlace(to).room === 'access',
  },
  {
    rule: 'routes and queries of a capability are its own',
    isBrokenBy: ({ from, to }) =>
      isWithinOneSource(from, to) &&
      isCapability(toPlace(from)) &&
      toPlace(from).room !== toPlace(to).room &&
      (toPlace(to).layer === 'routes' ||
        (toPlace(to).layer === 'queries' && isCapability(toPlace(to)))),
  },
  {
    rule: 'rules and queries do not import routes',
    isBrokenBy: ({ from, to }) =>
      isWithinOneSource(from, to) &&
      toPlace(to).layer === 'routes' &&
      toPlace(from).layer !== 'routes' &&
      !ROUTES_TOGETHER.has(toPlace(from).room),
  },
  {
    rule: 'only bin, the command line and tests import the server',
    isBrokenBy: ({ from, to }) =>
      isService(to) &&
      toPlace(to).room === 'server.ts' &&
      toPlace(from).isSource &&
      toPlace(from).room !== 'cli',
  },
];

function findBrokenWalls(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ path }) => !isTest(path))
    .flatMap((source) =>
      listEdges(source).flatMap((edge) =>
        WALLS.filter(({ isBrokenBy }) => isBrokenBy(edge)).map(({ rule }) =>
          finding(source, edge.index, `imports ${edge.to}, but ${rule}`),
        ),
      ),
    );
}

function findBothEngines(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ path }) => !isTest(path) && !NAME_BOTH_ENGINES.has(path))
    .filter((source) => {
      const targets = listEdges(source).map(({ to }) => to);
      return ENGINES.every((engine) => targets.some((target) => engine.test(target)));
    })
    .map(({ path }) => `${path}:1: imports both engines; see NAME_BOTH_ENGINES`);
}

/** "packages/kit", "services/traceability", "npm", "node", or the first folder of any other path. */
function findOwner(path: string): string {
  if (path.startsWith('npm:') || path.startsWith('node:')) return path.slice(0, path.indexOf(':'));
  const [top = '', name = ''] = path.split('/');
  return top === 'packages' || top === 'services' ? `${top}/${name}` : top;
}

function toPlace(path: string): Place {
  const [, , src, room = ''] = path.split('/');
  const layer = /\b(routes|queries)\b/.exec(basename(path))?.[1];
  return {
    room,
    isSource: src === 'src',
    layer: layer === 'routes' || layer === 'queries' ? layer : 'other',
  };
}

function isPackage(path: string): boolean {
  return findOwner(path).includes('/') || findOwner(path) === HOST;
}

function isService(path: string): boolean {
  return path.startsWith('services/');
}

function isWithinOneSource(from: string, to: string): boolean {
  return (
    isService(from) &&
    findOwner(from) === findOwner(to) &&
    toPlace(from).isSource &&
    toPlace(to).isSource
  );
}

function isCapability({ room }: Place): boolean {
  return !NOT_CAPABILITIES.has(room) && !room.endsWith('.ts');
}

const sources = readSources(
  (path) => isTypeScript(path) && /^(packages|services|host|bench)\//.test(path),
);

test('every import points down', () => {
  const findings = findBrokenWalls(sources);

  assertNone(findings);
});

test('few files know that there are two engines', () => {
  const findings = findBothEngines(sources);

  assertNone(findings);
});

const SERVICE = 'services/traceability';

const BREAKS = [
  ['packages/chain/src/a.ts', "import { hash } from 'node:crypto';"],
  ['packages/chain/src/a.ts', "import type { Clock } from '@lothub/kit/clock';"],
  ['packages/verify/src/a.ts', "import { hash } from 'node:crypto';"],
  ['packages/verify/page/a.ts', "import { html } from '@lothub/kit/html';"],
  ['packages/note-key/src/a.ts', "import { x } from '@lothub/kit/present';"],
  ['packages/witness/src/a.ts', "import { x } from '@lothub/traceability/settings';"],
  ['packages/kit/src/a.ts', "import { x } from '@lothub/traceability/settings';"],
  ['packages/design/src/a.ts', "import { x } from '@lothub/traceability/settings';"],
  ['packages/people/src/a.ts', "import { x } from '@lothub/notifications/settings';"],
  ['packages/people/src/a.ts', "import { hash } from '@lothub/chain';"],
  ['packages/delivery/src/a.ts', "import { x } from '@lothub/notifications/settings';"],
  ['services/notifications/src/a.ts', "import { x } from '@lothub/traceability/settings';"],
  ['services/notifications/src/store/a.ts', "import { x } from '../groups/groups.ts';"],
  ['services/notifications/src/feed/a.ts', "import { x } from '../stream/frames.ts';"],
  ['services/notifications/src/access/a.ts', "import { x } from '../people/accounts.ts';"],
  ['services/notifications/src/store/a.ts', "import { x } from '../access/person.ts';"],
  ['host/src/a.ts', "import { x } from '@lothub/traceability/server';"],
  ['host/src/a.ts', "import { x } from '@lothub/notifications/store/store';"],
  ['host/src/a.ts', "import { x } from '../../services/traceability/src/settings.ts';"],
  ['bench/a.ts', "import { x } from '@lothub/host/serve';"],
  [`${SERVICE}/src/cli/a.ts`, "import { x } from '@lothub/host/serve';"],
  [`${SERVICE}/src/events/routes.ts`, "import { x } from '../../../../packages/kit/src/clock.ts';"],
  [`${SERVICE}/src/ledger/append.ts`, "import { x } from '../events/rules.ts';"],
  [`${SERVICE}/src/lots/queries.ts`, "export { x } from '../recall/rules.ts';"],
  [`${SERVICE}/src/ledger/append.ts`, "import type { Lot } from '../lots/lot.ts';"],
  [`${SERVICE}/src/recall/routes.ts`, "import { x } from '../events/queries.ts';"],
  [`${SERVICE}/src/recall/rules.ts`, "const x = await import('../events/event-queries.ts');"],
  [`${SERVICE}/src/recall/routes.ts`, "import { x } from '../lots/routes.ts';"],
  [`${SERVICE}/src/recall/rules.ts`, "import { x } from './routes.ts';"],
  [`${SERVICE}/src/recall/routes.ts`, "import { x } from '../server.ts';"],
  [`${SERVICE}/src/recall/a.ts`, "new Worker(new URL('../server.ts', import.meta.url));"],
] as const;

for (const [path, text] of BREAKS) {
  test(`the import in ${path} is found: ${text}`, () => {
    const findings = findBrokenWalls([{ path, text }]);

    assert.notDeepEqual(findings, []);
  });
}

const ALLOWED = [
  ['host/src/a.ts', "import { x } from '@lothub/traceability/cli/serve';"],
  ['host/src/a.ts', "import { x } from '@lothub/notifications/settings';"],
  ['host/bin/a.ts', "import { x } from '../src/program.ts';"],
  ['services/notifications/src/groups/a.ts', "import { x } from '../feed/feed-queries.ts';"],
  ['packages/chain/src/a.ts', "import { b } from './b.ts';"],
  ['packages/chain/src/a.test.ts', "import { hash } from 'node:crypto';"],
  ['packages/verify/src/a.ts', "import { leafHash } from '@lothub/chain/log';"],
  ['packages/verify/pack/a.ts', "import { hash } from 'node:crypto';"],
  ['packages/note-key/src/a.ts', "import { sign } from 'node:crypto';"],
  ['packages/witness/src/a.ts', "import { x } from '@lothub/kit/clock';"],
  ['packages/people/src/a.ts', "import { x } from '@lothub/design/icons';"],
  ['packages/delivery/src/a.ts', "import { x } from '@lothub/kit/database';"],
  ['services/notifications/src/access/a.ts', "import { x } from '@lothub/people/people';"],
  ['host/src/a.ts', "import { x } from '@lothub/people/shared-people';"],
  ['packages/kit/src/a.ts', "import { verify } from '@lothub/chain'; import pino from 'pino';"],
  [`${SERVICE}/src/recall/routes.ts`, "import { x } from './queries.ts';"],
  [`${SERVICE}/src/recall/routes.ts`, "import { x } from '../events/rules.ts';"],
  [`${SERVICE}/src/recall/routes.ts`, "import { x } from '../lots/queries.ts';"],
  [`${SERVICE}/src/lots/queries.ts`, "import { x } from '../ledger/read.ts';"],
  [`${SERVICE}/src/server.ts`, "import { x } from './recall/routes.ts';"],
  [`${SERVICE}/src/cli/serve.ts`, "import { x } from '../server.ts';"],
  [`${SERVICE}/bin/lothub.ts`, "import { x } from '../src/server.ts';"],
  [`${SERVICE}/src/web/documents.ts`, "new URL('../../../../docs/guide.md', import.meta.url);"],
  [`${SERVICE}/src/recall/rules.ts`, "// import { x } from '../server.ts';"],
] as const;

for (const [path, text] of ALLOWED) {
  test(`the import in ${path} is allowed: ${text}`, () => {
    const findings = findBrokenWalls([{ path, text }]);

    assert.deepEqual(findings, []);
  });
}

test('a file that imports both engines is found, and one that imports either is not', () => {
  const sqlite = "import { a } from '@lothub/kit/sqlite/connection';";
  const postgres = "import { b } from '@lothub/kit/postgres/connection';";

  const findings = findBothEngines([
    { path: 'both.ts', text: `${sqlite}\n${postgres}` },
    { path: 'sqlite.ts', text: sqlite },
    { path: 'postgres.ts', text: postgres },
  ]);

  assert.deepEqual(
    findings.map((text) => text.split(':')[0]),
    ['both.ts'],
  );
});
