// Writes the answer of a genealogy as JSON, piece by piece: neither making nor sending a large one stops
// other requests, and at no time is all of its text in memory.
import { buildRecord } from '@lothub/kit/build-record';
import { PROVENANCE_NAMES, type ProvenanceName } from '../../ledger/record/fields.ts';
import { slicesInTurns } from '@lothub/kit/in-turns';
import type { Genealogy } from './genealogy.ts';
import type { GraphEdge } from './graph.ts';
import type { GraphNode } from './nodes.ts';
import type { EdgeAnswer, NodeAnswer } from './schema.ts';
import type { SupplierLot } from './supplier-lots.ts';

/** Nodes and edges written between two turns of the event loop: about a millisecond. */
const PIECES_PER_CHUNK = 500;

/** The JSON of an answer (`GenealogySchema`) in chunks. */
export async function* genealogyText(genealogy: Genealogy): AsyncGenerator<string> {
  for await (const pieces of slicesInTurns(writePieces(genealogy), PIECES_PER_CHUNK)) {
    yield pieces.join('');
  }
}

function* writePieces(genealogy: Genealogy): Generator<string> {
  const { lotCode, depth, nodes, edges, upstream, downstream } = genealogy;
  const { frontier, edgesAreCut, cycles } = genealogy;
  yield `{"lot_code":${JSON.stringify(lotCode)},"depth":${depth},"nodes":`;
  yield* writeList(nodes, nodeAnswer);
  yield ',"edges":';
  yield* writeList(edges, edgeAnswer);
  yield ',"upstream":';
  yield* writeList(upstream, nodeAnswer);
  yield ',"downstream":';
  yield* writeList(downstream, nodeAnswer);
  yield `,"truncated":${frontier.length > 0 || edgesAreCut},"frontier":`;
  yield* writeList(frontier, (code) => code);
  yield `,"cycles":${cycles}}`;
}

function* writeList<Value>(
  values: Iterable<Value>,
  buildAnswer: (value: Value) => NodeAnswer | EdgeAnswer | string,
): Generator<string> {
  let before = '[';
  for (const value of values) {
    yield before + JSON.stringify(buildAnswer(value));
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function nodeAnswer(node: GraphNode): NodeAnswer {
  const { lotCode, productSku, relation, distance } = node;
  const place = {
    lot_code: lotCode,
    product_sku: productSku,
    type: chooseType(node),
    relation,
    distance,
  };
  if (node.supplierLot === undefined) {
    return { ...place, status: node.status, hold_status: node.onHold ? 'on_hold' : 'released' };
  }
  return {
    ...place,
    status: null,
    hold_status: null,
    ...supplierAnswer(node.supplierLot),
  };
}

function edgeAnswer({ from, to, event, inHeight }: GraphEdge): EdgeAnswer {
  const { supplierLot } = from;
  return {
    from: from.lotCode,
    to: to.lotCode,
    from_type: chooseType(from),
    basis: inHeight === undefined ? 'event' : 'reference',
    event_id: event.height,
    ...(inHeight === undefined ? {} : { in_event_id: inHeight }),
    block_height: event.height,
    event_type: event.eventType,
    occurred_at: event.occurredAt,
    reference: event.reference,
    ...(supplierLot === undefined ? {} : supplierAnswer(supplierLot)),
  };
}

function supplierAnswer(supplierLot: SupplierLot): Pick<EdgeAnswer, ProvenanceName> {
  return buildRecord(PROVENANCE_NAMES, (name) => supplierLot[name]);
}

function chooseType(node: GraphNode): NodeAnswer['type'] {
  return node.supplierLot === undefined ? 'lot' : 'supplier_lot';
}
