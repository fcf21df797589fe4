// The ways of notifying people, as far as the worker knows them.
import type { WatchMessage } from './compose.ts';
import type { ClaimedDelivery } from './delivery-queries.ts';

/** What became of one try. */
export type WayResult =
  | { readonly kind: 'sent' }
  /** The address is no more. */
  | { readonly kind: 'gone' }
  /** For good, because of the address. */
  | { readonly kind: 'refused' }
  /** Says nothing about the address. */
  | { readonly kind: 'later'; readonly retryAfterMs: number | null; readonly isSlow: boolean }
  /** The service stops. */
  | { readonly kind: 'stopped' };

export type Way = (
  delivery: ClaimedDelivery,
  message: WatchMessage,
  signal: AbortSignal,
) => Promise<WayResult>;

/** Undefined: it is not set up. */
export interface Ways {
  readonly mail: Way | undefined;
  readonly push: Way | undefined;
}
