// What claims say: who somebody is, and which roles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeClaims, readClaimedRoles, readIdentity } from './claims.ts';

const CLAIMS = { brandClaim: 'brands', roleClaim: 'roles' };

test('a verified e-mail is kept in lower case', () => {
  const identity = readIdentity({ sub: 's', email: 'Ada@Example.COM', email_verified: true });

  assert.equal(identity?.verifiedEmail, 'ada@example.com');
});

for (const [what, claims] of [
  ['not verified', { email: 'ada@example.com', email_verified: false }],
  ['verified by a text', { email: 'ada@example.com', email_verified: 'true' }],
  ['verified by a number', { email: 'ada@example.com', email_verified: 1 }],
  ['of unknown standing', { email: 'ada@example.com' }],
  ['of another form', { email: 'ada', email_verified: true }],
  ['a header too many', { email: 'ada@example.com\nBcc: x@y.z', email_verified: true }],
  ['two', { email: ['ada@example.com', 'b@example.com'], email_verified: true }],
  ['too long', { email: `${'a'.repeat(60)}@${'b'.repeat(190)}.example`, email_verified: true }],
] as const) {
  test(`an e-mail that is ${what} is none`, () => {
    assert.equal(readIdentity({ sub: 's', ...claims })?.verifiedEmail, undefined);
  });
}

for (const sub of [undefined, '', 7, 'x'.repeat(256), 'a\nb', '\u00e9']) {
  test(`${JSON.stringify(sub)?.slice(0, 20)} is no subject`, () => {
    assert.equal(readIdentity({ sub }), undefined);
  });
}

for (const [claims, name] of [
  [{ name: 'Ada Lovelace', preferred_username: 'ada' }, 'Ada Lovelace'],
  [{ name: '   ', preferred_username: 'ada' }, 'ada'],
  [{ name: ['Ada'], email: 'ada@example.com', email_verified: true }, 'ada@example.com'],
  [{ name: 'Ada\u202eevil\n<b>' }, 'Ada evil <b>'],
  [{ name: '\u{1f98a}'.repeat(101) }, '\u{1f98a}'.repeat(100)],
  [{}, 'sub-1'],
] as const) {
  test(`${JSON.stringify(claims).slice(0, 60)} calls somebody ${name.slice(0, 30)}`, () => {
    assert.equal(readIdentity({ sub: 'sub-1', ...claims })?.name, name);
  });
}

test('a claim is a text or a list, and names each brand once', () => {
  const text = readClaimedRoles({ brands: 'acme', roles: 'manager' }, CLAIMS);
  const list = readClaimedRoles(
    { brands: ['acme', 'bolt', 'acme', 7], roles: ['manager'] },
    CLAIMS,
  );

  assert.deepEqual(text, { brands: ['acme'], brandRole: 'manager', hubRole: undefined });
  assert.deepEqual(list, { brands: ['acme', 'bolt'], brandRole: 'manager', hubRole: undefined });
});

test('of several roles the one with most rights counts, and the hub has its own', () => {
  const roles = ['quality', 'operator', 'viewer', 'admin'];

  assert.deepEqual(readClaimedRoles({ brands: 'acme', roles }, CLAIMS), {
    brands: ['acme'],
    brandRole: 'quality',
    hubRole: 'operator',
  });
});

for (const roles of [
  undefined,
  null,
  'admin',
  'Manager',
  'manager ',
  ['x'],
  { manager: true },
  true,
]) {
  test(`the role claim ${JSON.stringify(roles)} gives nothing`, () => {
    const { brandRole, hubRole } = readClaimedRoles({ brands: 'acme', roles }, CLAIMS);

    assert.equal(brandRole, undefined);
    assert.equal(hubRole, undefined);
  });
}

test('without a role claim in the settings a brand makes a viewer', () => {
  const roles = readClaimedRoles(
    { brands: 'acme', roles: 'manager' },
    { brandClaim: 'brands', roleClaim: undefined },
  );

  assert.deepEqual(roles, { brands: ['acme'], brandRole: 'viewer', hubRole: undefined });
});

test('a claim whose name every object has gives nothing', () => {
  const settings = { brandClaim: 'constructor', roleClaim: undefined };

  assert.deepEqual(readClaimedRoles({}, settings).brands, []);
});

test('a list without an end is cut', () => {
  const brands = Array.from({ length: 10_000 }, (_, index) => `brand-${index}`);

  assert.equal(readClaimedRoles({ brands, roles: 'viewer' }, CLAIMS).brands.length, 200);
});

test('the ID token wins over what the provider says beside it', () => {
  const merged = mergeClaims({
    idToken: { sub: 'a', roles: ['viewer'] },
    userInfo: { sub: 'a', roles: ['manager'], name: 'Ada' },
  });

  assert.deepEqual(merged, { sub: 'a', roles: ['viewer'], name: 'Ada' });
});

test('a verification holds for the e-mail beside it alone', () => {
  const userInfo = { email: 'ada@example.com', email_verified: true };

  const other = mergeClaims({ idToken: { sub: 'a', email: 'eve@example.com' }, userInfo });
  const same = mergeClaims({ idToken: { sub: 'a', email: 'ada@example.com' }, userInfo });

  assert.equal(readIdentity(other)?.verifiedEmail, undefined);
  assert.equal(readIdentity(same)?.verifiedEmail, 'ada@example.com');
});
