// How long tests wait for what must come. Twenty processes may want each core of the machine, and then
// everything takes twenty times as long as it should.
import { availableParallelism, loadavg } from 'node:os';

/** What has not come by then never comes, on however busy a machine. */
export const PATIENCE_MS = 300_000;

/** What starting a test and its first requests cost beside the thing that is waited for. */
const SLACK_FACTOR = 4;

/**
 * A time within which the product promises something, as long as it is on a machine as busy as this one.
 * On an idle machine it is short enough to notice that something is looked up every ten seconds instead
 * of each second.
 */
export function stretchForLoad(promisedMs: number): number {
  const [load = 0] = loadavg();
  return promisedMs * SLACK_FACTOR * Math.max(1, load / availableParallelism());
}
