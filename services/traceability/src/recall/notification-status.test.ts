// Every move of a notification, those that are refused among them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTIFICATION_STATUSES } from '../terms.ts';
import { judgeNotificationMove, type NotificationMove } from './notification-status.ts';

const MOVE: NotificationMove = { kind: 'move' };
const SAME: NotificationMove = { kind: 'same' };
const fromPending: NotificationMove = { kind: 'refused', allowed: [] };
const fromReady: NotificationMove = {
  kind: 'refused',
  allowed: ['sent', 'acknowledged', 'resolved'],
};
const fromSent: NotificationMove = { kind: 'refused', allowed: ['acknowledged', 'resolved'] };
const fromAcknowledged: NotificationMove = { kind: 'refused', allowed: ['resolved'] };
const fromResolved: NotificationMove = { kind: 'refused', allowed: [] };

/** The judgement of each move, from row to column: pending, ready, sent, acknowledged, resolved. */
const TABLE = {
  pending: [SAME, fromPending, fromPending, fromPending, fromPending],
  ready: [fromReady, SAME, MOVE, MOVE, MOVE],
  sent: [fromSent, fromSent, SAME, MOVE, MOVE],
  acknowledged: [fromAcknowledged, fromAcknowledged, fromAcknowledged, SAME, MOVE],
  resolved: [fromResolved, fromResolved, fromResolved, fromResolved, SAME],
} as const;

for (const from of NOTIFICATION_STATUSES) {
  for (const [index, to] of NOTIFICATION_STATUSES.entries()) {
    const expected = TABLE[from][index];
    test(`from ${from} to ${to}: ${expected?.kind}`, () => {
      assert.deepEqual(judgeNotificationMove(from, to), expected);
    });
  }
}
