// The sample of a proxy in front of the services.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const PROXY = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');

for (const [header, value] of [
  ['X-Forwarded-For', '$remote_addr'],
  ['X-Forwarded-Proto', '$scheme'],
  ['X-Forwarded-Host', '""'],
] as const) {
  test(`the proxy replaces ${header}, which the services believe, by ${value}`, () => {
    const set = PROXY.split('\n').filter((line) => line.includes(`proxy_set_header ${header} `));

    assert.deepEqual(
      set.map((line) => line.trim()),
      [`proxy_set_header ${header} ${value};`],
    );
  });
}
