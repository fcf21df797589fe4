// The tasks of a day that a hub in a test rarely has: the chain, the clock, the log, the witnesses, imports, and more
// cases than have an entry of their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '@lothub/kit/html';
import { BEHIND_SECONDS_MAX } from '../../witnessing/standing.ts';
import { readerIn } from '../../web/words/reader.ts';
import { listTasks, type Day, type Task } from './tasks.ts';

const CALM: Day = {
  brand: 'bakery',
  summary: {
    lots_total: 3,
    lots_on_hold: 0,
    lots_recalled: 0,
    open_recalls: 0,
    open_recalls_by_severity: {
      class_i: 0,
      class_ii: 0,
      class_iii: 0,
      market_withdrawal: 0,
      unclassified: 0,
    },
    inbound_recalls: 0,
    events_total: 4,
    events_24h: 4,
    last_event_at: '2026-03-02T06:16:12.345Z',
    chain: {
      chain_id: 'c0ffee',
      height: 4,
      tip_hash: 'c0ffee',
      chain_valid: true,
      verified_through: 4,
      verified_at: '2026-03-02T06:16:13.000Z',
    },
    hold_breaches: { count: 0, latest: [] },
  },
  compliance: undefined,
  isOnItsWay: false,
  cases: [],
  imports: { count: 0, isExact: true, from: '2026-02-23' },
  breaches: { count: 0, isExact: true },
  firstBadHeight: null,
  isClockTrusted: true,
  newestEvent: 4,
  log: 'signing',
  witnesses: { counts: null, behindSeconds: null },
};
const CASE = {
  title: 'Salmonella',
  severity: 'class_i',
  status: 'investigation',
  toSend: 0,
  unanswered: 0,
} as const;

const READER = readerIn('en');

function listTasksOn(changes: Partial<Day>): readonly Task[] {
  return listTasks({ ...CALM, ...changes }, READER);
}

/** Tone, words, where it leads, number. */
function shown({ tone, title, hint, href, count }: Task): readonly unknown[] {
  return [tone, wordsIn(title), wordsIn(hint), href, count?.count];
}

function wordsIn(value: Task['title']): string {
  return html`${value}`.text
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

test('a day on which nothing is wrong has no tasks', () => {
  assert.deepEqual(listTasksOn({}), []);
});

test('a chain that does not match names the first block, and leads to the chain', () => {
  const tasks = listTasksOn({ firstBadHeight: 1_234 });

  assert.deepEqual(tasks.map(shown), [
    [
      'bad',
      'The chain does not match what was recorded',
      'The first block that does not match is 1,234. Events are still accepted. Whoever operates the hub has to look now.',
      '/explorer',
      undefined,
    ],
  ]);
});

test('a clock that is not believed is urgent: nothing can be recorded', () => {
  const [task] = listTasksOn({ isClockTrusted: false });

  assert.equal(task?.tone, 'bad');
  assert.equal(task.title, READER.words.console.today.clock);
});

test('only a log that is held needs somebody', () => {
  const states = ['off', 'building', 'signing', 'held'] as const;

  const titles = states.map((log) => listTasksOn({ log }).map(({ tone, title }) => [tone, title]));

  assert.deepEqual(titles, [[], [], [], [['warn', 'The public log is held']]]);
});

test('witnesses are behind after their time, with the minutes, and not before', () => {
  const at = (behindSeconds: number | null) =>
    listTasksOn({ witnesses: { counts: { cosigned: 1, counting: 3 }, behindSeconds } });

  assert.deepEqual([at(null), at(0), at(BEHIND_SECONDS_MAX)], [[], [], []]);
  assert.deepEqual(at(BEHIND_SECONDS_MAX + 61).map(shown), [
    [
      'info',
      'The witnesses are behind',
      'For 6 minutes no outside witness has confirmed the newest blocks.',
      '/explorer',
      undefined,
    ],
  ]);
});

test('imports with errors lead to the list of exactly those', () => {
  const tasks = listTasksOn({ imports: { count: 3, isExact: true, from: '2026-02-23' } });

  assert.deepEqual(
    tasks.map(({ tone, href, count }) => [tone, href, count?.count]),
    [['warn', '/console/b/bakery/imports?state=with_errors&from=2026-02-23', 3]],
  );
});

test('where there are more open cases than are shown, their number leads to the open ones', () => {
  const tasks = listTasksOn({
    cases: [{ ...CASE, caseNo: 'RC-2026-0009' }],
    summary: { ...CALM.summary, open_recalls: 9 },
  });

  assert.deepEqual(
    tasks.map(({ tone, href, count }) => [tone, href, count?.count]),
    [
      ['bad', '/console/b/bakery/recalls/RC-2026-0009', undefined],
      ['warn', '/console/b/bakery/recalls?status=open', 9],
    ],
  );
});

test('what may do harm comes first, whatever it is about', () => {
  const tasks = listTasksOn({
    log: 'held',
    firstBadHeight: 2,
    cases: [{ ...CASE, caseNo: 'RC-2026-0001' }],
    imports: { count: 1, isExact: true, from: '2026-02-23' },
    summary: { ...CALM.summary, open_recalls: 1, inbound_recalls: 1, lots_on_hold: 2 },
    witnesses: { counts: null, behindSeconds: BEHIND_SECONDS_MAX * 2 },
  });

  assert.deepEqual(
    tasks.map(({ tone, icon }) => `${tone} ${icon}`),
    [
      'bad bad',
      'bad warning',
      'bad inbox',
      'warn chain',
      'warn hold',
      'warn upload',
      'info shield',
    ],
  );
});
