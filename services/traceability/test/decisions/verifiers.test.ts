// A chain with decisions, made by the service, judged by those who verify: our packages and the example
// programs, which share no code with them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEvidence, verifyEvidence } from '@lothub/verify';
import { aLine, anEvent, boot, valueAt, type Booted } from '../boot.ts';
import { runCli, testFolder, type TestFolder } from '../cli/run.ts';
import { RecallTenant } from '../recall/tenant.ts';

const VERIFY = fileURLToPath(new URL('../../../../examples/verify.py', import.meta.url));
const VERIFY_PROOF = fileURLToPath(
  new URL('../../../../examples/verify_proof.py', import.meta.url),
);
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
/** The one package that the second program needs; people may be without it. */
const HAS_CRYPTOGRAPHY =
  HAS_PYTHON && spawnSync('python3', ['-c', 'import cryptography']).status === 0;
/** Where everything is expected to be there. */
const IS_CI = process.env['CI'] === 'true';

const HOLD = { reason: 'smells of mould', by: 'Jane Miller' };
/** Genesis, two events, a hold and a release. */
const BLOCKS = 5;

let hub: Booted;
let folder: TestFolder;

before(async () => {
  folder = await testFolder();
  hub = await boot();
  await hub.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'FLOUR-1' })] }));
  await hub.post('/v1/lots/FLOUR-1/hold', HOLD);
  await hub.post('/v1/lots/FLOUR-1/release', HOLD);
  await hub.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'FLOUR-2' })] }));
});
after(async () => {
  await hub[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The hub lives in this process, so the program must not stop it. */
async function python(...args: readonly string[]): Promise<unknown> {
  const child = spawn('python3', [...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [stdout] = await Promise.all([readText(child.stdout), once(child, 'exit')]);
  return JSON.parse(stdout);
}

test('the evidence of a lot that was held is proved, with the decisions in it', async () => {
  const { text: policy } = await hub.call('/log/1/policy');
  const { text: file } = await hub.call('/public/verify/FLOUR-1/evidence');

  const report = await verifyEvidence({ file, policy });

  assert.equal(report.sentence, "proved, operator's word only");
  assert.equal(parseEvidence(file).blocks.length, BLOCKS - 1);
  assert.equal(report.blocks.length, BLOCKS - 1);
});

if (HAS_PYTHON || IS_CI) {
  test('examples/verify.py accepts a chain with decisions, from the hub and from an export', async () => {
    const file = folder.file('chain.jsonl');
    const exported = await runCli(['export', file], hub.database.env);

    const [ofHub, ofFile] = [await python(VERIFY, '--url', hub.base), await python(VERIFY, file)];

    assert.equal(exported.code, 0);
    for (const judged of [ofHub, ofFile]) {
      assert.equal(valueAt(judged, 'valid'), true);
      assert.equal(valueAt(judged, 'blocks'), BLOCKS);
      assert.equal(valueAt(judged, 'contents_not_judged') ?? 0, 0);
    }
  });
}

if (HAS_CRYPTOGRAPHY || IS_CI) {
  test('examples/verify_proof.py accepts the evidence of a lot that was held', async () => {
    const { text: policy } = await hub.call('/log/1/policy');
    const { text: evidence } = await hub.call('/public/verify/FLOUR-1/evidence');
    const [file, policyFile] = [folder.file('lot.json'), folder.file('policy')];
    await writeFile(file, evidence);
    await writeFile(policyFile, policy);

    const judged = await python(VERIFY_PROOF, file, '--policy', policyFile);

    assert.equal(valueAt(judged, 'sentence'), "proved, operator's word only");
    assert.equal(valueAt(judged, 'contents_not_judged'), 0);
  });
}

test('the evidence of a lot that a case covers is proved by all, with the steps of the case', async () => {
  const tenant = new RecallTenant(hub, 'acme');
  const { case_no: caseNo } = await tenant.open('FLOUR-2', { title: 'Wheat with ergot' });
  await tenant.moveThrough(caseNo, 'notification');
  const { text: policy } = await hub.call('/log/1/policy');
  const { text: evidence } = await hub.call('/public/verify/FLOUR-2/evidence');
  const [file, policyFile] = [folder.file('recalled.json'), folder.file('policy')];
  await writeFile(file, evidence);
  await writeFile(policyFile, policy);

  const report = await verifyEvidence({ file: evidence, policy });
  const forged = evidence.replaceAll('Wheat with ergot', 'Wheat with water');
  const refused = await verifyEvidence({ file: forged, policy });
  const ofCommand = await runCli(['verify', '--evidence', file, '--policy', policyFile], {});
  const ofProgram =
    HAS_CRYPTOGRAPHY || IS_CI
      ? await python(VERIFY_PROOF, file, '--policy', policyFile)
      : undefined;

  assert.equal(report.sentence, "proved, operator's word only");
  const texts = parseEvidence(evidence).blocks.map(({ canonical }) => canonical);
  assert.equal(texts.filter((text) => text.includes('"type":"recall"')).length, 2);
  assert.equal(refused.outcome.verdict, 'refused');
  assert.equal(ofCommand.code, 0, ofCommand.stderr);
  if (ofProgram !== undefined) assert.equal(valueAt(ofProgram, 'sentence'), report.sentence);
});
