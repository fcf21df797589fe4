// The address of a lot's page, for pages, links and labels.

/** The path from the public address on; without a brand the page asks for it where several use the code. */
export function lotPath(lotCode: string, brand?: string): string {
  const query = new URLSearchParams(brand === undefined ? {} : { brand });
  // Browsers take these two for steps in a path, however they are written.
  const isStep = lotCode === '.' || lotCode === '..';
  if (isStep) query.set('lot_code', lotCode);
  const path = isStep ? '/lot' : `/lot/${encodeURIComponent(lotCode)}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
