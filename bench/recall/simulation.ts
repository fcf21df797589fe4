// Simulated recalls of a generated hub, each answer checked against the model of what was generated.
import type { ServiceChild } from '../kit/child.ts';
import type { Answer } from '../kit/connection.ts';
import { expectEqual, expectSame, listAt, readJson, textAt, valueAt } from '../kit/json-answer.ts';
import { load, type LoadResult } from '../kit/load.ts';
import type { OrdinaryLot } from '../lots/reads.ts';
import type { Random } from '../kit/random.ts';
import type { SupplyModel } from '../supply/model.ts';

/** Lots that a recall of an ordinary lot covers, itself included. */
const AFFECTED = { least: 90, most: 110 } as const;
/** Tries for each lot of a sample. */
const TRIES = 200;

/** Up to `count` different lots whose recall covers about a hundred lots. */
export function lotsToRecall(
  model: SupplyModel,
  random: Random,
  count: number,
): readonly OrdinaryLot[] {
  const found = new Map<number, OrdinaryLot>();
  for (let tries = 0; tries < count * TRIES && found.size < count; tries += 1) {
    const lot = random.integer(0, model.lotCount - 1);
    const related = model.related(lot);
    const affected = coveredBy({ lot, related }).length;
    if (affected >= AFFECTED.least && affected <= AFFECTED.most) found.set(lot, { lot, related });
  }
  return [...found.values()];
}

/** The lot, what it was made from and what was made from it. */
export function coveredBy({ lot, related }: OrdinaryLot): readonly number[] {
  return [lot, ...related.upstream, ...related.downstream];
}

/** Of these lots; what is made of them is covered as well. What is made of an ancestor alone is not. */
export function widenedBy({ lot, related }: OrdinaryLot): readonly number[] {
  return [lot, ...related.downstream];
}

/** One at a time, the lots in turn. */
export async function simulateInTurn(
  service: ServiceChild,
  model: SupplyModel,
  options: { readonly lots: readonly OrdinaryLot[]; readonly seconds: number },
): Promise<LoadResult> {
  const simulations = options.lots.map((one) => buildCheckedPost(model, one));
  const at = (n: number): CheckedPost => {
    const one = simulations[n % simulations.length];
    if (one === undefined) throw new Error('there is no lot to simulate a recall of');
    return one;
  };
  return await load({
    url: `${service.address}/v1/recall/simulate`,
    connections: 1,
    seconds: options.seconds,
    method: 'POST',
    body: (n) => at(n).body,
    check: (n, answer) => at(n).check(answer),
  });
}

interface CheckedPost {
  readonly body: string;
  readonly check: (answer: Answer) => void;
}

function buildCheckedPost(model: SupplyModel, one: OrdinaryLot): CheckedPost {
  const lotCode = model.getCode(one.lot);
  const codes = new Set(coveredBy(one).map((lot) => model.getCode(lot)));
  return {
    body: JSON.stringify({ lot_code: lotCode, include_disposed: true }),
    check: (answer) => {
      const json = readJson(answer);
      const name = `simulation of ${lotCode}`;
      expectEqual(`${name}, lots`, valueAt(json, 'totals', 'affected_lots'), codes.size);
      const shown = listAt(json, 'affected_lots').map((lot) => textAt(lot, 'lot_code'));
      if (valueAt(json, 'truncated') === false) {
        expectSame(`${name}, lots`, new Set(shown), codes);
      }
    },
  };
}
