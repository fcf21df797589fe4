// The settings of the service: defaults as documented, and every wrong one named at once.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { SettingsError } from '@lothub/kit/settings';
import { readSettings } from './settings.ts';

const KEY = 'a-key-of-at-least-24-characters';

test('without environment every setting has its documented default', () => {
  assert.deepEqual(readSettings({}), {
    host: '127.0.0.1',
    port: 8_000,
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    tenantApiKey: undefined,
    adminApiKey: undefined,
    hubName: 'Lothub',
    isDevelopment: false,
    publicUrl: 'http://127.0.0.1:8000',
    isPublicUrlSet: false,
    rateLimitV1: 120,
    rateLimitPublic: 60,
    rateLimitPages: 600,
    rateLimitLog: 3_000,
    loginRates: { burst: 10, perMinute: 2 },
    signOn: undefined,
    trustProxy: [],
    logLevel: 'info',
    metricsToken: undefined,
    connectionsMax: undefined,
    witnessPolicyFile: undefined,
    tsaUrl: undefined,
    webhookAllowed: [],
    mail: undefined,
    isWatchOn: true,
    witnessIntervalMs: 10_000,
    witnessServer: undefined,
    log: {
      origin: undefined,
      key: undefined,
      keyFile: resolve('./data/log.key'),
      publicUrl: undefined,
      hasWitnesses: false,
    },
  });
});

test('what is set is taken', () => {
  const settings = readSettings({
    HOST: '0.0.0.0',
    PORT: '9000',
    DATA_DIR: '/var/lib/lothub',
    DATABASE_URL: 'postgres://lothub:secret@db.example.com/lothub',
    DATABASE_READ_URL: 'postgresql:///lothub?host=/run/postgresql',
    TENANT_API_KEY: KEY,
    ADMIN_API_KEY: `${KEY}-2`,
    HUB_NAME: 'Hub Süd',
    NODE_ENV: 'development',
    PUBLIC_URL: 'https://trace.example.com/',
    RATE_LIMIT_V1: '0',
    RATE_LIMIT_PUBLIC: '5',
    RATE_LIMIT_PAGES: '7',
    RATE_LIMIT_LOG: '9',
    TRUST_PROXY: 'loopback, 10.0.0.0/8,::1',
    LOG_LEVEL: 'warn',
    METRICS_TOKEN: `${KEY}-3`,
    MAX_CONNECTIONS: '500',
    LOG_ORIGIN: 'trace.example.com/log/1',
    LOG_KEY_FILE: '/run/secrets/log.key',
    WITNESS_POLICY_FILE: '/etc/lothub/witnesses.txt',
    WEBHOOK_ALLOW: '10.1.0.0/16',
    SMTP_URL: 'smtps://mail.example.com',
    MAIL_FROM: 'recalls@trace.example.com',
    WATCH: 'off',
    TSA_URL: 'http://tsa.example.org/tsr',
    WITNESS_INTERVAL: '60',
    WITNESS_LOGS: '/etc/lothub/logs.txt',
    WITNESS_NAME: 'witness.example.org/1',
    NOTIFICATIONS_RATE_LOGIN_BURST: '20',
    NOTIFICATIONS_RATE_LOGIN_PER_MINUTE: '4',
  });

  assert.deepEqual(settings, {
    host: '0.0.0.0',
    port: 9_000,
    dataDir: resolve('/var/lib/lothub'),
    databaseUrl: 'postgres://lothub:secret@db.example.com/lothub',
    databaseReadUrl: 'postgresql:///lothub?host=/run/postgresql',
    tenantApiKey: KEY,
    adminApiKey: `${KEY}-2`,
    hubName: 'Hub Süd',
    isDevelopment: true,
    publicUrl: 'https://trace.example.com',
    isPublicUrlSet: true,
    rateLimitV1: 0,
    rateLimitPublic: 5,
    rateLimitPages: 7,
    rateLimitLog: 9,
    loginRates: { burst: 20, perMinute: 4 },
    signOn: undefined,
    trustProxy: ['loopback', '10.0.0.0/8', '::1'],
    logLevel: 'warn',
    metricsToken: `${KEY}-3`,
    connectionsMax: 500,
    witnessPolicyFile: '/etc/lothub/witnesses.txt',
    tsaUrl: 'http://tsa.example.org/tsr',
    webhookAllowed: ['10.1.0.0/16'],
    mail: {
      ...{ host: 'mail.example.com', port: 465, encryption: 'tls', login: undefined },
      from: { name: '', address: 'recalls@trace.example.com' },
    },
    isWatchOn: false,
    witnessIntervalMs: 60_000,
    witnessServer: { listFile: '/etc/lothub/logs.txt', name: 'witness.example.org/1' },
    log: {
      origin: 'trace.example.com/log/1',
      key: undefined,
      keyFile: '/run/secrets/log.key',
      publicUrl: 'https://trace.example.com',
      hasWitnesses: true,
    },
  });
});

test('the log can be off, and has one key', () => {
  assert.equal(readSettings({ LOG: 'off' }).log, undefined);
  assert.equal(readSettings({ LOG_KEY: 'a line' }).log?.key, 'a line');
  assert.equal(listProblems({ LOG_KEY: 'a line', LOG_KEY_FILE: 'log.key' }).length, 1);
  assert.equal(listProblems({ LOG_ORIGIN: 'a b' }).length, 1);
  assert.equal(listProblems({ LOG: 'maybe' }).length, 1);
  assert.equal(listProblems({ LOG: 'off', TSA_URL: 'http://tsa.example.org' }).length, 1);
});

test('the public address follows HOST and PORT', () => {
  assert.equal(readSettings({ HOST: '10.0.0.7', PORT: '81' }).publicUrl, 'http://10.0.0.7:81');
});

function listProblems(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.problems;
  }
}

for (const [name, values] of Object.entries({
  PORT: ['-1', '65536', 'http', '80.5'],
  DATABASE_URL: [
    'lothub',
    'mysql://db.example.com/lothub',
    'postgres://db.example.com',
    'postgres://lothub:1/2@db.example.com/lothub',
  ],
  TENANT_API_KEY: ['short', 'x'.repeat(23), `${'x'.repeat(24)} `, `${'x'.repeat(24)}é`],
  ADMIN_API_KEY: ['short', '\n'.repeat(30)],
  HUB_NAME: ['x'.repeat(201), 'a\ud800'],
  PUBLIC_URL: ['trace.example.org', 'ftp://trace.example.org', 'http:/'],
  TSA_URL: ['tsa.example.org', 'ldap://tsa.example.org', 'https://user:word@tsa.example.org'],
  RATE_LIMIT_V1: ['-1', 'none', '1.5'],
  RATE_LIMIT_PUBLIC: ['-1', 'none'],
  RATE_LIMIT_PAGES: ['-1', 'none'],
  TRUST_PROXY: ['everybody', '10.0.0.0/8;::1', 'example.com'],
  LOG_LEVEL: ['verbose', 'INFO'],
})) {
  for (const value of values) {
    test(`${name} of ${JSON.stringify(value).slice(0, 40)} is refused by name and not echoed`, () => {
      const problems = listProblems({ [name]: value });

      assert.equal(problems.length, 1);
      assert.match(problems[0]!, new RegExp(`^${name} is not usable: give .+, or leave it unset$`));
      if (value.length > 4) assert.ok(!problems[0]!.includes(value));
    });
  }
}

test('all wrong settings are reported at once', () => {
  const problems = listProblems({ PORT: 'x', LOG_LEVEL: 'x', RATE_LIMIT_V1: 'x', HUB_NAME: 'ok' });

  assert.deepEqual(problems.map((problem) => problem.split(' ')[0]).toSorted(), [
    'LOG_LEVEL',
    'PORT',
    'RATE_LIMIT_V1',
  ]);
});

test('a standby needs the database that it follows', () => {
  const problems = listProblems({ DATABASE_READ_URL: 'postgres://db.example.com/lothub' });

  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /^DATABASE_READ_URL .* DATABASE_URL/);
});

test('the two keys must not be the same', () => {
  const problems = listProblems({ TENANT_API_KEY: KEY, ADMIN_API_KEY: KEY });

  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /^ADMIN_API_KEY /);
});

test('an empty setting is unset', () => {
  assert.deepEqual(
    readSettings({ PORT: '', TENANT_API_KEY: '', LOG_LEVEL: '', TRUST_PROXY: '' }),
    readSettings({}),
  );
});
