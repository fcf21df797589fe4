// Which address is believed, and which client requests are counted for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClientAddress, toClientNetwork } from './client-address.ts';

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
    assert.equal(toClientNetwork(address), client);
  });
}

for (const [ips, address] of [
  [undefined, '192.0.2.1'],
  [['192.0.2.1'], '192.0.2.1'],
  [['10.0.0.1', '192.0.2.1'], '192.0.2.1'],
  [['10.0.0.1', '2001:db8::1'], '2001:db8::1'],
  [['10.0.0.1', 'unknown'], '10.0.0.1'],
  [['10.0.0.1', '10.0.0.2', '<b>'], '10.0.0.2'],
  [['10.0.0.1', 'fe80::1%eth0'], '10.0.0.1'],
  [['10.0.0.1', ''], '10.0.0.1'],
] as const) {
  test(`of ${JSON.stringify(ips)} the address is ${address}`, () => {
    const ip = ips?.at(-1) ?? '192.0.2.1';
    const request = ips === undefined ? { ip } : { ip, ips: [...ips] };

    assert.equal(readClientAddress(request), address);
  });
}
