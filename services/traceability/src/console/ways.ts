// The navigation at the side of the console: pages of a brand and of the hub, in their order, each with the
// right that opens it.
import type { IconName } from '@lothub/design/icons';
import type { BrandRight, HubRight } from '@lothub/people/brands/rights';
import type { Words } from '../web/words/reader.ts';
import { HUB, HUB_HELP, HUB_KEYS, HUB_STATE, OPERATORS, brandPath } from './paths.ts';

export interface Way<Right> {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly right: Right;
  /** Further pages for which this entry is marked as current. */
  readonly also?: readonly string[];
}

export function waysOfBrand(brand: string, words: Words['console']): readonly Way<BrandRight>[] {
  return [
    { href: brandPath(brand), icon: 'day', label: words.today.title, right: 'read' },
    {
      href: brandPath(brand, 'lots'),
      icon: 'box',
      label: words.lots.title,
      right: 'read',
      also: [brandPath(brand, 'events')],
    },
    {
      href: brandPath(brand, 'recalls'),
      icon: 'warning',
      label: words.cases.title,
      right: 'read',
      also: [brandPath(brand, 'simulation'), brandPath(brand, 'drills')],
    },
    {
      href: brandPath(brand, 'record'),
      icon: 'plus',
      label: words.record.title,
      right: 'import',
    },
    {
      href: brandPath(brand, 'imports'),
      icon: 'upload',
      label: words.imports.title,
      right: 'read',
    },
    {
      href: brandPath(brand, 'profile'),
      icon: 'store',
      label: words.profile.title,
      right: 'read',
      also: [
        brandPath(brand, 'products'),
        brandPath(brand, 'places'),
        brandPath(brand, 'suppliers'),
        brandPath(brand, 'privacy'),
      ],
    },
    { href: brandPath(brand, 'audit'), icon: 'history', label: words.audit.title, right: 'read' },
    {
      href: brandPath(brand, 'webhooks'),
      icon: 'hook',
      label: words.webhooks.title,
      right: 'webhooks',
    },
    {
      href: brandPath(brand, 'people'),
      icon: 'person',
      label: words.frame.people,
      right: 'people',
    },
    { href: brandPath(brand, 'keys'), icon: 'key', label: words.frame.keys, right: 'keys' },
    { href: brandPath(brand, 'help'), icon: 'unknown', label: words.help.title, right: 'read' },
  ];
}

export function waysOfHub(words: Words['console']): readonly Way<HubRight>[] {
  return [
    { href: HUB, icon: 'store', label: words.frame.brands, right: 'overview' },
    { href: HUB_STATE, icon: 'chain', label: words.operator.title, right: 'verifier' },
    { href: HUB_KEYS, icon: 'key', label: words.frame.keys, right: 'hub-keys' },
    { href: OPERATORS, icon: 'person', label: words.frame.operators, right: 'hub-people' },
    { href: HUB_HELP, icon: 'unknown', label: words.help.title, right: 'overview' },
  ];
}

/**
 * Returns whether an entry is the current one for a page.
 * @param path of the page, without a query
 */
export function isCurrentWay(
  { href, also = [] }: Way<unknown>,
  path: string,
  all: readonly Way<unknown>[],
): boolean {
  const isBelow = (place: string): boolean => path === place || path.startsWith(`${place}/`);
  if (!isBelow(href) && !also.some(isBelow)) return false;
  // The address of the start page is the beginning of all others, so the longest one that fits is the current
  // one.
  return !all.some(
    (other) =>
      other.href.length > href.length && (isBelow(other.href) || (other.also ?? []).some(isBelow)),
  );
}
