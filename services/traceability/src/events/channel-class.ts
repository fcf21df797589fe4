// The public class of a sales channel, found from the tenant's own text by a fixed table of words.
// Only the class is ever public; docs/guide.md lists the words.

import type { ChannelClass } from '../terms.ts';

/** Tried in this order; the first class with a word in the text is the answer. */
const WORDS: readonly (readonly [ChannelClass, readonly string[]])[] = [
  [
    'online',
    [
      'online',
      'webshop',
      'web',
      'ecommerce',
      'e commerce',
      'eshop',
      'e shop',
      'internet',
      'marketplace',
      'mail order',
      'delivery app',
    ],
  ],
  [
    'food_service',
    [
      'food service',
      'foodservice',
      'restaurant',
      'restaurants',
      'catering',
      'caterer',
      'horeca',
      'hotel',
      'canteen',
      'cafe',
      'bar',
      'hospital',
      'school',
      'gastro',
      'gastronomy',
    ],
  ],
  ['export', ['export', 'exports', 'overseas', 'foreign']],
  [
    'wholesale',
    [
      'wholesale',
      'wholesaler',
      'distributor',
      'distribution',
      'cash and carry',
      'b2b',
      'trade',
      'bulk',
    ],
  ],
  [
    'direct',
    [
      'direct',
      'farm shop',
      'farm gate',
      'factory outlet',
      'farmers market',
      'market stall',
      'd2c',
      'dtc',
      'own shop',
      'employee',
      'staff',
    ],
  ],
  [
    'retail',
    [
      'retail',
      'retailer',
      'supermarket',
      'supermarkets',
      'hypermarket',
      'store',
      'stores',
      'shop',
      'shops',
      'grocery',
      'grocer',
      'convenience',
      'kiosk',
      'discounter',
      'pharmacy',
      'department store',
      'pos',
      'b2c',
    ],
  ],
];

/** The class of a channel text; `other` when no word of the table stands in it. */
export function channelClass(channel: string): ChannelClass {
  const words = ` ${channel
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  for (const [name, candidates] of WORDS) {
    if (candidates.some((word) => words.includes(` ${word} `))) return name;
  }
  return 'other';
}
