/** A recall case that is sealed in confidence and disclosed, with the steps as a writer makes them. */
import { canonicalize, computeCommitment, type JsonObject } from '../../src/index.ts';
import { makeChain, eventPayload, genesis, recordedAt, sha256, type VectorBlock } from './chain-maker.ts';

const CASE_NO = 'RC-2026-0004';

const HEADER: JsonObject = {
  at: recordedAt(1),
  auto_hold: true,
  case_no: CASE_NO,
  direction: 'downstream',
  reason: 'A broken sieve wire was found.',
  seed: { lot_code: 'FLOUR-1', type: 'lot' },
  severity: 'class_ii',
  title: 'Metal in flour',
};

const OPENED: readonly JsonObject[] = ['FLOUR-1', 'CAKE-9'].map((lot, index) => ({
  ...HEADER,
  as_of: { hash: sha256('tip of the vectors'), height: 1 },
  change: 'opened',
  entered: [{ distance: index, lot, relation: index === 0 ? 'seed' : 'downstream' }],
  part: index + 1,
  parts: 2,
  state: 'investigation',
  step: 1,
}));

const WIDENED: readonly JsonObject[] = [
  {
    ...HEADER,
    as_of: { hash: sha256('tip of the vectors'), height: 1 },
    change: 'widened',
    entered: [{ distance: 2, lot: 'BOX-1', relation: 'downstream' }],
    part: 1,
    parts: 1,
    state: 'investigation',
    step: 2,
  },
];

const MOVED: JsonObject = {
  ...HEADER,
  change: 'moved',
  part: 1,
  parts: 1,
  state: 'notification',
  step: 3,
};

interface Sealed {
  readonly height: number;
  readonly salt: string;
  readonly parts: readonly JsonObject[];
}

const FIRST: Sealed = { height: 2, salt: sha256('salt of an opening'), parts: OPENED };
const SECOND: Sealed = { height: 4, salt: sha256('salt of a widening'), parts: WIDENED };

/** The disclosing decisions of a case in their order, and what is between them and its opening. */
export function disclosedRecall(
  change: (disclosures: readonly JsonObject[]) => readonly JsonObject[] = (all) => all,
): readonly VectorBlock[] {
  const decided = [...change([...listDisclosures(FIRST), ...listDisclosures(SECOND)]), MOVED];
  return makeChain([
    genesis(),
    eventPayload(1),
    recall(2, confidential(FIRST)),
    eventPayload(3),
    recall(4, confidential(SECOND)),
    ...decided.map((decision, index) => recall(5 + index, decision)),
  ]);
}

function recall(height: number, decision: JsonObject): JsonObject {
  return { brand: 'acme', decision, recorded_at: recordedAt(height), type: 'recall', v: 2 };
}

function confidential({ salt, parts }: Sealed): JsonObject {
  const commitment = computeCommitment({ values: { parts: canonicalize(parts) }, salt }, sha256);
  return {
    at: recordedAt(1),
    case_no: CASE_NO,
    committed: { parts: commitment },
    confidential: true,
  };
}

function listDisclosures({ height, salt, parts }: Sealed): readonly JsonObject[] {
  return parts.map((contents, index) => ({
    at: recordedAt(4),
    case_no: CASE_NO,
    change: 'disclosed',
    contents,
    of: height,
    part: index + 1,
    parts: parts.length,
    salt,
  }));
}
