// `lothub notify`: what it posts, out of options and standard input, and with which code it ends.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { after, test } from 'node:test';
import { runProgram } from '@lothub/kit/cli/run-program';
import { captureRun, testFolder, type CliRun } from '@lothub/kit/test/cli-run';
import { startReceiver } from '@lothub/delivery/test/receiver';
import { addNotificationCommands } from '../src/cli/commands.ts';
import { EXPECTED_ERRORS } from '../src/cli/expected-errors.ts';
import { boot } from './boot.ts';
import { newPoster } from './posting.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

async function run(
  args: readonly string[],
  given: { readonly key?: string; readonly stdin?: Readable | string } = {},
): Promise<CliRun> {
  const outline = {
    name: 'lothub',
    description: 'Notifications alone.',
    version: '0',
    addCommands: addNotificationCommands,
    expected: EXPECTED_ERRORS,
  };
  const { key, stdin = '' } = given;
  return await captureRun(
    (terminal) => runProgram(outline, { args: ['notify', ...args], terminal }),
    key === undefined ? {} : { LOTHUB_NOTIFY_KEY: key },
    typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) : stdin,
  );
}

async function storedIn(groupId: string) {
  const rows = await booted.database.rows(
    `select title, body, severity, url, dedup_key, status
    from notifications
    where group_id = ?
    order by seq`,
    groupId,
  );
  return rows.map((row) => ({ ...row }));
}

const NOTHING_MORE = { url: null, dedup_key: null, status: null };

test('what the options say is posted, and the answer says where', async () => {
  const { key, groupId } = await newPoster(booted);

  const done = await run(
    [
      ...['--url', `${booted.base}/`, '--title', 'Oven 3', '--body', 'is hot', '--json'],
      ...['--severity', 'critical', '--link', 'https://a.example/', '--dedup-key', 'oven-3'],
      ...['--status', 'firing'],
    ],
    { key, stdin: 'not read' },
  );

  assert.equal(done.code, 0, done.stderr);
  const { ok, notification, replayed } = done.json;
  assert.deepEqual([ok, notification?.['seq'], replayed], [true, 1, false]);
  assert.deepEqual(await storedIn(groupId), [
    {
      ...{ title: 'Oven 3', body: 'is hot', severity: 'critical', url: 'https://a.example/' },
      ...{ dedup_key: 'oven-3', status: 'firing' },
    },
  ]);
});

test('standard input is the body, and without a title its first line is the title', async () => {
  const { key, groupId } = await newPoster(booted);
  await using folder = await testFolder();
  await writeFile(folder.file('oven.key'), `${key}\n`);
  const from = ['--url', booted.base, '--key-file', folder.file('oven.key')];

  const titled = await run([...from, '--title', 'Backup'], { stdin: 'one\ntwo\n' });
  const untitled = await run(from, { stdin: 'Backup\none\ntwo\n' });
  const alone = await run([...from, '--title', 'Backup']);

  assert.deepEqual([titled.code, untitled.code, alone.code], [0, 0, 0]);
  assert.equal(titled.stdout, `Posted as 1 in ${groupId}.\n`);
  const backup = { title: 'Backup', body: 'one\ntwo', severity: 'info', ...NOTHING_MORE };
  assert.deepEqual(await storedIn(groupId), [backup, backup, { ...backup, body: null }]);
});

test('what is too long is cut, and bytes that are no text are replaced', async () => {
  const { key, groupId } = await newPoster(booted);
  const log = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from('x'.repeat(2_000_000))]);

  const done = await run(['--url', booted.base, '--title', 'y'.repeat(121)], {
    key,
    stdin: Readable.from([log]),
  });

  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /The body was cut/);
  const [row] = await storedIn(groupId);
  const { title, body } = row ?? {};
  assert.equal(title, `${'y'.repeat(119)}…`);
  assert.equal(String(body).length, 4_000);
  assert.match(String(body), /^y{121}\n\n\ufffd\nx+…$/);
});

test('what was answered by nobody is sent again, and posted once', async () => {
  const { key, groupId } = await newPoster(booted);
  let forwarded = 0;
  const lossy = createServer((request, response) => {
    const options = { method: 'POST', headers: request.headers };
    const onward = requestHttp(`${booted.base}${request.url ?? ''}`, options, (answered) => {
      forwarded += 1;
      // The first answer is lost on its way back.
      if (forwarded === 1) {
        answered.resume();
        request.socket.destroy();
        return;
      }
      response.writeHead(answered.statusCode ?? 0, answered.headers);
      answered.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => lossy.listen(0, '127.0.0.1', resolve));
  const { port } = lossy.address() as AddressInfo;

  const done = await run(['--url', `http://127.0.0.1:${port}`, '--title', 'A', '--json'], { key });
  await new Promise((resolve) => lossy.close(resolve));

  assert.deepEqual([done.code, forwarded, done.json['replayed']], [0, 2, true]);
  assert.match(done.stderr, /trying again in 1 s/);
  assert.equal((await storedIn(groupId)).length, 1);
});

test('an Idempotency-Key of the caller posts once, however often the command runs', async () => {
  const { key, groupId } = await newPoster(booted);
  const args = ['--url', booted.base, '--title', 'A', '--idempotency-key', 'backup-1', '--json'];

  const [first, again] = [await run(args, { key }), await run(args, { key })];

  assert.deepEqual([first.json['replayed'], again.json['replayed']], [false, true]);
  assert.equal((await storedIn(groupId)).length, 1);
});

for (const [what, args, said] of [
  ['a wrong link', ['--link', 'oven'], /422: Wrong: \/url.*; \/url wrong_form/],
  ['a wrong Idempotency-Key', ['--idempotency-key', 'a b'], /422: .*header:idempotency-key/],
] as const) {
  test(`${what} is refused with code 3, saying why, and nothing is tried again`, async () => {
    const { key, groupId } = await newPoster(booted);

    const done = await run(['--url', booted.base, '--title', 'A', ...args], { key });

    assert.equal(done.code, 3);
    assert.match(done.stderr, said);
    assert.doesNotMatch(done.stderr, /trying again/);
    assert.deepEqual(await storedIn(groupId), []);
  });
}

test('a key that is none is refused with code 3, and never shown', async () => {
  const key = 'nk_not-a-key-of-anybody-0123456789';

  const done = await run(['--url', booted.base, '--title', 'A', '--json'], { key });

  assert.deepEqual([done.code, done.json['error']?.['code']], [3, 'post_refused']);
  assert.match(done.stderr, /answered 401/);
  assert.ok(!(done.stdout + done.stderr).includes(key));
});

test('a service that is not there, or cannot store now, ends it with code 4', async () => {
  await using busy = await startReceiver({
    answer: (response) => void response.writeHead(503, { 'Retry-After': '600' }).end('{}'),
  });
  const away = await startReceiver();
  await away[Symbol.asyncDispose]();
  const args = ['--title', 'A', '--timeout', '1', '--url'];

  const [refused, unanswered] = [
    await run([...args, busy.base], { key: 'k'.repeat(32) }),
    await run([...args, away.base], { key: 'k'.repeat(32) }),
  ];

  assert.deepEqual([refused.code, unanswered.code], [4, 4]);
  assert.match(refused.stderr, /answered 503: .*trying again in 600 s/);
  assert.match(unanswered.stderr, /ECONNREFUSED.*is the service running/s);
  assert.equal(busy.received.length, 1);
});

test('the key goes to nobody else: a redirection is not followed', async () => {
  await using other = await startReceiver();
  await using first = await startReceiver({
    answer: (response) => void response.writeHead(307, { Location: other.base }).end(),
  });

  const done = await run(['--url', first.base, '--title', 'A'], { key: 'k'.repeat(32) });

  assert.equal(done.code, 1);
  assert.equal(other.received.length, 0);
});

test('input that does not end keeps it no longer than --timeout', async () => {
  const done = await run(['--url', booted.base, '--timeout', '1'], {
    key: 'k'.repeat(32),
    stdin: new PassThrough(),
  });

  assert.equal(done.code, 2);
  assert.match(done.stderr, /standard input: it did not end/);
});

for (const [what, args, given, said] of [
  ['no key', ['--title', 'A'], {}, /set LOTHUB_NOTIFY_KEY/],
  ['nothing to say', [], { key: 'k'.repeat(32), stdin: ' \n' }, /there is nothing/],
  ['a status alone', ['--title', 'A', '--status', 'firing'], {}, /--dedup-key/],
  ['another severity', ['--title', 'A', '--severity', 'high'], {}, /Allowed choices/],
  ['a timeout of nothing', ['--title', 'A', '--timeout', '0'], {}, /seconds from 1 to 3600/],
  ['a file that is not there', ['--key-file', '/none/key'], {}, /reading the key in \/none\/key/],
] as const) {
  test(`${what} is wrong usage, and ends it with code 2`, async () => {
    const done = await run(['--url', booted.base, ...args], given);

    assert.equal(done.code, 2);
    assert.match(done.stderr, said);
  });
}

test('a key has no option of its own, in which others could read it', async () => {
  const help = await run(['--help']);

  assert.doesNotMatch(help.stdout, /--key[ =]/);
  assert.match(help.stdout, /Example:\n {2}lothub notify/);
});
