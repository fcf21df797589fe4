// Steps of recall cases on what the public sees of a lot that a case covers or covered: its answer, its page,
// its blocks and its evidence file.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot, valueAt } from '../boot.ts';
import { caughtUp } from '../recall/following.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { RecallTenant } from '../recall/tenant.ts';

/** A lot code that breaks a text which is searched carelessly. */
const HOSTILE = 'A","lot":"B\\';
/** More than two blocks name. */
const LOAVES = Array.from({ length: 2_100 }, (_, index) => `LOAF-${index}`);
const LINES_PER_EVENT = 700;

const OPENING = { title: 'Wheat with ergot' };
const BRAND_NAME = 'Haverfield Mill';

let tenant: RecallTenant;
let caseNo: string;

const hub = await openForFile(boot());
before(async () => {
  tenant = new RecallTenant(hub);
  await new TestBrand(hub, tenant.id).patch('/v1/brand', { name: BRAND_NAME });
  await tenant.receive('FLOUR', 'OTHER', 'B', 'LOAF');
  for (let from = 0; from < LOAVES.length; from += LINES_PER_EVENT) {
    await tenant.produce(['FLOUR'], LOAVES.slice(from, from + LINES_PER_EVENT));
  }
  caseNo = String((await tenant.open('FLOUR', { ...OPENING, severity: 'class_i' }))['case_no']);
  await tenant.produce(['FLOUR'], ['LATE', HOSTILE]);
  await caughtUp(hub);
  await tenant.moveThrough(caseNo, 'notification');
});

interface Decision {
  readonly type: string;
  readonly summary: string;
  readonly block_height: number;
}

async function readDecisions(lotCode: string): Promise<readonly Decision[]> {
  const answer = await hub.call(`/public/verify/${encodeURIComponent(lotCode)}?brand=${tenant.id}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json['verified'], true);
  return valueAt(answer.json, 'decisions') as readonly Decision[];
}

function shorten(decisions: readonly Decision[]): readonly string[] {
  return decisions.map(({ summary }) => summary.replace(caseNo, 'RC').replace(BRAND_NAME, 'BRAND'));
}

test('a lot has the opening, the part that names it, and the moves', async () => {
  const first = shorten(await readDecisions('LOAF-3'));
  const last = shorten(await readDecisions('LOAF-2099'));

  assert.equal(first.length, 2, first.join('\n'));
  assert.equal(last.length, 3, last.join('\n'));
  const opened = 'Recall RC opened by BRAND: Wheat with ergot, class I, 2101 lots';
  assert.equal(last[0], `${opened} (part 1 of 3: 1000 lots)`);
  assert.equal(last[1], `${opened} (part 3 of 3: 101 lots)`);
  assert.equal(first[1], 'Recall RC of BRAND moved to notification');
  assert.deepEqual(last.slice(2), first.slice(1));
});

for (const lotCode of ['LATE', HOSTILE]) {
  test(`a lot ${lotCode} that entered later has the block that says so`, async () => {
    const all = shorten(await readDecisions(lotCode));

    assert.equal(all.length, 3, all.join('\n'));
    assert.equal(all[1], 'Scope of recall RC of BRAND changed, 2 lots entered');
  });
}

for (const lotCode of ['OTHER', 'B', 'LOAF']) {
  test(`lot ${lotCode}, whose code only begins or quotes like one, has nothing of the case`, async () => {
    assert.deepEqual(await readDecisions(lotCode), []);
  });
}

test('the evidence file, the page and the blocks of a lot have the same blocks', async () => {
  const heights = (await readDecisions('LOAF-2099')).map((one) => one.block_height);
  const query = `?brand=${tenant.id}`;
  const evidence = await hub.call(`/public/verify/LOAF-2099/evidence${query}`);
  const page = await (await fetch(`${hub.base}/lot/LOAF-2099${query}`)).text();
  const blocks = await hub.call(`/public/explorer/lot/LOAF-2099${query}`);

  const indices = (valueAt(evidence.json, 'blocks') as readonly { index: number }[]).map(
    ({ index }) => index,
  );
  const shown = (valueAt(blocks.json, 'blocks') as readonly { height: number }[]).map(
    ({ height }) => height,
  );
  for (const height of heights) {
    assert.ok(indices.includes(height), `evidence lacks ${height}`);
    assert.ok(page.includes(`/explorer/block/${height}"`), `the page lacks ${height}`);
    assert.ok(shown.includes(height), `the explorer lacks ${height}`);
  }
});

test('the page of a part lists the lots that it names', async () => {
  const [, part] = await readDecisions('LOAF-2099');
  const page = await (await fetch(`${hub.base}/explorer/block/${part?.block_height}`)).text();

  assert.match(page, /Lots it names/);
  assert.match(page, /LOAF-2098/);
});

test('the history of a case says the same words as the explorer, with block and proof', async () => {
  const history = await hub.call(`/public/notices/${caseNo}/history`);
  const steps = valueAt(history.json, 'steps') as readonly {
    readonly summary: string;
    readonly block_height: number;
    readonly block_hash: string;
    readonly proof_url: string;
  }[];

  assert.equal(steps.length, 5);
  for (const { summary, block_height: height, block_hash: digest, proof_url: url } of steps) {
    const block = await hub.call(`/public/explorer/block/${height}`);
    assert.equal(block.json['summary'], summary);
    assert.equal(block.json['block_hash'], digest);
    const proof = await fetch(hub.base + new URL(url).pathname);
    assert.equal(proof.status, 200, url);
    assert.match(await proof.text(), /^c2sp\.org\/tlog-proof@v1/);
  }
});

test('a list and a search of the explorer have the words of the whole step', async () => {
  const found = await hub.call(`/public/explorer/search?q=${caseNo}`);
  const listed = await hub.call('/public/explorer/blocks?limit=5');

  for (const { json } of [found, listed]) {
    const summaries = (valueAt(json, 'blocks') as readonly { summary: string }[]).map(
      ({ summary }) => summary,
    );
    assert.ok(summaries.some((one) => one.includes('2101 lots (part 2 of 3: 1000 lots)')));
  }
});

test('the page of a case has each step with its block, the parts folded, and a check', async () => {
  const answer = await fetch(`${hub.base}/recalls/${caseNo}`);
  const page = (await answer.text()).replace(/\s+/g, ' ');
  const history = await hub.call(`/public/notices/${caseNo}/history`);

  assert.equal(answer.status, 200);
  const words = page.replaceAll(/<[^>]+>/g, '').replace(/\s+/g, ' ');
  assert.match(
    words,
    /Recall RC-\d+-\d+ opened by Haverfield Mill: Wheat with ergot, class I, 2,101 lots entered/,
  );
  assert.match(page, /<details> <summary>2 further parts<\/summary>/);
  assert.match(page, /id="check-here"/);
  for (const step of valueAt(history.json, 'steps') as readonly Record<string, unknown>[]) {
    assert.ok(page.includes(`/explorer/block/${String(step['block_height'])}"`));
    assert.ok(page.includes(String(step['block_hash'])));
    assert.ok(page.includes(`/proof/${String(step['block_height'])}"`));
  }
});

test('the report has each step once, with all of its blocks', async () => {
  const report = await tenant.get(`/v1/recall/cases/${caseNo}/report`);
  const history = await hub.call(`/public/notices/${caseNo}/history`);
  const text = report.text.replace(/\s+/g, ' ');

  assert.match(text, /Steps of the case, as sealed \(3\), oldest first/);
  assert.equal(
    text.match(/opened by Haverfield Mill: Wheat with ergot, class I, 2101 lots</g)?.length,
    1,
  );
  assert.match(text, /2 further parts/);
  for (const step of valueAt(history.json, 'steps') as readonly Record<string, unknown>[]) {
    assert.ok(text.includes(String(step['block_hash'])));
  }
});

test('a case that has ended keeps its steps at the lots that it covered', async () => {
  await tenant.moveThrough(caseNo, 'cancelled');

  const all = shorten(await readDecisions('LATE'));

  assert.equal(all.at(-1), 'Recall RC of BRAND cancelled');
});

test('a lot that left a case and was named again by hand has each block that says so', async () => {
  const mill = new RecallTenant(hub);
  await mill.receive('GRAIN', 'RYE');
  const batch = await mill.produce(['GRAIN'], ['MEAL']);
  const opened = String((await mill.open('GRAIN'))['case_no']);
  const corrected = await hub.post(
    '/v1/corrections',
    {
      ...{ corrects_event_id: batch.json['id'], reason: 'another grain', requested_by: 'Ada' },
      changes: [{ field: 'lines[0].lot_code', old_value: 'GRAIN', new_value: 'RYE' }],
    },
    mill.headers,
  );
  assert.equal(corrected.status, 201, corrected.text);
  await caughtUp(hub);
  await mill.produce(['GRAIN'], ['BRAN']);
  await caughtUp(hub);
  await mill.edit(opened, { scope: { add: ['MEAL'], reason: 'seen beside it' } });

  const said = async (lotCode: string) =>
    (valueAt(await mill.verify(lotCode), 'decisions') as readonly Decision[]).map(({ summary }) =>
      summary.replaceAll(opened, 'RC').replaceAll(mill.id, 'BRAND'),
    );

  const [opening, edit] = [
    'Recall RC opened by BRAND: Metal in rye bread, not classified yet, 2 lots',
    'Recall RC of BRAND edited, 1 lot added by hand, 2 lots entered',
  ];
  const left = 'Scope of recall RC of BRAND changed, 1 lot left';
  const entered = 'Scope of recall RC of BRAND changed, 1 lot entered';
  assert.deepEqual(await said('MEAL'), [opening, left, edit]);
  assert.deepEqual(await said('BRAN'), [opening, entered, edit]);
  assert.deepEqual(await said('GRAIN'), [opening, edit]);
  assert.deepEqual(await said('RYE'), [opening, edit]);
});

test('lots of a case in confidence have its blocks once it is disclosed, and none before', async () => {
  const mill = new RecallTenant(hub);
  await mill.receive('SPELT');
  const lots = Array.from({ length: 1_200 }, (_, index) => `ROLL-${index}`);
  await mill.produce(['SPELT'], lots.slice(0, 600));
  await mill.produce(['SPELT'], lots.slice(600));
  const opened = String((await mill.open('SPELT', { confidential: true }))['case_no']);
  await mill.produce(['SPELT'], ['TORTE']);
  await caughtUp(hub);
  const said = async (lotCode: string) =>
    (valueAt(await mill.verify(lotCode), 'decisions') as readonly Decision[]).map(({ summary }) =>
      summary
        .replaceAll(opened, 'RC')
        .replaceAll(mill.id, 'BRAND')
        .replace(/block \d+/, 'block N'),
    );

  const before = await said('ROLL-1199');
  await mill.moveThrough(opened, 'notification');

  const sealed = 'Confidential step of recall RC of BRAND';
  const opening = 'Recall RC opened by BRAND: Metal in rye bread, not classified yet, 1201 lots';
  const first = `Disclosed from block N: ${opening} (part 1 of 2: 1000 lots)`;
  const second = `Disclosed from block N: ${opening} (part 2 of 2: 201 lots)`;
  const widened = 'Disclosed from block N: Scope of recall RC of BRAND changed, 1 lot entered';
  const moved = 'Recall RC of BRAND moved to notification';
  assert.deepEqual(before, []);
  assert.deepEqual(await said('ROLL-3'), [sealed, first, moved]);
  assert.deepEqual(await said('ROLL-1199'), [sealed, first, second, moved]);
  assert.deepEqual(await said('TORTE'), [sealed, sealed, first, widened, moved]);
});
