// What people may do, as one table: each right, and the roles that have it. Routes name a right and never
// a role.

/** Roles in a brand, each with all that the one before it may do. */
export const BRAND_ROLES = ['viewer', 'quality', 'manager'] as const;
export type BrandRole = (typeof BRAND_ROLES)[number];

/** Roles in the hub as a whole; none of them sees what a brand keeps to itself. */
export const HUB_ROLES = ['operator'] as const;
export type HubRole = (typeof HUB_ROLES)[number];

const VIEWER_UP = ['viewer', 'quality', 'manager'] as const;
const QUALITY_UP = ['quality', 'manager'] as const;
const LEADING = ['manager'] as const;
const OPERATING = ['operator'] as const;

/** Rights in one brand. */
export const BRAND_RIGHTS = {
  /** Lots, events, cases, reports and all else that the brand has. */
  read: VIEWER_UP,
  /** Holds by hand and their release. */
  hold: QUALITY_UP,
  /** Simulations and drills. */
  simulate: QUALITY_UP,
  /** Cases: opening, editing, moving on, answers. */
  recall: QUALITY_UP,
  correct: QUALITY_UP,
  /** Events by file. */
  import: QUALITY_UP,
  /** Who is in the brand, and invitations into it. */
  people: LEADING,
  /** The brand's keys. */
  keys: LEADING,
  /** What consumers read of the brand itself. */
  brand: LEADING,
  products: LEADING,
  places: LEADING,
  suppliers: LEADING,
  /** Where the hub sends what happens in the brand. */
  webhooks: LEADING,
  /** Erasing private values. */
  erase: LEADING,
  /** Opening private values that the chain commits to, for an authority. */
  disclose: LEADING,
} as const satisfies Readonly<Record<string, readonly BrandRole[]>>;

/** Rights in the hub as a whole. */
export const HUB_RIGHTS = {
  /** All brands with their figures, and the invitation of a brand's first manager. */
  overview: OPERATING,
  /** Keys of the hub: all of them listed, made, replaced and revoked. */
  'hub-keys': OPERATING,
  /** How far the verifier, the log, its witnesses and the time stamps are, and what is wrong with them. */
  verifier: OPERATING,
  /** Who operates the hub. */
  'hub-people': OPERATING,
} as const satisfies Readonly<Record<string, readonly HubRole[]>>;

export type BrandRight = keyof typeof BRAND_RIGHTS;
export type HubRight = keyof typeof HUB_RIGHTS;

/** Returns the weakest role with the right, which a refusal names. */
export function weakestRoleWith(right: BrandRight): BrandRole {
  return BRAND_RIGHTS[right][0];
}

/** @param role what the person is in the brand; undefined: nothing */
export function hasBrandRight(role: BrandRole | undefined, right: BrandRight): boolean {
  const roles: readonly BrandRole[] = BRAND_RIGHTS[right];
  return role !== undefined && roles.includes(role);
}

/** @param role what the person is in the hub; undefined: nothing */
export function hasHubRight(role: HubRole | undefined, right: HubRight): boolean {
  const roles: readonly HubRole[] = HUB_RIGHTS[right];
  return role !== undefined && roles.includes(role);
}

export function isBrandRole(text: string): text is BrandRole {
  const roles: readonly string[] = BRAND_ROLES;
  return roles.includes(text);
}

export function isHubRole(text: string): text is HubRole {
  const roles: readonly string[] = HUB_ROLES;
  return roles.includes(text);
}

export function isBrandRight(text: string): text is BrandRight {
  return Object.hasOwn(BRAND_RIGHTS, text);
}

export function isHubRight(text: string): text is HubRight {
  return Object.hasOwn(HUB_RIGHTS, text);
}
