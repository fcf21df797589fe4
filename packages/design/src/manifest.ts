// The manifest of a service's pages (W3C Web Application Manifest): its name and icons, for people who put them on
// the first screen of a telephone.
import { readFileSync } from 'node:fs';

export const MANIFEST_TYPE = 'application/manifest+json; charset=utf-8';

export interface ManifestIcon {
  readonly src: string;
  /** `512x512`. */
  readonly sizes: string;
  readonly type: 'image/png';
  /** `maskable`: may be cut to any shape that leaves the middle. */
  readonly purpose?: 'maskable';
}

/** Pixels of the icon for systems that take no SVG. */
export const ICON_PIXELS = 192;

export function manifestText(app: {
  readonly name: string;
  /** Where it opens; below it are its pages. */
  readonly start: string;
  /** Addresses of the same icon in both forms. */
  readonly svg: string;
  readonly png: string;
  /** More icons, as the manifest lists them. */
  readonly moreIcons?: readonly ManifestIcon[];
  /** Pages that the icon opens by a long press. */
  readonly shortcuts?: readonly { readonly name: string; readonly url: string }[];
  /** `standalone`: without the bars of a browser, for pages that have ways back of their own. */
  readonly display?: 'minimal-ui' | 'standalone';
}): string {
  const { name, start, svg, png, moreIcons = [], shortcuts, display = 'minimal-ui' } = app;
  return JSON.stringify({
    name,
    short_name: name,
    start_url: start,
    scope: start,
    ...(display === 'standalone' ? { id: start } : {}),
    display,
    theme_color: firstColour('action'),
    background_color: firstColour('ground'),
    icons: [
      { src: svg, sizes: 'any', type: 'image/svg+xml' },
      { src: png, sizes: `${ICON_PIXELS}x${ICON_PIXELS}`, type: 'image/png' },
      ...moreIcons,
    ],
    ...(shortcuts === undefined ? {} : { shortcuts }),
  });
}

/** The colour of the light scheme: a manifest has one colour. */
function firstColour(token: string): string {
  const tokens = readFileSync(new URL('css/tokens.css', import.meta.url), 'utf8');
  const colour = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(tokens)?.[1];
  if (colour === undefined) throw new Error(`there is no colour --${token} in tokens.css`);
  return colour;
}
