// The manifest of a service's pages (W3C Web Application Manifest): its name and icons, for whoever puts them on
// the first screen of a telephone.
import { readFileSync } from 'node:fs';

export const MANIFEST_TYPE = 'application/manifest+json; charset=utf-8';

/** Pixels of the icon for systems that take no SVG. */
export const ICON_PIXELS = 192;

export function manifestText(of: {
  readonly name: string;
  /** Where it opens; below it are its pages. */
  readonly start: string;
  /** Addresses of the same icon in both forms. */
  readonly svg: string;
  readonly png: string;
}): string {
  const { name, start, svg, png } = of;
  return JSON.stringify({
    name,
    short_name: name,
    start_url: start,
    scope: start,
    display: 'minimal-ui',
    theme_color: firstColour('action'),
    background_color: firstColour('ground'),
    icons: [
      { src: svg, sizes: 'any', type: 'image/svg+xml' },
      { src: png, sizes: `${ICON_PIXELS}x${ICON_PIXELS}`, type: 'image/png' },
    ],
  });
}

/** Of the light scheme: a manifest has one. */
function firstColour(token: string): string {
  const tokens = readFileSync(new URL('css/tokens.css', import.meta.url), 'utf8');
  const colour = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(tokens)?.[1];
  if (colour === undefined) throw new Error(`there is no colour --${token} in tokens.css`);
  return colour;
}
