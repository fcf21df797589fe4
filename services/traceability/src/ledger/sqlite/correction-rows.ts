// Applies a correction to the derived rows in SQLite: the rows of the corrected event say what counts
// from then on, and the lots it concerns are counted anew.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { applyCorrection, asSealed } from '../effective.ts';
import type { EffectiveEvent } from '../effective.ts';
import { lotCodesConcerned } from '../effective-lots.ts';
import { effectiveLinkBasisOf } from '../link-basis.ts';
import { findPayload } from '../payload-shape.ts';
import type { ChainCorrection } from '../payload.ts';
import { provenancesOf } from '../provenance.ts';
import type { LotRows } from './lot-rows.ts';
import { insertProvenances } from './provenance-rows.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const FIND_CANONICAL = 'select canonical from blocks where height = ?';
const FIND_CORRECTIONS =
  'select c.height, b.canonical from corrections c join blocks b on b.height = c.height ' +
  'where c.corrects_height = ? order by c.height';
const INSERT_CORRECTION =
  'insert into corrections (height, tenant_no, corrects_height, change_count) ' +
  'values (?, ?, ?, ?)';
const UPDATE_EVENT =
  'update events set occurred_at = ?, reference = ?, link_basis = ?, voided = ?, ' +
  'correction_count = correction_count + 1 where height = ?';
const UPDATE_LINE =
  'update lines set lot_no = ?, product_sku = ?, direction = ?, quantity = ?, unit = ?, ' +
  'link_basis = ? where height = ? and line_no = ?';
const DELETE_PROVENANCES = 'delete from provenances where height = ?';
const INSERT_MENTION =
  'insert into lot_mentions (height, lot_no) values (?, ?) on conflict do nothing';

/** An event as it counts before a correction that is about to be applied. */
export interface CorrectionTarget {
  readonly brand: string;
  readonly effective: EffectiveEvent;
}

/** @returns undefined when there is no event of this height */
export function findCorrectionTarget(
  connection: SqliteConnection,
  height: number,
): CorrectionTarget | undefined {
  const row = connection.statement(FIND_CANONICAL).get(height);
  const payload = row === undefined ? undefined : findPayload(String(row['canonical']));
  if (payload?.type !== 'event') return undefined;
  let effective = asSealed(payload.event);
  for (const correction of connection.statement(FIND_CORRECTIONS).all(height)) {
    const found = findPayload(String(correction['canonical']));
    if (found?.type !== 'correction') continue;
    effective = applyCorrection(effective, {
      height: Number(correction['height']),
      correction: found.correction,
    });
  }
  return { brand: payload.brand, effective };
}

/** @returns how many lots were named for the first time */
export function insertCorrectionRows(
  deps: { readonly connection: SqliteConnection; readonly lots: LotRows },
  row: {
    readonly height: number;
    readonly tenantNo: number;
    readonly before: EffectiveEvent;
    readonly correction: ChainCorrection;
  },
): number {
  const { connection, lots } = deps;
  const { height, tenantNo, before, correction } = row;
  const target = correction.corrects_block_height;
  const after = applyCorrection(before, { height, correction });
  connection.statement(INSERT_CORRECTION).run(height, tenantNo, target, correction.changes.length);

  const linkBasis = effectiveLinkBasisOf(after);
  connection
    .statement(UPDATE_EVENT)
    .run(after.event.occurred_at, after.event.reference, linkBasis, Number(after.voided), target);
  const linksChange = linkBasis !== effectiveLinkBasisOf(before);
  let newLots = 0;
  for (const [lineNo, line] of after.event.lines.entries()) {
    if (line === before.event.lines[lineNo] && !linksChange) continue;
    const { lot_code: lotCode, product_sku: productSku } = line;
    const { lotNo, isNew } = lots.getOrNumber(tenantNo, lotCode);
    if (isNew) {
      newLots += 1;
      lots.insert({ lotNo, tenantNo, lotCode, productSku, height, terms: [] });
    }
    connection
      .statement(UPDATE_LINE)
      .run(
        lotNo,
        line.product_sku,
        line.direction,
        line.quantity,
        line.unit,
        linkBasis,
        target,
        lineNo,
      );
  }
  connection.statement(DELETE_PROVENANCES).run(target);
  insertProvenances(deps, { height: target, tenantNo, provenances: provenancesOf(after) });

  const concerned = lotCodesConcerned(before, after, correction);
  for (const lotCode of concerned.mentionedByCorrection) {
    const lotNo = lots.find(tenantNo, lotCode);
    if (lotNo === undefined) throw new Error(`applying block ${height}: a lot is not listed`);
    connection.statement(INSERT_MENTION).run(height, lotNo);
    lots.recount(tenantNo, lotNo);
  }
  for (const lotCode of concerned.noLongerNamed) {
    const lotNo = lots.find(tenantNo, lotCode);
    if (lotNo !== undefined) connection.statement(INSERT_MENTION).run(target, lotNo);
  }
  return newLots;
}
