// That the comparison of what was acknowledged with what is stored can fail: each kind of damage is
// made on a sound chain, and found.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from './boot.ts';
import { NO_DAMAGE, findDamage, newRecord, postOnce, readStored } from './posting.ts';
import type { PostingRecord, Stored } from './posting.ts';

let stored: Stored;
const record: PostingRecord = newRecord();
const hub = await openForFile(boot());
before(async () => {
  for (const ids of [['one'], ['two', 'three', 'four'], ['five']]) {
    await postOnce(hub.base, ids, record);
  }
  stored = await readStored(hub.database);
});

test('what was acknowledged and is stored is no damage', () => {
  const damage = findDamage(stored, record);

  assert.equal(record.acknowledged.length, 5);
  assert.deepEqual(damage, NO_DAMAGE);
});

test('an acknowledged block that the ledger lacks is lost', () => {
  const cut = { events: stored.events.slice(0, -1), blocks: stored.blocks.slice(0, -1) };

  const damage = findDamage(cut, record);

  // Its answer was signed over it, too.
  assert.deepEqual(damage, { ...NO_DAMAGE, lost: ['five'], contradicted: ['five'] });
});

test('an acknowledged block with another hash, or at another height, is changed', () => {
  const [first, second, ...others] = record.acknowledged;
  const changed = [{ ...first!, hash: second!.hash }, { ...second!, height: 9 }, ...others];

  const damage = findDamage(stored, { ...record, acknowledged: changed });

  assert.deepEqual(damage, { ...NO_DAMAGE, changed: ['one', 'two'] });
});

test('an answer that was signed over other blocks is contradicted', () => {
  const changed = record.acknowledged.map((one) => ({
    ...one,
    tree: one.externalId === 'one' ? { ...one.tree!, root: '0'.repeat(64) } : one.tree,
  }));

  const damage = findDamage(stored, { ...record, acknowledged: changed });

  assert.deepEqual(damage, { ...NO_DAMAGE, contradicted: ['one'] });
});

test('an external id with two blocks is stored twice', () => {
  const [first] = stored.events;

  const damage = findDamage({ ...stored, events: [...stored.events, first!] }, record);

  assert.deepEqual(damage, { ...NO_DAMAGE, stored_twice: ['one'] });
});

test('an unanswered batch of which only a part is stored is torn', () => {
  const damage = findDamage(stored, { ...record, unanswered: [['one', 'never-posted']] });

  assert.deepEqual(damage, { ...NO_DAMAGE, torn: ['one never-posted'] });
});

test('a block that is missing in the middle is a fault of the chain', () => {
  const blocks = stored.blocks.filter(({ height }) => height !== 3);

  const { fault } = findDamage({ ...stored, blocks }, record);

  assert.equal(fault?.height, 3);
});
