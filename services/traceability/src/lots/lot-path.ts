// The address of a lot's page, for pages, links and labels.

/**
 * Makes the path, relative to the public address. Without a brand, the page lets people choose it
 * if several brands use the code.
 */
export function lotPath(lotCode: string, brand?: string): string {
  const query = new URLSearchParams(brand === undefined ? {} : { brand });
  // Browsers take these two for steps in a path, however they are written.
  const isStep = lotCode === '.' || lotCode === '..';
  if (isStep) query.set('lot_code', lotCode);
  const path = isStep ? '/lot' : `/lot/${encodeURIComponent(lotCode)}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
