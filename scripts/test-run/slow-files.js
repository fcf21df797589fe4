// The tasks that take longest, for a first run, which knows no times of its own: what starts last must not be
// what the run waits for at its end. Each is named as in the report.

const TRACEABILITY = 'services/traceability/test';
const NOTIFICATIONS = 'services/notifications/test';

/** The slowest first. */
export const SLOW_FILES = [
  `${TRACEABILITY}/processes/processes-together.test.ts on PostgreSQL`,
  `${TRACEABILITY}/crash/crash.test.ts`,
  `${TRACEABILITY}/log/attacks.test.ts`,
  `${TRACEABILITY}/witnessing/answers.test.ts`,
  `${TRACEABILITY}/tampering/running.test.ts`,
  `${TRACEABILITY}/contract/queries.test.ts`,
  `${TRACEABILITY}/tampering/columns.test.ts`,
  `${TRACEABILITY}/clock/clock.test.ts`,
  `${TRACEABILITY}/cli/serve.test.ts`,
  `${TRACEABILITY}/timestamps/timestamps.test.ts`,
  `${TRACEABILITY}/decisions/existing.test.ts`,
  'host/test/serve.test.ts',
  `${TRACEABILITY}/events/waiting-writes.test.ts`,
  `${TRACEABILITY}/events/waiting-writes.test.ts on PostgreSQL`,
  `${NOTIFICATIONS}/ingest/waiting-writes.test.ts`,
  `${NOTIFICATIONS}/ingest/waiting-writes.test.ts on PostgreSQL`,
  `${NOTIFICATIONS}/delivery/delivery-processes.test.ts on PostgreSQL`,
];
