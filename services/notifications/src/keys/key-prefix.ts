// How the keys that this service makes begin (docs/interface/notifications.md#keys), and the adapters that
// tokens of the second kind post by.

export const KEY_PREFIX = 'nk_';
/** Prefix of the token of an adapter, which posts in the form of its sender, and not by `POST /api/v1/ingest`. */
export const ADAPTER_PREFIX = 'na_';

/** Senders whose own form is taken: each at a path of its name. */
export const ADAPTERS = ['alertmanager', 'grafana', 'github', 'cloudevents', 'slack'] as const;
export type Adapter = (typeof ADAPTERS)[number];

/**
 * Its sender signs what it sends, and can send no token: the token is what it signs with, and has to be kept
 * as it is.
 */
export const SIGNING_ADAPTER: Adapter = 'github';

/** @param adapter null: a key of the interface */
export function choosePrefix(adapter: Adapter | null): string {
  return adapter === null ? KEY_PREFIX : ADAPTER_PREFIX;
}
