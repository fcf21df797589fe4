// Which signals end what somebody is connected with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEndedBy } from './access-ends.ts';

const SESSION = {
  accountId: 'usr_a',
  via: { kind: 'session', tokenHash: 'mine', validUntil: 1 },
} as const;
const TOKEN = {
  accountId: 'usr_a',
  via: { kind: 'token', tokenId: 'mine', validUntil: null },
} as const;

for (const [ended, id, endsToken] of [
  ['token', 'mine', true],
  ['token', 'other', false],
  ['tokens', null, true],
] as const) {
  test(`the end of ${ended} ${id ?? 'all'} ends a token: ${endsToken}, and no session`, () => {
    const signal = { accountId: 'usr_a', detail: { ended, id } };

    assert.equal(isEndedBy(TOKEN, signal), endsToken);
    assert.equal(isEndedBy(SESSION, signal), false);
  });
}

test('what ends for one person goes on for another', () => {
  const signal = { accountId: 'usr_b', detail: { ended: 'tokens', id: null } } as const;

  assert.equal(isEndedBy(TOKEN, signal), false);
});
