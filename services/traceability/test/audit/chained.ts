// A hub whose audit is chained and sealed quickly, and what a stranger makes of an answer of it.
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_KEY, aLine, anEvent, boot, valueAt } from '../boot.ts';
import type { BootOptions, Booted } from '../boot.ts';

/** How soon a change is sealed here. */
export const SEAL_AFTER_MS = 300;

export function bootSealing(options: BootOptions = {}): Promise<Booted> {
  return boot({ auditSealAfterMs: SEAL_AFTER_MS, ...options });
}

export interface AuditEntry {
  readonly id: number;
  readonly action: string;
  readonly sequence: number | null;
  readonly prev_hash: string | null;
  readonly hash: string | null;
  readonly [field: string]: unknown;
}

/** The whole audit, oldest first. */
export async function readAudit(hub: Booted): Promise<readonly AuditEntry[]> {
  const headers = { 'X-Api-Key': ADMIN_KEY };
  const entries: AuditEntry[] = [];
  for (let next: unknown = ''; next !== null;) {
    const { json } = await hub.call(`/v1/admin/audit?limit=200${String(next)}`, { headers });
    entries.push(...(valueAt(json, 'entries') as AuditEntry[]));
    const before = valueAt(json, 'next');
    next = before === null ? null : `&before=${String(before)}`;
  }
  return entries.reverse();
}

/** Waits until each entry has its place. */
export async function untilChained(hub: Booted): Promise<readonly AuditEntry[]> {
  return await until(async () => {
    const entries = await readAudit(hub);
    return entries.every(({ sequence }) => sequence !== null) ? entries : undefined;
  });
}

export async function readAuditBlocks(
  hub: Pick<Booted, 'database'>,
): Promise<
  readonly { readonly height: number; readonly sequence: number; readonly hash: string }[]
> {
  const rows = await hub.database.rows(
    'select height, sequence, hash from audit_blocks order by height',
  );
  return rows.map((row) => ({
    height: Number(row['height']),
    sequence: Number(row['sequence']),
    hash: String(row['hash']),
  }));
}

/** Waits until the newest entry is covered by a block. */
export async function untilSealed(hub: Booted): Promise<void> {
  await until(async () => {
    const last = (await untilChained(hub)).at(-1);
    const block = (await readAuditBlocks(hub)).at(-1);
    return block !== undefined && block.sequence >= Number(last?.sequence) ? block : undefined;
  });
}

/** Asks again and again; a test that waits in vain ends by its time limit. */
export async function until<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    await sleep(20);
  }
}

/** Docs/chain-format.md, "The chain of the audit", by somebody who has only the page and the answer. */
export function hashOfEntry(entry: AuditEntry): string {
  const { sequence, prev_hash, hash: _hash, ...content } = entry;
  return hash('sha256', sorted({ entry: content, prev_hash, sequence }), 'hex');
}

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${sorted(one)}`).join(',')}}`;
}

/** Two lots, one of them held, used and released; a correction, a simulation and a brand. */
export async function work(hub: Booted, tenantId = 'acme'): Promise<void> {
  const headers = { 'X-Tenant-Id': tenantId };
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await hub.post(path, body, headers);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return valueAt(answer.json, 'id');
  };
  const lines = [aLine({ lot_code: 'FLOUR' }), aLine({ lot_code: 'YEAST' })];
  const id = await post('/v1/events', anEvent({ lines }));
  await post('/v1/lots/FLOUR/hold', { reason: 'smells of mould', by: 'Ada' });
  await post('/v1/events', anEvent({ event_type: 'DISPOSE', lines }));
  await post('/v1/lots/FLOUR/release', { by: 'Bo' });
  await post('/v1/corrections', {
    corrects_event_id: id,
    reason: 'typing error',
    requested_by: 'Ada',
    changes: [{ field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-2' }],
  });
}
