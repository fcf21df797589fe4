// Settings of single sign-on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsError, SettingsReader } from '@lothub/kit/settings';
import { readSignOnSettings, type SignOnSettings } from './settings.ts';

const SET = { OIDC_ISSUER: 'https://login.example.com/realms/main', OIDC_CLIENT_ID: 'lothub' };

function read(environment: Readonly<Record<string, string>>): SignOnSettings | undefined {
  const reader = new SettingsReader(environment);
  const settings = readSignOnSettings(reader);
  reader.done();
  return settings;
}

test('without an issuer there is no single sign-on', () => {
  assert.equal(read({}), undefined);
});

test('an issuer and a client id are enough', () => {
  assert.deepEqual(read(SET), {
    issuer: 'https://login.example.com/realms/main',
    clientId: 'lothub',
    clientSecret: undefined,
    scopes: 'openid email profile',
    brandClaim: undefined,
    roleClaim: undefined,
    passwordLogin: 'on',
  });
});

test('all that is given is read', () => {
  const settings = read({
    ...SET,
    OIDC_CLIENT_SECRET: 's e c r e t',
    OIDC_SCOPES: 'openid email groups',
    OIDC_BRAND_CLAIM: 'https://example.com/brands',
    OIDC_ROLE_CLAIM: 'role',
    OIDC_PASSWORD_LOGIN: 'off',
  });

  assert.equal(settings?.clientSecret, 's e c r e t');
  assert.equal(settings.scopes, 'openid email groups');
  assert.equal(settings.brandClaim, 'https://example.com/brands');
  assert.equal(settings.roleClaim, 'role');
  assert.equal(settings.passwordLogin, 'off');
});

test('a provider on the same machine may be plain', () => {
  assert.equal(read({ ...SET, OIDC_ISSUER: 'http://[::1]:8080' })?.issuer, 'http://[::1]:8080');
});

for (const issuer of [
  'login.example.com',
  'http://login.example.com',
  'http://127.0.0.1.example.com',
  'ftp://login.example.com',
  'https://login.example.com/?a=1',
  'https://login.example.com/#a',
  'https://user:pass@login.example.com',
]) {
  test(`${issuer} is no issuer`, () => {
    assert.throws(() => read({ ...SET, OIDC_ISSUER: issuer }), SettingsError);
  });
}

for (const [name, value] of [
  ['OIDC_CLIENT_ID', ''],
  ['OIDC_CLIENT_ID', 'a\nb'],
  ['OIDC_CLIENT_SECRET', 'geheim\u00e9'],
  ['OIDC_SCOPES', 'email profile'],
  ['OIDC_SCOPES', 'openid  email'],
  ['OIDC_BRAND_CLAIM', 'a b'],
  ['OIDC_ROLE_CLAIM', 'x'.repeat(201)],
  ['OIDC_PASSWORD_LOGIN', 'no'],
] as const) {
  test(`${name} is not ${JSON.stringify(value.slice(0, 20))}`, () => {
    assert.throws(
      () => read({ ...SET, [name]: value }),
      (error) => error instanceof SettingsError && error.message.startsWith(name),
    );
  });
}

for (const name of [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_BRAND_CLAIM',
  'OIDC_ROLE_CLAIM',
]) {
  test(`${name} alone misses the issuer`, () => {
    assert.throws(
      () => read({ [name]: 'x' }),
      (error) => error instanceof SettingsError && error.message.startsWith('OIDC_ISSUER'),
    );
  });
}

test('log-in by password is not turned off without another way in', () => {
  assert.throws(() => read({ OIDC_PASSWORD_LOGIN: 'off' }), SettingsError);
});
