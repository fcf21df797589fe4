// The brands of the demo and the files under examples/ with their events.
import { fileURLToPath } from 'node:url';
import {
  HAVERFIELD_PLACES,
  HAVERFIELD_PRODUCTS,
  LARKMOOR_PLACES,
  LARKMOOR_PRODUCTS,
} from './profiles.ts';
import type { DemoPlace, DemoProduct } from './profiles.ts';

export interface DemoBrand {
  readonly tenantId: string;
  /** The public fields of the brand, as the body of `PATCH /v1/brand`. */
  readonly brand: {
    readonly name: string;
    readonly website: string;
    readonly recall_contact: string;
    /** The language of its names and other texts. */
    readonly language: string;
  };
  /** By SKU. */
  readonly products: Readonly<Record<string, DemoProduct>>;
  /** By the location that events have. */
  readonly places: Readonly<Record<string, DemoPlace>>;
  /** Path of the CSV file for `POST /v1/import/csv`. */
  readonly csv: string;
  /** Path of the JSON file for `POST /v1/events/batch`. */
  readonly batch: string;
  /** Tenant ids of brands before it, by the names under which it receives from them. */
  readonly suppliers: Readonly<Record<string, string>>;
}

const FOLDER = new URL('../../../../../examples/', import.meta.url);

/** The dairy first: the bakery receives its butter. */
export const DEMO_BRANDS: readonly DemoBrand[] = [
  {
    tenantId: 'larkmoor',
    brand: {
      name: 'Larkmoor Dairy',
      website: 'https://larkmoor.example',
      recall_contact: 'quality@larkmoor.example',
      language: 'en',
    },
    products: LARKMOOR_PRODUCTS,
    places: LARKMOOR_PLACES,
    csv: example('larkmoor.csv'),
    batch: example('larkmoor-sales.json'),
    suppliers: {},
  },
  {
    tenantId: 'haverfield',
    brand: {
      name: 'Haverfield Mill & Bakery',
      website: 'https://haverfield.example',
      recall_contact: 'quality@haverfield.example',
      language: 'en',
    },
    products: HAVERFIELD_PRODUCTS,
    places: HAVERFIELD_PLACES,
    csv: example('haverfield.csv'),
    batch: example('haverfield-sales.json'),
    suppliers: { 'Larkmoor Dairy': 'larkmoor' },
  },
];

/** The first pages to open: a journey through both brands, a chain with a loop, and the whole. */
export const DEMO_PATHS: readonly string[] = [
  '/public/verify/CAKE-0302?brand=haverfield',
  '/public/explorer/lot/SOUR-1?brand=haverfield',
  '/public/explorer',
];

function example(name: string): string {
  return fileURLToPath(new URL(name, FOLDER));
}
