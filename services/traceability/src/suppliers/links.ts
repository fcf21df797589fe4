// The links of suppliers' names to brands, for the pages on which people make them.
export { linksBehind } from './queries.ts';
export type { SupplierLink } from './queries.ts';
