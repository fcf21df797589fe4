// Whom attempts are counted for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from './client-address.ts';

for (const [address, client] of [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
] as const) {
  test(`${address} counts as ${client}`, () => {
    assert.equal(clientOf(address), client);
  });
}
