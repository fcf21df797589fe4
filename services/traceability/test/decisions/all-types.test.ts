// A chain with blocks of every type and version, made by the service, judged by the example programs, which share
// no code with it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseBlock } from '@lothub/chain';
import { parseEvidence } from '@lothub/verify';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { anEvent, boot, valueAt } from '../boot.ts';
import { runCli, testFolder } from '../cli/run.ts';
import { storedBlocks } from '../stored.ts';
import { makeRichHub } from '../tampering/rich-hub.ts';

const EXAMPLES = new URL('../../../../examples/', import.meta.url);
const VERIFY = fileURLToPath(new URL('verify.py', EXAMPLES));
const VERIFY_PROOF = fileURLToPath(new URL('verify_proof.py', EXAMPLES));
const HAS_PYTHON = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
/** Where everything is expected to be there. */
const IS_CI = process.env['CI'] === 'true';

const TYPES = [
  ...['audit 2', 'brand 2', 'correction 1', 'correction 2', 'drill 2', 'erasure 2', 'event 1'],
  ...['event 2', 'genesis 1', 'hold 2', 'recall 2', 'response 2'],
];

const hub = await openForFile(makeRichHub().then(({ database }) => boot({ database })));
const folder = await openForFile(testFolder());

before(async () => {
  const { json } = await hub.post('/v1/events', anEvent({ reference: 'PO-1' }));
  const corrected = await hub.post('/v1/corrections', {
    ...{ corrects_event_id: json['id'], reason: 'a typing error', requested_by: 'Ada' },
    external_id: 'correction-1',
    changes: [{ field: 'reference', old_value: 'PO-1', new_value: 'PO-2' }],
  });
  assert.equal(corrected.status, 201, corrected.text);
});

/** The hub lives in this process, so the program must not stop it. */
async function python(...args: readonly string[]): Promise<unknown> {
  const child = spawn('python3', [...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [stdout] = await Promise.all([readText(child.stdout), once(child, 'exit')]);
  return JSON.parse(stdout);
}

test('the chain has blocks of every type and version', async () => {
  const kinds = (await storedBlocks(hub.database)).map(({ canonical }) => {
    const { payload } = parseBlock(canonical);
    return `${String(payload['type'])} ${String(payload['v'])}`;
  });

  assert.deepEqual([...new Set(kinds)].sort(), TYPES);
});

if (HAS_PYTHON || IS_CI) {
  test('examples/verify.py judges every block, of the hub and of an export', async () => {
    const blocks = (await storedBlocks(hub.database)).length;
    const file = folder.file('chain.jsonl');
    const exported = await runCli(['export', file], hub.database.env);

    assert.equal(exported.code, 0, exported.stderr);
    for (const judged of [await python(VERIFY, '--url', hub.base), await python(VERIFY, file)]) {
      assert.partialDeepStrictEqual(judged, { valid: true, blocks });
      assert.equal(valueAt(judged, 'contents_not_judged') ?? 0, 0);
    }
  });

  test('examples/verify_proof.py judges the evidence of a lot with decisions of its cases', async () => {
    const { text: policy } = await hub.call('/log/1/policy');
    const { status, text: evidence } = await hub.call('/public/verify/FLOUR/evidence?brand=mill');
    const [file, policyFile] = [folder.file('lot.json'), folder.file('policy')];
    await writeFile(file, evidence);
    await writeFile(policyFile, policy);

    const judged = await python(VERIFY_PROOF, file, '--policy', policyFile);

    assert.equal(status, 200, evidence);
    const recalls = parseEvidence(evidence).blocks.filter(
      ({ canonical }) => parseBlock(canonical).payload['type'] === 'recall',
    );
    assert.ok(recalls.length > 1);
    assert.equal(valueAt(judged, 'sentence'), "proved, operator's word only");
    assert.equal(valueAt(judged, 'contents_not_judged'), 0);
  });
}
