// Whom a case concerns: customers, channels and suppliers of its lots, and those whom every
// case concerns (service page, section 7).
import type { NewNotification } from './scope-writes.ts';

/** Concerned by every case; each is its own only recipient. */
const ALWAYS_CONCERNED = ['internal_qa', 'regulator', 'public'] as const;

export function alwaysConcerned(): readonly NewNotification[] {
  return ALWAYS_CONCERNED.map((audience) => ({ audience, recipient: audience }));
}

/** Whom sales and deliveries concern, each once. What nobody said, or what was erased, is null. */
export function concernedBy(of: {
  readonly customerRefs: Iterable<string | null>;
  /** As the tenant sent them. */
  readonly channels: Iterable<string | null>;
  readonly supplierNames: Iterable<string | null>;
}): readonly NewNotification[] {
  return [
    ...told(of.customerRefs).map((recipient) => ({ audience: 'customer' as const, recipient })),
    ...told(of.channels).map((recipient) => ({ audience: 'channel' as const, recipient })),
    ...told(of.supplierNames).map((recipient) => ({ audience: 'supplier' as const, recipient })),
  ];
}

function told(names: Iterable<string | null>): readonly string[] {
  return [...new Set(names)].filter((name) => name !== null);
}
