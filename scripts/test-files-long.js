// The test files of the services that `npm test` runs on SQLite alone, or not at all. Each says why nothing is
// lost by that: what it asks of PostgreSQL is asked of it by other files, which do run there each time.
// Of whatever appends, writes, locks or recovers, one file at least is in none of these lists.
// Where the reason is the contract of queries, services/traceability/test/contract/queries.test.ts asks
// every query of every capability on both engines, over one ledger, and fails when one is left out.

const TRACEABILITY = 'services/traceability';
const NOTIFICATIONS = 'services/notifications';

/**
 * Files that `npm run test:long` runs on PostgreSQL too.
 *
 * @type {readonly { readonly because: string, readonly files: readonly string[] }[]}
 */
export const LONG_ON_POSTGRES = [
  {
    because: 'reads what the contract of queries compares, query by query',
    files: [
      `${TRACEABILITY}/test/corrections/effective-view.test.ts`,
      `${TRACEABILITY}/test/events/event-filters.test.ts`,
      `${TRACEABILITY}/test/events/interface-headers.test.ts`,
      `${TRACEABILITY}/test/explorer/explorer.test.ts`,
      `${TRACEABILITY}/test/explorer/filters.test.ts`,
      `${TRACEABILITY}/test/labels/labels.test.ts`,
      `${TRACEABILITY}/test/log/answers.test.ts`,
      `${TRACEABILITY}/test/lots/lot-quantities.test.ts`,
      `${TRACEABILITY}/test/operator/dashboard.test.ts`,
      `${TRACEABILITY}/test/privacy/tenants-apart.test.ts`,
      `${TRACEABILITY}/test/public/digital-link.test.ts`,
      `${TRACEABILITY}/test/recall/effectiveness.test.ts`,
      `${TRACEABILITY}/test/recall/feeds.test.ts`,
      `${TRACEABILITY}/test/recall/notices.test.ts`,
      `${TRACEABILITY}/test/recall/recalls-pages.test.ts`,
      `${TRACEABILITY}/test/recall/simulation.test.ts`,
      `${TRACEABILITY}/test/recall/status.test.ts`,
    ],
  },
  {
    because:
      'is about the fields of a record; batch and interface-events.test.ts store them in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/events/codes.test.ts`,
      `${TRACEABILITY}/test/events/interface-block.test.ts`,
      `${TRACEABILITY}/test/events/record-event-types.test.ts`,
      `${TRACEABILITY}/test/events/record-fields.test.ts`,
    ],
  },
  {
    because: 'is about rows of a file; interruption.test.ts imports files into PostgreSQL',
    files: [
      `${TRACEABILITY}/test/csv-import/csv-import.test.ts`,
      `${TRACEABILITY}/test/csv-import/repeated-errors.test.ts`,
    ],
  },
  {
    because: 'is about keys and commands; key-store.test.ts keeps keys in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/keys/key-tenants.test.ts`,
      `${TRACEABILITY}/test/keys/keys.test.ts`,
      `${TRACEABILITY}/test/operator/admin.test.ts`,
      `${NOTIFICATIONS}/test/cli-notify.test.ts`,
      `${NOTIFICATIONS}/test/groups/group-keys.test.ts`,
      `${TRACEABILITY}/test/keys/brand-keys.test.ts`,
      `${TRACEABILITY}/test/keys/key-limits.test.ts`,
    ],
  },
  {
    because:
      'is about who is let in; brands, departure and invitations.test.ts of people write accounts and sessions in PostgreSQL',
    files: [
      `packages/people/test/sign-on/sign-on.test.ts`,
      `${NOTIFICATIONS}/test/people/people-account.test.ts`,
      `${NOTIFICATIONS}/test/people/people-entrance.test.ts`,
      `${NOTIFICATIONS}/test/people/people-invitations.test.ts`,
      `${NOTIFICATIONS}/test/people/people-log-in.test.ts`,
      `${NOTIFICATIONS}/test/people/people-set-up.test.ts`,
      `${NOTIFICATIONS}/test/people/people-sign-on.test.ts`,
      `${TRACEABILITY}/test/console/entrance.test.ts`,
      `${TRACEABILITY}/test/console/gate.test.ts`,
      `${TRACEABILITY}/test/console/hub/keys.test.ts`,
      `${TRACEABILITY}/test/console/session-ends.test.ts`,
    ],
  },
  {
    because:
      'is about pages of the console; webhooks/sent.test.ts writes what they cause in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/console/audit/audit.test.ts`,
      `${TRACEABILITY}/test/console/cases/cases.test.ts`,
      `${TRACEABILITY}/test/console/cases/working.test.ts`,
      `${TRACEABILITY}/test/console/imports/imports.test.ts`,
      `${TRACEABILITY}/test/console/simulation/opening.test.ts`,
    ],
  },
  {
    because:
      'is about a service that is killed; group-commit.test.ts loses the server before, in and after a commit',
    files: [`${TRACEABILITY}/test/crash/crash.test.ts`],
  },
  {
    because: 'is about the clock of a machine; clock-watch.test.ts asks the one of PostgreSQL',
    files: [`${TRACEABILITY}/test/clock/clock.test.ts`],
  },
  {
    because: 'is about counting requests; shared-rate-limit.test.ts counts them in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/events/rate-limit.test.ts`,
      `${NOTIFICATIONS}/test/ingest/ingest-rates.test.ts`,
    ],
  },
  {
    because: 'is about what the verifier compares; verify/ledger.test.ts reads it from PostgreSQL',
    files: [
      `${TRACEABILITY}/src/ledger/verify/lots/lots.test.ts`,
      `${TRACEABILITY}/src/ledger/verify/sound.test.ts`,
      `${TRACEABILITY}/src/ledger/verify/tiles.test.ts`,
      `${TRACEABILITY}/test/cli/verify.test.ts`,
      `${TRACEABILITY}/test/tampering/columns.test.ts`,
      `${TRACEABILITY}/test/tampering/confidential.test.ts`,
      `${TRACEABILITY}/test/tampering/drills.test.ts`,
      `${TRACEABILITY}/test/tampering/erasures.test.ts`,
      `${TRACEABILITY}/test/tampering/responses.test.ts`,
      `${TRACEABILITY}/test/tampering/running.test.ts`,
      `${TRACEABILITY}/test/tampering/profiles.test.ts`,
      `${TRACEABILITY}/test/audit/tampering.test.ts`,
    ],
  },
  {
    because: 'is about what is rebuilt; rebuild-cut.test.ts rebuilds in PostgreSQL',
    files: [`${TRACEABILITY}/test/cli/rebuild.test.ts`],
  },
  {
    because: 'is about rounds of witnesses; rounds-processes.test.ts keeps them in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/witnessing/answers.test.ts`,
      `${TRACEABILITY}/test/witnessing/first-signature.test.ts`,
      `${TRACEABILITY}/test/witnessing/publishing.test.ts`,
    ],
  },
  {
    because: 'is about keys and epochs of the log; tile-edge.test.ts writes the log in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/log/epochs.test.ts`,
      `${TRACEABILITY}/test/log/key-rotation.test.ts`,
    ],
  },
  {
    because:
      'is about the tree of a ledger that had none; tile-edge.test.ts writes tiles in PostgreSQL',
    files: [`${TRACEABILITY}/test/log/building.test.ts`],
  },
  {
    because:
      'is about time-stamps, which are written as all else is; store.test.ts writes in PostgreSQL',
    files: [`${TRACEABILITY}/test/timestamps/timestamps.test.ts`],
  },
  {
    because:
      'is about recall cases over time; cases and processes.test.ts write them in PostgreSQL',
    files: [
      `${TRACEABILITY}/src/recall/follow/follow.test.ts`,
      `${TRACEABILITY}/src/recall/follow/lacking.test.ts`,
      `${TRACEABILITY}/test/recall/confidential.test.ts`,
      `${TRACEABILITY}/test/recall/drills.test.ts`,
      `${TRACEABILITY}/test/recall/following.test.ts`,
      `${TRACEABILITY}/test/recall/confidential-large.test.ts`,
      `${TRACEABILITY}/test/recall/deliveries.test.ts`,
      `${TRACEABILITY}/test/recall/editing.test.ts`,
      `${TRACEABILITY}/test/recall/inbound.test.ts`,
      `${TRACEABILITY}/test/recall/languages.test.ts`,
      `${TRACEABILITY}/test/recall/notifications.test.ts`,
    ],
  },
  {
    because:
      'is about what recipients get; delivery, delivery-processes and inbox.test.ts write and read it in PostgreSQL',
    files: [
      `${NOTIFICATIONS}/src/stream/catch-up.test.ts`,
      `${NOTIFICATIONS}/test/delivery/delivery-turns.test.ts`,
      `${NOTIFICATIONS}/test/delivery/webhooks.test.ts`,
      `${NOTIFICATIONS}/test/inbox/inbox-all.test.ts`,
    ],
  },
  {
    because:
      'is about what the audit says; processes.test.ts of audit writes and seals it in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/audit/cut.test.ts`,
      `${TRACEABILITY}/test/operator/audit.test.ts`,
    ],
  },
  {
    because: 'is about what is written again; corrections.test.ts writes corrections in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/corrections/correction-batch.test.ts`,
      `${TRACEABILITY}/test/corrections/repeated-corrections.test.ts`,
    ],
  },
  {
    because: 'is about many lots at once; holds.test.ts holds and releases in PostgreSQL',
    files: [`${TRACEABILITY}/test/lots/holds-many.test.ts`],
  },
  {
    because: 'is about names and quotes of people; erase.test.ts erases in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/privacy/erase-quotes.test.ts`,
      `${TRACEABILITY}/test/privacy/person-names.test.ts`,
    ],
  },
  {
    because:
      'is about a hub of before; decisions/existing.test.ts upgrades databases of PostgreSQL',
    files: [`${TRACEABILITY}/test/cli/upgrade.test.ts`],
  },
  {
    because:
      'is about what is mailed to whom; mail-processes.test.ts writes and sends through PostgreSQL',
    files: [
      `${NOTIFICATIONS}/test/mail/mail-settings.test.ts`,
      `${NOTIFICATIONS}/test/mail/mail.test.ts`,
    ],
  },
  {
    because:
      'is about devices, and what senders post; push-delivery and inbox.test.ts write the same rows in PostgreSQL',
    files: [
      `${NOTIFICATIONS}/test/adapters/adapters.test.ts`,
      `${NOTIFICATIONS}/test/devices/devices.test.ts`,
    ],
  },
  {
    because: 'is about what watchers of a lot get; store.test.ts of watching writes in PostgreSQL',
    files: [
      `${TRACEABILITY}/test/watching/device.test.ts`,
      `${TRACEABILITY}/test/watching/mail.test.ts`,
      `${TRACEABILITY}/test/watching/rules.test.ts`,
    ],
  },
  {
    because:
      'is about imports that are cut off; processes-together.test.ts imports into PostgreSQL',
    files: [`${TRACEABILITY}/test/csv-import/interruption.test.ts`],
  },
  {
    because: 'is about a command; it asks the hub over its interface',
    files: [`${TRACEABILITY}/test/cli/labels.test.ts`],
  },
  {
    because:
      'is about people of an inbox of before, and their entering; invitations.test.ts of people writes in PostgreSQL',
    files: [
      `${NOTIFICATIONS}/test/people/people-entering.test.ts`,
      `${NOTIFICATIONS}/test/people/people-upgrade.test.ts`,
    ],
  },
];

/**
 * Files that run on PostgreSQL in neither run: a second engine under them proves nothing more. They do
 * run there when they are named: `LOTHUB_TEST_ENGINE=postgres npm test -- FILE`.
 *
 * @type {readonly { readonly because: string, readonly files: readonly string[] }[]}
 */
export const SQLITE_ALONE = [
  {
    because:
      'reads what the contract of queries asks of both engines, query by query, and notices no planted defect of PostgreSQL',
    files: [
      `${TRACEABILITY}/src/explorer/lot-blocks.test.ts`,
      `${TRACEABILITY}/src/lots/genealogy/genealogy.test.ts`,
      `${TRACEABILITY}/src/lots/lasting-answers.test.ts`,
      `${TRACEABILITY}/src/lots/genealogy/links.test.ts`,
      `${TRACEABILITY}/src/lots/list.test.ts`,
      `${TRACEABILITY}/src/lots/genealogy/walk.test.ts`,
      `${TRACEABILITY}/src/lots/genealogy/ways.test.ts`,
      `${TRACEABILITY}/test/corrections/corrections-refused.test.ts`,
      `${TRACEABILITY}/test/corrections/explorer-corrections.test.ts`,
      `${TRACEABILITY}/test/events/csv-export.test.ts`,
      `${TRACEABILITY}/test/events/interface-list.test.ts`,
      `${TRACEABILITY}/test/explorer/decisions.test.ts`,
      `${TRACEABILITY}/test/log/evidence.test.ts`,
      `${TRACEABILITY}/test/log/routes.test.ts`,
      `${TRACEABILITY}/test/lots/genealogy.test.ts`,
      `${TRACEABILITY}/test/lots/journeys.test.ts`,
      `${TRACEABILITY}/test/lots/lot-chain.test.ts`,
      `${TRACEABILITY}/test/lots/lots.test.ts`,
      `${TRACEABILITY}/test/lots/recalled-lots.test.ts`,
      `${TRACEABILITY}/test/privacy/disclosure.test.ts`,
      `${TRACEABILITY}/test/privacy/privacy.test.ts`,
      `${TRACEABILITY}/test/public/shared-codes.test.ts`,
      `${TRACEABILITY}/test/public/profile-names.test.ts`,
      `${TRACEABILITY}/test/public/verification.test.ts`,
      `${TRACEABILITY}/test/recall/report.test.ts`,
    ],
  },
  {
    because: 'is about requests that are refused before the store is asked',
    files: [
      `${TRACEABILITY}/test/csv-import/cells.test.ts`,
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
      `${TRACEABILITY}/test/csv-import/check-thread.test.ts`,
      `${TRACEABILITY}/test/csv-import/template.test.ts`,
      `${TRACEABILITY}/test/csv-import/workbook.test.ts`,
    ],
  },
  {
    because: 'is about pages and documents; what they show is read by queries that run on both',
    files: [
      `${TRACEABILITY}/test/cli/operating.test.ts`,
      `${TRACEABILITY}/test/documents/guide-facts.test.ts`,
      `${TRACEABILITY}/test/documents/interface.test.ts`,
      `${TRACEABILITY}/test/documents/openapi.test.ts`,
      `${TRACEABILITY}/test/documents/worked-example.test.ts`,
      `${TRACEABILITY}/test/corrections/pages-corrections.test.ts`,
      `${TRACEABILITY}/test/pages/error-pages.test.ts`,
      `${TRACEABILITY}/test/pages/log-pages.test.ts`,
      `${TRACEABILITY}/test/pages/pages.test.ts`,
      `${TRACEABILITY}/test/pages/site.test.ts`,
      `${NOTIFICATIONS}/test/devices/device-pages.test.ts`,
      `${NOTIFICATIONS}/test/documents/guide.test.ts`,
      `${NOTIFICATIONS}/test/documents/interface.test.ts`,
      `${NOTIFICATIONS}/test/documents/openapi.test.ts`,
      `${NOTIFICATIONS}/test/pages/error-pages.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-forms.test.ts`,
    ],
  },
  {
    because:
      'is about pages of the console; what they show is read by queries that contract/queries.test.ts asks on both, and what they write by functions that /v1 calls',
    files: [
      `${TRACEABILITY}/test/console/drills/drills.test.ts`,
      `${TRACEABILITY}/test/console/events/events.test.ts`,
      `${TRACEABILITY}/test/console/genealogy/page.test.ts`,
      `${TRACEABILITY}/test/console/help/help.test.ts`,
      `${TRACEABILITY}/test/console/hub/state.test.ts`,
      `${TRACEABILITY}/test/console/lots/lots.test.ts`,
      `${TRACEABILITY}/test/console/me/leaving.test.ts`,
      `${TRACEABILITY}/test/console/pages.test.ts`,
      `${TRACEABILITY}/test/console/privacy/privacy.test.ts`,
      `${TRACEABILITY}/test/console/profile/profile.test.ts`,
      `${TRACEABILITY}/test/console/record/record.test.ts`,
      `${TRACEABILITY}/test/console/sign-on.test.ts`,
      `${TRACEABILITY}/test/console/simulation/inbound.test.ts`,
      `${TRACEABILITY}/test/console/simulation/simulation.test.ts`,
      `${TRACEABILITY}/test/console/today/today.test.ts`,
      `${TRACEABILITY}/test/console/webhooks/pages.test.ts`,
    ],
  },
  {
    because:
      'is about a process and its sockets: signals, ports, what it prints, readers that do not read',
    files: [
      `${TRACEABILITY}/test/cli/serve.test.ts`,
      `${NOTIFICATIONS}/test/stream/stream-stalled.test.ts`,
      `${NOTIFICATIONS}/test/stream/stream-time.test.ts`,
    ],
  },
  {
    because:
      'is about which finding a changed row is; in the long run every-column.test.ts changes each column of each table in PostgreSQL',
    files: [`${TRACEABILITY}/test/tampering/rows.test.ts`],
  },
  {
    because:
      'is about answers of a provider that are refused; sign-on.test.ts stores what is accepted',
    files: ['packages/people/test/sign-on/sign-on-faults.test.ts'],
  },
];

/**
 * Files that `npm run test:long` alone runs, on every engine that they know: no mutant needs them.
 *
 * @type {readonly { readonly because: string, readonly files: readonly string[] }[]}
 */
export const LONG_ALONE = [
  {
    because:
      'runs the commands of documents as processes; documents.test.ts holds each against the commands that there are',
    files: [`host/test/documents-walked.test.ts`],
  },
  {
    because:
      'notifies a crowd of six hundred, or looks at pages in Chromium; store.test.ts, mail.test.ts and device.test.ts have each step',
    files: [
      `${TRACEABILITY}/test/watching/killed.test.ts`,
      `${TRACEABILITY}/test/watching/story.test.ts`,
    ],
  },
  {
    because:
      'presses at two processes what imports.test.ts presses twice at one; processes-together.test.ts imports into both',
    files: [`${TRACEABILITY}/test/console/imports/import-processes.test.ts`],
  },
  {
    because: 'plays in a browser what pages.test.ts of webhooks asks without one',
    files: [`${TRACEABILITY}/test/console/webhooks/story.test.ts`],
  },
  {
    because: 'plays the attacks of attacks.test.ts once more, before witnesses',
    files: [`${TRACEABILITY}/test/log/attacks-witnessed.test.ts`],
  },
  {
    because:
      'waits for limits of time in a whole process; waiting-writes.test.ts of each service has them in one part',
    files: [`host/test/silent-database.test.ts`],
  },
  {
    because:
      'has both services over one PostgreSQL; processes-together and feed-processes.test.ts have each',
    files: [`host/test/serve-postgres.test.ts`],
  },
  {
    because: 'loses blocks in a restore; tip-follower.test.ts notices that blocks are lost',
    files: [`${TRACEABILITY}/test/processes/restore-lost-blocks.test.ts`],
  },
  {
    because: 'kills a larger ledger than crash.test.ts does',
    files: [`${TRACEABILITY}/test/crash/crash-restart.test.ts`],
  },
  {
    because:
      'plays the kills of crash.test.ts over the same writer; serve.test.ts of the host kills both services',
    files: [`${NOTIFICATIONS}/test/crash/crash.test.ts`],
  },
  {
    because:
      'is about a disk under the writer of the kit; disk-sqlite.test.ts of traceability has it under the same',
    files: [`${NOTIFICATIONS}/test/crash/disk-sqlite.test.ts`],
  },
  {
    because: 'plays disasters; group-commit and tip-follower.test.ts lose the server one by one',
    files: [`${TRACEABILITY}/test/processes/processes-chaos.test.ts`],
  },
  {
    because: 'plays in Chromium what notification-item.test.ts and items.test.ts ask without it',
    files: [`${NOTIFICATIONS}/test/pages/items-browser.test.ts`],
  },
  {
    because:
      'asks in Chromium what devices.test.ts asks of the service, and app-story.test.ts of the worker',
    files: [`${NOTIFICATIONS}/test/devices/install-story.test.ts`],
  },
  {
    because: 'kills a hub between rounds of witnesses, which publishing.test.ts has',
    files: [`${TRACEABILITY}/test/witnessing/rounds-killed.test.ts`],
  },
  {
    because: 'kills a witness, which state.test.ts starts again',
    files: [`host/test/witness-crash.test.ts`, `host/test/witnessed-hub-crash.test.ts`],
  },
  {
    because: 'follows the steps of a sample; witness-server.test.ts has a witness inside of a hub',
    files: [`host/test/compose-witnesses.test.ts`],
  },
  {
    because: 'kills a process in an opening, which is one transaction; cases.test.ts has openings',
    files: [`${TRACEABILITY}/test/recall/opening-killed.test.ts`],
  },
  {
    because: 'takes all descriptors of a process; connection-limit.test.ts has fewer connections',
    files: [`host/test/connections.test.ts`],
  },
  {
    because:
      'is about what commands say of a server; rebuild-cut and upgrade.test.ts run some over one',
    files: [`${TRACEABILITY}/test/cli/postgres.test.ts`],
  },
  {
    because: 'reads at a standby across processes; store-processes.test.ts has such processes',
    files: [`${TRACEABILITY}/test/processes/standby-reads.test.ts`],
  },
  {
    because: 'is about the servers that tests start; tests that use one fail with it',
    files: [
      `packages/kit/test/postgres/server.test.ts`,
      `packages/kit/test/postgres/standby.test.ts`,
    ],
  },
  {
    because:
      'has a hundred readers of services that are killed; crash.test.ts kills, and stream.test.ts reads',
    files: [`${NOTIFICATIONS}/test/stream/stream-chaos.test.ts`],
  },
  {
    because:
      'plays a story of the console in Chromium; the tests beside it ask the same pages without one',
    files: [
      `${TRACEABILITY}/test/console/cases/story.test.ts`,
      `${TRACEABILITY}/test/console/imports/story.test.ts`,
      `${TRACEABILITY}/test/console/genealogy/story.test.ts`,
      `${TRACEABILITY}/test/console/lots/story.test.ts`,
      `${TRACEABILITY}/test/console/profile/story.test.ts`,
      `${TRACEABILITY}/test/console/record/story.test.ts`,
      `${TRACEABILITY}/test/console/rows/story.test.ts`,
      `${TRACEABILITY}/test/console/sign-on-story.test.ts`,
      `${TRACEABILITY}/test/console/simulation/story.test.ts`,
      `${TRACEABILITY}/test/console/today/story.test.ts`,
    ],
  },
  {
    because: 'puts an older database back; key-rotation and epochs.test.ts begin further logs',
    files: [`${TRACEABILITY}/test/log/older-database.test.ts`],
  },
  {
    because: 'moves a hub to PostgreSQL and serves it; copy-to-postgres.test.ts copies each row',
    files: [`${TRACEABILITY}/test/cli/migrate.test.ts`],
  },
  {
    because:
      'asserts plans of PostgreSQL; plans.test.ts of each room asserts those of SQLite, and of the verifier those of PostgreSQL',
    files: [`${TRACEABILITY}/test/contract/plans.test.ts`],
  },
  {
    because: 'cuts the tail on a server; attacks.test.ts cuts it in a file',
    files: [`${TRACEABILITY}/test/log/attacks-server.test.ts`],
  },
  {
    because:
      'has background verifiers of several processes; processes-together.test.ts has such processes, and running.test.ts such verifiers',
    files: [`${TRACEABILITY}/test/tampering/verifier-processes.test.ts`],
  },
  {
    because: 'takes time stamps in several processes; timestamps.test.ts takes them in one',
    files: [`${TRACEABILITY}/test/processes/timestamp-processes.test.ts`],
  },
  {
    because:
      'is about a server that refuses to write; disk-sqlite.test.ts of traceability has a disk that does, and group-commit.test.ts failures of a server',
    files: [`${NOTIFICATIONS}/test/crash/disk-postgres.test.ts`],
  },
  {
    because:
      'upgrades a hub beside notifications; upgrade.test.ts of the command line upgrades hubs',
    files: [`host/test/upgrade.test.ts`],
  },
  {
    because:
      'judges proofs with a program in Python; verify-evidence.test.ts judges them without one',
    files: [`packages/verify/test/python-verifier.test.ts`],
  },
  {
    because: 'looks at pages in Chromium; the tests beside it ask the same pages without one',
    files: [
      `${NOTIFICATIONS}/test/pages/pages-browser.test.ts`,
      `${TRACEABILITY}/test/pages/pages-browser.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-sight.test.ts`,
      `${TRACEABILITY}/test/pages/explorer-browser.test.ts`,
      `${TRACEABILITY}/test/pages/lot-story.test.ts`,
      `${TRACEABILITY}/test/pages/package-browser.test.ts`,
    ],
  },
  {
    because:
      'is about where the audit of a hub of before begins; tampering.test.ts of audit has the chain',
    files: [`${TRACEABILITY}/test/audit/begun.test.ts`],
  },
  {
    because: 'is about several processes with clocks; clock.test.ts has one',
    files: [`${TRACEABILITY}/test/clock/clock-processes.test.ts`],
  },
  {
    because:
      'is about operators and time in rounds of witnesses; first-signature and publishing.test.ts have rounds',
    files: [
      `${TRACEABILITY}/test/witnessing/accepting.test.ts`,
      `${TRACEABILITY}/test/witnessing/clocks.test.ts`,
    ],
  },
  {
    because: 'reads the tree of the log; routes.test.ts asks for its parts and proofs',
    files: [`${TRACEABILITY}/test/log/tree-reader.test.ts`],
  },
  {
    because: 'is about a witness inside of a hub; requests.test.ts of the witness has its answers',
    files: [`${TRACEABILITY}/test/log/witness-server.test.ts`],
  },
  {
    because: 'judges decisions with foreign programs; vectors.test.ts has the same judged',
    files: [`${TRACEABILITY}/test/decisions/verifiers.test.ts`],
  },
  {
    because:
      'is about stamps of logs that have ended; timestamps.test.ts has those of one that goes on',
    files: [`${TRACEABILITY}/test/timestamps/timestamps-of-epochs.test.ts`],
  },
  {
    because:
      'promotes a standby of PostgreSQL; group-commit, tip-follower and commit-until-known.test.ts lose the server',
    files: [`${TRACEABILITY}/test/processes/processes-failover.test.ts`],
  },
  {
    because: 'reads at a standby; connection.test.ts of the kit reads at a server',
    files: [`packages/kit/src/postgres/standby-reader.test.ts`],
  },
  {
    because:
      'kills the service within one request; crash.test.ts kills it among many, adapters.test.ts completes a part',
    files: [`${NOTIFICATIONS}/test/crash/adapter-crash.test.ts`],
  },
  {
    because:
      'kills processes that send; delivery-processes.test.ts kills them over the same outbox, escalate.test.ts passes on',
    files: [
      `${NOTIFICATIONS}/test/devices/push-processes.test.ts`,
      `${NOTIFICATIONS}/test/escalation/escalation-processes.test.ts`,
      `${TRACEABILITY}/test/webhooks/killed.test.ts`,
    ],
  },
  {
    because: 'judges chains with a program in Python; vectors.test.ts has the same chains judged',
    files: [`packages/chain/test/python-verifier.test.ts`],
  },
  {
    because: 'plays the story of people in Chromium; gate.test.ts walks all routes as everybody',
    files: [`${TRACEABILITY}/test/console/stories.test.ts`],
  },
  {
    because: 'serves a witness as a process; witness-server and state.test.ts have one in theirs',
    files: [`host/test/witness.test.ts`],
  },
  {
    because:
      'is about when the audit is sealed; processes and tampering.test.ts of audit have its blocks',
    files: [`${TRACEABILITY}/test/audit/chain.test.ts`],
  },
  {
    because:
      'asks again and again while others write; verification.test.ts has the answers themselves',
    files: [`${TRACEABILITY}/test/public/kept-answers.test.ts`],
  },
  {
    because:
      'plays random histories against a plain model; lot-quantities, cases and simulation.test.ts have one of each kind',
    files: [
      `${TRACEABILITY}/test/lots/lots-model.test.ts`,
      `${TRACEABILITY}/test/recall/model.test.ts`,
      `${TRACEABILITY}/test/recall/simulation-model.test.ts`,
    ],
  },
  {
    because:
      'changes each column and row in turn; columns, rows and running.test.ts of tampering have one of each kind',
    files: [
      `${TRACEABILITY}/test/tampering/every-column.test.ts`,
      `${TRACEABILITY}/test/tampering/flips.test.ts`,
      `${TRACEABILITY}/test/tampering/recall.test.ts`,
    ],
  },
  {
    because: 'races edits and openings of cases; editing and cases.test.ts have them one by one',
    files: [
      `${TRACEABILITY}/test/recall/editing-races.test.ts`,
      `${TRACEABILITY}/test/recall/opening.test.ts`,
    ],
  },
  {
    because:
      'is about the index for the search of lots in PostgreSQL; contract/queries.test.ts searches lots there',
    files: [`${TRACEABILITY}/src/ledger/postgres/lot-search.test.ts`],
  },
  {
    because: 'parses all sources, as the linter does, and notices what no user would',
    files: [`tidy/leftovers.test.ts`, `tidy/names.test.ts`, `tidy/runtime.test.ts`],
  },
  {
    because: 'packs and installs the package; verify-evidence.test.ts judges with its sources',
    files: [`packages/verify/test/package.test.ts`],
  },
  {
    because:
      'runs commands over a store; key-lookup, people-invitations and audit tests do the same without them',
    files: [`${NOTIFICATIONS}/test/cli-notifications.test.ts`],
  },
];

/**
 * Files that `npm run test:long` alone runs, and there on SQLite alone, as those of {@link SQLITE_ALONE}: no
 * mutant needs them.
 *
 * @type {readonly { readonly because: string, readonly files: readonly string[] }[]}
 */
export const LONG_ON_SQLITE = [
  {
    because:
      'looks at pages in Chromium, whose connection is dead, or of all groups; pages-forms.test.ts asks them without one',
    files: [
      `${NOTIFICATIONS}/test/pages/pages-all.test.ts`,
      `${NOTIFICATIONS}/test/pages/pages-silent.test.ts`,
    ],
  },
  {
    because:
      'judges a chain of every type with foreign programs; python-verifier.test.ts has them judge chains',
    files: [`${TRACEABILITY}/test/decisions/all-types.test.ts`],
  },
  {
    because:
      'is about a thousand wrong requests, which are refused before the store is asked; interface-errors and strict-requests.test.ts have one of each kind',
    files: [`${TRACEABILITY}/test/events/bad-input.test.ts`],
  },
  {
    because: 'walks through the guide; what its commands call has tests of its own',
    files: [`${TRACEABILITY}/test/documents/guide.test.ts`],
  },
  {
    because:
      'is about clients that leave or do not read in the middle of an upload; upload.test.ts has uploads',
    files: [
      `${TRACEABILITY}/test/csv-import/load.test.ts`,
      `${TRACEABILITY}/test/csv-import/refused-upload.test.ts`,
    ],
  },
  {
    because:
      'is about commands and programs that ask a hub over its interface; verify-policy, keys and people-account.test.ts do the same without them',
    files: [
      `${TRACEABILITY}/test/cli/demo.test.ts`,
      `${TRACEABILITY}/test/cli/keys.test.ts`,
      `${TRACEABILITY}/test/cli/monitor.test.ts`,
      `${TRACEABILITY}/test/log/monitor.test.ts`,
      `${NOTIFICATIONS}/test/people/cli-people.test.ts`,
    ],
  },
  {
    because: 'is about rows of a file that come again; csv-import.test.ts imports files twice',
    files: [
      `${TRACEABILITY}/test/csv-import/named-rows.test.ts`,
      `${TRACEABILITY}/test/csv-import/regrown.test.ts`,
    ],
  },
  {
    because:
      'is about steps of recalls in the explorer; filters and decisions.test.ts have its lists',
    files: [`${TRACEABILITY}/test/explorer/recall-steps.test.ts`],
  },
  {
    because:
      'posts what senders document, and by their libraries; github, senders and adapters.test.ts read the same and post some of it',
    files: [`${NOTIFICATIONS}/test/adapters/foreign-senders.test.ts`],
  },
];
