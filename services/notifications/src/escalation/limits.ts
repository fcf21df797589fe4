// Limits of escalation rules: minutes until an escalation, and its recipients.

export const AFTER_MINUTES = { min: 1, max: 1_440, default: 15 } as const;
/** People that one group escalates to. */
export const PEOPLE_MAX = 50;
/** Groups that one notification passes through, each by the rule of the one before. */
export const STEPS_MAX = 3;
/** In which a post into another group is tried: as long as its idempotency key keeps it from coming twice. */
export const POST_WITHIN_MS = 23 * 60 * 60 * 1_000;
