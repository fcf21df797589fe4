// The pictures of all pages, drawn here on a field of 20 by 20 so that they take the colour of the text around
// them. Each is beside a word that says the same. Browsers load this module, too.
import { html, trustedHtml, type Html } from '@lothub/kit/html';

const PATHS = {
  // Each meaning has an outline of its own, so that icons differ without colour, too.
  good: '<circle cx="10" cy="10" r="8.2"/><path d="m6.2 10.3 2.6 2.6 5-5.4"/>',
  bad: '<path d="M6.9 1.8h6.2l5.1 5.1v6.2l-5.1 5.1H6.9l-5.1-5.1V6.9z"/><path d="m7.2 7.2 5.6 5.6m0-5.6-5.6 5.6"/>',
  critical:
    '<path d="M6.9 1.8h6.2l5.1 5.1v6.2l-5.1 5.1H6.9l-5.1-5.1V6.9z"/><path d="M10 5.5V11m0 3v.1"/>',
  warning: '<path d="M10 2 18.8 17.5H1.2z"/><path d="M10 8v4.5m0 2.4v.1"/>',
  info: '<circle cx="10" cy="10" r="8.2"/><path d="M10 9v5.2m0-8.3V6"/>',
  unknown:
    '<circle cx="10" cy="10" r="8.2"/><path d="M7.6 7.9a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.7m0 2.4v.1"/>',
  hold: '<circle cx="10" cy="10" r="8.2"/><path d="M8 7v6m4-6v6"/>',
  shield:
    '<path d="M10 1.8 17 4.3v5.2c0 4.3-2.9 7.2-7 8.7-4.1-1.5-7-4.4-7-8.7V4.3z"/><path d="m6.9 10 2.2 2.2 4-4.3"/>',

  // What happens to goods.
  farm: '<path d="M10 18V9.5"/><path d="M10 12.5c0-3.4 2.2-5.2 6.5-5.5.2 4-2.2 6-6.5 5.5z"/><path d="M10 9.5C10 6 7.8 3.6 3.5 3.3c-.2 4.2 2.2 6.4 6.5 6.2z"/>',
  factory: '<path d="M2 17.5V9l5 3V9l5 3V3h5v14.5z"/><path d="M5.5 14.8v.1m4.5-.1v.1m4.5-.1v.1"/>',
  truck:
    '<path d="M1.5 4.5h10v9.5h-10zM11.5 8h4l3 3v3h-7z"/><circle cx="5" cy="15.3" r="1.7"/><circle cx="15" cy="15.3" r="1.7"/>',
  store:
    '<path d="M3 9.5v8h14v-8M1.8 7.2 3.6 2.5h12.8l1.8 4.7c-.3 3-3.6 3-4.1.4-.6 2.6-3.6 2.6-4.1 0-.5 2.6-3.5 2.6-4.1 0-.5 2.6-3.8 2.6-4.1-.4z"/><path d="M8 17.5v-5h4v5"/>',
  box: '<path d="m10 1.8 7.5 3.9v8.6L10 18.2l-7.5-3.9V5.7z"/><path d="m2.5 5.7 7.5 4 7.5-4M10 9.7v8.5"/>',
  check: '<path d="m3.5 10.5 4.3 4.3 8.7-9.3"/>',
  mix: '<path d="M3 3.5c0 4 7 4 7 7v6m7-13c0 4-7 4-7 7"/><path d="m7 13.8 3 3 3-3"/>',
  back: '<path d="M12.5 4 6.5 10l6 6"/>',
  next: '<path d="m7.5 4 6 6-6 6"/>',
  return: '<path d="M4 6.5h9a3.5 3.5 0 0 1 0 7H5.5m0 0 3-3m-3 3 3 3"/>',
  place:
    '<path d="M10 18.2c4-4.4 6-7.6 6-10.2a6 6 0 0 0-12 0c0 2.6 2 5.8 6 10.2z"/><circle cx="10" cy="8" r="2.2"/>',
  clock: '<circle cx="10" cy="10" r="8.2"/><path d="M10 5.3V10l3.2 2"/>',
  day: '<path d="M2.5 4h15v13.5h-15zM2.5 8h15M6.5 2v3.5M13.5 2v3.5"/>',

  // What people do.
  inbox:
    '<path d="M2 11.5 4.6 3.4h10.8l2.6 8.1v5.1H2z"/><path d="M2 11.5h4.6l1.2 2.4h4.4l1.2-2.4H18"/>',
  group: '<path d="M3 4.5h14v9H9.5L6 17v-3.5H3z"/>',
  settings:
    '<path d="M2.5 5.5h7m4 0h4m-15 9h3m4 0h8"/><circle cx="11.5" cy="5.5" r="2"/><circle cx="7.5" cy="14.5" r="2"/>',
  person:
    '<circle cx="10" cy="6.7" r="3.5"/><path d="M3 17.5c.6-3.6 3.3-5.3 7-5.3s6.4 1.7 7 5.3"/>',
  plus: '<path d="M10 3.5v13m-6.5-6.5h13"/>',
  close: '<path d="m4.5 4.5 11 11m0-11-11 11"/>',
  key: '<circle cx="6.5" cy="13.5" r="3.5"/><path d="m9 11 7.5-7.5m-3.5 3.5 2.5 2.5"/>',
  hook: '<circle cx="5" cy="14.5" r="2.7"/><circle cx="15" cy="14.5" r="2.7"/><circle cx="10" cy="5" r="2.7"/><path d="M8.8 7.4 6 12.2m1.7 2.3h4.6m1.7-2.2-2.6-4.6"/>',
  history: '<path d="M3 6.5A8 8 0 1 1 2 10M2.5 2.5v4h4"/><path d="M10 5.8V10l3 2"/>',
  search: '<circle cx="8.7" cy="8.7" r="5.7"/><path d="m13 13 4.5 4.5"/>',
  menu: '<path d="M3 5h14M3 10h14M3 15h14"/>',
  copy: '<path d="M7 6.5h10v11H7z"/><path d="M13 6.5v-4H3v11h4"/>',
  link: '<path d="M11.5 3h5.5v5.5M17 3l-8 8M8.5 4.5H3V17h12.5v-5.5"/>',
  phone:
    '<path d="M6.8 2.5 3 3.3c-.4 7.4 6.3 14 13.7 13.7l.8-3.8-4-1.8-1.7 2c-2.4-1.1-4.1-2.8-5.2-5.2l2-1.7z"/>',
  mail: '<path d="M2 4h16v12H2z"/><path d="m2.5 5 7.5 6 7.5-6"/>',
  language:
    '<circle cx="10" cy="10" r="8.2"/><path d="M1.8 10h16.4M10 1.8c2.7 2.6 3.6 5.3 3.6 8.2s-.9 5.6-3.6 8.2c-2.7-2.6-3.6-5.3-3.6-8.2S7.3 4.4 10 1.8z"/>',
  download: '<path d="M10 2.5v10.3M5.5 8.5l4.5 4.5 4.5-4.5M3 17h14"/>',
  upload: '<path d="M10 13V2.7M5.5 7 10 2.5 14.5 7M3 17h14"/>',
  print: '<path d="M5.5 7V2.5h9V7M5.5 14H2V7h16v7h-3.5"/><path d="M5.5 11.5h9v6h-9z"/>',
  feed: '<path d="M3.5 3.5a13 13 0 0 1 13 13M3.5 9a7.5 7.5 0 0 1 7.5 7.5"/><circle cx="5" cy="15" r="1.4"/>',
  block: '<path d="M2.5 2.5h15v15h-15zM2.5 7.5h15M6 11h8m-8 3h5"/>',
  chain:
    '<path d="M8.3 11.7a3.4 3.4 0 0 0 4.8 0l3.2-3.2a3.4 3.4 0 0 0-4.8-4.8L10.3 4.9"/><path d="M11.7 8.300a3.4 3.4 0 0 0-4.8 0L3.7 11.500a3.4 3.4 0 0 0 4.8 4.800l1.2-1.2"/>',
  code: '<path d="M2.5 2.500h5v5h-5zM12.5 2.500h5v5h-5zM2.5 12.500h5v5h-5zM12.5 12.500h2v2h-2zM17.5 12.500v5h-5"/>',
} as const;

export type IconName = keyof typeof PATHS;

export const ICON_NAMES = Object.keys(PATHS).filter(isIconName);

/** Those that point along the line of writing, and turn round where it runs from right to left. */
const TURNING: ReadonlySet<IconName> = new Set<IconName>([
  'back',
  'next',
  'return',
  'link',
  'truck',
]);

export function icon(name: IconName): Html {
  return html`<svg
    class="icon icon-${name}${TURNING.has(name) ? ' turns' : ''}"
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    ${trustedHtml(PATHS[name])}
  </svg>`;
}

function isIconName(name: string): name is IconName {
  return Object.hasOwn(PATHS, name);
}
