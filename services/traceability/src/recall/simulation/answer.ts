// Writes the answer of a simulation as JSON, piece by piece: neither making nor sending a large one
// stops other requests, and at no time is all of its text in memory.
import { SEED_LOT_TYPES, type RecallDirection } from '../../terms.ts';
import type { UnnamedSales } from '../trace/impact.ts';
import { slicesInTurns } from '@lothub/kit/in-turns';
import {
  affectedCustomer,
  affectedLot,
  affectedShipment,
  affectedSupplier,
} from '../trace/impact-answer.ts';
import type { SimulationAnswer } from './schema.ts';
import type { NamedSuspect, Simulation } from './simulation.ts';

/** Entries written between two turns of the event loop: about a millisecond. */
const PIECES_PER_CHUNK = 250;

/** The request without the lot. */
export interface Asked {
  readonly direction: RecallDirection;
  readonly asOfHeight: number | undefined;
  readonly elapsedMs: number;
}

/** The JSON of an answer (`SimulationSchema`) in chunks. */
export async function* simulationText(
  simulation: Simulation,
  asked: Asked,
): AsyncGenerator<string> {
  for await (const pieces of slicesInTurns(writePieces(simulation, asked), PIECES_PER_CHUNK)) {
    yield pieces.join('');
  }
}

type Small = Omit<
  SimulationAnswer,
  'affected_lots' | 'shipments' | 'customers' | 'suppliers' | 'suspects'
>;

function* writePieces(simulation: Simulation, asked: Asked): Generator<string> {
  const { affectedLots, impact, suspects } = simulation;
  // The small parts come first, without the closing brace.
  yield JSON.stringify(smallParts(simulation, asked)).slice(0, -1);
  yield* writeList('affected_lots', affectedLots, affectedLot);
  yield* writeList('shipments', impact.shipments, affectedShipment);
  yield* writeList('customers', impact.customers, affectedCustomer);
  yield* writeList('suppliers', impact.suppliers, affectedSupplier);
  yield* writeList('suspects', suspects, suspectAnswer);
  yield '}';
}

function* writeList<Value>(
  name: string,
  values: readonly Value[],
  buildAnswer: (value: Value) => object,
): Generator<string> {
  yield `,"${name}":[`;
  let before = '';
  for (const value of values) {
    yield before + JSON.stringify(buildAnswer(value));
    before = ',';
  }
  yield ']';
}

function smallParts(simulation: Simulation, asked: Asked): Small {
  const { seed, chain, impact } = simulation;
  return {
    lot_code: seed.lotCode,
    seed_type: SEED_LOT_TYPES[seed.kind],
    direction: asked.direction,
    as_of_height: asked.asOfHeight ?? null,
    affected_products: [...simulation.affectedProducts],
    unnamed_sales: impact.unnamedSales.map(unnamedAnswer),
    channels: [...impact.channels],
    channel_classes: [...impact.channelClasses],
    event_count: impact.eventCount,
    excluded_disposed: simulation.excludedDisposed,
    suspects_truncated: simulation.suspectsTruncated,
    totals: {
      affected_lots: simulation.affectedLots.length,
      shipments: impact.shipmentsTotal,
      customers: impact.customers.length,
      suppliers: impact.suppliers.length,
    },
    truncated: simulation.truncated,
    elapsed_ms: asked.elapsedMs,
    chain: { height: chain.height, tip_hash: chain.tipHash },
  };
}

function unnamedAnswer(sales: UnnamedSales): SimulationAnswer['unnamed_sales'][number] {
  return {
    lots: sales.lots,
    quantity: Number(sales.quantity),
    unit: sales.unit,
    channels: [...sales.channels],
    first_sold_at: sales.firstSoldAt,
    last_sold_at: sales.lastSoldAt,
  };
}

function suspectAnswer(suspect: NamedSuspect): SimulationAnswer['suspects'][number] {
  const { lotCode, productSku, distance, furtherLots } = suspect;
  return { lot_code: lotCode, product_sku: productSku, distance, further_lots: furtherLots };
}
