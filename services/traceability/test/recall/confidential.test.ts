// Cases in confidence: sealed step by step, and nothing of them public before `notification`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { parseEvidence } from '@lothub/verify';
import { boot, type Json } from '../boot.ts';
import { caughtUp } from './following.ts';
import { readPublicBytes } from './public-bytes.ts';
import { RecallTenant, readArray } from './tenant.ts';

const SECRET = {
  title: 'Quartzite shards',
  reason: 'Zephyrine complaints of four shops',
  opened_by: 'Ottoline Vexworthy',
  severity: 'class_i',
  direction: 'downstream',
  confidential: true,
};
/** None so short that hashes and proofs in base64 have it by chance. */
const WORDS = [SECRET.title, SECRET.reason, SECRET.opened_by, 'shards', 'Zephyrine', 'Vexworthy'];
const LOTS = ['FLOUR', 'DOUGH', 'BREAD', 'OTHER'];

const hub = await openForFile(boot());

async function mill(): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR', 'OTHER');
  await tenant.produce(['FLOUR'], ['DOUGH']);
  return tenant;
}

/** What the public reads of each lot, but for how far the chain has come. */
async function publicLots(tenant: RecallTenant): Promise<readonly unknown[]> {
  const answers = await Promise.all(LOTS.map((lot) => tenant.verify(lot)));
  return answers.map(({ ledger: _ledger, trust: _trust, ...rest }) => rest);
}

async function readDecisions(caseNo: string): Promise<readonly Json[]> {
  const rows = await hub.database.rows(
    "select b.canonical from blocks b join decisions d on d.height = b.height where d.type = 'recall' and d.subject = ? order by d.height",
    caseNo,
  );
  return rows.map(({ canonical }) => {
    const block = JSON.parse(String(canonical)) as Json;
    return block['payload']?.['decision'] ?? {};
  });
}

test('no public byte says anything of a case in confidence before its move to notification', async () => {
  const tenant = await mill();
  await tenant.produce(['DOUGH'], ['BREAD']);
  const lotsBefore = await publicLots(tenant);

  const opened = await tenant.open('FLOUR', SECRET);
  const caseNo = String(opened['case_no']);
  const about = { brand: tenant.id, lotCodes: LOTS, words: [...WORDS, caseNo] };
  await caughtUp(hub);
  const lotsHidden = await publicLots(tenant);
  const hidden = await readPublicBytes(hub, about);

  assert.equal(opened['confidential'], true);
  assert.equal(await tenant.standing('BREAD'), 'active on_hold');
  assert.deepEqual(lotsHidden, lotsBefore);
  assert.ok(hidden.size > 60, `${hidden.size} paths`);
  for (const [path, text] of hidden) {
    // A search repeats what was searched for.
    const own = WORDS.filter((word) => !decodeURIComponent(path).includes(word));
    for (const word of own) assert.ok(!text.includes(word), `${path} says ${word}`);
    assert.ok(!text.includes('on hold, not to be used'), path);
    if (!path.includes('.txt') && !path.startsWith('/public')) continue;
    for (const word of ['class_i', '"direction":"downstream"', 'on_hold', '"auto_hold"']) {
      assert.ok(!text.includes(word), `${path} says ${word}`);
    }
  }
  for (const path of [`/public/notices/${caseNo}`, `/public/notices/${caseNo}/history`]) {
    assert.match(hidden.get(path) ?? '', /^404 /u);
  }
  const said = [...hidden.values()].filter((text) => text.includes(caseNo)).join('\n');
  assert.match(said, new RegExp(`Confidential step of recall ${caseNo}`, 'u'));

  const moved = await tenant.move(caseNo, 'notification', { changed_by: 'Ottoline Vexworthy' });
  const shown = await readPublicBytes(hub, about);

  assert.equal(moved.status, 200, moved.text);
  for (const word of [SECRET.title, SECRET.reason, 'class_i', 'downstream', 'on_hold']) {
    assert.ok(
      [...shown.values()].some((text) => text.includes(word)),
      word,
    );
  }
  for (const [path, text] of shown) {
    if (!decodeURIComponent(path).includes('Vexworthy'))
      assert.ok(!text.includes('Vexworthy'), path);
  }
  assert.equal((await tenant.verify('BREAD'))['lot']?.['hold_status'], 'on_hold');
  assert.equal(readArray((await tenant.verify('BREAD'))['notices']).length, 1);
  assert.equal((await tenant.notices()).length, 1);
  assert.ok(!hub.log().includes('shards'), 'the log of the service');
});

test('each transaction of a case in confidence seals one block, and the move opens them all', async () => {
  const tenant = await mill();
  const caseNo = String((await tenant.open('FLOUR', SECRET))['case_no']);
  await tenant.produce(['DOUGH'], ['BREAD']);
  await caughtUp(hub);
  const hidden = await readDecisions(caseNo);

  await tenant.moveThrough(caseNo, 'notification');

  assert.equal(hidden.length, 2);
  for (const decision of hidden) {
    assert.deepEqual(Object.keys(decision), ['at', 'case_no', 'committed', 'confidential']);
    assert.deepEqual(Object.keys(decision['committed'] ?? {}), ['parts']);
  }
  const all = await readDecisions(caseNo);
  const disclosed = all.slice(2, 4);
  assert.deepEqual(
    disclosed.map((one) => [one['change'], one['part'], one['parts'], one['contents']?.['change']]),
    [
      ['disclosed', 1, 1, 'opened'],
      ['disclosed', 1, 1, 'widened'],
    ],
  );
  assert.equal(disclosed[0]?.['contents']?.['title'], SECRET.title);
  assert.deepEqual(Object.keys(disclosed[0]?.['contents']?.['committed'] ?? {}).sort(), [
    'opened_by',
    'snapshot',
  ]);
  assert.deepEqual(
    all.slice(4).map((one) => [one['change'], one['state'], one['step']]),
    [['moved', 'notification', 3]],
  );
  const history = await hub.call(`/public/notices/${caseNo}/history`);
  assert.deepEqual(
    readArray(history.json['steps']).map((step) => [step['change'], typeof step['sealed_height']]),
    [
      ['opened', 'number'],
      ['widened', 'number'],
      ['moved', 'undefined'],
    ],
  );
  // What sealed the steps that say something of a lot is in its evidence, with what disclosed it.
  const { text } = await hub.call(`/public/verify/DOUGH/evidence?brand=${tenant.id}`);
  const heights = new Set(parseEvidence(text).blocks.map(({ index }) => index));
  const [opening, widening] = readArray(history.json['steps']).map((step) => step['sealed_height']);
  assert.ok(heights.has(Number(opening)), 'the block that sealed the opening');
  assert.ok(!heights.has(Number(widening)), 'a widening by another lot');
});

test('a case in confidence that is cancelled is never opened', async () => {
  const tenant = await mill();
  const caseNo = String((await tenant.open('FLOUR', SECRET))['case_no']);

  await tenant.moveThrough(caseNo, 'cancelled');

  const all = await readDecisions(caseNo);
  assert.deepEqual(
    all.map((decision) => decision['confidential']),
    [true, true],
  );
  assert.equal((await hub.call(`/public/notices/${caseNo}/history`)).status, 404);
  const record = await tenant.detail(caseNo);
  assert.deepEqual([record['status'], record['confidential']], ['cancelled', true]);
  assert.equal(await tenant.standing('DOUGH'), 'active released');
});

test('a hold of a case in confidence is not ended by hand, and one by hand is public', async () => {
  const tenant = await mill();
  const caseNo = String((await tenant.open('FLOUR', SECRET))['case_no']);

  const refused = await hub.post(
    '/v1/lots/DOUGH/release',
    { by: 'Ada', case_no: caseNo },
    tenant.headers,
  );
  await hub.post('/v1/lots/DOUGH/hold', { by: 'Ada', reason: 'wet' }, tenant.headers);
  const held = await tenant.verify('DOUGH');
  await hub.post('/v1/lots/DOUGH/release', { by: 'Ada' }, tenant.headers);
  const released = await tenant.verify('DOUGH');

  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.text, /in confidence/u);
  assert.deepEqual(
    [held['lot']?.['hold_status'], released['lot']?.['hold_status']],
    ['on_hold', 'released'],
  );
  assert.equal(await tenant.standing('DOUGH'), 'active on_hold');
});

test('a case is public from its opening unless it is opened in confidence', async () => {
  const tenant = await mill();

  const opened = await tenant.open('FLOUR');

  assert.equal(opened['confidential'], false);
  assert.equal((await tenant.notices()).length, 1);
});
