// Makes the rows of a block, in one place: a group writes these rows, a rebuild makes them again,
// and the verifier compares stored rows with them. Pure.
import type { SealedBlock } from '@lothub/chain';
import { EMPTY_FRONTIER, appendLeaves, frontierBytes, type Frontier } from '@lothub/chain/log';
import { buildRecord } from '@lothub/kit/build-record';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { insertRow, namesWithout } from '@lothub/kit/rows/stored-table';
import type { Sql } from 'sql-template-tag';
import { NOTHING_MIGRATED, insertMarker } from './decisions/existing/marker.ts';
import { toLeaf } from './log/leaf.ts';
import { isDelivery } from './record/delivery.ts';
import type { EventType } from './record/event-types.ts';
import type { EffectiveEvent } from './record/effective.ts';
import type { LinkBasis } from './record/link-basis.ts';
import { subjectOfDecision } from './record/decisions/facts.ts';
import type {
  AuditPayload,
  ChainCorrection,
  ChainLine,
  DecisionPayload,
} from './record/payload.ts';
import { PROVENANCE_NAMES } from './record/fields.ts';
import type { Provenance } from './record/provenance.ts';
import { AUDIT_BLOCKS, type AuditBlockRow } from './tables/audit.ts';
import {
  BLOCKS,
  CORRECTIONS,
  DECISIONS,
  EVENTS,
  HEAD,
  LINES,
  PROVENANCES,
  type BlockRow,
  type CorrectionRow,
  type DecisionRow,
  type EventRow,
  type HeadRow,
  type LineRow,
  type ProvenanceRow,
} from './tables/chain.ts';

/**
 * The version of the rows' derivation. Rows of an older one are rebuilt when a ledger is opened.
 */
export const DERIVED_VERSION = 5;

/** The first rows of a new chain. */
export function genesisRows(block: SealedBlock, recordedAt: string): readonly Sql[] {
  const { blockHash: hash } = block;
  const frontier = appendLeaves(EMPTY_FRONTIER, [toLeaf(hash)], sha256Bytes);
  const head = firstHead({ hash, recordedAt, frontier });
  return [
    insertRow(BLOCKS, blockRow(block)),
    insertRow(HEAD, head),
    insertMarker(NOTHING_MIGRATED),
  ];
}

/** The head at genesis, from which the counters begin. */
export function firstHead(genesis: {
  readonly hash: string;
  readonly recordedAt: string;
  /** Undefined when the tree is to be built later. */
  readonly frontier: Frontier | undefined;
}): HeadRow {
  return {
    id: 1,
    height: 0,
    hash: genesis.hash,
    recorded_at: genesis.recordedAt,
    transactions: 0,
    lots: 0,
    tenants: 0,
    derived_version: DERIVED_VERSION,
    frontier: genesis.frontier === undefined ? null : frontierBytes(genesis.frontier),
  };
}

export function blockRow({ height, blockHash, canonical }: SealedBlock): BlockRow {
  return { height, hash: blockHash, canonical };
}

/** The row of an event as it counts. */
export function eventRow(block: {
  readonly height: number;
  readonly tenantNo: number;
  readonly effective: EffectiveEvent;
  readonly linkBasis: LinkBasis;
}): EventRow {
  const { event, voided, correctedBy } = block.effective;
  return {
    height: block.height,
    tenant_no: block.tenantNo,
    event_type: event.event_type,
    external_id: event.external_id ?? null,
    occurred_at: event.occurred_at,
    reference: event.reference,
    line_count: event.lines.length,
    link_basis: block.linkBasis,
    correction_count: correctedBy.length,
    voided: voided ? 1 : 0,
  };
}

/** Columns of an event that a correction may change. */
export const CORRECTED_EVENT = namesWithout(EVENTS, [
  'height',
  'tenant_no',
  'event_type',
  'external_id',
  'line_count',
]);

/** The row of a line as it counts. */
export function lineRow(block: {
  readonly height: number;
  readonly lineNo: number;
  readonly lotNo: number;
  readonly line: ChainLine;
  /** Type of its event. */
  readonly eventType: EventType;
  readonly linkBasis: LinkBasis;
}): LineRow {
  const { line } = block;
  return {
    height: block.height,
    line_no: block.lineNo,
    lot_no: block.lotNo,
    product_sku: line.product_sku,
    direction: line.direction,
    quantity: line.quantity,
    unit: line.unit,
    link_basis: block.linkBasis,
    is_delivery: isDelivery(block.eventType, line) ? 1 : 0,
  };
}

export function provenanceRow(block: {
  readonly height: number;
  readonly tenantNo: number;
  readonly lotNo: number;
  readonly provenance: Provenance;
}): ProvenanceRow {
  const { provenance } = block;
  return {
    height: block.height,
    line_no: provenance.lineNo,
    tenant_no: block.tenantNo,
    lot_no: block.lotNo,
    is_leaf: provenance.isLeaf ? 1 : 0,
    ...buildRecord(PROVENANCE_NAMES, (name) => provenance[name]),
  };
}

export function correctionRow(block: {
  readonly height: number;
  readonly tenantNo: number;
  readonly correction: ChainCorrection;
}): CorrectionRow {
  return {
    height: block.height,
    tenant_no: block.tenantNo,
    corrects_height: block.correction.corrects_block_height,
    change_count: block.correction.changes.length,
    external_id: block.correction.external_id ?? null,
  };
}

export function decisionRow(height: number, payload: DecisionPayload): DecisionRow {
  const { brand, type } = payload;
  return { height, tenant_id: brand, type, subject: subjectOfDecision(payload) };
}

export function auditBlockRow(height: number, { audit }: AuditPayload): AuditBlockRow {
  return { height, sequence: audit.sequence, hash: audit.hash };
}

/**
 * Columns that follow from a block alone. The verifier finds the row of a tenant or a lot by the
 * name in that row.
 */
export const COMPARED_OF_EVENT = namesWithout(EVENTS, ['height', 'tenant_no']);
export const COMPARED_OF_LINE = namesWithout(LINES, ['height', 'line_no', 'lot_no']);
export const COMPARED_OF_PROVENANCE = namesWithout(PROVENANCES, [
  'height',
  'line_no',
  'tenant_no',
  'lot_no',
]);
export const COMPARED_OF_CORRECTION = namesWithout(CORRECTIONS, ['height', 'tenant_no']);
export const COMPARED_OF_DECISION = namesWithout(DECISIONS, ['height']);
export const COMPARED_OF_AUDIT_BLOCK = namesWithout(AUDIT_BLOCKS, ['height']);
