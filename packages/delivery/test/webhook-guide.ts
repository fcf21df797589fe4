// The programs of a guide that check signatures of webhooks, run unchanged against what is
// really sent.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { listFences, missingTools, readDocument } from '@lothub/kit/test/walkthrough';
import { newWebhookSecret, signatureHeaders } from '@lothub/delivery/sending/signature';

interface Sent {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isGenuine: boolean;
}

const secret = newWebhookSecret();

/** People may lack Python; where changes are judged, a missing one fails the test. */
const HAS_PYTHON = !missingTools().includes('python3') || process.env['CI'] === 'true';

const READ_AND_JUDGE = `
import json, sys
for one in json.load(sys.stdin):
    print(is_genuine(${JSON.stringify(secret)}, one["headers"], one["body"].encode()))
`;

/**
 * Registers the tests of the programs in a guide.
 * @param guide.printed the line that the receiver in JavaScript prints of the webhook `body`
 */
export function testWebhookGuide(guide: {
  readonly document: string;
  readonly body: string;
  readonly printed: string;
}): void {
  const sent = sentFor(guide.body);
  test('the receiver in JavaScript takes what is genuine and refuses everything else', async () => {
    const program = readProgram(guide.document, 'js').replace(
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
    for (const { headers, body } of sent) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      statuses.push(answer.status);
    }
    const printed = (await lines.next()).value;
    child.kill();
    await once(child, 'exit');

    assert.deepEqual(
      statuses,
      sent.map(({ isGenuine }) => (isGenuine ? 204 : 400)),
    );
    assert.equal(printed, guide.printed);
  });

  if (!HAS_PYTHON) {
    test('the program in Python is run only where Python is', (t) => {
      t.diagnostic('not run: python3 is missing');
    });
    return;
  }
  test('the function in Python takes what is genuine and refuses everything else', () => {
    const program = readProgram(guide.document, 'python') + READ_AND_JUDGE;
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(sent),
      encoding: 'utf8',
    });

    assert.equal(stderr, '');
    assert.deepEqual(
      stdout.trim().split('\n'),
      sent.map(({ isGenuine }) => (isGenuine ? 'True' : 'False')),
    );
  });
}

function readProgram(document: string, language: string): string {
  const found = listFences(readDocument(document)).filter(
    (fence) => fence.language === language && /webhook/i.test(fence.text),
  );
  assert.equal(found.length, 1, `${document} has ${found.length} such programs in ${language}`);
  return found[0]?.text ?? '';
}

function sentFor(body: string): readonly Sent[] {
  const now = Date.now();
  const sign = (atMs: number, secrets: readonly string[]) => ({
    ...signatureHeaders({ id: 'msg_1', atMs, body, secrets }),
  });
  const other = newWebhookSecret();
  return [
    { what: 'as signed', headers: sign(now, [secret]), body, isGenuine: true },
    { what: 'after a rotation', headers: sign(now, [other, secret]), body, isGenuine: true },
    { what: 'signed by another', headers: sign(now, [other]), body, isGenuine: false },
    { what: 'changed', headers: sign(now, [secret]), body: `${body} `, isGenuine: false },
    { what: 'ten minutes old', headers: sign(now - 600_000, [secret]), body, isGenuine: false },
  ];
}
