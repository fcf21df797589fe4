// Deletes what groups are not to keep any longer, and everything else that has outlived its time, in
// batches that leave posts their turn. Of several processes one does it.
import type { Clock } from '@lothub/kit/clock';
import { BATCH_ROWS, RetentionLoop, mayGoOn, sweep } from '@lothub/kit/retention/retention-loop';
import type { Pace, RetentionPass } from '@lothub/kit/retention/retention-loop';
import type { FastifyBaseLogger } from 'fastify';
import type { NotificationStore } from '../store/store.ts';
import { clearDeletedGroups, type PeopleWriter } from './deleted-groups.ts';
import { dropGoneExceptions, dueGroups, findPruneEnd, pruneChange } from './prune-queries.ts';
import type { DueGroup } from './prune-queries.ts';
import { SWEEPS } from './sweep-queries.ts';

/** Groups looked at together. */
const GROUPS_PER_LOOK = 100;

export interface RetentionDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly people?: PeopleWriter | undefined;
}

export interface RetentionOptions extends RetentionDeps {
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly pace?: Pace;
}

export function openRetention({
  store,
  clock,
  people,
  log,
  pace,
}: RetentionOptions): RetentionLoop {
  return new RetentionLoop({
    clock,
    turn: store.turn('retention'),
    sweeps: SWEEPS,
    retain: (pass) => retainOnce({ ...pass, store, clock, people }),
    onError: (error) => log.warn({ err: error }, 'deleting what is too old failed'),
    pace,
  });
}

/**
 * Deletes all that is due now, unless it is another process's turn. Stopped anywhere, it leaves whole
 * batches deleted and the rest for the next time.
 * @throws DatabaseError as the store's `change`
 */
export async function retainOnce(pass: RetentionPass & RetentionDeps): Promise<void> {
  await clearDeletedGroups(pass, pass);
  while (await pruneGroups(pass));
  await sweep(pass, pass);
  // One that waits for another program's reading is tried at the next pass.
  if (await mayGoOn(pass)) await pass.store.erasedBytes?.settle();
}

/**
 * One batch of each group that is due, so that a large one keeps none of the others waiting.
 * @returns whether anything was deleted
 */
async function pruneGroups(pass: RetentionPass & RetentionDeps): Promise<boolean> {
  const { reader } = pass.store;
  let after = '';
  let hasDeleted = false;
  for (;;) {
    const nowMs = pass.clock.nowMs();
    const groups = await dueGroups(reader, { after, nowMs, limit: GROUPS_PER_LOOK });
    for (const group of groups) {
      if (!(await mayGoOn(pass))) return false;
      if (await pruneGroup(pass, group)) hasDeleted = true;
    }
    after = groups.at(-1)?.groupId ?? '';
    if (groups.length < GROUPS_PER_LOOK) return hasDeleted;
  }
}

/** @returns false when nothing can be deleted yet, or the group's settings have changed */
async function pruneGroup({ store, clock }: RetentionDeps, group: DueGroup): Promise<boolean> {
  const { reader } = store;
  const end = await findPruneEnd(reader, { group, nowMs: clock.nowMs(), rows: BATCH_ROWS });
  if (end === undefined) return false;
  if ((await store.change(pruneChange(group, end))).kind === 'stale') return false;
  const { groupId } = group;
  for (;;) {
    const statement = await dropGoneExceptions(reader, { groupId, rows: BATCH_ROWS });
    if (statement === undefined) return true;
    await store.write([statement]);
  }
}
