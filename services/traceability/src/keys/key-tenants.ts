// Which tenants write with a key that is bound to none. With such a key anybody who has it may post in
// any brand's name, so a second tenant under one key is shown to the operator until the key is revoked
// or accepted (`lothub keys accept`).
import { instantText, type Clock } from '@lothub/kit/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { insertRowWhere } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { auditRow, type AuditEntry } from '../ledger/audit.ts';
import { AUDIT_ENTRIES } from '../ledger/tables/audit.ts';
import type { KeyRing } from './key-ring.ts';
import type { KeyDatabase, KeyRecord } from './key-store.ts';

/** Code of the warning about such a key. */
export const SHARED_KEY_WARNING = 'unbound_key_shared';

type KeyTenants = Pick<KeyRecord, 'first_tenant_id' | 'second_tenant_id' | 'second_tenant_at'>;

/**
 * Notes that a tenant has written with a key. The row decides, so any number of processes may do it.
 * @returns what is noted now; undefined when there is no such key
 */
export async function noteTenant(
  database: Pick<KeyDatabase, 'write'>,
  written: { readonly keyId: string; readonly tenantId: string; readonly nowMs: number },
): Promise<KeyTenants | undefined> {
  const { keyId, tenantId, nowMs } = written;
  const at = instantText(nowMs);
  const first = sql`first_tenant_id is null`;
  const second = sql`first_tenant_id <> ${tenantId} and second_tenant_id is null`;
  const answers = await database.write([
    // Locks the row: what the entries say is then what the last statement does.
    sql`update api_keys set key_id = key_id where key_id = ${keyId}`,
    useEntry(keyId, { at, state: { first_tenant_id: tenantId } }, first),
    useEntry(keyId, { at, state: { second_tenant_id: tenantId, second_tenant_at: at } }, second),
    sql`
      update api_keys
      set first_tenant_id = coalesce(first_tenant_id, ${tenantId}),
        second_tenant_id = case
          when first_tenant_id <> ${tenantId} then coalesce(second_tenant_id, ${tenantId})
          else second_tenant_id
        end,
        second_tenant_at = case
          when first_tenant_id <> ${tenantId} then coalesce(second_tenant_at, ${at})
          else second_tenant_at
        end
      where key_id = ${keyId}
      returning first_tenant_id, second_tenant_id, second_tenant_at`,
  ]);
  return answers.at(-1)?.[0] as KeyTenants | undefined;
}

/** Only the operator sees it: the key is bound to no tenant. */
function useEntry(
  keyId: string,
  used: { readonly at: string; readonly state: AuditEntry['details'] },
  condition: Sql,
): Sql {
  const row = auditRow({
    at: used.at,
    tenantId: null,
    caller: { actor: 'hub', requestId: null },
    action: 'use_key',
    entityType: 'key',
    entityId: keyId,
    blockHeight: null,
    details: used.state,
  });
  const isSo = sql`
    exists (select 1 from api_keys where key_id = ${keyId} and ${condition})`;
  return insertRowWhere(AUDIT_ENTRIES, row, isSo);
}

/** Whether it is known already that this tenant writes with the key, or that a second one does. */
function isNoted(record: KeyRecord, tenantId: string): boolean {
  if (record.tenant_id !== null) return true;
  return record.second_tenant_id !== null || record.first_tenant_id === tenantId;
}

type SendHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) => void;

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The `onSend` hook of the tenants' endpoints: notes before a write is answered which tenant wrote. A
 * crash between the write and the note leaves it to the next write. A note that fails does not fail the
 * write.
 */
export function noteWriters(deps: {
  readonly keys: Pick<KeyRing, 'findByHash' | 'replace'>;
  readonly database: Pick<KeyDatabase, 'write'>;
  readonly clock: Clock;
}): SendHook {
  const note = async (request: FastifyRequest, record: KeyRecord): Promise<void> => {
    const { tenantId } = request;
    try {
      const written = { keyId: record.key_id, tenantId, nowMs: deps.clock.nowMs() };
      const noted = await noteTenant(deps.database, written);
      if (noted !== undefined) deps.keys.replace({ ...record, ...noted });
      if (noted?.second_tenant_id === tenantId) {
        const { key_id: keyId, label } = record;
        request.log.warn(
          { key_id: keyId, label },
          'a second tenant writes with a key that is bound to none',
        );
      }
    } catch (error) {
      request.log.error({ err: error }, 'noting which tenant writes with a key failed');
    }
  };
  return (request, reply, payload, done) => {
    const hasWritten =
      !READING_METHODS.has(request.method) && !request.isDryRun && reply.statusCode < 300;
    const record = hasWritten ? deps.keys.findByHash(request.keyHash) : undefined;
    if (record === undefined || isNoted(record, request.tenantId)) return done(null, payload);
    void note(request, record).then(() => done(null, payload));
  };
}
