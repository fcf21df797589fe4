// A hub of this working tree as a process of its own, in a folder that is thrown away, and proxies that
// show its log otherwise.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { repositoryRoot } from '../install.js';

const STOP_WITH_PARENT = new URL('../stop-with-parent.js', import.meta.url).href;
const PROGRAM = join(repositoryRoot, 'host/bin/lothub.ts');
const API_KEY = 'interop-tenant-key-0123456789abcdef';
const HEADERS = {
  'Content-Type': 'application/json',
  'X-Api-Key': API_KEY,
  'X-Tenant-Id': 'interop',
};
const LOT_CODE = 'FLOUR-1';
const NEWEST_AUDIT = '/public/explorer/blocks?event_type=AUDIT&limit=1';
/** A change is sealed a minute after it. */
const AUDITED_WITHIN_MS = 120_000;
const AUDIT_LOOK_MS = 1_000;
/** The last line of the banner, which names the address before. */
const BANNER_END = /Its log follows\.$/;
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/**
 * @typedef {object} Hub
 * @property {string} base its address
 * @property {string} prefix of its log
 * @property {(name: string) => Promise<any>} post one event; resolves to the answer
 * @property {(count: number, name: string) => Promise<void>} postBatch events, and decisions of all types
 * @property {(path: string) => Promise<string>} read a text below the prefix
 * @property {() => Promise<void>} untilAudited resolves when a block seals the audit of what was posted
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a hub on the data of a folder; resolves once it listens.
 *
 * @param {string} dataDir
 * @param {Readonly<Record<string, string>>} env more settings
 * @returns {Promise<Hub>}
 */
export async function startHub(dataDir, env = {}) {
  const child = spawn(process.execPath, ['--import', STOP_WITH_PARENT, PROGRAM, 'serve'], {
    env: { ...process.env, ...buildSettings(dataDir), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const base = await awaitAddress(child);
  const prefix = `${base}/log/1/`;
  const ask = async (method, path, body) => {
    const init = { method, headers: HEADERS, body: JSON.stringify(body) };
    return await readAnswer(`${method} ${path}`, await fetch(base + path, init));
  };
  const send = (path, body) => ask('POST', path, body);
  return {
    base,
    prefix,
    post: async (name) => JSON.parse(await send('/v1/events', makeEvent(name))),
    postBatch: async (count, name) => {
      const events = Array.from({ length: count }, (_, index) => makeEvent(`${name}-${index}`));
      await send('/v1/events/batch', events);
      await decide(ask, name);
    },
    untilAudited: async () => {
      const deadline = Date.now() + AUDITED_WITHIN_MS;
      while (JSON.parse(await ask('GET', NEWEST_AUDIT)).blocks.length === 0) {
        if (Date.now() > deadline) throw new Error('no block seals the audit');
        await sleep(AUDIT_LOOK_MS);
      }
    },
    read: async (path) => await readAnswer(`GET ${path}`, await fetch(prefix + path)),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** One block at least of each type that people make, of both versions: theirs is another form than that of events. */
async function decide(ask, name) {
  const by = { by: 'interop', reason: name };
  for (const change of ['hold', 'release']) await ask('POST', `/v1/lots/${LOT_CODE}/${change}`, by);
  await ask('PATCH', '/v1/brand', { name });
  await ask('PUT', '/v1/products/FLOUR', { names: { en: name } });
  const sale = makeEvent(`${name}-sale`);
  const line = { ...sale.lines[0], direction: 'out', customer_ref: name, channel: 'retail' };
  const { id } = JSON.parse(
    await ask('POST', '/v1/events', { ...sale, event_type: 'SELL', lines: [line] }),
  );
  const correction = { corrects_event_id: id, reason: 'interop', requested_by: 'interop' };
  await ask('POST', '/v1/corrections', {
    ...correction,
    changes: [{ field: 'reference', old_value: sale.reference, new_value: `${name}-sold` }],
  });
  // Of version 2, each by a member that version 1 does not have.
  await ask('POST', '/v1/corrections', {
    ...{ ...correction, external_id: `${name}-corrected` },
    changes: [{ field: 'location', old_value: sale.location, new_value: 'DOCK-2' }],
  });
  const delivery = makeEvent(`${name}-delivery`);
  const delivered = { ...delivery.lines[0], direction: 'out', consignee_ref: name };
  await ask('POST', '/v1/events', { ...delivery, event_type: 'SHIP', lines: [delivered] });
  const { case_no: caseNo } = JSON.parse(
    await ask('POST', '/v1/recall/cases', {
      ...{ seed_lot_code: LOT_CODE, title: name, reason: name, opened_by: 'interop' },
      confidential: true,
    }),
  );
  const path = `/v1/recall/cases/${caseNo}`;
  await ask('PATCH', path, { severity: 'class_iii' });
  await ask('PATCH', `${path}/status`, { status: 'notification' });
  const { notifications } = JSON.parse(await ask('GET', `${path}/notifications`));
  await ask('PATCH', `${path}/notifications/${notifications[0].id}`, { status: 'sent' });
  await ask('PATCH', `${path}/status`, { status: 'cancelled' });
  await ask('POST', '/v1/recall/drills', { lot_code: LOT_CODE });
  await ask('POST', '/v1/privacy/erase', { customer_ref: name });
}

/** Nothing of the environment decides which data are used, or how the log is kept. */
function buildSettings(dataDir) {
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    DATABASE_READ_URL: '',
    HOST: '127.0.0.1',
    PORT: '0',
    SERVICES: 'traceability',
    TENANT_API_KEY: API_KEY,
    PUBLIC_URL: '',
    LOG: '',
    LOG_KEY: '',
    LOG_KEY_FILE: '',
    LOG_ORIGIN: '',
    RATE_LIMIT_V1: '0',
    RATE_LIMIT_LOG: '0',
    WITNESS_LOGS: '',
    WITNESS_POLICY_FILE: '',
    WITNESS_INTERVAL: '1',
  };
}

function awaitAddress(child) {
  return new Promise((resolve, reject) => {
    const output = [];
    child.stderr.on('data', (chunk) => output.push(chunk));
    createInterface(child.stdout).on('line', (line) => {
      output.push(line);
      if (BANNER_END.test(line)) resolve(ADDRESS.exec(output.join('\n'))[0]);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the hub did not start: ${output.join('\n')}`)));
  });
}

async function readAnswer(asked, response) {
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(`${asked}: the hub answered ${response.status}: ${text}`);
}

function makeEvent(name) {
  return {
    event_type: 'RECEIVE',
    external_id: name,
    occurred_at: '2026-03-02T07:15:00Z',
    location: 'DOCK-1',
    reference: name,
    lines: [
      {
        lot_code: LOT_CODE,
        product_sku: 'FLOUR',
        direction: 'in',
        quantity: 1,
        unit: 'kg',
      },
    ],
  };
}

/**
 * Shows the log of a hub, changed.
 *
 * @param {(path: string) => string} addressFor which address answers a path below the prefix
 * @param {(path: string, body: Uint8Array) => Uint8Array} change
 * @returns {Promise<{ prefix: string, stop: () => void }>}
 */
export async function startProxy(addressFor, change = (_path, body) => body) {
  const server = createServer((request, response) => {
    const path = request.url.replace('/log/1/', '');
    fetch(addressFor(path))
      .then(async (answer) => {
        const body = new Uint8Array(await answer.arrayBuffer());
        response.writeHead(answer.status).end(answer.ok ? change(path, body) : body);
      })
      .catch((error) => response.writeHead(502).end(error.message));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    prefix: `http://127.0.0.1:${server.address().port}/log/1/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The same bytes with the lowest bit of one of them flipped.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 */
export function flipBit(bytes, at) {
  const flipped = Uint8Array.from(bytes);
  flipped[at] ^= 1;
  return flipped;
}
