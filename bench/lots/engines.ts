// npm run bench -- lots --engine postgres: the reads of the lot benchmark on both engines, from the same
// ledger, in the same run, each answer checked against what was generated.
import type { ServiceChild } from '../kit/child.ts';
import type { Latencies } from '../kit/load.ts';
import {
  LotTexts,
  chainRead,
  checkedOnce,
  genealogyRead,
  ordinaryLots,
  readInTurn,
  recordRead,
  searchKinds,
  searchReads,
  verifyReads,
} from './reads.ts';
import type { Read } from './reads.ts';
import type { Random } from '../kit/random.ts';
import { median, type Figure } from '../kit/report.ts';
import type { SupplyChain } from '../supply/chain.ts';

/** PostgreSQL's time as a multiple of SQLite's. */
const TIMES_AT_MOST = 2;
/** Each engine in turn, so often; the medians count. */
const ROUNDS = 3;

interface Compared {
  readonly name: string;
  readonly reads: readonly Read[];
  /** Of a round. */
  readonly seconds: number;
  readonly isPromised: boolean;
}

export interface EnginesOptions {
  readonly chain: SupplyChain;
  readonly random: Random;
  readonly services: Readonly<Record<'sqlite' | 'postgres', ServiceChild>>;
  readonly readSeconds: number;
  readonly kindSeconds: number;
  readonly wideSeconds: number;
}

export async function compareEngines(
  options: EnginesOptions,
  add: (figure: Figure) => void,
): Promise<void> {
  for (const compared of whatIsCompared(options)) {
    for (const figure of await compare(compared, options.services)) add(figure);
  }
}

function whatIsCompared(options: EnginesOptions): readonly Compared[] {
  const { chain, random } = options;
  const { model, bulk } = chain;
  const seconds = options.readSeconds / ROUNDS;
  const ordinary = ordinaryLots(model, random);
  const widest = { lot: chain.widest.lot, related: model.related(chain.widest.lot) };
  const texts = new LotTexts(model);
  const kinds = searchKinds(chain, random).map((kind) => ({
    name: `lot search, ${kind.name}`,
    reads: searchReads(texts, kind),
    seconds: options.kindSeconds / ROUNDS,
    isPromised: false,
  }));
  const searches = kinds.flatMap(({ reads }) => reads);
  const promised = (name: string, reads: readonly Read[]): Compared => ({
    name,
    reads,
    seconds,
    isPromised: true,
  });
  return [
    promised(
      'genealogy of an ordinary lot, depth 10',
      ordinary.map((one) => genealogyRead(model, one)),
    ),
    promised(
      'chain of an ordinary lot, 100 events',
      ordinary.map((one) => chainRead(model, one)),
    ),
    promised(`record of a lot with ${bulk.lineCount} lines`, [recordRead(model, bulk.lot)]),
    promised('public verification of a deepest lot', verifyReads(model, random)),
    promised('lot search, all kinds of text in turn', random.pickSome(searches, searches.length)),
    ...kinds,
    {
      ...promised(`genealogy of a lot with ${widest.related.nodeCount} nodes`, [
        checkedOnce(genealogyRead(model, widest)),
      ]),
      seconds: options.wideSeconds / ROUNDS,
    },
  ];
}

async function compare(
  { name, reads, seconds, isPromised }: Compared,
  { sqlite, postgres }: EnginesOptions['services'],
): Promise<readonly Figure[]> {
  const measure = async (service: ServiceChild, other: ServiceChild): Promise<Latencies> => {
    other.process.send('verifier-pause');
    service.process.send('verifier-resume');
    return await readInTurn(service, reads, seconds);
  };
  const rounds: { readonly sqlite: Latencies; readonly postgres: Latencies }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = {
      sqlite: await measure(sqlite, postgres),
      postgres: await measure(postgres, sqlite),
    };
    // The first finds caches cold that are warm for all the others.
    if (round > 0) rounds.push(measured);
  }
  const target = isPromised ? { target: { kind: 'at_most', value: TIMES_AT_MOST } as const } : {};
  const compareQuantile = (
    quantile: string,
    read: (latencies: Latencies) => number,
  ): readonly Figure[] => [
    {
      name: `${name}, SQLite, ${quantile}`,
      value: median(rounds.map((round) => read(round.sqlite))),
      unit: 'ms',
    },
    {
      name: `${name}, PostgreSQL, ${quantile}`,
      value: median(rounds.map((round) => read(round.postgres))),
      unit: 'ms',
    },
    {
      name: `${name}, compared, ${quantile}`,
      value: median(rounds.map((round) => read(round.postgres) / read(round.sqlite))),
      unit: 'times',
      ...target,
    },
  ];
  return [
    ...compareQuantile('p50', ({ p50Ms }) => p50Ms),
    ...compareQuantile('p95', ({ p95Ms }) => p95Ms),
  ];
}
