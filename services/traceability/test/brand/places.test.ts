// What consumers read about places: set, read, listed, removed, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../boot.ts';
import { PLACE, TestBrand, readHeight } from './test-brand.ts';

const hub = await openForFile(boot());

test('a place is set with a block that says all of it, and read back', async () => {
  const brand = new TestBrand(hub);

  const answer = await brand.put('/v1/places/DOCK%202', PLACE);

  assert.equal(answer.status, 201, answer.text);
  const { block_height, block_hash: _hash, updated_at, ...profile } = answer.json;
  assert.deepEqual(profile, { location: 'DOCK 2', ...PLACE });
  const { decision, summary } = await brand.decision(block_height);
  assert.deepEqual(decision, {
    about: 'place',
    at: updated_at,
    changed: ['address', 'gln', 'name', 'time_zone'],
    location: 'DOCK 2',
    state: PLACE,
  });
  assert.equal(summary, `Place DOCK 2 of ${brand.id}: address, gln, name, time_zone changed`);
  assert.deepEqual((await brand.get('/v1/places/DOCK%202')).json, answer.json);
});

test('the same again seals nothing; what is not sent is taken back', async () => {
  const brand = new TestBrand(hub);
  const first = await brand.put('/v1/places/D', PLACE);
  const height = await readHeight(hub);

  const again = await brand.put('/v1/places/D', PLACE);
  const unchanged = await readHeight(hub);
  const other = await brand.put('/v1/places/D', { name: PLACE.name, address: null });

  assert.deepEqual([again.status, again.json], [200, first.json]);
  assert.equal(unchanged, height);
  assert.deepEqual([other.json['address'], other.json['gln']], [null, null]);
  const { decision } = await brand.decision(other.json['block_height']);
  assert.deepEqual(decision['state'], { name: PLACE.name });
});

test('a removal is a block of its own, and then there is nothing to read', async () => {
  const brand = new TestBrand(hub);
  await brand.put('/v1/places/D', PLACE);

  const removed = await brand.remove('/v1/places/D');

  assert.equal(removed.status, 200, removed.text);
  const { decision } = await brand.decision(removed.json['block_height']);
  const { at: _at, ...said } = decision;
  assert.deepEqual(said, { about: 'place', location: 'D', removed: true });
  for (const gone of [await brand.get('/v1/places/D'), await brand.remove('/v1/places/D')]) {
    const detail = 'No place of this location has a profile';
    assert.deepEqual([gone.status, gone.json], [404, { detail }]);
  }
});

test('the list goes through all places by location, page by page', async () => {
  const brand = new TestBrand(hub);
  for (const location of ['C', 'A', 'B']) await brand.put(`/v1/places/${location}`, PLACE);

  const first = await brand.get('/v1/places?limit=2');
  const second = await brand.get('/v1/places?limit=2&after=B');

  const found = [first, second].map(({ json }) => [
    Object.values(json['places']!).map((place) => place['location']),
    json['total'],
    json['next'],
  ]);
  assert.deepEqual(found, [
    [['A', 'B'], 3, 'B'],
    [['C'], 3, null],
  ]);
});

for (const [what, body, loc, type] of [
  ['no name', { gln: null }, ['body', 'name'], 'missing'],
  ['a long name', { name: 'x'.repeat(201) }, ['body', 'name'], 'string_too_long'],
  [
    'a long address',
    { name: 'D', address: 'x'.repeat(501) },
    ['body', 'address'],
    'string_too_long',
  ],
  [
    'a GLN with letters',
    { ...PLACE, gln: '40123450000A9' },
    ['body', 'gln'],
    'string_pattern_mismatch',
  ],
  ['a wrong digit', { ...PLACE, gln: '4012345000008' }, ['body', 'gln'], 'check_digit'],
  [
    'an offset for a time zone',
    { ...PLACE, time_zone: '+01:00' },
    ['body', 'time_zone'],
    'time_zone',
  ],
  [
    'an unknown time zone',
    { ...PLACE, time_zone: 'Europe/Kiel' },
    ['body', 'time_zone'],
    'time_zone',
  ],
  ['an unknown field', { ...PLACE, lat: 1 }, ['body', 'lat'], 'extra_forbidden'],
] as const) {
  test(`a place with ${what} is a 422`, async () => {
    const brand = new TestBrand(hub);

    const answer = await brand.put('/v1/places/D', body);

    assert.equal(answer.status, 422, answer.text);
    const [error] = Object.values(answer.json['detail']!);
    assert.deepEqual([error?.['loc'], error?.['type']], [loc, type]);
    assert.equal((await brand.get('/v1/places/D')).status, 404);
  });
}
