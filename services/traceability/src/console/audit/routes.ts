// The audit of a brand: page by page by the cursor of the interface, and as a file.
import type { Cell } from '@lothub/kit/csv';
import { Type } from '@lothub/kit/json-schema';
import { sendCsv } from '../../csv-answer.ts';
import { PAGE_DEFAULT, PAGE_MAX, type App } from '../../http.ts';
import { readAuditPage, type AuditFilter, type AuditRow } from '../../ledger/audit-reader.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader, sendFramed } from '../send.ts';
import { AuditPageQuery, buildFilter, readFilters } from './audit-filter.ts';
import { auditPage } from './audit-page.ts';
import { cameBy, parseDetails } from './entry-words.ts';

const ROUTE = `${BRAND_ROUTE}/audit`;
const params = Type.Object(BRAND_PARAM);
/** Entries of one file, the newest. */
const FILE_ENTRIES_MAX = 100_000;

export function auditPageRoutes(app: App, deps: ConsoleDeps): void {
  const schema = { hide: true, params, querystring: AuditPageQuery };

  app.get(ROUTE, { schema, config: { right: 'read' } }, async (request, reply) => {
    const to = { request, reply };
    const brand = getBrand(to);
    const asked = readFilters(request.query);
    const reader = prepareConsoleReader(request, reply);
    const page = await readAuditPage(deps.reader.database, {
      ...buildFilter(brand, asked),
      before: request.query.before ?? Number.MAX_SAFE_INTEGER,
      limit: PAGE_DEFAULT,
    });
    const path = brandPath(brand, 'audit');
    const body = auditPage({ brand, name: await readName(deps, brand), path, asked, page }, reader);
    const { title } = reader.words.console.audit;
    return await sendFramed(deps, to, { title, brand, body });
  });

  app.get(`${ROUTE}.csv`, { schema, config: { right: 'read' } }, async (request, reply) => {
    const brand = getBrand({ request, reply });
    const filter = buildFilter(brand, readFilters(request.query));
    return await sendCsv(reply, {
      name: `audit-${brand}`,
      columns: COLUMNS,
      pages: readPages(deps.reader, filter),
    });
  });
}

const COLUMNS = [
  'id',
  'at',
  'actor',
  'came_by',
  'action',
  'entity_type',
  'entity_id',
  'block_height',
  'request_id',
  'details',
  'sequence',
  'hash',
];

async function* readPages(
  { database }: LedgerReader,
  filter: AuditFilter,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  let before: number | null = Number.MAX_SAFE_INTEGER;
  for (let written = 0; before !== null && written < FILE_ENTRIES_MAX;) {
    const page = await readAuditPage(database, { ...filter, before, limit: PAGE_MAX });
    written += page.entries.length;
    before = page.next;
    yield page.entries.map(listCells);
  }
}

function listCells(row: AuditRow): readonly Cell[] {
  const { id, at, actor, action, entityType, entityId, blockHeight, requestId } = row;
  const came = cameBy(row, parseDetails(row));
  return [
    ...[id, at, actor, came, action, entityType, entityId, blockHeight, requestId],
    ...[row.details, row.sequence, row.hash],
  ];
}
