// The details that the brands of the demo publish of their products and places. The GTINs are of
// the range that GS1 reserves for examples (952).

/** The body of `PUT /v1/products/{sku}`. */
export interface DemoProduct {
  readonly names: Readonly<Record<string, string>>;
  readonly gtin?: string;
}

/** The body of `PUT /v1/places/{location}`. */
export interface DemoPlace {
  readonly name: string;
  readonly address: string;
  readonly time_zone: string;
}

/** The time zone of both brands. */
const TIME_ZONE = 'Europe/Amsterdam';

export const LARKMOOR_PRODUCTS: Readonly<Record<string, DemoProduct>> = {
  'RAW-MILK': { names: { en: 'Raw milk', de: 'Rohmilch' } },
  'MILK-PAST': { names: { en: 'Pasteurised milk', de: 'Pasteurisierte Milch' } },
  'MILK-1L': { names: { en: 'Fresh milk 1 l', de: 'Frische Milch 1 l' }, gtin: '9521234500018' },
  'CREAM-40': { names: { en: 'Cream, 40 % fat', de: 'Sahne, 40 % Fett' } },
  'BUTTER-82': { names: { en: 'Butter, 82 % fat', de: 'Butter, 82 % Fett' } },
  'BUTTER-250G': { names: { en: 'Butter 250 g', de: 'Butter 250 g' }, gtin: '9521234500025' },
  BUTTERMILK: { names: { en: 'Buttermilk', de: 'Buttermilch' } },
  'CHEESE-WHEEL': { names: { en: 'Cheese, whole wheel', de: 'Käse, ganzer Laib' } },
  'YOGHURT-NAT': { names: { en: 'Plain yoghurt', de: 'Naturjoghurt' } },
  'YOG-500G': {
    names: { en: 'Plain yoghurt 500 g', de: 'Naturjoghurt 500 g' },
    gtin: '9521234500032',
  },
  WHEY: { names: { en: 'Whey', de: 'Molke' } },
};

export const LARKMOOR_PLACES: Readonly<Record<string, DemoPlace>> = {
  'LARKMOOR-DAIRY': {
    name: 'Larkmoor Dairy',
    address: 'Dairy Lane 1, Larkmoor',
    time_zone: TIME_ZONE,
  },
  'LARKMOOR-COLD-STORE': {
    name: 'Larkmoor cold store',
    address: 'Dairy Lane 3, Larkmoor',
    time_zone: TIME_ZONE,
  },
  'LARKMOOR-FARM-SHOP': {
    name: 'Larkmoor farm shop',
    address: 'Dairy Lane 5, Larkmoor',
    time_zone: TIME_ZONE,
  },
};

export const HAVERFIELD_PRODUCTS: Readonly<Record<string, DemoProduct>> = {
  'WHEAT-A': { names: { en: 'Wheat', de: 'Weizen' } },
  RYE: { names: { en: 'Rye', de: 'Roggen' } },
  'FLOUR-T550': { names: { en: 'Wheat flour type 550', de: 'Weizenmehl Type 550' } },
  'FLOUR-R1150': { names: { en: 'Rye flour type 1150', de: 'Roggenmehl Type 1150' } },
  BRAN: { names: { en: 'Wheat bran', de: 'Weizenkleie' } },
  SOURDOUGH: { names: { en: 'Sourdough', de: 'Sauerteig' } },
  'SUNFLOWER-SEED': { names: { en: 'Sunflower seeds', de: 'Sonnenblumenkerne' } },
  'DOUGH-BREAD': { names: { en: 'Bread dough', de: 'Brotteig' } },
  'DOUGH-ROLL': { names: { en: 'Roll dough', de: 'Brötchenteig' } },
  'DOUGH-SEED': { names: { en: 'Seeded bread dough', de: 'Körnerbrotteig' } },
  'BREAD-750': { names: { en: 'Rye and wheat bread', de: 'Mischbrot' } },
  'BREAD-750-SLICED': {
    names: { en: 'Rye and wheat bread 750 g, sliced', de: 'Mischbrot 750 g, geschnitten' },
    gtin: '9521234500117',
  },
  'BREAD-SEED-750': {
    names: { en: 'Seeded bread 750 g', de: 'Körnerbrot 750 g' },
    gtin: '9521234500124',
  },
  BREADCRUMB: { names: { en: 'Breadcrumbs', de: 'Paniermehl' } },
  'BUTTER-CAKE': { names: { en: 'Butter cake', de: 'Butterkuchen' }, gtin: '9521234500131' },
  'BUTTER-82': { names: { en: 'Butter, 82 % fat', de: 'Butter, 82 % Fett' } },
  'MILK-PAST': { names: { en: 'Pasteurised milk', de: 'Pasteurisierte Milch' } },
  MILKROLL: { names: { en: 'Milk roll', de: 'Milchbrötchen' }, gtin: '9521234500148' },
  'MILKROLL-6': {
    names: { en: 'Milk rolls, six', de: 'Milchbrötchen, sechs Stück' },
    gtin: '9521234500155',
  },
  'SALT-FINE': { names: { en: 'Salt', de: 'Salz' } },
  'YEAST-FRESH': { names: { en: 'Fresh yeast', de: 'Frischhefe' } },
};

export const HAVERFIELD_PLACES: Readonly<Record<string, DemoPlace>> = {
  'HAVERFIELD-MILL': {
    name: 'Haverfield mill',
    address: 'Mill Road 2, Haverfield',
    time_zone: TIME_ZONE,
  },
  'HAVERFIELD-BAKERY': {
    name: 'Haverfield bakery',
    address: 'Mill Road 4, Haverfield',
    time_zone: TIME_ZONE,
  },
  'HAVERFIELD-SHOP-1': {
    name: 'Haverfield bakery shop, Market Square',
    address: 'Market Square 7, Haverfield',
    time_zone: TIME_ZONE,
  },
  'HAVERFIELD-SHOP-2': {
    name: 'Haverfield bakery shop, Station',
    address: 'Station Road 1, Haverfield',
    time_zone: TIME_ZONE,
  },
};
