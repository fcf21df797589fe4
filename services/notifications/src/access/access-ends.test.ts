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

for (const [ended, id, endsSession, endsToken] of [
  ['session', 'mine', true, false],
  ['session', 'other', false, false],
  ['sessions', null, true, false],
  ['sessions', 'mine', false, false],
  ['sessions', 'other', true, false],
  ['token', 'mine', false, true],
  ['token', 'other', false, false],
  ['tokens', null, false, true],
] as const) {
  test(`the end of ${ended} ${id ?? 'all'} ends a session: ${endsSession}, a token: ${endsToken}`, () => {
    const signal = { accountId: 'usr_a', detail: { ended, id } };

    assert.equal(isEndedBy(SESSION, signal), endsSession);
    assert.equal(isEndedBy(TOKEN, signal), endsToken);
  });
}

test('what ends for one person goes on for another', () => {
  const signal = { accountId: 'usr_b', detail: { ended: 'sessions', id: null } } as const;

  assert.equal(isEndedBy(SESSION, signal), false);
});
