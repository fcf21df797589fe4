// What those wait who verify: proofs of any block of a log, and its tiles beside an endpoint that does nothing.
import { TILE_WIDTH, tilePath } from '@lothub/chain/log';
import type { DatabaseReader } from '@lothub/kit/database';
import { TreeReader } from '@lothub/traceability/ledger/log/tree-reader';
import type { ServiceChild } from '../kit/child.ts';
import type { Figures } from '../kit/figures.ts';
import { load, summarizeLatencies, type LoadResult } from '../kit/load.ts';
import { median, medianShare } from '../kit/report.ts';

const INCLUSION_P95_MS = 5;
const CONSISTENCY_P95_MS = 10;
const TILE_SHARE = 0.5;

/** One request at a time: the time of an answer, not of a queue. */
const PROOFS = 2_000;
const PROOF_SECONDS_MAX = 60;
const TILE_CONNECTIONS = 64;
const TILE_ROUNDS = 7;
const WARM_UP_ROUNDS = 1;
const TILE_SECONDS = 2;
/** Spreads numbers over the whole log, in an order of their own. */
const STRIDE = 104_729;

export async function benchReads(options: {
  readonly service: ServiceChild;
  readonly database: DatabaseReader;
  readonly blocks: number;
  readonly figures: Figures;
}): Promise<void> {
  const { service, database, blocks, figures } = options;
  const inclusion = await load({
    url: service.address,
    connections: 1,
    seconds: PROOF_SECONDS_MAX,
    requestsMax: PROOFS,
    method: 'GET',
    path: (n) => `/log/1/proof/${(n * STRIDE) % blocks}`,
  });
  refuseFailures('proofs', inclusion);
  figures.addLatencies('GET of an inclusion proof', inclusion, { p95: INCLUSION_P95_MS });
  const consistency = summarizeLatencies(await consistencyTimes(database, blocks));
  figures.addLatencies('consistency proof', consistency, { p95: CONSISTENCY_P95_MS });
  await benchTiles(service, blocks, figures);
}

/** @returns how long each took, ms */
async function consistencyTimes(
  database: DatabaseReader,
  blocks: number,
): Promise<readonly number[]> {
  const reader = new TreeReader({ database });
  const times: number[] = [];
  for (let n = 1; n <= PROOFS; n += 1) {
    const begun = performance.now();
    await reader.consistency(1 + ((n * STRIDE) % (blocks - 1)), blocks);
    times.push(performance.now() - begun);
  }
  return times;
}

async function benchTiles(service: ServiceChild, blocks: number, figures: Figures): Promise<void> {
  const tiles = Math.floor(blocks / TILE_WIDTH);
  const buildTilePath = (n: number): string =>
    `/log/1/${tilePath(0, (n * STRIDE) % tiles, TILE_WIDTH)}`;
  const get = async (name: string, path: (n: number) => string): Promise<number> => {
    const result = await load({
      url: service.address,
      connections: TILE_CONNECTIONS,
      seconds: TILE_SECONDS,
      method: 'GET',
      path,
    });
    refuseFailures(name, result);
    return result.perSecond;
  };
  const rates: number[] = [];
  const noops: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + TILE_ROUNDS; round += 1) {
    const rate = await get('tiles', buildTilePath);
    const noop = await get('no-op GET', () => '/v1/noop');
    if (round < WARM_UP_ROUNDS) continue;
    rates.push(rate);
    noops.push(noop);
  }
  const name = 'GET of a complete tile';
  figures.add({ name: 'no-op GET of as many bytes', value: median(noops), unit: '/s' });
  figures.add({ name, value: median(rates), unit: '/s' });
  figures.add({
    name: `${name} as a share of the no-op`,
    value: medianShare(rates, noops),
    unit: '',
    target: { kind: 'at_least', value: TILE_SHARE },
  });
}

function refuseFailures(what: string, { failures }: LoadResult): void {
  if (failures > 0) throw new Error(`${failures} requests for ${what} were refused`);
}
