// What the pages of the console stand on.
import type { People } from '@lothub/people/people';
import type { Clock } from '@lothub/kit/clock';
import type { KeyRing } from '../keys/key-ring.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { GateDeps } from './gate.ts';

export interface ConsoleDeps extends GateDeps {
  readonly people: People;
  readonly reader: LedgerReader;
  readonly store: LedgerStore;
  readonly state: ChainState;
  /** The keys of this process in memory: it takes over at once what a page has changed. */
  readonly keys: Pick<KeyRing, 'refresh'>;
  readonly clock: Clock;
}
