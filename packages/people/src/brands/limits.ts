// How many people a brand and the hub have, and how many brands a person is in.

export const PEOPLE_PER_BRAND_MAX = 1_000;
export const BRANDS_PER_PERSON_MAX = 200;
export const OPERATORS_MAX = 100;
