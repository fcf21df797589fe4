// Asks for the genealogy of the widest lot over and over, alone and while others post and read at a
// steady rate, and for what the others wait with it and without it.
import { besideOthers } from './beside-others.ts';
import type { OthersOptions, OthersWaits } from './beside-others.ts';
import { checkedOnce, genealogyRead, readInTurn } from './reads.ts';
import type { Latencies } from '../kit/load.ts';

export interface WidestResult {
  readonly nodeCount: number;
  readonly alone: Latencies;
  readonly meanwhile: Latencies;
  readonly others: readonly OthersWaits[];
}

/** @param options.seconds of each of the three parts */
export async function measureWidest(options: OthersOptions): Promise<WidestResult> {
  const { service, chain, seconds } = options;
  const { lot } = chain.widest;
  const related = chain.model.related(lot);
  const widest = checkedOnce(genealogyRead(chain.model, { lot, related }));
  const alone = await readInTurn(service, [widest], seconds);
  const { result, others } = await besideOthers(options, () =>
    readInTurn(service, [widest], seconds),
  );
  return { nodeCount: related.nodeCount, alone, meanwhile: result, others };
}
