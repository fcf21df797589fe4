// That only links of this service end mails, and each those of one receiver.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newLinkKey, readUnsubscribeToken, unsubscribeToken } from './unsubscribe-token.ts';

const KEY = newLinkKey();
const RECEIVER = 'mr_Zk3bQ9xT1aBc';

test('a token says its receiver', () => {
  assert.equal(readUnsubscribeToken(KEY, unsubscribeToken(KEY, RECEIVER)), RECEIVER);
});

test('a token of another key, of another receiver or of no form says none', () => {
  const [, mac = ''] = unsubscribeToken(KEY, RECEIVER).split('.');
  const tokens = [
    unsubscribeToken(newLinkKey(), RECEIVER),
    `mr_Zk3bQ9xT1aBd.${mac}`,
    `${RECEIVER}.${mac.slice(1)}`,
    `${RECEIVER}.${mac}A`,
    RECEIVER,
    '',
  ];

  assert.deepEqual(
    tokens.map((token) => readUnsubscribeToken(KEY, token)),
    tokens.map(() => undefined),
  );
});
