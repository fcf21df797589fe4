// The limits of the texts of a recall case.

/** Characters of a title: names of products and lots make some hundreds in recalls of authorities. */
export const CASE_TITLE_MAX = 500;
/** Characters of a reason or a note. */
export const CASE_REASON_MAX = 4_000;
/** Characters of the advice to consumers: people read it in a shop. */
export const CASE_ADVICE_MAX = 1_000;
