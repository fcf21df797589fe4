// What a witness answers: the whole table of requests, and what monitors read afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cosignatureBody,
  parseCheckpoint,
  parseCosignature,
  parseVkey,
  utf8,
} from '@lothub/chain/log';
import { verifySignature } from '@lothub/chain/test/log/test-keys';
import { testFolder } from '@lothub/kit/test/cli-run';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { REQUEST_TABLE, TABLE_ORIGIN, tableLog } from './request-table.ts';
import { WITNESS_PREFIX, serveWitness } from './served-witness.ts';
import { formatEntry, newTestLog, requestBody } from './test-log.ts';

/** Whether the witness's line, among others, is its good cosignature; the time in it. */
async function cosignedAt(checkpoint: string, lines: string, vkey: string): Promise<number> {
  const { body, signatures } = parseCheckpoint(checkpoint + lines);
  const key = parseVkey(vkey);
  const line = signatures.find(({ keyId }) => keyId === key.keyId);
  const cosignature = line && parseCosignature(line);
  assert.ok(cosignature !== undefined, 'there is no cosignature');
  const { time, signature } = cosignature;
  const message = utf8(cosignatureBody(time, body));
  assert.ok(await verifySignature({ publicKey: key.publicKey, message, signature }));
  return time;
}

test('every row of the table is answered as the specification says, and 200 with a good cosignature', async () => {
  await using folder = await testFolder();
  const nowMs = 1_767_323_046_789;
  const clock = { nowMs: () => nowMs };
  await using served = await serveWitness(folder.path, { entries: [tableLog.entry], clock });
  const path = `/witness/${sha256Hex(TABLE_ORIGIN)}/checkpoint`;
  let last: string | undefined;
  assert.equal((await served.get(path)).status, 404);

  for (const row of REQUEST_TABLE) {
    const { status, type, text } = await served.post(row.body);

    assert.equal(status, row.status, `${row.name}: ${text}`);
    if (row.status === 409) {
      assert.deepEqual(
        { type, text },
        { type: 'text/x.tlog.size', text: `${row.size}\n` },
        row.name,
      );
    } else {
      assert.equal(type, 'text/plain; charset=utf-8', row.name);
    }
    if (row.cosigned === undefined) continue;
    last = tableLog.checkpoint(row.cosigned) + text;
    const { vkey } = served.witness.key;
    assert.equal(await cosignedAt(tableLog.checkpoint(row.cosigned), text, vkey), 1_767_323_046);
    const monitored = await served.get(path);
    assert.deepEqual([monitored.status, monitored.text], [200, last], row.name);
  }
});

test('what is monitored is what was answered, also after a start', async () => {
  await using folder = await testFolder();
  const path = `/witness/${sha256Hex(TABLE_ORIGIN)}/checkpoint`;
  let answered = '';
  {
    await using served = await serveWitness(folder.path, { entries: [tableLog.entry] });
    answered = (await served.post(tableLog.request(0, 5))).text;
  }

  await using again = await serveWitness(folder.path);

  assert.equal((await again.get(path)).text, tableLog.checkpoint(5) + answered);
  assert.equal((await again.post(tableLog.request(0, 5))).text, '5\n');
  assert.equal((await again.get(`/witness/${'0'.repeat(64)}/checkpoint`)).status, 404);
});

test('of two contradicting trees that are asked for at once one is cosigned', async () => {
  await using folder = await testFolder();
  await using served = await serveWitness(folder.path, { entries: [tableLog.entry] });
  const fork = newTestLog(TABLE_ORIGIN, { forkAt: 3 });
  await served.post(tableLog.request(0, 2));

  const answers = await Promise.all(
    [tableLog, fork, tableLog, fork].map((log) => served.post(log.request(2, 5))),
  );

  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 409, 409, 409]);
});

test('a log that rotates its key is known by both', async () => {
  await using folder = await testFolder();
  const rotated = newTestLog(TABLE_ORIGIN, { seed: 40 });
  const entries = [tableLog.entry, rotated.entry];
  await using served = await serveWitness(folder.path, { entries });

  const answers = [
    await served.post(tableLog.request(0, 5)),
    await served.post(rotated.request(5, 8)),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
});

test('a log that asks more than twice as often as its list says gets the time to come back', async () => {
  await using folder = await testFolder();
  const log = newTestLog(TABLE_ORIGIN, { qpd: 24 });
  await using served = await serveWitness(folder.path, { entries: [log.entry] });

  const statuses: number[] = [];
  for (let size = 0; size < 12; size += 1)
    statuses.push((await served.post(log.request(size, size + 1))).status);
  const refused = await served.app.inject({
    method: 'POST',
    url: '/witness/add-checkpoint',
    payload: log.request(10, 11),
  });

  assert.deepEqual(statuses, [...new Array<number>(10).fill(200), 429, 429]);
  assert.equal(refused.statusCode, 429);
  // 48 a day are one in half an hour.
  assert.ok(Math.abs(Number(refused.headers['retry-after']) - 1_800) < 60);
  assert.equal(
    (await served.post(requestBody(0, [], newTestLog(TABLE_ORIGIN, { seed: 9 }).checkpoint(1))))
      .status,
    403,
  );
});

test('a witness says what its key is, where it is asked and what it knows, and no contacts', async () => {
  await using folder = await testFolder();
  const other = newTestLog('other.example.com/log/1', { qpd: 24 });
  await using served = await serveWitness(folder.path, { entries: [tableLog.entry, other.entry] });

  const about = JSON.parse((await served.get('/witness/about')).text) as unknown;

  assert.deepEqual(about, {
    name: 'witness.example.org/witness',
    vkey: served.witness.key.vkey,
    prefix: WITNESS_PREFIX,
    logs: [
      { origin: TABLE_ORIGIN, vkey: tableLog.vkey, qpd: 86_400 },
      { origin: other.origin, vkey: other.vkey, qpd: 24 },
    ],
  });
  assert.equal((await served.get('/nothing')).status, 404);
  assert.equal((await served.get('/health')).status, 200);
});

test('witnesses whose clocks are an hour apart each cosign with their own time', async () => {
  await using folder = await testFolder();
  await using other = await testFolder();
  const entries = [formatEntry({ vkey: tableLog.vkey, qpd: 8_640 })];
  const nowMs = Date.now();
  await using first = await serveWitness(folder.path, { entries, clock: { nowMs: () => nowMs } });
  const late = { nowMs: () => nowMs + 3_600_000 };
  await using second = await serveWitness(other.path, { entries, clock: late });

  const lines = await Promise.all(
    [first, second].map(async (served) => ({
      text: (await served.post(tableLog.request(0, 5))).text,
      vkey: served.witness.key.vkey,
    })),
  );

  // Of one name, as its operators may choose: the ids of the keys distinguish them.
  const all = lines.map(({ text }) => text).join('');
  const times = await Promise.all(
    lines.map(({ vkey }) => cosignedAt(tableLog.checkpoint(5), all, vkey)),
  );
  assert.equal(new Set(lines.map(({ vkey }) => vkey.split('+', 1)[0])).size, 1);
  assert.equal(times[1]! - times[0]!, 3_600);
});
