// The programs of the guide that check signatures, run as they stand there against what is really sent.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fencesOf, missingTools, readDocument } from '@lothub/kit/test/walkthrough';
import { newWebhookSecret, signatureHeaders } from '@lothub/delivery/sending/signature';

const BODY = '{"type":"lot.held","data":{"lots":["BROT-☃"]}}';
const secret = newWebhookSecret();

const guide = fencesOf(readDocument('docs/webhooks.md'));

function programOf(language: string): string {
  const found = guide.filter((fence) => fence.language === language && /webhook/i.test(fence.text));
  assert.equal(found.length, 1, `the guide has ${found.length} such programs in ${language}`);
  return found[0]?.text ?? '';
}

interface Sent {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isGenuine: boolean;
}

function headersAt(atMs: number, secrets: readonly string[]): Readonly<Record<string, string>> {
  return { ...signatureHeaders({ id: 'msg_1', atMs, body: BODY, secrets }) };
}

const now = Date.now();
const SENT: readonly Sent[] = [
  { what: 'as signed', headers: headersAt(now, [secret]), body: BODY, isGenuine: true },
  {
    what: 'after a rotation',
    headers: headersAt(now, [newWebhookSecret(), secret]),
    body: BODY,
    isGenuine: true,
  },
  {
    what: 'signed by another',
    headers: headersAt(now, [newWebhookSecret()]),
    body: BODY,
    isGenuine: false,
  },
  { what: 'changed', headers: headersAt(now, [secret]), body: `${BODY} `, isGenuine: false },
  {
    what: 'ten minutes old',
    headers: headersAt(now - 600_000, [secret]),
    body: BODY,
    isGenuine: false,
  },
];

test('the receiver in JavaScript takes what is genuine and refuses everything else', async () => {
  const program = programOf('js').replace(
    'server.listen(8080);',
    "server.listen(0, '127.0.0.1', () => console.log(server.address().port));",
  );
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const port = String((await lines.next()).value);

  const statuses: unknown[] = [];
  for (const { headers, body } of SENT) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    statuses.push(answer.status);
  }
  const printed = (await lines.next()).value;
  child.kill();
  await once(child, 'exit');

  assert.deepEqual(
    statuses,
    SENT.map(({ isGenuine }) => (isGenuine ? 204 : 400)),
  );
  assert.equal(printed, 'stop BROT-☃');
});

const READ_AND_JUDGE = `
import json, sys
for one in json.load(sys.stdin):
    print(is_genuine(${JSON.stringify(secret)}, one["headers"], one["body"].encode()))
`;

/** People may lack Python; where changes are judged, a missing one fails the test. */
const HAS_PYTHON = !missingTools().includes('python3') || process.env['CI'] === 'true';

if (!HAS_PYTHON) {
  test('the program in Python is run only where Python is', (t) => {
    t.diagnostic('not run: python3 is missing');
  });
} else {
  test('the function in Python takes what is genuine and refuses everything else', () => {
    const { stdout, stderr } = spawnSync('python3', ['-c', programOf('python') + READ_AND_JUDGE], {
      input: JSON.stringify(SENT),
      encoding: 'utf8',
    });

    assert.equal(stderr, '');
    assert.deepEqual(
      stdout.trim().split('\n'),
      SENT.map(({ isGenuine }) => (isGenuine ? 'True' : 'False')),
    );
  });
}
