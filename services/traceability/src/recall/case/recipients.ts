// The recipients of a case: customers, channels and suppliers of its lots, and those that every
// case concerns (docs/interface/traceability.md#notifications-of-a-case).
import type { NewNotification } from './scope-writes.ts';

/** Concerned by every case; each is its own only recipient. */
const ALWAYS_CONCERNED = ['internal_qa', 'regulator', 'public'] as const;

export function alwaysConcerned(): readonly NewNotification[] {
  return ALWAYS_CONCERNED.map((audience) => ({ audience, recipient: audience }));
}

/** The recipients of sales and deliveries, each once. A name that is missing or erased is null. */
export function concernedBy(names: {
  readonly customerRefs: Iterable<string | null>;
  /** The texts as the tenant sent them. */
  readonly channels: Iterable<string | null>;
  readonly supplierNames: Iterable<string | null>;
}): readonly NewNotification[] {
  return [
    ...pickNames(names.customerRefs).map((recipient) => ({
      audience: 'customer' as const,
      recipient,
    })),
    ...pickNames(names.channels).map((recipient) => ({ audience: 'channel' as const, recipient })),
    ...pickNames(names.supplierNames).map((recipient) => ({
      audience: 'supplier' as const,
      recipient,
    })),
  ];
}

function pickNames(names: Iterable<string | null>): readonly string[] {
  return [...new Set(names)].filter((name) => name !== null);
}
