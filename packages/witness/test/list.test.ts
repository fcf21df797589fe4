// The list of logs: its form, long ones, and what a change of it does and does not.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { WITNESS_KEY_TYPE, formatVkey, keyId, toBase64 } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/chain/test/log/naive-tree';
import { testKey } from '@lothub/chain/test/log/test-keys';
import { testFolder } from '@lothub/kit/test/cli-run';
import { parseLogList } from '@lothub/witness';
import { listFileIn, serveWitness, type ServedWitness } from './served-witness.ts';
import { formatEntry, formatList, newTestLog } from './test-log.ts';

const LOOK_EVERY_MS = 20;
const MANY_LOGS = 10_000;

const VKEY = formatVkey('hub.example.com/log/1', testKey(1).publicKey);
const OTHER_VKEY = formatVkey('other.example.com/log/1', testKey(2).publicKey);

test('the form of the witness network is read, with comments, spaces and an origin', async () => {
  const text = [
    '# a list',
    '',
    '  logs/v0  ',
    `vkey ${VKEY}`,
    'qpd 8640',
    'contact ops (at) hub.example.com | +49 30 1234',
    '# the second',
    `vkey ${OTHER_VKEY}`,
    'origin another-name',
    'qpd 2147483647',
    'contact x',
  ].join('\n');

  const { logs, skipped } = await parseLogList(text);

  assert.deepEqual(logs, [
    {
      origin: 'hub.example.com/log/1',
      vkey: VKEY,
      qpd: 8_640,
      contact: 'ops (at) hub.example.com | +49 30 1234',
    },
    { origin: 'another-name', vkey: OTHER_VKEY, qpd: 2_147_483_647, contact: 'x' },
  ]);
  assert.deepEqual(skipped, []);
  assert.deepEqual((await parseLogList('logs/v0\n')).logs, []);
});

for (const [text, message] of [
  ['', /no line logs\/v0/],
  ['logs/v1\n', /line 1 /],
  [`vkey ${VKEY}\n`, /line 1 /],
  [`logs/v0\nqpd 1\n`, /line 2 must be vkey/],
  [`logs/v0\nvkey ${VKEY}\ncontact x\n`, /line 3 must be origin or qpd/],
  [`logs/v0\nvkey ${VKEY}\nqpd 0\ncontact x\n`, /line 3 must be qpd and a number/],
  [`logs/v0\nvkey ${VKEY}\nqpd 08\ncontact x\n`, /line 3 must be qpd/],
  [`logs/v0\nvkey ${VKEY}\nqpd 2147483648\ncontact x\n`, /line 3 must be qpd/],
  [`logs/v0\nvkey ${VKEY}\nqpd 1\n`, /last entry is not complete/],
  [`logs/v0\nvkey ${VKEY}\nqpd 1\ncontact \n`, /line 4 must be contact/],
  [`logs/v0\nvkey ${VKEY}\nqpd 1\ncontact x\nbastion none\n`, /line 5 must be vkey/],
] as const) {
  test(`a list is refused with the line that is wrong: ${message.source}`, async () => {
    await assert.rejects(parseLogList(text), { name: 'LogListError', message });
  });
}

test('entries that cannot be judged are left out, and the others are read', async () => {
  const ofWitness = formatVkey('w.example.com', testKey(1).publicKey, WITNESS_KEY_TYPE);
  const mlDsa = `ml.example.com+01020304+${toBase64(new Uint8Array(1_313).fill(6))}`;
  const entries = [ofWitness, mlDsa, VKEY].map((vkey) => formatEntry({ vkey, qpd: 1 }));
  const spaced = `vkey ${OTHER_VKEY}\norigin go.sum database tree\nqpd 1\ncontact x\n`;

  const { logs, skipped } = await parseLogList(formatList([...entries, spaced]));

  assert.deepEqual(
    logs.map(({ vkey }) => vkey),
    [VKEY],
  );
  assert.equal(skipped.length, 3);
});

test(`a list of ${MANY_LOGS} logs is read in turns, and every one of them is cosigned`, async () => {
  await using folder = await testFolder();
  const logs = Array.from({ length: MANY_LOGS }, (_, index) => {
    const publicKey = sha256Bytes(Buffer.from(`key ${index}`));
    return formatEntry({ vkey: formatVkey(`log-${index}.example.com`, publicKey), qpd: 8_640 });
  });
  const last = newTestLog('last.example.com/log/1');
  const startedMs = performance.now();

  await using served = await serveWitness(folder.path, { entries: [...logs, last.entry] });
  const openedMs = performance.now() - startedMs;

  assert.equal(served.witness.logCount, MANY_LOGS + 1);
  assert.equal((await served.post(last.request(0, 5))).status, 200);
  const about = JSON.parse((await served.get('/witness/about')).text) as { logs: unknown[] };
  assert.equal(about.logs.length, MANY_LOGS + 1);
  assert.ok(openedMs < 30_000, `it took ${openedMs} ms`);
});

test('a changed list adds, and neither takes away nor changes; a broken one changes nothing', async () => {
  await using folder = await testFolder();
  const [first, second] = [newTestLog('first.example.com'), newTestLog('second.example.com')];
  const slow = newTestLog('first.example.com', { qpd: 1 });
  await using served = await serveWitness(folder.path, {
    entries: [first.entry],
    lookEveryMs: LOOK_EVERY_MS,
  });
  const file = listFileIn(folder.path);

  await writeFile(file, 'logs/v0\nvkey\n');
  await whenLogged(served, /reading the changed list of logs failed/);
  await writeFile(file, formatList([second.entry]));
  await whenLogged(served, /a list only adds/);
  await writeFile(file, formatList([slow.entry, second.entry]));
  await whenLogged(served, /a list only adds/, 2);

  assert.equal((await served.post(first.request(0, 5))).status, 200);
  assert.equal((await served.post(second.request(0, 5))).status, 200);
  assert.deepEqual(
    (await served.witness.listLogs()).map(({ origin, qpd }) => [origin, qpd]),
    [
      ['first.example.com', 86_400],
      ['second.example.com', 86_400],
    ],
  );
});

test('what a list named once is known after a start without it', async () => {
  await using folder = await testFolder();
  const log = newTestLog('first.example.com');
  {
    await using _served = await serveWitness(folder.path, { entries: [log.entry] });
  }

  await using served = await serveWitness(folder.path, { entries: [] });

  assert.equal((await served.post(log.request(0, 5))).status, 200);
});

test('the log of the own hub is refused at the start, by its name and by its key', async () => {
  await using folder = await testFolder();
  const own = newTestLog('hub.example.com/log/1');
  const renamed = `elsewhere.example.com+${keyId({ name: 'elsewhere.example.com', type: 1, publicKey: own.key.publicKey })}+${own.vkey.replace(/^[^+]+\+[0-9a-f]{8}\+/, '')}`;
  for (const entry of [own.entry, formatEntry({ vkey: renamed, qpd: 1 })]) {
    await assert.rejects(serveWitness(folder.path, { entries: [entry], ownLogs: () => [own] }), {
      code: 'own_log',
    });
  }
});

test('the log of the own hub that a list gains later is not cosigned', async () => {
  await using folder = await testFolder();
  const own = newTestLog('hub.example.com/log/1');
  const other = newTestLog('other.example.com/log/1', { seed: 40 });
  await using served = await serveWitness(folder.path, {
    entries: [],
    ownLogs: () => [own],
    lookEveryMs: LOOK_EVERY_MS,
  });

  await writeFile(listFileIn(folder.path), formatList([own.entry, other.entry]));
  await whenLogged(served, /names the log of this hub/);

  assert.equal((await served.post(own.request(0, 5))).status, 404);
  assert.equal((await served.post(other.request(0, 5))).status, 200);
});

test('a log that becomes the own hub’s is not cosigned any more', async () => {
  await using folder = await testFolder();
  const log = newTestLog('hub.example.com/log/2');
  const own: { origin: string; vkey: string }[] = [];
  await using served = await serveWitness(folder.path, {
    entries: [log.entry],
    ownLogs: () => own,
  });
  assert.equal((await served.post(log.request(0, 5))).status, 200);

  own.push(log);

  assert.equal((await served.post(log.request(5, 8))).status, 404);
});

async function whenLogged(served: ServedWitness, text: RegExp, times = 1): Promise<void> {
  while (served.logged.filter((one) => text.test(one.text)).length < times) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
