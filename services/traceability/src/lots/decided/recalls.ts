// The blocks of recall cases that cover a lot or covered it: the steps of the whole case, and of the parts
// that name lots those that name this one.
import { jsonString } from '@lothub/chain';
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import sql, { join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { CONFIDENTIAL_PARTS } from '../../ledger/record/decisions/confidential.ts';
import { IS_PUBLIC_CASE } from '../notices/queries.ts';
import type { DecidedHeights } from './source.ts';

/** Blocks of a case searched in one query: a part of 1,000 lots and recipients has about 150 kB. */
const BLOCKS_PER_QUERY = 20;

interface CoveringCase {
  readonly caseNo: string;
  readonly tenantId: string;
  readonly lotCode: string;
}

export const recallHeights: DecidedHeights = async (database, { lotNo, below, limit }) => {
  const heights: number[] = [];
  for (const one of await casesOfLot(database, lotNo)) {
    heights.push(...(await heightsOfCase(database, one, { below, limit })));
  }
  return heights.sort((a, b) => b - a).slice(0, limit);
};

/** Public cases that cover a lot now or covered it before. */
async function casesOfLot(
  database: DatabaseReader,
  lotNo: number,
): Promise<readonly CoveringCase[]> {
  const casesWhere = (condition: Sql): Sql => sql`
    select c.case_no as "caseNo", t.tenant_id as "tenantId", l.lot_code as "lotCode"
    from recall_lots r
    join recall_cases c on c.case_id = r.case_id
    join tenants t on t.tenant_no = c.tenant_no
    join lots l on l.lot_no = r.lot_no
    where r.lot_no = ${lotNo} and ${condition} and ${IS_PUBLIC_CASE}`;
  // Two halves, each with an index of its own.
  return await database.all<CoveringCase>(sql`
    ${casesWhere(sql`r.left_at is null`)}
    union all
    ${casesWhere(sql`r.left_at is not null`)}`);
}

async function heightsOfCase(
  database: DatabaseReader,
  { caseNo, tenantId, lotCode }: CoveringCase,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<readonly number[]> {
  const concernsLot = concerns(lotCode);
  const heights: number[] = [];
  let before = below;
  for (;;) {
    const rows = await database.all<{ readonly height: number; readonly isConcerned: 0 | 1 }>(sql`
      select d.height, ${concernsLot} as "isConcerned"
      from decisions d
      join blocks b on b.height = d.height
      left join private_decisions p on p.height = d.height and p.name = ${CONFIDENTIAL_PARTS}
      where d.tenant_id = ${tenantId} and d.type = 'recall' and d.subject = ${caseNo}
        and d.height < ${before}
      order by d.height desc
      limit ${BLOCKS_PER_QUERY}`);
    for (const { height, isConcerned } of rows) if (isConcerned === 1) heights.push(height);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BLOCKS_PER_QUERY || heights.length >= limit) {
      return heights.slice(0, limit);
    }
    before = last.height;
    await nextTurn();
  }
}

/**
 * 1 or 0. Asked of the text, because no table says which part of a step names a lot; of a confidential block, of
 * what it committed to, which is disclosed by then. A quote within a text
 * of a brand is escaped in canonical JSON, so what is searched for is never found in one.
 */
function concerns(lotCode: string): Sql {
  const code = jsonString(lotCode);
  // Of an entry of the scope; the others are codes in a list, each with its neighbours.
  const named = [`"lot":${code}`, `[${code}]`, `[${code},`, `,${code},`, `,${code}]`];
  return sql`
    case
      when ${has('"part":1,')} and not (${has('"change":"widened"')}) then 1
      when not (${has(code)}) then 0
      when ${join(named.map(has), ' or ')} then 1
      else 0
    end`;
}

function has(text: string): Sql {
  const said = sql`coalesce(p.value, b.canonical)`;
  return sql`replace(${said}, cast(${text} as text), '') <> ${said}`;
}
