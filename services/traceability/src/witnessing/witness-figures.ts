// The figures of the witnesses for Prometheus. Names of witnesses are the operator's own words.
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import type { WitnessWatch } from './standing.ts';
import type { WitnessAnswer } from './witness-answers.ts';

/** Notified of each round that begins, and of each answer. */
export interface WitnessCounts {
  readonly round: () => void;
  readonly answer: (witness: string, answer: WitnessAnswer) => void;
}

/** What the process that asks counts. */
export function witnessCounts(metrics: Metrics): WitnessCounts {
  const rounds = metrics.counter({
    name: 'lothub_witness_rounds_total',
    help: 'Heads that this process has asked the witnesses to cosign',
  });
  const answers = metrics.counter({
    name: 'lothub_witness_answers_total',
    help: 'What witnesses answered this process',
    labelNames: ['witness', 'answer'],
  });
  return {
    round: () => rounds.inc(),
    answer: (witness, answer) => answers.inc({ witness, answer }),
  };
}

/** @returns reads how far the witnesses are behind; it throws as `WitnessWatch.read` */
export function witnessGauges({
  metrics,
  witnesses,
}: {
  readonly metrics: Metrics;
  readonly witnesses: Pick<WitnessWatch, 'read'>;
}): () => Promise<void> {
  const size = metrics.gauge({
    name: 'lothub_log_witnessed_size',
    help: 'Blocks under the newest checkpoint that satisfies the policy; 0 without one',
  });
  const behind = metrics.gauge({
    name: 'lothub_log_witnesses_behind_seconds',
    help: 'For how long there have been signed blocks that it does not cover; 0 without a policy',
  });
  return async () => {
    const standing = await witnesses.read({ timeoutMs: HEALTH_WAIT_MS });
    size.set(standing.size ?? 0);
    behind.set(standing.behindSeconds ?? 0);
  };
}
