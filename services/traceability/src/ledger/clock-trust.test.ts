// The values that a clock is checked against: the time since the start, the database server's
// clock, the last block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClockTrust, type ClockReading } from './clock-trust.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 2, 2, 6, 15);
const UPTIME_MS = 90 * HOUR_MS;

function begin(): ClockTrust {
  return ClockTrust.begin({ nowMs: () => NOW_MS, uptimeMs: () => UPTIME_MS });
}

/** Returns a reading after `ms` on a machine with a right clock; `changes` replace fields. */
function after(ms: number, changes: Partial<ClockReading> = {}): ClockReading {
  return {
    nowMs: NOW_MS + ms,
    uptimeMs: UPTIME_MS + ms,
    databaseMs: undefined,
    tipMs: undefined,
    ...changes,
  };
}

function listCodes(trust: ClockTrust, reading: ClockReading): readonly string[] {
  return trust.findFaults(reading).map(({ code }) => code);
}

test('a clock that goes as time does is believed, however long, and so is one that is put back', () => {
  const trust = begin();

  assert.deepEqual(listCodes(trust, after(0)), []);
  assert.deepEqual(listCodes(trust, after(900 * DAY_MS)), []);
  assert.deepEqual(listCodes(trust, after(DAY_MS, { nowMs: NOW_MS - 300 * DAY_MS })), []);
});

test('a clock that advances over an hour more than time did is not believed until it is put right', () => {
  const trust = begin();
  const ahead = (ms: number): ClockReading => after(DAY_MS, { nowMs: NOW_MS + DAY_MS + ms });

  assert.deepEqual(listCodes(trust, ahead(HOUR_MS)), []);
  assert.deepEqual(listCodes(trust, ahead(HOUR_MS + 1)), ['clock_jumped']);
  assert.equal(
    trust.findFaults(ahead(365 * DAY_MS))[0]?.message,
    'the clock of this machine has jumped 365 days ahead while the service ran',
  );
  assert.deepEqual(listCodes(trust, ahead(0)), []);
});

test('a clock that differs by over an hour from the database server is not believed', () => {
  const trust = begin();
  const against = (databaseMs: number): ClockReading => after(0, { databaseMs });

  assert.deepEqual(listCodes(trust, against(NOW_MS - HOUR_MS)), []);
  assert.deepEqual(listCodes(trust, against(NOW_MS + HOUR_MS)), []);
  assert.equal(
    trust.findFaults(against(NOW_MS - HOUR_MS - 1))[0]?.message,
    'the clock of this machine is over an hour ahead of that of the database server',
  );
  assert.equal(
    trust.findFaults(against(NOW_MS + 30 * HOUR_MS))[0]?.message,
    'the clock of this machine is 30 hours behind that of the database server',
  );
});

test('a clock that is over a day behind the last block is not believed; an old block is no fault', () => {
  const trust = begin();
  const behind = (ms: number): ClockReading => after(0, { tipMs: NOW_MS + ms });

  assert.deepEqual(listCodes(trust, behind(-900 * DAY_MS)), []);
  assert.deepEqual(listCodes(trust, behind(DAY_MS)), []);
  assert.deepEqual(listCodes(trust, behind(DAY_MS + 1)), ['clock_behind_tip']);
});

test('what is accepted is believed, and nothing that is over an hour from it', () => {
  const trust = begin();
  const jumped = after(0, { nowMs: NOW_MS + 2 * HOUR_MS });
  const differing = after(0, { databaseMs: NOW_MS - 9 * HOUR_MS });
  const behind = after(0, { tipMs: NOW_MS + 2 * DAY_MS });
  for (const reading of [jumped, differing, behind]) {
    for (const { code, readingMs } of trust.findFaults(reading)) trust.accept(code, readingMs);
  }

  assert.deepEqual(listCodes(trust, jumped), []);
  assert.deepEqual(listCodes(trust, differing), []);
  assert.deepEqual(listCodes(trust, behind), []);
  assert.deepEqual(listCodes(trust, { ...jumped, nowMs: NOW_MS + 4 * HOUR_MS }), ['clock_jumped']);
  assert.deepEqual(listCodes(trust, after(0, { databaseMs: NOW_MS + 9 * HOUR_MS })), [
    'clock_differs',
  ]);
  assert.deepEqual(listCodes(trust, after(0, { tipMs: NOW_MS + 3 * DAY_MS })), [
    'clock_behind_tip',
  ]);
});

test('what one thread accepts, the other believes', () => {
  const trust = begin();
  const other = new ClockTrust(trust.shared);
  const jumped = after(0, { nowMs: NOW_MS + 2 * HOUR_MS });

  assert.deepEqual(listCodes(other, jumped), ['clock_jumped']);
  trust.accept('clock_jumped', jumped.nowMs - jumped.uptimeMs);
  assert.deepEqual(listCodes(other, jumped), []);
  trust.acceptStart(undefined);
  assert.equal(
    other.findFaults(after(0))[0]?.message,
    'the clock of this machine has jumped ahead before the service was started',
  );
});
