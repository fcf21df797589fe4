// The evidence of a lot with 100 blocks: how long the hub takes to make it.
import type { ServiceChild } from '../kit/child.ts';
import type { Figures } from '../kit/figures.ts';
import { expectEqual, listAt, readJson } from '../kit/json-answer.ts';
import { load } from '../kit/load.ts';

export const EVIDENCE_LOT = 'LOT-of-100-blocks';
const BLOCKS = 100;
/** Block 0 is in each file. */
export const EVIDENCE_EVENTS = BLOCKS - 1;

const MADE_P95_MS = 50;
const FILES = 200;
const SECONDS_MAX = 60;

export async function benchEvidence(options: {
  readonly service: ServiceChild;
  readonly figures: Figures;
}): Promise<void> {
  const { service, figures } = options;
  const made = await load({
    url: `${service.address}/public/verify/${EVIDENCE_LOT}/evidence`,
    connections: 1,
    seconds: SECONDS_MAX,
    requestsMax: FILES,
    method: 'GET',
    check: (n, answer) => {
      if (n === 0) expectEqual('blocks', listAt(readJson(answer), 'blocks').length, BLOCKS);
    },
  });
  if (made.failures > 0) throw new Error(`${made.failures} requests for evidence were refused`);
  figures.addLatencies(`evidence of a lot with ${BLOCKS} blocks`, made, { p95: MADE_P95_MS });
}
