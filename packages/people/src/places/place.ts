// Places that people are let into, as the database names them: a group of the inbox, a brand, or the hub.

export type PlaceKindName = 'group' | 'brand' | 'hub';

export type Place =
  | { readonly kind: 'group'; readonly id: string }
  /** Its tenant. */
  | { readonly kind: 'brand'; readonly id: string }
  /** There is one. */
  | { readonly kind: 'hub'; readonly id: '' };

export const HUB: Place = { kind: 'hub', id: '' };

/** `group:grp_…`, `brand:acme` or `hub`. */
export function placeText({ kind, id }: Place): string {
  return kind === 'hub' ? kind : `${kind}:${id}`;
}

export function brandPlace(tenantId: string): Place {
  return { kind: 'brand', id: tenantId };
}

export function groupPlace(groupId: string): Place {
  return { kind: 'group', id: groupId };
}

/** @throws Error when it is no place: only what `placeText` wrote is read */
export function readPlace(text: string): Place {
  if (text === 'hub') return HUB;
  const colon = text.indexOf(':');
  const kind = text.slice(0, colon);
  const id = text.slice(colon + 1);
  if ((kind === 'group' || kind === 'brand') && id !== '') return { kind, id };
  throw new Error(`reading a place: ${JSON.stringify(text)} is none`);
}
