// What is watched: a lot of a brand, or a product of one, by its SKU or its GTIN.

export const TARGET_KINDS = ['lot', 'sku', 'gtin'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export interface Target {
  readonly tenantId: string;
  readonly kind: TargetKind;
  /** A lot code, a SKU, or 14 digits. */
  readonly target: string;
}

export function sameTarget(one: Target, other: Target): boolean {
  return one.tenantId === other.tenantId && one.kind === other.kind && one.target === other.target;
}
