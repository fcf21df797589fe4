// Which events were recorded long after they occurred. On the chain moments never go backwards, so
// those of a few blocks decide on most of the events between them; only the others are requested.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import { readRecordedTimes } from '../ledger/recorded-at.ts';
import { RECORDED_WITHIN_MS } from './compliance.ts';

/** Parts that a list of events is cut into when its two ends do not decide on all of it. */
const PARTS = 32;

/** An event that must have been recorded by `dueMs`. */
interface Due {
  readonly height: number;
  readonly dueMs: number;
}

/** @returns the heights of those events that are late */
export async function findLate(
  database: DatabaseReader,
  events: readonly { readonly height: number; readonly occurredAt: string }[],
): Promise<ReadonlySet<number>> {
  const late = new Set<number>();
  const all = events
    .map(({ height, occurredAt }) => ({
      height,
      dueMs: Date.parse(occurredAt) + RECORDED_WITHIN_MS,
    }))
    .sort((a, b) => a.height - b.height);
  for (let open: readonly (readonly Due[])[] = [all]; open.length > 0;) {
    const cuts = open.map((list) => ({ list, probes: listProbes(list.length) }));
    const heights = cuts.flatMap(({ list, probes }) =>
      probes.flatMap((at) => list[at]?.height ?? []),
    );
    const recordedAt = await readRecordedTimes(database, heights);
    const getMoment = ({ height }: Due): number =>
      Date.parse(present(recordedAt.get(height), 'the time of a block'));
    open = cuts.flatMap(({ list, probes }) => undecided(list, { probes, getMoment, late }));
    await nextTurn();
  }
  return late;
}

/** Places in a list at about the same distances, its two ends among them. */
function listProbes(length: number): readonly number[] {
  const step = Math.max(1, Math.ceil((length - 1) / PARTS));
  const probes: number[] = [];
  for (let at = 0; at < length - 1; at += step) probes.push(at);
  return length === 0 ? [] : [...probes, length - 1];
}

/** Judges the probes and what they decide; what lies between two of them and is open comes back. */
function undecided(
  list: readonly Due[],
  {
    probes,
    getMoment,
    late,
  }: {
    readonly probes: readonly number[];
    readonly getMoment: (due: Due) => number;
    readonly late: Set<number>;
  },
): readonly (readonly Due[])[] {
  const open: (readonly Due[])[] = [];
  for (const [index, at] of probes.entries()) {
    const probe = list[at];
    const before = list[probes[index - 1] ?? at];
    if (probe === undefined || before === undefined) continue;
    const [fromMs, toMs] = [getMoment(before), getMoment(probe)];
    if (toMs > probe.dueMs) late.add(probe.height);
    const between: Due[] = [];
    for (const due of list.slice((probes[index - 1] ?? at) + 1, at)) {
      if (fromMs > due.dueMs) late.add(due.height);
      else if (!(toMs <= due.dueMs)) between.push(due);
    }
    if (between.length > 0) open.push(between);
  }
  return open;
}
