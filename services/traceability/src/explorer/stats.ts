// What the explorer says of the whole hub, or of one brand, at a glance. Counted when blocks are
// appended; the corrections and decisions of a brand alone, which are few, when somebody asks.
import type { Static } from 'typebox';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { findTenant } from '../lots/queries.ts';
import { countDecisions } from './decision-queries.ts';
import type { StatsSchema } from './schema.ts';

type Stats = Static<typeof StatsSchema>;

/** The same but for how far the verifier has got, which changes by itself. */
export function withoutProgress(stats: Stats): Stats {
  return { ...stats, verified_through: 0, verified_at: null };
}

export async function readStats(
  deps: { readonly reader: LedgerReader; readonly state: ChainState },
  brand: string | undefined,
): Promise<Stats> {
  const head = await deps.reader.head();
  const { condition } = deps.state;
  const chain = {
    chain_id: await deps.reader.chainId(),
    height: head.height,
    tip_hash: head.hash,
    chain_valid: condition.valid,
    verified_through: condition.verifiedThrough,
    verified_at: condition.verifiedAt,
  };
  if (brand === undefined) {
    return {
      ...chain,
      blocks: head.height + 1,
      transactions: head.transactions,
      lots: head.lots,
      brands: head.tenants,
    };
  }
  const tenant = await findTenant(deps.reader.database, brand);
  const decisions = await countDecisions(deps.reader.database, brand);
  return {
    ...chain,
    blocks: (tenant === undefined ? 0 : tenant.events + tenant.corrections) + decisions,
    transactions: tenant?.transactions ?? 0,
    lots: tenant?.lots ?? 0,
    brands: tenant === undefined ? 0 : 1,
  };
}
