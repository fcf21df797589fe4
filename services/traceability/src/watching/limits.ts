// How much of each is taken, and how long it is kept. docs/privacy.md and docs/operating.md name these numbers.
import { MS_PER_DAY } from '@lothub/kit/retention/sweeps';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** An unconfirmed watch is deleted after this time. */
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
/** Maximum number of unconfirmed watches of the whole hub, against a flood of invented addresses. */
export const PENDING_MAX = 10_000;

/** Mails to an address that has confirmed nothing, as long as their watches are pending. */
export const ASKED_PER_ADDRESS_MAX = 3;
/** Between two mails that confirm the same. */
export const ASK_AGAIN_MS = 15 * MINUTE_MS;
/** Minimum time between two mails with the link to all that an address watches: anybody can request them. */
export const LIST_AGAIN_MS = 6 * HOUR_MS;
/** Requests a minute of one client that may lead to a mail or keep something. */
export const CHANGES_PER_MINUTE = 10;

/** Messages in a row that were refused for good; then the address counts as gone. */
export const REFUSALS_MAX = 3;

/** Maximum size of a request of a page. */
export const BODY_BYTES_MAX = 8_192;

/** A smaller number of watchers is shown to nobody, not even to the brand. */
export const COUNT_SHOWN_MIN = 5;
