// The state of a key that follows from its entries of the audit, against its row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildKeyState } from '../../audit-chain/key-state.ts';
import type { StoredAuditEntry } from '../../tables/audit.ts';
import type { KeyLimit, KeyRow } from '../../tables/off-chain.ts';
import { KeyStates } from './keys.ts';

const KEY: KeyRow = {
  key_id: 'key-1',
  role: 'tenant',
  label: 'ERP',
  key_hash: '00',
  tenant_id: 'acme',
  origin: 'issued',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  first_tenant_id: null,
  second_tenant_id: null,
  second_tenant_at: null,
  tenants_accepted_at: null,
  limited_to: 'read',
};

function entryWith(details: object): StoredAuditEntry {
  return {
    id: 1,
    at: KEY.created_at,
    tenant_id: 'acme',
    actor: 'Ada',
    action: 'issue_key',
    entity_type: 'key',
    entity_id: KEY.key_id,
    block_height: null,
    request_id: null,
    details: JSON.stringify(details),
  };
}

/** Codes of what is found of a stored key whose entry says these details. */
function listCodes(details: object, stored: KeyLimit): readonly string[] {
  const states = new KeyStates();
  states.take(entryWith(details));
  return states.compare([{ ...KEY, limited_to: stored }], 7).map(({ code }) => code);
}

test('a limit that is another than the audit says is found', () => {
  const said = buildKeyState(KEY);

  assert.deepEqual(listCodes(said, 'read'), []);
  assert.deepEqual(listCodes(said, 'all'), ['key_row_differs']);
  assert.deepEqual(listCodes(said, 'post-events'), ['key_row_differs']);
});

test('a key whose entry is older than limits has none', () => {
  const { limited_to: _limit, ...said } = buildKeyState(KEY);

  assert.deepEqual(listCodes(said, 'all'), []);
  assert.deepEqual(listCodes(said, 'read'), ['key_row_differs']);
});
