// Limits of keys: how many a group has, and how long a rotated key stays valid.

/** Keys of a group that post at a time, old ones beside their successors included. */
export const ACTIVE_KEYS_MAX = 20;
/** How long a rotated key stays valid (docs/interface/notifications.md#keys): up to 7 days. */
export const OVERLAP_HOURS = { min: 0, max: 168, default: 24 } as const;
