// A witness that is killed in the middle of requests, again and again, by logs that lie: whatever was in
// flight, it never cosigns two contradicting trees, and never forgets one that it cosigned.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseCheckpoint } from '@lothub/chain/log';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { TestProgram, testFolder } from '@lothub/kit/test/cli-run';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { formatList, newTestLog, type TestLog } from '@lothub/witness/test/test-log';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

const ROUNDS = chooseRounds({ usual: 2, long: 12 });
const LOGS_PER_ROUND = 4;
/** Trees up to this size are the same in both branches. */
const COMMON = 3;
const SIZE_MAX = 64;
/** Answers until the witness is killed; another number in each round, so that it hits another moment. */
const answersUntilKill = (round: number): number => 5 + ((round * 37) % 60);

/** A log that shows the witness two branches under one name and key. */
interface LyingLog {
  readonly branches: readonly TestLog[];
  /** Of each branch the largest tree that the witness gave a cosignature for. */
  readonly cosigned: number[];
}

function newLyingLog(origin: string): LyingLog {
  return {
    branches: [newTestLog(origin), newTestLog(origin, { forkAt: COMMON })],
    cosigned: [0, 0],
  };
}

/** Grows one branch until the witness is gone; a size that the witness names is believed. */
async function grow(
  base: string,
  { log, branch }: { readonly log: LyingLog; readonly branch: number },
  onAnswer: () => void,
): Promise<void> {
  const tree = log.branches[branch]!;
  let from = 0;
  while (from < SIZE_MAX) {
    const to = Math.min(SIZE_MAX, from + 1 + (from % 3));
    const answer = await ask(base, tree.request(from, to));
    if (answer === undefined) return;
    onAnswer();
    if (answer.status === 200) {
      assert.match(answer.text, /^— /);
      log.cosigned[branch] = Math.max(log.cosigned[branch]!, to);
      from = to;
    } else if (answer.status === 409) {
      from = Number(answer.text);
    } else {
      assert.equal(answer.status, 422);
      // The other branch was first. It is tried again from wherever that one is by now.
      const current = await ask(base, tree.request(0, 1));
      if (current === undefined) return;
      if (current.status === 409) from = Number(current.text);
    }
  }
}

async function ask(
  base: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  try {
    const answer = await fetch(`${base}/witness/add-checkpoint`, { method: 'POST', body });
    return { status: answer.status, text: await answer.text() };
  } catch {
    // Killed: whether the request was taken is not known.
    return undefined;
  }
}

/** What monitors are shown must be of the branch that was cosigned, and no older than any cosignature. */
async function assertOneHistory(base: string, log: LyingLog): Promise<void> {
  const [first, second] = log.branches;
  const { origin } = first!;
  const [ofFirst = 0, ofSecond = 0] = log.cosigned;
  assert.ok(Math.min(ofFirst, ofSecond) <= COMMON, `${origin}: both branches were cosigned`);
  const shown = await fetch(`${base}/witness/${sha256Hex(origin)}/checkpoint`);
  if (shown.status === 404) {
    assert.equal(Math.max(ofFirst, ofSecond), 0, `${origin}: a cosigned tree is forgotten`);
    return;
  }
  const { size, body } = parseCheckpoint(await shown.text());
  assert.ok(size >= Math.max(ofFirst, ofSecond), `${origin}: a cosigned tree is forgotten`);
  const branch = ofSecond > COMMON ? second : ofFirst > COMMON ? first : undefined;
  if (branch !== undefined) assert.equal(body, parseCheckpoint(branch.checkpoint(size)).body);
}

test(`a witness that is killed ${ROUNDS} times never cosigns two contradicting trees`, async (t) => {
  await using folder = await testFolder();
  const rounds = Array.from({ length: ROUNDS }, (_, round) =>
    Array.from({ length: LOGS_PER_ROUND }, (_, index) =>
      newLyingLog(`log-${round}-${index}.example.com/log/1`),
    ),
  );
  const listFile = folder.file('logs.txt');
  await writeFile(listFile, formatList(rounds.flat().map(({ branches }) => branches[0]!.entry)));
  const settings = { DATA_DIR: folder.path, WITNESS_LOGS: listFile, LOG_LEVEL: 'error' };
  let answers = 0;

  for (const [round, logs] of rounds.entries()) {
    await using served = await PROGRAM.serve(settings, [], { command: 'witness' });
    for (const log of rounds.slice(0, round).flat()) await assertOneHistory(served.base, log);
    let left = answersUntilKill(round);
    const onAnswer = (): void => {
      answers += 1;
      left -= 1;
      if (left === 0) served.child.kill('SIGKILL');
    };
    // The logs of the last round too: they were in flight when the witness was killed.
    const growing = [...logs, ...(rounds[round - 1] ?? [])];
    await Promise.all(
      growing.flatMap((log) =>
        [0, 1].map((branch) => grow(served.base, { log, branch }, onAnswer)),
      ),
    );
  }

  await using served = await PROGRAM.serve(settings, [], { command: 'witness' });
  for (const log of rounds.flat()) await assertOneHistory(served.base, log);
  t.diagnostic(`${answers} answers`);
  const grown = rounds.flat().filter(({ cosigned }) => Math.max(...cosigned) > COMMON);
  assert.notEqual(grown.length, 0);
});
