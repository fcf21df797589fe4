// The chain at a glance, as the dashboard and the operator's overview show it.
import type { ChainState } from './verify/chain-state.ts';
import type { HeadRow, LedgerReader } from './read.ts';

export interface ChainSummary {
  readonly chain_id: string;
  readonly height: number;
  readonly tip_hash: string;
  readonly chain_valid: boolean;
  readonly verified_through: number;
  readonly verified_at: string | null;
}

export async function chainSummary(
  deps: { readonly reader: LedgerReader; readonly state: ChainState },
  head: Pick<HeadRow, 'height' | 'hash'>,
): Promise<ChainSummary> {
  const { condition } = deps.state;
  return {
    chain_id: await deps.reader.chainId(),
    height: head.height,
    tip_hash: head.hash,
    chain_valid: condition.valid,
    verified_through: condition.verifiedThrough,
    verified_at: condition.verifiedAt,
  };
}
