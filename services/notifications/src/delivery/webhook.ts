// How many webhooks there may be.

export const WEBHOOKS_PER_GROUP_MAX = 10;
