// The table of rights, held against the promise of each role.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BRAND_RIGHTS,
  BRAND_ROLES,
  HUB_RIGHTS,
  HUB_ROLES,
  hasBrandRight,
  hasHubRight,
  isBrandRight,
  isHubRight,
  weakestRoleWith,
} from './rights.ts';

const QUALITY_ADDS = ['hold', 'simulate', 'recall', 'correct', 'import'];
const LEADING_ADDS = [
  'people',
  'keys',
  'brand',
  'products',
  'places',
  'suppliers',
  'erase',
  'disclose',
  'webhooks',
];
const PROMISED: Readonly<Record<(typeof BRAND_ROLES)[number], readonly string[]>> = {
  viewer: ['read'],
  quality: ['read', ...QUALITY_ADDS],
  manager: ['read', ...QUALITY_ADDS, ...LEADING_ADDS],
};

for (const role of BRAND_ROLES) {
  test(`a ${role} has the rights of a ${role} and no other`, () => {
    const rights = Object.keys(BRAND_RIGHTS).filter(
      (right) => isBrandRight(right) && hasBrandRight(role, right),
    );

    assert.deepEqual(rights.toSorted(), PROMISED[role].toSorted());
  });
}

test('an operator has all rights of the hub, and none in a brand', () => {
  const hub = Object.keys(HUB_RIGHTS).filter(
    (right) => isHubRight(right) && hasHubRight('operator', right),
  );

  assert.deepEqual(hub.toSorted(), ['hub-keys', 'hub-people', 'overview', 'verifier']);
  const inBrands: readonly string[] = Object.values(BRAND_RIGHTS).flat();
  assert.ok(!inBrands.includes('operator'));
});

test('no right is without a role, and no word is a right of both brand and hub', () => {
  const all = [...Object.values(BRAND_RIGHTS), ...Object.values(HUB_RIGHTS)];

  assert.ok(all.every((roles) => roles.length > 0));
  assert.deepEqual(
    Object.keys(BRAND_RIGHTS).filter((right) => Object.hasOwn(HUB_RIGHTS, right)),
    [],
  );
  assert.deepEqual([...new Set(all.flat())].toSorted(), [...BRAND_ROLES, ...HUB_ROLES].toSorted());
});

test('who has no role has no right', () => {
  assert.equal(hasBrandRight(undefined, 'read'), false);
  assert.equal(hasHubRight(undefined, 'overview'), false);
});

test('a refusal advises the weakest role that would do', () => {
  const advised = (['read', 'hold', 'keys'] as const).map(weakestRoleWith);

  assert.deepEqual(advised, ['viewer', 'quality', 'manager']);
});
