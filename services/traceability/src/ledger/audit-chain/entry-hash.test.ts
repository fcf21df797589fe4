// The text of an audit entry that is hashed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '@lothub/chain';
import type { StoredAuditEntry } from '../tables/audit.ts';
import { NO_HASH, auditEntryHash, auditEntryText, isStoredDetails } from './entry-hash.ts';

const ENTRY: StoredAuditEntry = {
  id: 7,
  at: '2026-03-02T06:16:12.345Z',
  tenant_id: 'bakery',
  actor: 'bakery ERP (Ada "the" Ä)',
  action: 'hold_lot',
  entity_type: 'lot',
  entity_id: 'FLOUR-0711',
  block_height: 12,
  request_id: null,
  details: '{"source":"manual","count":2,"reason":null}',
};
const PLACE = { sequence: 3, prevHash: NO_HASH };

test('the text is the canonical JSON of the entry, its place and the hash before it', () => {
  const text = auditEntryText(ENTRY, PLACE);

  const details = { source: 'manual', count: 2, reason: null };
  const whole = { entry: { ...ENTRY, details }, sequence: 3, prev_hash: NO_HASH };
  assert.equal(text, canonicalize(whole));
});

test('the hash is the one of the example in docs/chain-format.md', () => {
  assert.equal(
    auditEntryHash(ENTRY, PLACE),
    'a118261542974cd8bf76b8e1891a5d24f5b20605f37f147dc1e7be17f0fa7fb9',
  );
});

for (const details of ['{"ms":1.5}', 'none', '{"a": 1}']) {
  test(`details without a canonical text, ${details}, are hashed as a string`, () => {
    const text = auditEntryText({ ...ENTRY, details }, PLACE);

    assert.ok(text.includes(`"details":${JSON.stringify(details)}`), text);
  });
}

test('details that only mean the same are not those that are stored', () => {
  assert.equal(isStoredDetails('{"a":1}'), true);
  assert.equal(isStoredDetails('{"a": 1}'), false);
  assert.equal(isStoredDetails('{"a":1'), false);
});
