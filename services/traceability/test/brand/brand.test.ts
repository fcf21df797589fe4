// What consumers read about the brand itself: each change is a block, and what changes nothing is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../boot.ts';
import { TestBrand, readHeight } from './test-brand.ts';

const hub = await openForFile(boot());

const CONTACT = 'recall@mill.example';

test('a brand without a profile is called by its id, and no block says so', async () => {
  const brand = new TestBrand(hub);

  const answer = await brand.get('/v1/brand');

  const nothing = { website: null, recall_contact: null, block_height: null, block_hash: null };
  assert.deepEqual(answer.json, { id: brand.id, name: brand.id, ...nothing });
});

test('a change is answered with its block, which has the change and the whole new state', async () => {
  const brand = new TestBrand(hub);
  const first = await brand.patch('/v1/brand', { name: 'Mill', website: 'https://mill.example' });

  const answer = await brand.patch('/v1/brand', { recall_contact: CONTACT, website: null });

  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json['recall_contact'], CONTACT);
  assert.equal(Number(answer.json['block_height']), Number(first.json['block_height']) + 1);
  const { decision, summary } = await brand.decision(answer.json['block_height']);
  const { at, ...said } = decision;
  assert.match(String(at), /^\d{4}-.*Z$/);
  assert.deepEqual(said, {
    about: 'brand',
    changed: ['recall_contact', 'website'],
    state: { name: 'Mill', recall_contact: CONTACT },
  });
  assert.equal(summary, `Brand ${brand.id}: recall_contact, website changed`);
  const block = await hub.call(`/public/explorer/block/${String(answer.json['block_height'])}`);
  assert.equal(block.json['block_hash'], answer.json['block_hash']);
  assert.deepEqual((await brand.get('/v1/brand')).json, answer.json);
});

test('a change that changes nothing seals nothing and answers the block of before', async () => {
  const brand = new TestBrand(hub);
  const first = await brand.patch('/v1/brand', { name: 'Mill' });
  const height = await readHeight(hub);

  const again = await brand.patch('/v1/brand', { name: 'Mill', website: null });

  assert.equal(again.status, 200);
  assert.deepEqual(again.json, first.json);
  assert.equal(await readHeight(hub), height);
});

test('the audit names the block of a change', async () => {
  const brand = new TestBrand(hub);
  const changed = await brand.patch('/v1/brand', { name: 'Mill' });

  const entries = await hub.database.rows(
    'select action, block_height, details from audit_entries where tenant_id = ?',
    brand.id,
  );

  const block_height = Number(changed.json['block_height']);
  const found = entries.map((entry) => ({ ...entry }));
  assert.deepEqual(found, [{ action: 'update_brand', block_height, details: '{"name":"Mill"}' }]);
});

test('of changes that race each is sealed, and the last one counts', async () => {
  const brand = new TestBrand(hub);
  const names = Array.from({ length: 8 }, (_, index) => `Mill ${index}`);

  const answers = await Promise.all(names.map((name) => brand.patch('/v1/brand', { name })));

  assert.ok(answers.every(({ status }) => status === 200));
  const rows = await hub.database.rows(
    "select height from decisions where tenant_id = ? and type = 'brand' order by height desc",
    brand.id,
  );
  assert.equal(rows.length, names.length);
  const { json } = await brand.get('/v1/brand');
  assert.equal(json['block_height'], rows[0]?.['height']);
  const { decision } = await brand.decision(json['block_height']);
  assert.equal(decision['state']?.['name'], json['name']);
});
