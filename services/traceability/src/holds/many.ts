// Holds or releases many lots by hand, listed or as a simulation finds them: all in one transaction, or none.
import type { DatabaseReader } from '@lothub/kit/database';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { NamedCaller } from '../ledger/draft.ts';
import { changeHolds, type HoldDeps } from '../lots/change-holds.ts';
import { knownLots } from '../lots/known-lots.ts';
import { readLotCodes } from '../lots/queries.ts';
import { noSuchLot } from '../lots/similar-codes.ts';
import { recallDirection } from '../recall/direction.ts';
import { findScope, findSeed } from '../recall/trace/impact.ts';
import { HELD_LOTS_MAX, type HoldsAnswer, type HoldsRequest } from './schema.ts';

export interface HoldsCall {
  readonly tenantId: string;
  /** The person or key that decides it. */
  readonly caller: NamedCaller;
  readonly request: Omit<HoldsRequest, 'by'>;
}

/**
 * @throws FieldsRefusal when lots are unknown, or the request has neither or both of lots and
 * simulation; Refusal `not_found` when the lot of the simulation is unknown, `rule_broken` when it
 * covers more than HELD_LOTS_MAX lots; DatabaseError as the store's
 */
export async function holdMany(deps: HoldDeps, call: HoldsCall): Promise<HoldsAnswer> {
  const { tenantId, caller, request } = call;
  const { state, reason } = request;
  const lotCodes = await findCodes(deps.store.reader, tenantId, request);
  const { blocks, changed } = await changeHolds(deps, {
    ...{ tenantId, caller, lotCodes, state, reason },
    caseNo: null,
  });
  return {
    state,
    lots: lotCodes.length,
    changed,
    unchanged: lotCodes.length - changed,
    blocks: blocks.map(({ height, hash }) => ({ block_height: height, block_hash: hash })),
  };
}

async function findCodes(
  database: DatabaseReader,
  tenantId: string,
  { lots, simulation }: Pick<HoldsRequest, 'lots' | 'simulation'>,
): Promise<readonly string[]> {
  if (lots !== undefined && simulation === undefined) {
    await knownLots(database, tenantId, [{ loc: ['body', 'lots'], codes: lots }]);
    return [...new Set(lots)];
  }
  if (lots === undefined && simulation !== undefined) {
    return await simulatedCodes(database, tenantId, simulation);
  }
  const message = 'Send either `lots` or `simulation`';
  throw FieldsRefusal.of(['body'], message, lots === undefined ? 'missing' : 'value_error');
}

async function simulatedCodes(
  database: DatabaseReader,
  tenantId: string,
  simulation: NonNullable<HoldsRequest['simulation']>,
): Promise<readonly string[]> {
  const asked = { tenantId, lotCode: simulation.lot_code };
  const supplierName = simulation.supplier_name ?? undefined;
  const seed = await findSeed(database, { ...asked, supplierName });
  if (seed === undefined) throw await noSuchLot(database, asked);
  const { lots } = await findScope(database, {
    seed,
    direction: recallDirection(simulation.direction),
  });
  if (lots.length > HELD_LOTS_MAX) {
    throw new Refusal(
      'rule_broken',
      `The simulation covers ${lots.length} lots, and one call holds at most ${HELD_LOTS_MAX}: open ` +
        'a recall case, which holds all of them',
    );
  }
  const codes = await readLotCodes(
    database,
    lots.map(({ lotNo }) => lotNo),
  );
  return [...codes.values()];
}
