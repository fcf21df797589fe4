// A service on SQLite and its disk: a notification is on disk before its sender gets an answer, and while the
// disk refuses to write, each sender gets the same answer.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { awaitServiceChild, type ServiceChild } from '@lothub/kit/test/service-child';
import { startTrace } from '@lothub/kit/test/programs/strace';
import { fileURLToPath } from 'node:url';
import { FIRST_OWNER, NO_LIMITS } from '../boot.ts';
import {
  CrashedServices,
  NO_DAMAGE,
  POSTS,
  assertStoredAgain,
  findDamage,
  newRecord,
  postOnce,
  postSome,
} from './crash-service.ts';
import type { CrashOptions, PostingRecord } from './crash-service.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { answeredBeforeFlush } from '../flush-order.ts';

/** A disk so small that it is soon full, and large enough for an empty database. */
const DISK_BYTES = 8 * 1_024 * 1_024;
const FILLER_BYTES = 4_096;

let database: TestDatabase;
let services: CrashedServices;

before(async () => {
  database = await newTestDatabase();
  services = new CrashedServices(database);
});
after(async () => {
  await services[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Titles of posts that were answered too early. */
async function answeredEarly(crash?: CrashOptions): Promise<readonly string[]> {
  const child = await services.start(crash);
  const prefix = `flush-${child.pid}`;
  const early = await answeredBeforeFlush({
    pids: [child.pid],
    handedOn: /^pwrite64\(\d+<[^>]*notifications\.db-wal>/,
    log: /notifications\.db-wal>/,
    post: async () => listTitles(await postSome(child, prefix)),
  });
  await child.end();
  return early;
}

function listTitles({ acknowledged }: PostingRecord): readonly string[] {
  assert.equal(acknowledged.length, POSTS);
  return acknowledged.map(({ title }) => title);
}

test('the log is flushed to disk between the writing of each post and its 201', async () => {
  const early = await answeredEarly();

  assert.deepEqual(early, []);
});

test('a service that answers before the commit is found out by its system calls', async () => {
  const early = await answeredEarly({ point: 'answer-before-commit' });

  assert.equal(early.length, POSTS);
});

test('while the disk cannot be written posts are refused with 503, and afterwards taken again', async () => {
  const child = await services.start();
  const before = await postSome(child, 'writable');
  // What the kernel answers on a file system that has become read-only under an open file.
  const trace = await startTrace({
    pids: [child.pid],
    calls: ['pwrite64', 'write', 'ftruncate'],
    fail: {
      error: 'EROFS',
      files: ['', '-wal'].map((end) => join(database.dataDir, `notifications.db${end}`)),
    },
  });
  const refused = await postSome(child, 'read-only');
  const health = await fetch(`${child.base}/api/v1/health`);
  await trace.stop();

  const again = await postSome(child, 'read-only');

  await child.end();
  assert.equal(before.acknowledged.length, POSTS);
  assertStoredAgain(refused, again);
  assert.deepEqual(listCodes(refused), ['outcome_unknown']);
  assert.equal(health.status, 200);
});

function listCodes({ unavailable }: PostingRecord): readonly string[] {
  return [...new Set(unavailable.map(({ code }) => code))];
}

test('a post whose commit cannot be flushed is refused as unknown, and is stored once by sending it again', async () => {
  await using own = await newTestDatabase();
  await using restarted = new CrashedServices(own);
  const child = await restarted.start();
  await using _tracing = await startTrace({
    pids: [child.pid],
    calls: ['fsync', 'fdatasync'],
    fail: { error: 'EIO', files: [join(own.dataDir, 'notifications.db-wal')] },
  });
  const refused = newRecord();
  await postOnce(child.base, 'unflushed', refused);
  await child.end();
  // What a restart finds in the log is kept, though its flush failed.
  const after = await restarted.start();
  const record = newRecord();

  await postOnce(after.base, 'unflushed', record);

  await after.end();
  assert.deepEqual(listCodes(refused), ['outcome_unknown']);
  assert.deepEqual(record.replayed, ['unflushed']);
  const stored = await own.rows('select title from notifications');
  assert.deepEqual(
    stored.map(({ title }) => title),
    ['unflushed'],
  );
  assert.deepEqual(await findDamage(own, record.acknowledged), NO_DAMAGE);
});

/** Serves on a disk of its own, which goes with the process. */
async function startOnSmallDisk(dataDir: string): Promise<ServiceChild> {
  // A mount that this process alone sees; whoever is not root becomes it for that process alone.
  const namespaces =
    process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const child = spawn(
    'unshare',
    [
      ...namespaces,
      'sh',
      '-c',
      'mount -t tmpfs -o "size=$DISK_BYTES" tmpfs "$DATA_DIR" && exec "$0" "$1"',
      process.execPath,
      fileURLToPath(new URL('./crash-child.ts', import.meta.url)),
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...NO_LIMITS,
        ...FIRST_OWNER,
        DATA_DIR: dataDir,
        DISK_BYTES: String(DISK_BYTES),
        LOG_LEVEL: 'error',
      },
    },
  );
  const serving = awaitServiceChild(child);
  child.stdin.end('serve\n');
  return await serving;
}

/** The file grows until nothing more fits. */
function fill(path: string): void {
  const bytes = Buffer.alloc(FILLER_BYTES);
  try {
    for (;;) appendFileSync(path, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

test('while the disk is full posts are refused with 503, and afterwards taken again', async () => {
  await using own = await newTestDatabase();
  const child = await startOnSmallDisk(own.dataDir);
  using _ending = { [Symbol.dispose]: () => child.kill() };
  const disk = join('/proc', String(child.pid), 'root', own.dataDir);
  const before = await postSome(child, 'roomy');
  fill(join(disk, 'filler'));

  const refused = await postSome(child, 'full');
  rmSync(join(disk, 'filler'));
  const again = await postSome(child, 'full');

  // The disk ends with the process: its content is copied first.
  for (const end of ['', '-wal']) {
    const name = `notifications.db${end}`;
    appendFileSync(join(own.dataDir, name), readFileSync(join(disk, name)));
  }
  await child.end();
  assert.equal(before.acknowledged.length, POSTS);
  assertStoredAgain(refused, again);
  assert.deepEqual(listCodes(refused), ['unavailable']);
  const damage = await findDamage(own, [...before.acknowledged, ...again.acknowledged]);
  assert.deepEqual(damage, NO_DAMAGE);
});
