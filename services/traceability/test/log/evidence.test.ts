// The evidence file of a lot: what is in it, and that a verifier that knows nothing but the key believes it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { writeFile } from 'node:fs/promises';
import { toCanonicalText } from '@lothub/chain';
import { testKey, witnessVkey } from '@lothub/chain/test/log/test-keys';
import { parseEvidence, verifyEvidence } from '@lothub/verify';
import { aLine, anEvent, boot } from '../boot.ts';
import { testFolder } from '../cli/run.ts';
import { tamper } from '../ledger.ts';
import { openTimeStampingService, stampedSize } from '../timestamps/time-stamping-service.ts';
import { publishWitnessed } from './published.ts';

/** Heights by what happened there. */
const at: Record<string, number> = {};

const hub = await openForFile(boot());
before(async () => {
  const line = (lotCode: string, direction: 'in' | 'out') =>
    aLine({ lot_code: lotCode, direction, quantity: 10, unit: 'kg', product_sku: lotCode });
  const post = async (name: string, event: Record<string, unknown>, tenant = 'acme') => {
    const { json, status } = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenant });
    assert.equal(status, 201);
    at[name] = Number(json['id']);
  };
  await post('flour', anEvent({ lines: [line('FLOUR-1', 'in')] }));
  await post('other', anEvent({ lines: [line('SUGAR-1', 'in')] }));
  await post(
    'bread',
    anEvent({ event_type: 'PRODUCE', lines: [line('FLOUR-1', 'in'), line('BREAD-1', 'out')] }),
  );
  await post('sale', anEvent({ event_type: 'SELL', lines: [line('BREAD-1', 'out')] }));
  const { json, status } = await hub.post('/v1/corrections', {
    corrects_event_id: at['flour'],
    reason: 'wrong dock',
    requested_by: 'Ada',
    changes: [{ field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-2' }],
  });
  assert.equal(status, 201);
  at['correction'] = Number(json['id']);
  await post('shared', anEvent({ lines: [line('SHARED-1', 'in')] }), 'acme');
  await post('shared too', anEvent({ lines: [line('SHARED-1', 'in')] }), 'mill');
  await post('strange', anEvent({ lines: [line('É/1 "x"', 'in')] }));
});

test('it has the blocks behind the steps of the lot, what corrects them, and block 0', async () => {
  const { status, text, headers } = await hub.call('/public/verify/BREAD-1/evidence');

  const { blocks, lot } = parseEvidence(text);
  assert.equal(status, 200);
  assert.deepEqual(lot, { brand: 'acme', lotCode: 'BREAD-1' });
  assert.deepEqual(
    blocks.map(({ index }) => index),
    [0, at['flour'], at['bread'], at['sale'], at['correction']],
  );
  assert.equal(text, toCanonicalText(JSON.parse(text)));
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(
    headers.get('content-disposition'),
    'attachment; filename="BREAD-1.lothub-evidence.json"',
  );
  assert.equal(headers.get('access-control-allow-origin'), '*');
});

test('a verifier with the key of the log believes it, on the word of the operator alone', async () => {
  const { text: policy } = await hub.call('/log/1/policy');
  const { text: file } = await hub.call('/public/verify/BREAD-1/evidence');

  const report = await verifyEvidence({ file, policy });

  assert.equal(report.sentence, "proved, operator's word only");
  assert.equal(report.blocks.length, 5);
});

test('a changed character of a block is not believed', async () => {
  const { text: policy } = await hub.call('/log/1/policy');
  const { text } = await hub.call('/public/verify/BREAD-1/evidence');

  const { sentence } = await verifyEvidence({ file: text.replace('BAKERY-1', 'BAKERY-9'), policy });

  assert.equal(sentence, 'refused: not_in_tree');
});

test('of a code that several brands use one must be named', async () => {
  const refused = await hub.call('/public/verify/SHARED-1/evidence');
  const named = await hub.call('/public/verify/SHARED-1/evidence?brand=mill');

  assert.equal(refused.status, 400);
  assert.equal(
    String(refused.json['detail']),
    'Several brands use this lot code: send brand, one of acme, mill',
  );
  assert.equal(named.status, 200);
  assert.deepEqual(
    parseEvidence(named.text).blocks.map(({ index }) => index),
    [0, at['shared too']],
  );
});

test('a file is named after any code', async () => {
  const { status, headers } = await hub.call(
    `/public/verify/${encodeURIComponent('É/1 "x"')}/evidence`,
  );

  assert.equal(status, 200);
  assert.equal(
    headers.get('content-disposition'),
    'attachment; filename="__1__x_.lothub-evidence.json"; ' +
      "filename*=UTF-8''%C3%89_1%20_x_.lothub-evidence.json",
  );
});

test('of a lot that nobody knows there is none', async () => {
  const unknown = await hub.call('/public/verify/bread-1/evidence');
  const ofOther = await hub.call('/public/verify/BREAD-1/evidence?brand=mill');

  assert.equal(unknown.status, 404);
  assert.deepEqual(unknown.json['similar'], ['BREAD-1']);
  assert.equal(ofOther.status, 404);
});

test('a hub without a log makes none', async () => {
  await using without = await boot({ env: { LOG: 'off' } });
  await without.post('/v1/events', anEvent());

  const { status, json } = await without.call('/public/verify/FLOUR-1/evidence');

  assert.equal(status, 404);
  assert.equal(json['detail'], 'This hub keeps no public log (LOG=off)');
});

test('a block that is no longer the one that was sealed is not sent as evidence', async () => {
  await using tampered = await boot();
  await tampered.post('/v1/events', anEvent());
  await tamper(
    tampered.database,
    "update blocks set canonical = replace(canonical, 'BAKERY-1', 'BAKERY-9') where height = 1",
  );

  const { status, json } = await tampered.call('/public/verify/FLOUR-1/evidence');

  assert.equal(status, 503);
  assert.match(String(json['detail']), /differs from what was sealed/);
});

test('a lot of many blocks has all of them, proven to one checkpoint', async () => {
  const events = Array.from({ length: 600 }, (_, number) =>
    anEvent({ external_id: `many-${number}`, lines: [aLine({ lot_code: 'MANY-1' })] }),
  );
  const { status } = await hub.post('/v1/events/batch', events);
  const { text: policy } = await hub.call('/log/1/policy');

  const { text: file } = await hub.call('/public/verify/MANY-1/evidence');
  const report = await verifyEvidence({ file, policy });

  assert.equal(status, 201);
  assert.equal(report.sentence, "proved, operator's word only");
  assert.equal(report.blocks.length, events.length + 1);
});

test('its checkpoint is the published one that covers its blocks, else the newest signed one', async () => {
  await using folder = await testFolder();
  const policyFile = folder.file('witnesses.txt');
  const witness = { name: 'witness.example.org/1', key: testKey(32), time: 1_772_435_700 };
  await writeFile(policyFile, `witness w ${witnessVkey(witness)}\nquorum w\n`);
  await using witnessed = await boot({ env: { WITNESS_POLICY_FILE: policyFile } });
  const post = async (lotCode: string): Promise<void> => {
    const answer = await witnessed.post(
      '/v1/events',
      anEvent({ lines: [aLine({ lot_code: lotCode })] }),
    );
    assert.equal(answer.status, 201);
  };
  const readSentence = async (lotCode: string): Promise<string> => {
    const { text: file } = await witnessed.call(`/public/verify/${lotCode}/evidence`);
    return (await verifyEvidence({ file, policy })).sentence;
  };
  const { text: policy } = await witnessed.call('/log/1/policy');
  await post('OLD-1');
  const published = await publishWitnessed(witnessed, [witness]);
  await post('NEW-1');

  const old = await witnessed.call('/public/verify/OLD-1/evidence');

  assert.equal(parseEvidence(old.text).checkpoint, published);
  assert.equal(await readSentence('OLD-1'), 'proved, witnessed 1 of 1 at 2026-03-02T07:15:00Z');
  assert.equal(await readSentence('NEW-1'), 'refused: no_quorum');
});

test('with timestamp=true its proofs lead to the oldest stamped checkpoint that has its blocks', async () => {
  await using service = await openTimeStampingService();
  const first = await boot({ env: { TSA_URL: service.url } });
  await first.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'OLD-1' })] }));
  const size = await stampedSize(first);
  await using stamped = await first.restart();
  await stamped.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'NEW-1' })] }));

  const old = await stamped.call('/public/verify/OLD-1/evidence?timestamp=true');
  const young = await stamped.call('/public/verify/NEW-1/evidence?timestamp=true');

  const { checkpoint } = parseEvidence(old.text);
  const stamp = await fetch(`${stamped.base}/log/1/timestamp/${size}`);
  const reply = new Uint8Array(await stamp.arrayBuffer());
  assert.match(
    await service.verify({ content: Buffer.from(checkpoint), reply }),
    /Verification: OK/,
  );
  const { text: policy } = await stamped.call('/log/1/policy');
  const { sentence } = await verifyEvidence({ file: old.text, policy });
  assert.equal(sentence, "proved, operator's word only");
  assert.equal(young.status, 404);
  assert.equal(
    String(young.json['detail']),
    'No time-stamped checkpoint has all blocks of the lot',
  );
  const { text: page } = await stamped.call('/lot/OLD-1');
  assert.match(page.replace(/\s+/g, ' '), /Time-stamped by 127\.0\.0\.1:\d+: it existed on <time/);
  const [, link] = /href="([^"]+timestamp=true)"/.exec(page)!;
  assert.equal((await stamped.call(link!.replaceAll('&amp;', '&'))).status, 200);
});
