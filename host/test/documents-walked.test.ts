// The shell blocks of documents work unchanged, on both services in this process.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { captureRun } from '@lothub/kit/test/cli-run';
import { missingTools, readDocument, walkThrough } from '@lothub/kit/test/walkthrough';
import type { Step, WalkOptions } from '@lothub/kit/test/walkthrough';
import { runLothub } from '../src/program.ts';
import { LEFT_OUT, ROOT, WALKED_HERE, listShellBlocks } from './document-blocks.ts';
import { bootFronted, type Fronted } from './fronted.ts';

const OPERATOR = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const LOT = 'BREAD-0302';

const MISSING = [
  ...missingTools(),
  ...(spawnSync('python3', ['-c', 'import cryptography']).status === 0 ? [] : ['cryptography']),
];
/** People may lack a tool; where changes are judged, a missing one fails the tests below. */
const IS_JUDGED = MISSING.length === 0 || process.env['CI'] === 'true';

let folder: string;
let fronted: Fronted;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lothub-documents-'));
  await Promise.all(['bin', 'backup', 'data'].map((name) => mkdir(join(folder, name))));
  await writeProgram('lothub', readLothubScript());
  await writeProgram(
    'npm',
    '#!/bin/sh\n# npm run --silent lothub -- …\nshift 4\nexec lothub "$@"\n',
  );
  fronted = await bootFronted({
    DATA_DIR: join(folder, 'data'),
    TENANT_API_KEY: TENANT_KEY,
    RATE_LIMIT_V1: '0',
    RATE_LIMIT_PUBLIC: '0',
    NOTIFICATIONS_OWNER_EMAIL: OPERATOR,
    NOTIFICATIONS_OWNER_PASSWORD: PASSWORD,
  });
});
after(async () => {
  await fronted[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function writeProgram(name: string, script: string): Promise<void> {
  const path = join(folder, 'bin', name);
  await writeFile(path, script);
  await chmod(path, 0o755);
}

/** The file that docs/operating.md shows, of this working tree. */
function readLothubScript(): string {
  const script = listShellBlocks('docs/operating.md').find((block) =>
    block.startsWith('#!/bin/sh'),
  );
  assert.ok(script !== undefined);
  return script
    .replace('/opt/lothub/node_modules/.bin/node', process.execPath)
    .replace('/opt/lothub/', ROOT);
}

async function walk(
  document: string,
  replacements: Readonly<Record<string, string>> = {},
  options: WalkOptions = {},
): Promise<readonly Step[]> {
  const steps = await walkThrough(readDocument(document), replacements, {
    ...options,
    environment: {
      PATH: join(folder, 'bin'),
      DATA_DIR: join(folder, 'data'),
      ...options.environment,
    },
    leftOut: Object.keys(LEFT_OUT),
  });
  assert.ok(WALKED_HERE.includes(document), `${document} is not in the list`);
  assert.ok(steps.length > 0, `${document} has no block that is run`);
  return steps;
}

async function call(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(fronted.base + path, init);
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer;
}

const JSON_BODY = { 'Content-Type': 'application/json' };

test('the sums of docs/chain-format.md are those that its commands print', async () => {
  const steps = await walk('docs/chain-format.md');

  for (const { script, printed } of steps) {
    const shown = [...script.matchAll(/^# ([0-9a-f]{64})$/gm)].map(([, hash]) => hash);
    const sums = printed
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    assert.deepEqual(sums, shown);
  }
});

test('an operator can run the commands of docs/operating.md and docs/people.md', async () => {
  const keys = await findKeys();
  const today = new Date().toISOString().slice(0, 10);

  const people = await walk('docs/people.md', { 'ada@example.com': OPERATOR });
  const operating = await walk('docs/operating.md', {
    UNBOUND_KEY_ID: keys.unbound,
    KEY_ID: keys.bound,
    ' -o lothub -g lothub': '',
    '2026-03-02': today,
    '/backup/': `${folder}/backup/`,
    '/var/lib/lothub': `${folder}/restored`,
  });

  assert.match(people[0]!.printed, /operator/);
  const { printed } = operating.find(({ script }) => script.includes('keys list'))!;
  assert.match(printed, /is revoked\.$/m);
  assert.match(printed, /may serve any number of tenants\.$/m);
  assert.ok(readdirSync(join(folder, 'backup')).includes(`lothub-${today}.db`));
  assert.deepEqual(readdirSync(join(folder, 'restored')).toSorted(), ['lothub.db', 'people.db']);
});

/** The key of the settings, which is bound to no tenant, and one of a tenant. */
async function findKeys(): Promise<{ readonly unbound: string; readonly bound: string }> {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await captureRun(
      (terminal) => runLothub(['keys', ...args, '--json'], terminal),
      { DATA_DIR: join(folder, 'data') },
    );
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await run('issue', '--role', 'tenant', '--label', 'to rotate', '--tenant', 'bakery');
  const { keys } = JSON.parse(await run('list')) as {
    readonly keys: readonly {
      readonly key_id: string;
      readonly role: string;
      readonly tenant_id: string | null;
    }[];
  };
  return {
    unbound: keys.find(({ role, tenant_id }) => role === 'tenant' && tenant_id === null)!.key_id,
    bound: keys.find(({ tenant_id }) => tenant_id === 'bakery')!.key_id,
  };
}

if (!IS_JUDGED) {
  test('docs/trust.md is walked through only where its tools are', (t) => {
    t.diagnostic(`not walked through: ${MISSING.join(', ')} missing`);
  });
} else {
  test('a stranger can verify a lot with the commands of docs/trust.md', async () => {
    await postLot();
    const vkey = (await (await call('/log/1/vkeys', {})).text()).trim();
    const evidence = await readEvidence();

    const steps = await walk(
      'docs/trust.md',
      {
        'https://trace.example.com': fronted.base,
        'vkey KEY': `vkey ${vkey}`,
        // A monitor follows the log until it is stopped.
        '.json --lot': '.json --once --lot',
      },
      {
        prepare: async (at) => {
          for (const name of ['verify.py', 'verify_proof.py', 'monitor.py']) {
            await copyFile(join(ROOT, 'examples', name), join(at, name));
          }
          await writeFile(join(at, 'POLICY'), `log ${vkey}\nquorum none\n`);
          await writeFile(join(at, `${LOT}.lothub-evidence.json`), evidence);
        },
      },
    );

    const printed = steps.map((step) => step.printed).join('\n');
    assert.match(printed, /proved, operator's word only/);
    assert.doesNotMatch(printed, /refused/);
  });
}

async function postLot(): Promise<void> {
  const line = { lot_code: LOT, product_sku: 'RYE-750', direction: 'in', quantity: 2, unit: 'pcs' };
  await call('/v1/events', {
    method: 'POST',
    headers: { ...JSON_BODY, 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'bakery' },
    body: JSON.stringify({
      event_type: 'RECEIVE',
      occurred_at: '2026-03-02T07:15:00+01:00',
      location: 'BAKERY-1',
      reference: 'PO-1',
      lines: [line],
    }),
  });
}

async function readEvidence(): Promise<string> {
  const answer = await call(`/public/verify/${LOT}/evidence?brand=bakery`, {});
  return await answer.text();
}

test('a sender can post the CloudEvent of docs/notifications/senders.md', async () => {
  const token = await issueAdapterToken('cloudevents');

  const steps = await walk('docs/notifications/senders.md', {
    'https://lothub.example.com': fronted.base,
    'na_…': token,
  });

  assert.match(steps[0]!.printed, /"posted":\[\{"id":\d+/);
});

async function issueAdapterToken(adapter: string): Promise<string> {
  const session = await call('/api/v1/session', {
    method: 'POST',
    headers: { ...JSON_BODY, Origin: fronted.base },
    body: JSON.stringify({ email: OPERATOR, password: PASSWORD }),
  });
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const headers = { ...JSON_BODY, Origin: fronted.base, cookie };
  const { items } = (await (await call('/api/v1/groups', { headers })).json()) as {
    readonly items: readonly { readonly id: string }[];
  };
  const issued = await call(`/api/v1/groups/${items[0]!.id}/keys`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Test', adapter }),
  });
  return ((await issued.json()) as { readonly key: string }).key;
}

test('the demo of examples/README.md fills a new hub', async () => {
  const steps = await walk('examples/README.md', { 'npm start\n': '' });

  assert.match(steps[0]!.printed, /^larkmoor +\d+ +\d+ +0$/m);
});
