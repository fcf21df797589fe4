// How much of each is taken, and how long it is kept. docs/privacy.md and docs/operating.md name these numbers.
import { MS_PER_DAY } from '@lothub/kit/retention/sweeps';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A watch that nobody confirms is deleted after this time. */
export const PENDING_MS = 48 * HOUR_MS;
/** A person who wants to watch for longer is asked, and confirms. */
export const WATCH_MS = 730 * MS_PER_DAY;
/** How long before its end a watch asks whether it should continue. */
export const RENEWAL_MS = 30 * MS_PER_DAY;
/** How long the page of all that an address watches can be opened by its link. */
export const LIST_LINK_MS = HOUR_MS;

/** Lots and products that one address watches. */
export const WATCHES_PER_ADDRESS_MAX = 50;
/** Addresses that watch one lot or one product: counting more takes longer than 10 ms. */
export const WATCHES_PER_TARGET_MAX = 50_000;
/** Watches of the whole hub that nobody has confirmed: a flood of made-up addresses ends here. */
export const PENDING_MAX = 10_000;

/** Mails to an address that has confirmed nothing, as long as their watches are pending. */
export const ASKED_PER_ADDRESS_MAX = 3;
/** Between two mails that confirm the same. */
export const ASK_AGAIN_MS = 15 * MINUTE_MS;
/** Between two mails with the link to all that an address watches: anybody can ask for them. */
export const LIST_AGAIN_MS = 6 * HOUR_MS;
/** Requests a minute of one client that may lead to a mail or keep something. */
export const CHANGES_PER_MINUTE = 10;

/** Messages in a row that were refused for good; then the address counts as gone. */
export const REFUSALS_MAX = 3;

/** Of what a page sends. */
export const BODY_BYTES_MAX = 8_192;

/** Below it nobody, not even the brand, reads how many people watch something. */
export const COUNT_SHOWN_MIN = 5;
