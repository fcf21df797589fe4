// Which settings are read for which services, and how wrong ones are reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsError } from '@lothub/kit/settings';
import { readSettings } from './settings.ts';

function listProblems(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((problem) => /^\w+/.exec(problem)?.[0] ?? '');
  }
}

test('both services are served unless another choice is made', () => {
  assert.equal(readSettings({}).services, 'both');
  assert.equal(readSettings({ SERVICES: '' }).services, 'both');
  assert.equal(readSettings({ SERVICES: 'traceability' }).services, 'traceability');
  assert.equal(readSettings({ SERVICES: 'notifications' }).services, 'notifications');
});

test('what is wrong in both services is reported once, beside what is wrong in either', () => {
  const problems = listProblems({
    PORT: 'http',
    TENANT_API_KEY: 'short',
    NOTIFICATIONS_STREAMS_PER_PERSON: '-1',
  });

  assert.deepEqual(problems, ['PORT', 'TENANT_API_KEY', 'NOTIFICATIONS_STREAMS_PER_PERSON']);
});

test('settings of a service that is not served are not looked at', () => {
  const environment = { TENANT_API_KEY: 'short', NOTIFICATIONS_STREAMS_PER_PERSON: '-1' };

  assert.deepEqual(listProblems({ ...environment, SERVICES: 'traceability' }), ['TENANT_API_KEY']);
  assert.deepEqual(listProblems({ ...environment, SERVICES: 'notifications' }), [
    'NOTIFICATIONS_STREAMS_PER_PERSON',
  ]);
});

test('with an unknown choice of services the settings of both are looked at', () => {
  const problems = listProblems({ SERVICES: 'all', TENANT_API_KEY: 'short' });

  assert.deepEqual(problems, ['SERVICES', 'TENANT_API_KEY']);
});
