// How many groups and members there may be, and what a group keeps.

export const GROUPS_PER_PERSON_MAX = 200;
export const MEMBERS_PER_GROUP_MAX = 1_000;

/** Days and rows of notifications that a group keeps (docs/interface/notifications.md#retention). */
export const RETENTION_DAYS = { min: 1, max: 3_650, default: 90 } as const;
export const RETENTION_ROWS = { min: 100, max: 10_000_000, default: 50_000 } as const;
