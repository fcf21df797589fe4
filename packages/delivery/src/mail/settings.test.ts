// What the settings of mail accept, and what they refuse without repeating it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsReader } from '@lothub/kit/settings';
import { readMailSettings, type MailSettings } from './settings.ts';

const FROM = { MAIL_FROM: 'alerts@example.com' };

function read(source: Readonly<Record<string, string>>): MailSettings | undefined {
  const reader = new SettingsReader(source);
  const settings = readMailSettings(reader);
  reader.done();
  return settings;
}

test('without settings no mail is sent', () => {
  assert.equal(read({}), undefined);
});

for (const [url, expected] of [
  ['smtps://mail.example.com', { port: 465, encryption: 'tls' }],
  ['smtp://mail.example.com', { port: 587, encryption: 'starttls' }],
  ['smtp://mail.example.com:25/?tls=required', { port: 25, encryption: 'starttls' }],
  ['smtp://mail.example.com:25?tls=off', { port: 25, encryption: 'none' }],
  ['smtp://localhost:1025', { port: 1_025, encryption: 'none' }],
  ['smtp://127.0.0.1:1025?tls=required', { port: 1_025, encryption: 'starttls' }],
  ['smtp://[::1]:1025', { port: 1_025, encryption: 'none' }],
] as const) {
  test(`${url} is port ${expected.port} with encryption ${expected.encryption}`, () => {
    const settings = read({ SMTP_URL: url, ...FROM });

    assert.equal(settings?.port, expected.port);
    assert.equal(settings?.encryption, expected.encryption);
    assert.equal(settings?.login, undefined);
  });
}

test('user and password are percent-decoded', () => {
  const settings = read({
    SMTP_URL: 'smtps://alerts%40example.com:p%40ss%2Fword%25@mail.example.com',
    ...FROM,
  });

  assert.deepEqual(settings?.login, { user: 'alerts@example.com', password: 'p@ss/word%' });
});

for (const [text, expected] of [
  ['alerts@example.com', { name: '', address: 'alerts@example.com' }],
  ['<alerts@example.com>', { name: '', address: 'alerts@example.com' }],
  ['Lothub Alerts <alerts@example.com>', { name: 'Lothub Alerts', address: 'alerts@example.com' }],
] as const) {
  test(`${text} is a sender`, () => {
    assert.deepEqual(read({ SMTP_URL: 'smtp://localhost', MAIL_FROM: text })?.from, expected);
  });
}

for (const url of [
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://mail.example.com/path',
  'smtp://mail.example.com?tls=maybe',
  'smtp://mail.example.com?tls=off&tls=required',
  'smtps://mail.example.com?tls=off',
  'smtps://user:100%@mail.example.com',
  'smtps://user@mail.example.com',
  'smtp://user:secret@mail.example.com?tls=off',
  'smtp://mail.example.com:0',
]) {
  test(`${url} is refused, and not repeated`, () => {
    assert.throws(
      () => read({ SMTP_URL: url, ...FROM }),
      (error) => {
        assert.match(String(error), /SMTP_URL is not usable/);
        assert.doesNotMatch(String(error), /secret|100%/);
        return true;
      },
    );
  });
}

for (const text of [
  'nobody',
  'alerts@example.com, others@example.com',
  'Lothub alerts@example.com',
  'Lothub <alerts@example.com',
  'Lot\r\nBcc: x@example.com <alerts@example.com>',
]) {
  test(`${JSON.stringify(text)} is no sender`, () => {
    assert.throws(
      () => read({ SMTP_URL: 'smtp://localhost', MAIL_FROM: text }),
      /MAIL_FROM is not usable/,
    );
  });
}

test('a server without a sender is refused, and a sender without a server', () => {
  assert.throws(() => read({ SMTP_URL: 'smtp://localhost' }), /MAIL_FROM is not usable/);
  assert.throws(() => read(FROM), /SMTP_URL is not usable/);
});
