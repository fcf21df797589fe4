// Corrections of events of the lot with ten thousand lines: its balance is made anew for each.
import type { ServiceChild } from '../kit/child.ts';
import { expectEqual, readJson, valueAt } from '../kit/json-answer.ts';
import { recordRead } from './reads.ts';
import { load, type LoadResult } from '../kit/load.ts';
import type { SupplyChain } from '../supply/chain.ts';
import { QUARTERS } from '../supply/model.ts';

const CORRECTIONS = 300;
const SECONDS_MAX = 60;
const FIELD = 'lines[0].quantity';

/** Corrects a quantity in events spread over the lot's whole time, each once, one after another. */
export async function correctBulk(
  service: ServiceChild,
  { model, bulk }: Pick<SupplyChain, 'model' | 'bulk'>,
): Promise<LoadResult> {
  const stride = Math.max(1, Math.floor(bulk.movements.length / CORRECTIONS));
  const movements = bulk.movements.filter((_, n) => n % stride === 0);
  const result = await load({
    url: `${service.address}/v1/corrections`,
    connections: 1,
    seconds: SECONDS_MAX,
    requestsMax: movements.length,
    method: 'POST',
    body: (n) => {
      const { eventNo, quarters } = movements[n] ?? fail();
      return JSON.stringify({
        corrects_event_id: model.getHeight(eventNo),
        reason: 'weighed again',
        requested_by: 'bench',
        changes: [
          {
            field: FIELD,
            old_value: quarters / QUARTERS,
            new_value: (quarters + 1) / QUARTERS,
          },
        ],
      });
    },
    check: (n, answer) => {
      const { eventNo } = movements[n] ?? fail();
      const height = model.getHeight(eventNo);
      expectEqual('corrected block', valueAt(readJson(answer), 'corrects_block_height'), height);
    },
  });
  const done = movements.slice(0, result.requests);
  const changed = {
    shipped: done.filter(({ kind }) => kind === 'ship').length,
    sold: done.filter(({ kind }) => kind === 'sell').length,
  };
  const record = recordRead(model, bulk.lot, changed);
  await load({
    url: service.address,
    connections: 1,
    seconds: 1,
    requestsMax: 1,
    method: 'GET',
    path: () => record.path,
    check: (_, answer) => record.check(answer),
  });
  return result;
}

function fail(): never {
  throw new Error('more corrections than movements');
}
