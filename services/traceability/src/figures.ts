// The hub's own figures for Prometheus: the chain, what verifies it, the clock and the database.
import { tryCounter, waitingGauges } from '@lothub/delivery/outbox/figures';
import type { DeliveryOutcome } from '@lothub/delivery/outbox/record-try';
import type { Clock } from '@lothub/kit/clock';
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import { databaseGauge } from '@lothub/kit/metrics/database-gauge';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import type { ClockWatch } from './ledger/clock-watch.ts';
import type { SignedLog } from './ledger/log/signed-log.ts';
import type { LedgerReader } from './ledger/read.ts';
import type { ChainState } from './ledger/verify/chain-state.ts';
import type { TimeStamper } from './timestamps/time-stamper.ts';
import type { WitnessWatch } from './witnessing/standing.ts';
import { OUTBOX } from './webhooks/outbox.ts';
import { witnessGauges } from './witnessing/witness-figures.ts';

export const SERVICE_LABEL = 'traceability';

const MS_PER_SECOND = 1_000;

export function registerFigures({
  metrics,
  reader,
  state,
  clockWatch,
  log,
  stamper,
  witnesses,
  clock,
}: {
  readonly metrics: Metrics;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly clockWatch: Pick<ClockWatch, 'fault'>;
  readonly log: Pick<SignedLog, 'state' | 'building' | 'last'>;
  readonly stamper: Pick<TimeStamper, 'newest' | 'failures'> | undefined;
  readonly witnesses: Pick<WitnessWatch, 'read'>;
  readonly clock: Clock;
}): void {
  const height = metrics.gauge({ name: 'lothub_chain_height', help: 'Height of the last block' });
  const valid = metrics.gauge({
    name: 'lothub_chain_valid',
    help: '1 while nothing was found wrong with the chain, 0 otherwise',
  });
  const findings = metrics.gauge({
    name: 'lothub_verifier_findings',
    help: 'What was found wrong and was not cleared by an operator',
  });
  const through = metrics.gauge({
    name: 'lothub_verifier_height',
    help: 'Height up to which the verifier has come in its round',
  });
  const verifiedAt = metrics.gauge({
    name: 'lothub_verifier_timestamp_seconds',
    help: 'When the verifier last came so far; 0 before it has for the first time',
  });
  const trusted = metrics.gauge({
    name: 'lothub_clock_trusted',
    help: '1 while the clock of the machine is believed; nothing is written while it is not',
  });
  const signing = metrics.gauge({
    name: 'lothub_log_signing',
    help: '1 while the public log signs what is written, or is turned off; 0 while it is built or held',
  });
  const builtRatio = metrics.gauge({
    name: 'lothub_log_built_ratio',
    help: 'Share of the blocks that are in tiles of the public log while the tree of an older hub is made; 1 otherwise',
  });
  const signedSize = metrics.gauge({
    name: 'lothub_log_signed_size',
    help: 'Blocks of the tree that this process signed last; 0 before it has',
  });
  registerTimeStamps(metrics, stamper);
  const setWitnesses = witnessGauges({ metrics, witnesses });
  const setWaiting = waitingGauges({
    ...{ metrics, clock, tables: OUTBOX, reader: reader.database },
    names: {
      waiting: 'lothub_hub_deliveries_waiting',
      oldest: 'lothub_hub_delivery_oldest_seconds',
      what: 'Deliveries to webhooks of the hub',
    },
  });
  const setDatabase = databaseGauge({ metrics, service: SERVICE_LABEL });
  metrics.onCollect(async () => {
    const { condition } = state;
    valid.set(condition.valid ? 1 : 0);
    findings.set(state.findings);
    through.set(condition.verifiedThrough);
    verifiedAt.set(
      condition.verifiedAt === null ? 0 : Date.parse(condition.verifiedAt) / MS_PER_SECOND,
    );
    trusted.set(clockWatch.fault === undefined ? 1 : 0);
    signing.set(log.state === 'signing' || log.state === 'off' ? 1 : 0);
    builtRatio.set(log.building === undefined ? 1 : log.building.tiled / log.building.blocks);
    signedSize.set(log.last?.size ?? 0);
    // While the database is away the last height is kept: without a height it would look as if there were no chain.
    await setDatabase(async () => {
      height.set((await reader.head({ timeoutMs: HEALTH_WAIT_MS })).height);
      await setWitnesses();
      await setWaiting();
    });
  });
}

/** Tries by this process to send to webhooks of the hub, by their result. */
export function deliveryCounter(metrics: Metrics): (outcome: DeliveryOutcome) => void {
  return tryCounter(metrics, {
    name: 'lothub_hub_delivery_tries_total',
    help: 'Tries to deliver to webhooks of the hub, by outcome',
  });
}

/** Without a time-stamping service both are 0. */
function registerTimeStamps(
  metrics: Metrics,
  stamper: Pick<TimeStamper, 'newest' | 'failures'> | undefined,
): void {
  const stampedAt = metrics.gauge({
    name: 'lothub_timestamp_timestamp_seconds',
    help: 'Time of the newest time stamp on a checkpoint; 0 before there is one',
  });
  const failures = metrics.gauge({
    name: 'lothub_timestamp_failed_tries',
    help: 'How often this process has asked the time-stamping service in vain since it succeeded last',
  });
  metrics.onCollect(() => {
    const newest = stamper?.newest;
    stampedAt.set(newest === undefined ? 0 : Date.parse(newest.stamped_at) / MS_PER_SECOND);
    failures.set(stamper?.failures ?? 0);
  });
}
