// Mutants of what is read of lots: their genealogy, their lists, what the public may see.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const LOT_MUTANTS = [
  {
    name: 'a walk ends one level too early',
    file: 'services/traceability/src/lots/genealogy/walk.ts',
    find: 'distance <= depthMax &&',
    replacement: 'distance < depthMax &&',
    engine: 'sqlite',
    subject: 'genealogy',
  },
  {
    name: 'a walk goes through a lot once more each time it is met',
    file: 'services/traceability/src/lots/genealogy/walk.ts',
    find: 'if (this.#distances.has(lotNo) || walked.has(lotNo)) continue;',
    replacement:
      'if ((this.#distances.get(lotNo) ?? distance) < distance - 1 || walked.has(lotNo)) continue;',
    engine: 'sqlite',
    subject: 'genealogy',
  },
  {
    name: 'upstream and downstream are exchanged',
    file: 'services/traceability/src/lots/genealogy/link-reader.ts',
    find: "options.direction === 'upstream' ? ['out', 'in'] : ['in', 'out'];",
    replacement: "options.direction === 'upstream' ? ['in', 'out'] : ['out', 'in'];",
    engine: 'both',
    subject: 'simulation',
  },
  {
    name: "a tenant finds another tenant's lot",
    file: 'services/traceability/src/lots/queries.ts',
    find: 'where t.tenant_id = ${lot.tenantId} and l.lot_code = ${lot.lotCode}`);',
    replacement:
      'where coalesce(t.tenant_id, ${lot.tenantId}) = t.tenant_id and l.lot_code = ${lot.lotCode}`);',
    engine: 'both',
    subject: 'tenants',
  },
  {
    name: "a tenant lists other tenants' events",
    file: 'services/traceability/src/events/queries.ts',
    find: 'where tenant_no = ${tenantNo} ${same} and ${range}',
    replacement: 'where coalesce(tenant_no, ${tenantNo}) = tenant_no ${same} and ${range}',
    engine: 'both',
    subject: 'tenants',
  },
  {
    name: 'a page of events is followed by one that begins with its last event',
    file: 'services/traceability/src/events/find-heights.ts',
    find: 'next: page.at(-1) ?? null };',
    replacement: 'next: (page.at(-1) ?? 0) + 1 };',
    engine: 'both',
    subject: 'events-list',
  },
  {
    name: 'a filter of events beside the one that leads is forgotten',
    file: 'services/traceability/src/events/find-heights.ts',
    find: 'const isNarrow = Object.values(left).some((value) => value !== undefined);',
    replacement: 'const isNarrow = Object.values(left).every((value) => value !== undefined);',
    engine: 'both',
    subject: 'events-list',
  },
  {
    name: 'a parameter that an endpoint of /v1 does not know is ignored',
    file: 'services/traceability/src/strict-queries.ts',
    find: 'additionalProperties: false',
    replacement: 'additionalProperties: true',
    engine: 'sqlite',
    subject: 'events-list',
  },
  {
    name: 'a batch with a wrong field is appended when it should only be judged',
    file: 'services/traceability/src/ledger/append/appender.ts',
    find: "submission.unit === 'none' ||",
    replacement: '',
    engine: 'both',
    subject: 'batch',
  },
  {
    name: 'a cell that a spreadsheet runs as a formula is written as it is',
    file: 'packages/kit/src/csv.ts',
    find: 'FORMULA.test(cell) ? TEXT_MARK + cell : cell',
    replacement: 'cell',
    engine: 'sqlite',
    subject: 'csv-export',
  },
  {
    name: 'a page of blocks is followed by one that leaves a block out',
    file: 'services/traceability/src/explorer/pages.ts',
    find: 'const last = isCut ? blocks.at(-1)?.height : heights[limit - 1];',
    replacement: 'const last = isCut ? blocks.at(-1)?.height : heights[limit];',
    engine: 'both',
    subject: 'explorer',
  },
  {
    name: 'a page of transactions is followed by one that repeats a transaction',
    file: 'services/traceability/src/explorer/pages.ts',
    find: 'Math.min(count, before.index)',
    replacement: 'Math.min(count, before.index + 1)',
    engine: 'both',
    subject: 'explorer',
  },
  {
    name: 'a search for the beginning of a lot code finds what follows it as well',
    file: 'services/traceability/src/explorer/prefix.ts',
    find: 'return String.fromCodePoint(...points, next);',
    replacement: 'return undefined;',
    engine: 'both',
    subject: 'explorer',
  },
  {
    name: 'a quote in a search text ends the search expression',
    file: 'services/traceability/src/ledger/sqlite/lot-search.ts',
    find: `piece.replaceAll('"', '""')`,
    replacement: 'piece',
    engine: 'sqlite',
    subject: 'lots',
  },
  {
    name: 'a notice of a case that has ended is still shown at its lots',
    file: 'services/traceability/src/lots/notices/queries.ts',
    find: `    join recall_cases c on c.case_id = r.case_id and c.ended_at is null and \${IS_PUBLIC_CASE}
    join tenants t on t.tenant_no = c.tenant_no
    left join`,
    replacement: `    join recall_cases c on c.case_id = r.case_id and \${IS_PUBLIC_CASE}
    join tenants t on t.tenant_no = c.tenant_no
    left join`,
    engine: 'both',
    subject: 'notices',
  },
  {
    name: 'markup of a tenant stands on a page unescaped',
    file: 'packages/kit/src/html.ts',
    find: "if (typeof value === 'string') return escapeHtml(value);",
    replacement: "if (typeof value === 'string') return value;",
    engine: 'both',
    subject: 'pages',
  },
];
