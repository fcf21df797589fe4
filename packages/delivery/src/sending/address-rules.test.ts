// Addresses that webhooks may go to, in every spelling that reaches a socket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressRules } from './address-rules.ts';
import { webhookUrl } from './webhook-url.ts';

const rules = new AddressRules([]);

const REFUSED = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '127.0.0.1', '127.255.255.254'],
  ...['100.64.0.1', '100.127.255.255', '100.100.100.200', '169.254.0.1', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '168.63.129.16'],
  ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  // IPv6: unspecified, loopback, local, multicast, documentation, discard, Teredo, 6to4, ORCHID.
  ...['::', '::1', '0:0:0:0:0:0:0:1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'fc00::1'],
  ...['fd00:ec2::254', 'ff02::1', '2001:db8::1', '3fff::1', '100::1', '2001::1', '2001:20::1'],
  ...['2002:7f00:1::', '2002:0808:0808::1', '5f00::1', '4000::1'],
  // IPv4 within IPv6: mapped, compatible, translated, NAT64 of everybody and of a site.
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:10.0.0.1', '::ffff:0.0.0.0'],
  ...['::ffff:169.254.169.254', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::', '64:ff9b:1::808:808'],
  ...['', 'localhost', '1.2.3', '8.8.8.8 '],
];

for (const address of REFUSED) {
  test(`the address "${address}" is refused`, () => {
    assert.equal(rules.judge(address), 'refused');
  });
}

for (const address of [
  ...['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.1', '169.253.255.255', '172.15.255.255', '172.32.0.0'],
  ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '3ffe::1'],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
]) {
  test(`the address ${address} is public`, () => {
    assert.equal(rules.judge(address), 'public');
  });
}

test('what is allow-listed is allowed in every spelling, and its neighbours are not', () => {
  const some = new AddressRules(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32', '::1']);

  const allowed = [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '64:ff9b::10.1.2.3',
    '127.0.0.1',
    'fd00:1::5',
    '::1',
  ];
  for (const address of allowed) assert.equal(some.judge(address), 'allowed', address);
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd00:2::5', '::2', '::ffff:10.2.0.1']) {
    assert.equal(some.judge(address), 'refused', address);
  }
});

for (const url of [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://127.0.0.1./',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[0:0:0:0:0:ffff:7f00:0001]/',
  'https://１２７.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://user@receiver.example/',
  'https://user:password@receiver.example/',
  'https://receiver.example/#part',
  'http://receiver.example/',
  'http://8.8.8.8/',
  'ftp://receiver.example/',
  'file:///etc/passwd',
  'receiver.example/hook',
  'https://',
  `https://receiver.example/${'a'.repeat(2_048)}`,
  `https://receiver.example/${'ü'.repeat(1_000)}`,
]) {
  test(`a webhook may not have the URL ${url.slice(0, 60)}`, () => {
    assert.equal(webhookUrl(url, rules), undefined);
  });
}

test('a webhook may have any https URL of a public host', () => {
  const urls = [
    'https://receiver.example/hook?team=1',
    'https://8.8.8.8:8443/',
    'https://[2606::1]/',
  ];

  for (const url of urls) assert.equal(webhookUrl(url, rules)?.href, url);
});

test('plain http is for allow-listed addresses, and for names once there are such', () => {
  const some = new AddressRules(['10.0.0.0/8']);

  assert.equal(webhookUrl('http://10.0.0.7:8080/hook', some)?.port, '8080');
  assert.equal(webhookUrl('http://receiver.internal/hook', some)?.hostname, 'receiver.internal');
  assert.equal(webhookUrl('http://8.8.8.8/', some), undefined);
});
