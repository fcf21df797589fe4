// One checkpoint a day has a time stamp that a stranger can verify, and nothing that goes wrong with it is
// in anybody's way.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { encodeQuestion, readReply, REPLY_BYTES_MAX } from '../../src/timestamps/rfc3161.ts';
import { computeRestMs } from '../../src/timestamps/time-stamper.ts';
import { anEvent, boot } from '../boot.ts';
import { openTimeStampingService, stampedSize, until } from './time-stamping-service.ts';

const NONCE = 0x0123456789abcdefn;
const CONTENT = Buffer.from('what is stamped');
const QUESTION = { digest: sha256Bytes(CONTENT), nonce: NONCE };

const service = await openForFile(openTimeStampingService());

beforeEach(() => {
  service.answerWith(undefined);
});

test('a reply that OpenSSL signed is read, and OpenSSL verifies it', async () => {
  const reply = await service.reply(encodeQuestion(QUESTION));

  const stampedMs = readReply(reply, { ...QUESTION, nowMs: Date.now() });

  assert.ok(Math.abs(stampedMs - Date.now()) < 5_000);
  assert.match(await service.verify({ content: CONTENT, reply }), /Verification: OK/);
  const other = await service.verify({ content: Buffer.from('else'), reply });
  assert.match(other, /Verification: FAILED/);
});

for (const [what, change, code] of [
  ['of another imprint', { digest: sha256Bytes(Buffer.from('else')) }, 'other_imprint'],
  ['of another nonce', { nonce: NONCE + 1n }, 'other_nonce'],
  ['of another hour', { nowMs: Date.now() + 2 * 3_600_000 }, 'clocks_apart'],
] as const) {
  test(`a reply ${what} is refused`, async () => {
    const reply = await service.reply(encodeQuestion(QUESTION));

    assert.throws(() => readReply(reply, { ...QUESTION, nowMs: Date.now(), ...change }), { code });
  });
}

test('a reply without a time stamp says why the service refused', async () => {
  // An imprint of 20 bytes under the name of SHA-256.
  const reply = await service.reply(encodeQuestion({ ...QUESTION, digest: new Uint8Array(20) }));

  assert.throws(() => readReply(reply, { ...QUESTION, nowMs: Date.now() }), {
    code: 'refused_by_service',
    message: /status 2/,
  });
});

test('a reply without the certificate of its service is refused', async () => {
  const question = Buffer.from(encodeQuestion(QUESTION));
  // The last member of the request: certReq true becomes false.
  assert.equal(question.at(-1), 0xff);
  question[question.length - 1] = 0;
  const reply = await service.reply(question);

  assert.throws(() => readReply(reply, { ...QUESTION, nowMs: Date.now() }), {
    code: 'no_certificate',
  });
});

test('what is no reply, is cut, or is too long, is malformed', async () => {
  const reply = await service.reply(encodeQuestion(QUESTION));

  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('<html>'),
    reply.subarray(0, -1),
    Buffer.concat([reply, Buffer.of(0)]),
    Buffer.alloc(REPLY_BYTES_MAX + 1),
    encodeQuestion(QUESTION),
  ]) {
    assert.throws(() => readReply(bytes, { ...QUESTION, nowMs: Date.now() }), {
      name: 'TimeStampRefused',
    });
  }
});

test('a hub keeps a time stamp that OpenSSL verifies over the checkpoint that it serves with it', async () => {
  await using hub = await boot({ env: { TSA_URL: service.url } });
  await hub.post('/v1/events', anEvent());

  const size = await stampedSize(hub);

  const stamp = await fetch(`${hub.base}/log/1/timestamp/${size}`);
  const reply = new Uint8Array(await stamp.arrayBuffer());
  const note = (await hub.call(`/log/1/timestamp/${size}/checkpoint`)).text;
  assert.equal(stamp.headers.get('content-type'), 'application/timestamp-reply');
  assert.equal(
    stamp.headers.get('content-disposition'),
    `attachment; filename="checkpoint-${size}.tsr"`,
  );
  assert.equal(note.split('\n')[1], String(size));
  assert.match(await service.verify({ content: Buffer.from(note), reply }), /Verification: OK/);
  const proof = await hub.call(`/log/1/timestamp/${size}/proof/0`);
  assert.ok(proof.text.endsWith(`\n\n${note}`));
});

test('a second start on the same day asks for no second time stamp', async () => {
  const first = await boot({ env: { TSA_URL: service.url } });
  await stampedSize(first);
  const asked = service.questions.length;
  await first.post('/v1/events', anEvent());

  await using second = await first.restart();
  await stampedSize(second);
  await sleep(500);

  assert.equal(service.questions.length, asked);
});

test('after a day the checkpoint of then is stamped', async () => {
  const first = await boot({ env: { TSA_URL: service.url } });
  const size = await stampedSize(first);
  await first.post('/v1/events', anEvent());
  await first.database.change(`
    update log_timestamps set stamped_at = '2020-01-01T00:00:00.000Z' where size = ${size}`);

  await using second = await first.restart();
  const newer = await until('a second time stamp', async () => {
    const shown = await stampedSize(second);
    return shown > size ? shown : undefined;
  });

  assert.equal(newer, size + 1);
});

test('a service that fails is in nobody’s way, and health says so', async () => {
  service.answerWith(() => 503);
  await using hub = await boot({ env: { TSA_URL: service.url } });

  const answer = await hub.post('/v1/events', anEvent());
  const tries = await until('a failed try', async () => {
    const { timestamp } = (await hub.call('/health')).json;
    return Number(timestamp!['failed_tries']) > 0 ? timestamp : undefined;
  });

  assert.equal(answer.status, 201);
  assert.deepEqual(tries, { at: null, size: null, failed_tries: 1 });
});

test('a reply that was changed on its way is not kept', async () => {
  service.answerWith((reply) => Buffer.concat([reply, Buffer.of(0)]));
  await using hub = await boot({ env: { TSA_URL: service.url } });

  await until('a failed try', async () => {
    const { timestamp } = (await hub.call('/health')).json;
    return Number(timestamp!['failed_tries']) > 0 ? timestamp : undefined;
  });

  assert.deepEqual(await hub.database.rows('select size from log_timestamps'), []);
  assert.equal((await hub.call('/log/1/timestamp/1')).status, 404);
});

test('without a service health says that there is none', async () => {
  await using hub = await boot();

  assert.equal((await hub.call('/health')).json['timestamp'], null);
});

test('a service that fails is asked again later and later, at most once an hour', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 7, 50].map(computeRestMs),
    [60_000, 120_000, 240_000, 1_920_000, 3_600_000, 3_600_000],
  );
});
