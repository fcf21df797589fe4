// How many keys a group has, and how long an old one goes on beside a new one.

/** Keys of a group that post at a time, old ones beside their successors included. */
export const ACTIVE_KEYS_MAX = 20;
/** How long an old key goes on beside the new one (notifications.md, section 2): up to 7 days. */
export const OVERLAP_HOURS = { min: 0, max: 168, default: 24 } as const;
