// What consumers read about a brand, its products and places, for the pages on which people set it.
export {
  countPlaces,
  countProducts,
  findBrand,
  findPlace,
  findProduct,
  placesBehind,
  productsBehind,
} from './queries.ts';
export type { FoundPlace, FoundProduct } from './queries.ts';
