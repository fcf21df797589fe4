// The service is killed while it stores a request of a hundred alerts, which takes two commits: before the second one,
// and after it. Its sender sends the request again, as Alertmanager does: no alert is lost, and none is stored twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { ServiceChild } from '@lothub/kit/test/service-child';
import { newApiToken } from '@lothub/kit/secrets/api-token';
import { POSTS_MAX } from '../../src/adapters/sender.ts';
import { BODY_CHARS_MAX } from '../../src/ingest/ingest-schema.ts';
import { ADAPTER_PREFIX } from '../../src/keys/key-prefix.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { ALERTMANAGER_FIRING } from '../adapters/payloads.ts';
import { INGEST } from '../posting.ts';
import { CrashedServices } from './crash-service.ts';

let database: TestDatabase;
let services: CrashedServices;
let token: string;

before(async () => {
  database = await newTestDatabase();
  services = new CrashedServices(database);
  const child = await services.start();
  token = await storeToken();
  child.kill();
  await child.ended;
});
after(async () => {
  await services[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Of the group that the service made at its first start. */
async function storeToken(): Promise<string> {
  const [group] = await database.rows('select id from groups');
  const issued = newApiToken(ADAPTER_PREFIX);
  await database.change(
    `insert into group_keys (id, group_id, name, secret_hash, adapter, created_at)
    values (?, ?, 'Alertmanager', ?, 'alertmanager', 1)`,
    issued.id,
    String(group?.['id']),
    issued.hash,
  );
  return issued.token;
}

/** A hundred bodies of this length are more than one commit holds. */
const LONG_TEXT = 'x'.repeat(BODY_CHARS_MAX);

function buildRequest(name: string): string {
  const [alert] = ALERTMANAGER_FIRING.alerts;
  const alerts = Array.from({ length: POSTS_MAX }, (_, index) => ({
    ...alert,
    fingerprint: `${name}-${index}`,
    annotations: { summary: `${name}-${index}`, description: LONG_TEXT },
  }));
  return JSON.stringify({ ...ALERTMANAGER_FIRING, alerts });
}

/** @returns undefined when nobody answered */
async function send(child: ServiceChild, body: string) {
  const answer = await fetch(`${child.base}${INGEST}/alertmanager`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const json: unknown = await answer.json();
  return { status: answer.status, json };
}

async function listStored(name: string): Promise<readonly string[]> {
  const rows = await database.rows(
    'select title from notifications where title like ? order by seq',
    `${name}-%`,
  );
  return rows.map(({ title }) => String(title));
}

/** How much of the request was on disk when it was sent again. */
const storedInPart: number[] = [];

for (const name of ['before-commit', 'after-commit'] as const) {
  test(`a kill ${name.replace('-', ' ')} of the second half of a request loses and doubles no alert`, async () => {
    const body = buildRequest(name);
    const killed = await services.start({ point: name, groups: 1 });
    const first = await send(killed, body);
    // A point that the request does not reach must not keep the test waiting.
    if (first !== undefined) killed.kill();
    assert.equal(await killed.ended, 'SIGKILL');
    const before = await listStored(name);

    const child = await services.start();
    const again = await send(child, body);
    const repeated = await send(child, body);

    child.kill();
    await child.ended;
    assert.equal(first, undefined);
    assert.deepEqual([again?.status, repeated?.status], [200, 200]);
    // In the order of the request, what came before the kill included.
    const whole = Array.from({ length: POSTS_MAX }, (_, index) => `${name}-${index}`);
    assert.deepEqual(before, whole.slice(0, before.length));
    assert.deepEqual(await listStored(name), whole);
    const [group] = await database.rows('select head_seq from group_heads');
    const seqs = await database.rows('select seq from notifications order by seq');
    assert.deepEqual(
      seqs.map(({ seq }) => seq),
      Array.from({ length: Number(group?.['head_seq']) }, (_, index) => index + 1),
    );
    storedInPart.push(before.length);
  });
}

test('one kill left a part of its request, and the other one all of it', () => {
  const [half = 0, whole] = storedInPart;

  assert.ok(half > 0 && half < POSTS_MAX, `${half}`);
  assert.equal(whole, POSTS_MAX);
});
