// The test files of the services that `npm test` runs on SQLite alone, and `npm run test:long` on
// PostgreSQL too. Each says why nothing is lost by that: what it asks of PostgreSQL is asked of it by
// other files, which do run there each time. Whatever appends, writes, locks or recovers is not here.
// Where the reason is the contract of queries, services/traceability/test/contract/queries.test.ts asks
// every query of every capability on both engines, over one ledger, and fails when one is left out.

const TRACEABILITY = 'services/traceability';
const NOTIFICATIONS = 'services/notifications';

/** @type {readonly { readonly because: string, readonly files: readonly string[] }[]} */
export const LONG_ON_POSTGRES = [
  {
    because: 'is about requests that are refused before the store is asked',
    files: [
      `${TRACEABILITY}/test/events/bad-input.test.ts`,
      `${TRACEABILITY}/test/corrections/corrections-refused.test.ts`,
      `${TRACEABILITY}/test/csv-import/cells.test.ts`,
      `${TRACEABILITY}/test/csv-import/refused-upload.test.ts`,
      `${TRACEABILITY}/test/csv-import/upload.test.ts`,
      `${TRACEABILITY}/test/events/interface-errors.test.ts`,
      `${TRACEABILITY}/test/events/strict-requests.test.ts`,
      `${NOTIFICATIONS}/test/ingest/ingest-fields.test.ts`,
      `${NOTIFICATIONS}/test/ingest/ingest-order.test.ts`,
      `${NOTIFICATIONS}/test/ingest/ingest-requests.test.ts`,
    ],
  },
  {
    because: 'is about how a file is read, and csv-import.test.ts imports into the store',
    files: [
      `${TRACEABILITY}/test/csv-import/file-forms.test.ts`,
      `${TRACEABILITY}/test/csv-import/template.test.ts`,
      `${TRACEABILITY}/test/csv-import/workbook.test.ts`,
    ],
  },
  {
    because: 'reads what the contract of queries compares, query by query',
    files: [
      `${TRACEABILITY}/src/explorer/lot-blocks.test.ts`,
      `${TRACEABILITY}/src/lots/genealogy/genealogy.test.ts`,
      `${TRACEABILITY}/src/lots/lasting-answers.test.ts`,
      `${TRACEABILITY}/src/lots/genealogy/links.test.ts`,
      `${TRACEABILITY}/src/lots/list.test.ts`,
      `${TRACEABILITY}/src/lots/genealogy/walk.test.ts`,
      `${TRACEABILITY}/test/operator/dashboard.test.ts`,
      `${TRACEABILITY}/test/privacy/disclosure.test.ts`,
      `${TRACEABILITY}/test/corrections/effective-view.test.ts`,
      `${TRACEABILITY}/test/corrections/explorer-corrections.test.ts`,
      `${TRACEABILITY}/test/explorer/explorer.test.ts`,
      `${TRACEABILITY}/test/lots/genealogy.test.ts`,
      `${TRACEABILITY}/test/events/interface-headers.test.ts`,
      `${TRACEABILITY}/test/events/interface-list.test.ts`,
      `${TRACEABILITY}/test/lots/journeys.test.ts`,
      `${TRACEABILITY}/test/public/kept-answers.test.ts`,
      `${TRACEABILITY}/test/lots/lot-chain.test.ts`,
      `${TRACEABILITY}/test/lots/lot-quantities.test.ts`,
      `${TRACEABILITY}/test/lots/lots.test.ts`,
      `${TRACEABILITY}/test/lots/lots-model.test.ts`,
      `${TRACEABILITY}/test/recall/model.test.ts`,
      `${TRACEABILITY}/test/recall/notices.test.ts`,
      `${TRACEABILITY}/test/privacy/privacy.test.ts`,
      `${TRACEABILITY}/test/recall/effectiveness.test.ts`,
      `${TRACEABILITY}/test/recall/report.test.ts`,
      `${TRACEABILITY}/test/recall/simulation-model.test.ts`,
      `${TRACEABILITY}/test/recall/simulation.test.ts`,
      `${TRACEABILITY}/test/lots/recalled-lots.test.ts`,
      `${TRACEABILITY}/test/public/shared-codes.test.ts`,
      `${TRACEABILITY}/test/privacy/tenants-apart.test.ts`,
      `${TRACEABILITY}/test/public/verification.test.ts`,
    ],
  },
  {
    because: 'is about pages and documents, which come out the same on both',
    files: [
      `${TRACEABILITY}/test/cli/demo.test.ts`,
      `${TRACEABILITY}/test/cli/operating.test.ts`,
      `${TRACEABILITY}/test/documents/guide-facts.test.ts`,
      `${TRACEABILITY}/test/documents/guide.test.ts`,
      `${TRACEABILITY}/test/documents/openapi.test.ts`,
      `${TRACEABILITY}/test/corrections/pages-corrections.test.ts`,
      `${TRACEABILITY}/test/pages/pages.test.ts`,
      `${TRACEABILITY}/test/documents/worked-example.test.ts`,
      `${NOTIFICATIONS}/test/documents/guide.test.ts`,
      `${NOTIFICATIONS}/test/documents/openapi.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-all.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-forms.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-silent.test.ts`,
    ],
  },
  {
    because:
      'is about a process and its sockets: signals, ports, what it prints, readers that do not read',
    files: [
      `${TRACEABILITY}/test/cli/serve.test.ts`,
      `${TRACEABILITY}/test/csv-import/load.test.ts`,
      `${NOTIFICATIONS}/test/stream/stream-chaos.test.ts`,
      `${NOTIFICATIONS}/test/stream/stream-stalled.test.ts`,
      `${NOTIFICATIONS}/test/stream/stream-time.test.ts`,
    ],
  },
  {
    because:
      'is about what is sealed; concurrency.test.ts and interface-events.test.ts seal on PostgreSQL',
    files: [
      `${TRACEABILITY}/test/events/interface-block.test.ts`,
      `${TRACEABILITY}/test/events/record-event-types.test.ts`,
      `${TRACEABILITY}/test/events/record-fields.test.ts`,
    ],
  },
  {
    because:
      'is about rows of a file; regrown and interruption.test.ts import them into PostgreSQL',
    files: [`${TRACEABILITY}/test/csv-import/csv-import.test.ts`],
  },
  {
    because:
      'is about keys and commands; keys.test.ts and key-store.test.ts keep keys in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/cli/keys.test.ts`,
      `${TRACEABILITY}/test/keys/key-tenants.test.ts`,
      `${TRACEABILITY}/test/operator/admin.test.ts`,
      `${NOTIFICATIONS}/test/cli-notifications.test.ts`,
    ],
  },
  {
    because:
      'is about a service that is killed; processes-chaos.test.ts kills services and the server under it',
    files: [
      `${TRACEABILITY}/test/crash/crash.test.ts`,
      `${TRACEABILITY}/test/crash/crash-restart.test.ts`,
    ],
  },
  {
    because: 'is about the clock of a machine; clock-processes.test.ts has several over PostgreSQL',
    files: [`${TRACEABILITY}/test/clock/clock.test.ts`],
  },
  {
    because: 'is about counting requests; shared-rate-limit.test.ts counts them in PostgreSQL',
    files: [`${TRACEABILITY}/test/events/rate-limit.test.ts`],
  },
  {
    because:
      'is about what the verifier compares; verify/sound and verifier-processes read it from PostgreSQL',
    files: [
      `${TRACEABILITY}/src/ledger/verify/lots/lots.test.ts`,
      `${TRACEABILITY}/test/cli/verify.test.ts`,
      `${TRACEABILITY}/test/tampering/rows.test.ts`,
      `${TRACEABILITY}/test/tampering/columns.test.ts`,
      `${TRACEABILITY}/test/tampering/running.test.ts`,
    ],
  },
];
