// A hub and its witness, both as processes, and both killed in the middle of rounds, again and again: the
// quorum is back within a round, and what was cosigned is always the beginning of what the hub has.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOG_KEY_TYPE, parseCheckpoint, sameBytes, type TreeHead } from '@lothub/chain/log';
import { NaiveTree } from '@lothub/chain/test/log/naive-tree';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { TestProgram, testFolder, type ServedCli } from '@lothub/kit/test/cli-run';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { NoteKey } from '@lothub/note-key';
import { formatEntry, formatList } from '@lothub/witness/test/test-log';
import { freePort } from '@lothub/kit/test/free-port';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

/** In the long run 50, with those of rounds-killed.test.ts. */
const KILLS = chooseRounds({ usual: 3, long: 36 });
/** Rounds come every second: a kill falls before, into or after one. */
const INTERVAL_SECONDS = '1';
const KILL_AFTER_MS_MAX = 1_500;
/** By which one of both lives longer than the other. */
const APART_MS_MAX = 300;
const PAUSE_MS = 20;
/** A round and its answers. */
const QUORUM_BACK_MS = 3_000;
const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const ORIGIN = 'hub.example.com/log/1';
/** A bundle of entries has two bytes of length before each hash. */
const ENTRY_BYTES = 34;
const LENGTH_BYTES = 2;
const BUNDLE_ENTRIES = 256;

/** Whether the event was stored; false when the hub is gone. */
async function post(base: string, externalId: string): Promise<boolean> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Api-Key': TENANT_KEY,
    'X-Tenant-Id': 'bakery',
  };
  const lines = [
    { lot_code: 'LOT-1', product_sku: 'FLOUR', direction: 'in', quantity: 1, unit: 'kg' },
  ];
  const body = JSON.stringify({
    ...{ external_id: externalId, event_type: 'RECEIVE', occurred_at: '2026-01-05T08:00:00Z' },
    ...{ location: 'A', reference: 'PO-1', lines },
  });
  try {
    const answer = await fetch(`${base}/v1/events`, { method: 'POST', headers, body });
    assert.equal(answer.status, 201, await answer.text());
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** A checkpoint that is served; undefined before the first one. */
async function headAt(url: string): Promise<TreeHead | undefined> {
  const answer = await fetch(url);
  const text = await answer.text();
  return answer.status === 200 ? parseCheckpoint(text) : undefined;
}

async function readTree({ base }: ServedCli, size: number): Promise<NaiveTree> {
  const entries: Uint8Array[] = [];
  for (let tile = 0; entries.length < size; tile += 1) {
    const width = Math.min(BUNDLE_ENTRIES, size - entries.length);
    const part = width === BUNDLE_ENTRIES ? '' : `.p/${width}`;
    const number = String(tile).padStart(3, '0');
    const answer = await fetch(`${base}/log/1/tile/entries/${number}${part}`);
    assert.equal(answer.status, 200);
    const bundle = await answer.bytes();
    for (let at = 0; at < bundle.length; at += ENTRY_BYTES) {
      entries.push(bundle.subarray(at + LENGTH_BYTES, at + ENTRY_BYTES));
    }
  }
  return NaiveTree.ofEntries(entries);
}

test(`a hub and its witness that are killed ${KILLS} times have their quorum back after a round`, async () => {
  await using folder = await testFolder();
  const [hubDir, witnessDir] = [folder.file('hub'), folder.file('witness')];
  for (const dir of [hubDir, witnessDir]) await mkdir(dir);
  const seed = new Uint8Array(32).fill(17);
  const key = new NoteKey({ name: ORIGIN, type: LOG_KEY_TYPE, seed });
  await writeFile(join(hubDir, 'log.key'), key.line, { mode: 0o600 });
  const listFile = folder.file('logs.txt');
  await writeFile(listFile, formatList([formatEntry({ vkey: key.vkey, qpd: 86_400 })]));
  const port = await freePort();
  const witnessSettings = {
    ...{ DATA_DIR: witnessDir, WITNESS_LOGS: listFile, WITNESS_NAME: 'witness.example.org/1' },
    ...{ PORT: String(port), LOG_LEVEL: 'error' },
  };
  const serveWitness = () => PROGRAM.serve(witnessSettings, [], { command: 'witness' });
  const policyFile = folder.file('policy.txt');
  {
    await using witness = await serveWitness();
    const about = await (await fetch(`${witness.base}/witness/about`)).json();
    const { vkey } = about as { readonly vkey: string };
    await writeFile(policyFile, `witness w ${vkey} ${witness.base}/witness\nquorum w\n`);
  }
  const hubSettings = {
    ...{ DATA_DIR: hubDir, SERVICES: 'traceability', TENANT_API_KEY: TENANT_KEY },
    ...{ ADMIN_API_KEY: 'test-admin-key-0123456789abcdef', LOG_LEVEL: 'error' },
    ...{ LOG_ORIGIN: ORIGIN, WITNESS_POLICY_FILE: policyFile, RATE_LIMIT_V1: '0' },
    ...{ WITNESS_INTERVAL: INTERVAL_SECONDS, RATE_LIMIT_LOG: '0' },
  };
  const cosigned: TreeHead[] = [];
  let number = 0;
  let published = 0;

  for (let kill = 0; kill < KILLS; kill += 1) {
    await using witness = await serveWitness();
    await using hub = await PROGRAM.serve(hubSettings);
    const seen = await headAt(`${witness.base}/witness/${sha256Hex(ORIGIN)}/checkpoint`);
    if (seen !== undefined) cosigned.push(seen);
    assert.ok(await post(hub.base, `event-${(number += 1)}`));
    const startedMs = performance.now();
    for (;;) {
      const head = await headAt(`${hub.base}/log/1/checkpoint`);
      if (head !== undefined && head.size > published) {
        published = head.size;
        break;
      }
      const waitedMs = performance.now() - startedMs;
      assert.ok(waitedMs < stretchForLoad(QUORUM_BACK_MS), `no quorum after kill ${kill}`);
      await sleep(PAUSE_MS);
    }
    const killAtMs = performance.now() + randomInt(KILL_AFTER_MS_MAX);
    while (performance.now() < killAtMs && (await post(hub.base, `event-${(number += 1)}`))) {
      await sleep(PAUSE_MS);
    }
    const [first, second] = kill % 2 === 0 ? [hub, witness] : [witness, hub];
    first.child.kill('SIGKILL');
    await sleep(randomInt(APART_MS_MAX));
    second.child.kill('SIGKILL');
    await Promise.all([first.ended, second.ended]);
  }

  await using hub = await PROGRAM.serve(hubSettings);
  const latest = await headAt(`${hub.base}/log/1/checkpoint/latest`);
  const tree = await readTree(hub, latest!.size);
  assert.ok(cosigned.length >= KILLS - 1);
  for (const [place, { size, root }] of cosigned.entries()) {
    assert.ok(size >= (cosigned[place - 1]?.size ?? 0), `the witness went back to ${size}`);
    assert.ok(sameBytes(tree.rootAt(size), root), `the witness cosigned another tree of ${size}`);
  }
  const health = await (await fetch(`${hub.base}/health`)).json();
  assert.equal((health as { log: { state: string } }).log.state, 'signing');
});
