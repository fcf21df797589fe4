// How often a group is tried, and what its callers get at the end, with a connection that fails as
// the test says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobGroup } from '../../test/job-group.ts';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import { ANSWER_WITHIN_MS } from '../writer/queue.ts';
import { commitUntilKnown } from './commit-until-known.ts';
import type { PostgresTransaction } from './connection.ts';

const AWAY = new DatabaseError('database_busy', 'the server is away');
const LOST = new CommitUnknownError('the connection was lost', {});
const BROKEN = new DatabaseError('database_failed', 'a row is refused');

/** `commits` plans and is stored; an error that comes before the plan has looked, or after it has written. */
type Step =
  | { readonly kind: 'commits' }
  | { readonly kind: 'before' | 'after'; readonly error: DatabaseError };

interface Tried {
  /** What the plan wrote, or found of an attempt before. */
  readonly result: string;
  /** Attempts that wrote. */
  readonly written: readonly string[];
  /** How long each attempt was given. */
  readonly timeouts: readonly (number | undefined)[];
  readonly answered: readonly string[];
}

/**
 * @param stored whether the server has what an attempt wrote whose answer was lost
 * @param attemptMs how long each attempt takes
 */
async function tryGroup(
  steps: readonly Step[],
  options: {
    readonly stored?: boolean;
    readonly attemptMs?: number;
    readonly isRecognised?: boolean;
  } = {},
): Promise<Tried> {
  const { stored = false, attemptMs = 0, isRecognised = true } = options;
  let nowMs = 0;
  const answered: string[] = [];
  const group = jobGroup(['job'], {
    clock: { elapsedMs: () => nowMs },
    answer: (answers) => answered.push(...answers.map(({ failure }) => failure?.code ?? '')),
  });
  const written: string[] = [];
  const timeouts: (number | undefined)[] = [];
  const remaining = [...steps];
  const result = await commitUntilKnown<string>({
    group,
    isRecognised: () => isRecognised,
    connection: {
      pipelinedTransaction: async (plan, limit) => {
        const step = remaining.shift() ?? { kind: 'before', error: AWAY };
        timeouts.push(limit?.timeoutMs);
        nowMs += attemptMs;
        if (step.kind === 'before') throw step.error;
        const planned = await plan({} as PostgresTransaction);
        if (step.kind === 'after') throw step.error;
        return 'result' in planned ? planned.result : planned.readResult([]);
      },
    },
    plan: async (_transaction, { unknown, attempting }) => {
      if (unknown !== undefined && stored) return { writes: [], result: unknown };
      const attempt = `attempt ${written.length + 1}`;
      written.push(attempt);
      attempting(attempt);
      return { writes: [], result: attempt };
    },
  }).catch((error: unknown) => {
    if (error instanceof DatabaseError) return error.code;
    throw error;
  });
  return { result, written, timeouts, answered };
}

test('a server that comes back in time takes the group', async () => {
  const away = { kind: 'before', error: AWAY } as const;

  const { result, written } = await tryGroup([away, away, { kind: 'commits' }]);

  assert.equal(result, 'attempt 1');
  assert.deepEqual(written, ['attempt 1']);
});

test('each attempt has what is left of the time, and the last one ends with it', async () => {
  const { result, timeouts, answered } = await tryGroup([], { attemptMs: ANSWER_WITHIN_MS / 2 });

  assert.deepEqual(timeouts, [ANSWER_WITHIN_MS, ANSWER_WITHIN_MS / 2]);
  assert.deepEqual(answered, ['database_busy']);
  assert.equal(result, 'database_busy');
});

test('an attempt whose answer was lost is found again, and not done again', async () => {
  const lost = { kind: 'after', error: LOST } as const;

  const { result, written } = await tryGroup([lost, { kind: 'commits' }], { stored: true });

  assert.equal(result, 'attempt 1');
  assert.deepEqual(written, ['attempt 1']);
});

test('an attempt that was found is not done again when the answer to that is lost, too', async () => {
  const lost = { kind: 'after', error: LOST } as const;

  const { result, written } = await tryGroup([lost, lost, { kind: 'commits' }], { stored: true });

  assert.equal(result, 'attempt 1');
  assert.deepEqual(written, ['attempt 1']);
});

test('an attempt that was looked for and not found is done again', async () => {
  const lost = { kind: 'after', error: LOST } as const;

  const { result, written } = await tryGroup([lost, { kind: 'commits' }]);

  assert.equal(result, 'attempt 2');
  assert.deepEqual(written, ['attempt 1', 'attempt 2']);
});

for (const [what, isRecognised] of [
  ['an attempt', true],
  ['an attempt that leaves nothing to know it by', false],
] as const) {
  test(`of ${what} whose answer was lost nothing is claimed while nobody can be asked`, async () => {
    const steps = [{ kind: 'after', error: LOST } as const];

    const { result, answered } = await tryGroup(steps, { attemptMs: 3_000, isRecognised });

    assert.equal(result, 'database_unsure');
    assert.deepEqual(answered, ['database_unsure']);
  });
}

test('a defect on the way to ask for a lost attempt does not say that nothing is stored', async () => {
  const steps = [
    { kind: 'after', error: LOST },
    { kind: 'before', error: BROKEN },
  ] as const;

  const { result } = await tryGroup(steps, { stored: true });

  assert.equal(result, 'database_unsure');
});

test('a refusal after a lost attempt was not found is the whole truth', async () => {
  const steps = [
    { kind: 'after', error: LOST },
    { kind: 'after', error: BROKEN },
  ] as const;

  const { result } = await tryGroup(steps);

  assert.equal(result, 'database_failed');
});
