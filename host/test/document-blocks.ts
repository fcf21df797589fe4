// The documents of the repository and their shell blocks: which test runs them, and which are left out.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFences, readDocument } from '@lothub/kit/test/walkthrough';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Documents that another test walks through. */
export const WALKED_ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'host/test/readme.test.ts',
  'docs/guide.md': 'services/traceability/test/documents/guide.test.ts',
  'docs/worked-example.md': 'services/traceability/test/documents/worked-example.test.ts',
  'docs/notifications/guide.md': 'services/notifications/test/documents/guide.test.ts',
};

/** Documents that are walked through below. */
export const WALKED_HERE = [
  'docs/chain-format.md',
  'docs/notifications/senders.md',
  'docs/operating.md',
  'docs/people.md',
  'docs/trust.md',
  'examples/README.md',
];

const NPM = 'its script installs or starts; tests of scripts and of `serve` do that';
const POSTGRES_PROGRAMS =
  'needs client programs of PostgreSQL, and the PostgreSQL of the tests has its server alone';
const DOCKER = 'needs Docker';

/** Blocks that are not run, by their first lines. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'git clone <address of this repository> lothub': NPM,
  'npm start': NPM,
  'npm test': NPM,
  'npm run test:mutants -- --only "foreign keys"   # those whose name contains a text':
    'takes minutes; scripts/mutants.test.js reads its options',
  'docker build -t lothub .': DOCKER,
  '#!/bin/sh': 'is the file `lothub` that all other blocks below run',
  'createuser --pwprompt lothub': POSTGRES_PROGRAMS,
  'pg_dump --format=custom --file=/backup/lothub-$(date +%F).dump lothub': POSTGRES_PROGRAMS,
  'createdb --owner=lothub --encoding=UTF8 --template=template0 lothub_restored': POSTGRES_PROGRAMS,
  'pg_basebackup --pgdata=/backup/base-$(date +%F) --checkpoint=fast': POSTGRES_PROGRAMS,
  'mv /var/lib/postgresql/data /var/lib/postgresql/data.old': POSTGRES_PROGRAMS,
  "psql --host=standby.example.com --command='select pg_promote()' postgres": POSTGRES_PROGRAMS,
  'lothub migrate --to postgresql://lothub:password@db.example.com:5432/lothub':
    'wants a hub that is not served; services/traceability/test/cli/migrate.test.ts runs it',
  'systemctl stop lothub':
    'needs systemd; services/traceability/test/cli/rebuild.test.ts runs the commands',
  'WITNESS_LOGS=/etc/lothub/logs.txt PUBLIC_URL=https://witness.authority.example \\':
    'serves until it is stopped; host/test/witness.test.ts starts it',
  'HUB=https://trace.example.com':
    'needs a time-stamping service; services/traceability/test/timestamps/timestamps.test.ts has one',
};

export const SHELLS = ['sh', 'bash', 'console', 'shell'];

export function listDocuments(folder = ''): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return /^(?:docs|examples|packages|vectors|deploy)/.test(path) &&
        entry.name !== 'node_modules'
        ? listDocuments(path)
        : [];
    }
    return path.endsWith('.md') && path !== 'CHANGELOG.md' ? [path] : [];
  });
}

export function listShellBlocks(document: string): readonly string[] {
  return listFences(readDocument(document))
    .filter(({ language }) => SHELLS.includes(language))
    .map(({ text }) => text);
}
