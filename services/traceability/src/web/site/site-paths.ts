// Addresses of the site's files that every page names.

export const MANIFEST_PATH = '/manifest.webmanifest';
/** The icon for systems that take no SVG. */
export const ICON_PNG_PATH = '/icon-192.png';
