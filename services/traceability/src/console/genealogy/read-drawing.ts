// Reads everything that the address of a drawing requests: the lot, the neighbours that are open by default,
// and those that were opened.
import { nextTurn } from '@lothub/kit/in-turns';
import { Known, SINGLE_MAX, buildGraph, type Graph, type LotNode } from './graph.ts';
import { readAnswer } from './read-answers.ts';
import { idOfSeed, readLots, readSeed, type Reading } from './read-lots.ts';
import { SIDES, buildStepKey, type Asked, type Side, type Step } from './steps.ts';

/** Nodes that are drawn by default. */
const START_MAX = 60;

export interface ReadDrawing {
  readonly known: Known;
  readonly seedId: string;
  /** All open steps, first those that are open by default. */
  readonly steps: readonly Step[];
  readonly graph: Graph;
}

export async function readDrawing(reading: Reading, asked: Asked): Promise<ReadDrawing> {
  const known = new Known();
  known.addLots(await readSeed(reading));
  const seedId = idOfSeed(reading.seed);
  const shut = new Set(asked.shut.map(buildStepKey));
  const steps: Step[] = [];
  const add = async (step: Step): Promise<void> => {
    if (steps.some((one) => buildStepKey(one) === buildStepKey(step))) return;
    if (known.isMissing(step)) {
      const answer = await readAnswer(reading, step);
      if (answer === undefined) return;
      known.add(answer);
      await nextTurn();
    }
    steps.push(step);
  };
  const openAround = async (): Promise<void> => {
    for (const side of SIDES) {
      let ring = [known.lots.get(seedId)].filter((lot) => lot !== undefined);
      for (let hop = 1; hop <= asked.depth && ring.length > 0; hop += 1) {
        ring = await openRing(ring, side, hop);
      }
    }
  };
  /** @returns the lots beyond a ring, unless there are too many */
  const openRing = async (
    ring: readonly LotNode[],
    side: Side,
    hop: number,
  ): Promise<LotNode[]> => {
    await readBehind(ring, side, hop);
    const next = new Set<LotNode>();
    for (const { code, beside } of ring) {
      const step: Step = { kind: 'side', side, code };
      const { count } = beside[side];
      if (count === 0 || shut.has(buildStepKey(step))) continue;
      if (hop > 1 && (count > SINGLE_MAX || drawnCount() + count > START_MAX)) continue;
      await add(step);
      for (const id of known.answerTo(step)?.ids ?? []) {
        const lot = known.lots.get(id);
        if (lot !== undefined) next.add(lot);
      }
    }
    return [...next];
  };
  /** Reads the lots beyond a whole ring at once, as far as they will be drawn. */
  const readBehind = async (ring: readonly LotNode[], side: Side, hop: number): Promise<void> => {
    if (hop === 1) return;
    const wanted = new Set<string>();
    for (const { beside } of ring) {
      const { ids, count } = beside[side];
      if (count > SINGLE_MAX || drawnCount() + wanted.size + count > START_MAX) continue;
      for (const id of ids) if (!known.lots.has(id)) wanted.add(id);
    }
    known.addLots(await readLots(reading, [...wanted].flatMap(parseLotNo)));
  };
  const drawnCount = (): number => buildGraph(known, seedId, steps).nodes.length;
  await openAround();
  for (const step of asked.open) await add(step);
  return { known, seedId, steps, graph: buildGraph(known, seedId, steps) };
}

function parseLotNo(id: string): readonly number[] {
  const match = /^l(\d+)$/.exec(id);
  return match?.[1] === undefined ? [] : [Number(match[1])];
}
