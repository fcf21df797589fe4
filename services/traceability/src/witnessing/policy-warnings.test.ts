// What the start says of a policy that can be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatVkey, parsePolicy, WITNESS_KEY_TYPE } from '@lothub/chain/log';
import { testKey } from '@lothub/chain/test/log/test-keys';
import type { HubPolicy } from './hub-policy.ts';
import { policyWarnings } from './policy-warnings.ts';

const ORIGIN = 'hub.example.com/log/1';
const LOG = { epoch: 1, origin: ORIGIN, vkeys: [formatVkey(ORIGIN, testKey(1).publicKey)] };

function makePolicy(lines: readonly string[], own: readonly string[] = []): HubPolicy {
  const text = lines.join('\n');
  const policy = parsePolicy(text);
  const witnesses = policy.witnesses.map((witness) => ({
    witness,
    operator: undefined,
    isOwn: own.includes(witness.name),
  }));
  return { text, policy, witnesses };
}

function line(name: string, seed: number, url = 'https://witness.example.org'): string {
  return `witness ${name} ${formatVkey(`${name}.example.org`, testKey(seed).publicKey, WITNESS_KEY_TYPE)} ${url}`;
}

test('nothing is said of a policy of two witnesses of others', () => {
  const policy = makePolicy([line('a', 32), line('b', 64), 'group all 2 a b', 'quorum all']);

  assert.deepEqual(policyWarnings(policy, LOG), []);
});

test('own witnesses, witnesses without an address and a quorum that takes them are named', () => {
  const lines = [line('a', 32), line('b', 64, ''), 'group all any a b', 'quorum all'];

  const warnings = policyWarnings(makePolicy(lines, ['a']), LOG);

  assert.equal(warnings.length, 3);
  assert.match(warnings[0]!, /a runs under a domain of this hub/);
  assert.match(warnings[1]!, /b cannot be asked/);
  assert.match(warnings[2]!, /the quorum of a, b cannot be met/);
});

test('a log line of another key, and a policy that asks for nobody, are named', () => {
  const other = formatVkey('other.example.com/log/1', testKey(3).publicKey);

  const warnings = policyWarnings(makePolicy([`log ${other}`, 'quorum none']), LOG);

  assert.equal(warnings.length, 2);
  assert.match(warnings[0]!, /names the log other\.example\.com\/log\/1/);
  assert.match(warnings[1]!, /quorum none/);
});
