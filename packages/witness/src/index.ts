/**
 * A witness of logs (c2sp.org/tlog-witness): it cosigns the checkpoints of logs that it knows, as long as
 * each tree is grown from the one before. Its state is its own, so that no restore of a hub rolls it back.
 */
export { parseLogList } from './log-list.ts';
export { witnessName } from './name.ts';
export { witnessRoutes } from './routes.ts';
export type { WitnessRouteOptions } from './routes.ts';
export { Witness } from './witness.ts';
export type { OwnLog, WitnessLog, WitnessOptions } from './witness.ts';
