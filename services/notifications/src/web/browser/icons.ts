// The few pictures of the pages, drawn here so that they take the colour of the text around them. Each
// stands beside a word that says the same.
import { html, trustedHtml } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';

const PATHS = {
  // A different outline for each severity: told apart without colour, too.
  critical:
    '<path d="M7.6 1.5h4.8l6.1 6.1v4.8l-6.1 6.1H7.6l-6.1-6.1V7.6z"/><path d="M10 5.5v5.5m0 3v.1"/>',
  warning: '<path d="M10 2 18.8 17.5H1.2z"/><path d="M10 8v4.5m0 2.4v.1"/>',
  info: '<circle cx="10" cy="10" r="8.2"/><path d="M10 9v5.2m0-8.3V6"/>',
  inbox:
    '<path d="M2 11.5 4.6 3.4h10.8l2.6 8.1v5.1H2z"/><path d="M2 11.5h4.6l1.2 2.4h4.4l1.2-2.4H18"/>',
  group: '<path d="M3 4.5h14v9H9.5L6 17v-3.5H3z"/>',
  settings:
    '<path d="M2.5 5.5h7m4 0h4m-15 9h3m4 0h8"/><circle cx="11.5" cy="5.5" r="2"/><circle cx="7.5" cy="14.5" r="2"/>',
  person:
    '<circle cx="10" cy="6.7" r="3.5"/><path d="M3 17.5c.6-3.6 3.3-5.3 7-5.3s6.4 1.7 7 5.3"/>',
  check: '<path d="m3.5 10.5 4.3 4.3 8.7-9.3"/>',
  plus: '<path d="M10 3.5v13m-6.5-6.5h13"/>',
  key: '<circle cx="6.5" cy="13.5" r="3.5"/><path d="m9 11 7.5-7.5m-3.5 3.5 2.5 2.5"/>',
  hook: '<path d="M4 6.5h9a3.5 3.5 0 0 1 0 7H5.5m0 0 3-3m-3 3 3 3"/>',
  history: '<circle cx="10" cy="10" r="7.5"/><path d="M10 5.5V10l3 2"/>',
  back: '<path d="M12.5 4 6.5 10l6 6"/>',
  search: '<circle cx="8.7" cy="8.7" r="5.7"/><path d="m13 13 4.5 4.5"/>',
  menu: '<path d="M3 5h14M3 10h14M3 15h14"/>',
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): Html {
  return html`<svg
    class="icon icon-${name}"
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    ${trustedHtml(PATHS[name])}
  </svg>`;
}
