// What all pages share: the frame around their content, and the headers they are sent with.
import { html, type Html } from '@lothub/kit/html';
import type { FastifyReply } from 'fastify';
import {
  ICON,
  ICON_PNG_PATH,
  MAIN_MODULE,
  MANIFEST_PATH,
  OTHER_MODULES,
  STYLESHEET,
} from './assets.ts';
import { icon } from '@lothub/design/icons';
import { shortCount } from './browser/words.ts';

/**
 * Our own modules, styles and forms and nothing else: what somebody posted cannot become a script, and
 * a page cannot be framed by another site.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  "worker-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A group in the list at the side. */
export interface SideGroup {
  readonly id: string;
  readonly name: string;
  readonly unread: number;
  readonly paused: boolean;
}

/** What the frame says about the person who looks. */
export interface Frame {
  readonly name: string;
  /** Names the person to the browser alone: what it keeps for one is never shown to another. */
  readonly reader: string;
  readonly groups: readonly SideGroup[];
}

export interface Page {
  /** What the page is about. */
  readonly title: string;
  readonly body: Html;
  /** The entry of the list at the side that is shown: `all`, the id of a group, or none of them. */
  readonly current?: string;
  /** Unread ones among what the page shows, for its title. */
  readonly unread?: number;
  /** The position of the feed that the page shows; its stream continues from there. */
  readonly position?: number;
}

export function unreadTitle(title: string, unread: number): string {
  return unread === 0 ? title : `(${shortCount(unread)}) ${title}`;
}

/** A page inside the frame, for somebody who is logged in. */
export function layOut(page: Page, frame: Frame): Html {
  const live =
    page.position === undefined ? '' : html` data-position="${page.position}" data-live="yes"`;
  return renderDocument(
    page,
    html`<header class="bar">
        <button class="menu quiet" type="button" popovertarget="side">
          ${icon('menu')}<span>Groups</span>
        </button>
        <a class="brand" href="/inbox">${icon('inbox')}<span>Inbox</span></a>
        <p class="chip state" id="chip" role="status" hidden></p>
        <button class="help quiet" id="help-open" type="button" hidden>
          <kbd aria-hidden="true">?</kbd><span class="hidden">Keyboard shortcuts</span>
        </button>
        <nav class="account" aria-label="Account">
          <a href="/inbox/me">${icon('person')}<bdi>${frame.name}</bdi></a>
          <form method="post" action="/inbox/logout">
            <button class="quiet" type="submit">Log out</button>
          </form>
        </nav>
      </header>
      <div class="frame">
        ${side(page, frame)}
        <main id="content" tabindex="-1" ${live}>${page.body}</main>
      </div>
      ${helpDialog()}`,
    frame.reader,
  );
}

/** A page for somebody who is not, or not yet, logged in. */
export function layOutAlone(page: Page): Html {
  return renderDocument(
    page,
    html`<main id="content" class="alone" tabindex="-1">
      <p class="brand">${icon('inbox')}<span>Inbox</span></p>
      ${page.body}
    </main>`,
  );
}

/** A page of text for everybody. */
export function layOutOpen(page: Page): Html {
  return renderDocument(
    page,
    html`<header class="bar">
        <a class="brand" href="/inbox">${icon('inbox')}<span>Inbox</span></a>
      </header>
      <main id="content" class="reading" tabindex="-1">${page.body}</main>`,
  );
}

function renderDocument(page: Page, body: Html, reader?: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="same-origin" />
        <title>${unreadTitle(page.title, page.unread ?? 0)}</title>
        <link rel="icon" href="${ICON.path}" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${ICON_PNG_PATH}" />
        <link rel="manifest" href="${MANIFEST_PATH}" />
        <link rel="stylesheet" href="${STYLESHEET.path}" />
        ${OTHER_MODULES.map(({ path }) => html`<link rel="modulepreload" href="${path}" />`)}
        <script type="module" src="${MAIN_MODULE.path}"></script>
      </head>
      <body${reader === undefined ? '' : html` data-reader="${reader}"`}>
        <a class="skip" href="#content">Skip to content</a>
        ${body}
      </body>
    </html> `;
}

function side(page: Page, { groups }: Frame): Html {
  const unread = groups.reduce((sum, group) => sum + group.unread, 0);
  return html`<nav class="side" id="side" popover aria-label="Groups">
    <ul>
      <li>
        <a href="/inbox" ${currentPage(page.current === 'all')}>
          ${icon('inbox')}<span class="side-name">All groups</span>${renderCount(unread, 'all')}
        </a>
      </li>
      ${groups.map(
        (group) =>
          html`<li>
            <a href="/inbox/groups/${group.id}" ${currentPage(page.current === group.id)}>
              ${icon('group')}<span class="side-name" title="${group.name}"
                ><bdi>${group.name}</bdi>${
                  group.paused ? html` <span class="paused">paused</span>` : ''
                }</span
              >${renderCount(group.unread, group.id)}
            </a>
          </li>`,
      )}
    </ul>
    <a class="side-new" href="/inbox/new-group" ${currentPage(page.current === 'new')}
      >${icon('plus')}New group</a
    >
  </nav>`;
}

const KEYS: readonly (readonly [key: string, words: string])[] = [
  ['j', 'Next notification'],
  ['k', 'Previous notification'],
  ['Enter', 'Open it'],
  ['r', 'Mark read or unread'],
  ['a', 'Acknowledge a critical one'],
  ['o', 'Open its link'],
  ['/', 'Search'],
  ['?', 'Show these keys'],
];

/** Opened by scripts alone, as the keys are theirs. */
function helpDialog(): Html {
  return html`<dialog id="help" aria-labelledby="help-title">
    <h2 id="help-title">Keyboard shortcuts</h2>
    <dl class="keys">
      ${KEYS.map(
        ([key, words]) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${words}</dd>`,
      )}
    </dl>
    <form method="dialog">
      <label class="check" for="keys-on">
        <input id="keys-on" type="checkbox" checked /> Use single keys in this browser
      </label>
      <button type="submit">Close</button>
    </form>
  </dialog>`;
}

function currentPage(isCurrent: boolean): Html {
  return isCurrent ? html` aria-current="page"` : html``;
}

function renderCount(unread: number, group: string): Html {
  return html`<span class="count" data-count="${group}" data-unread="${unread}"
    ><span class="count-shown">${unread === 0 ? '' : shortCount(unread)}</span
    ><span class="hidden">${unread === 0 ? '' : ' unread'}</span></span
  >`;
}

export interface SendOptions {
  readonly status?: number;
}

/** Sends a page; every page of this service goes through here. */
export function sendPage(reply: FastifyReply, text: Html, options: SendOptions = {}): FastifyReply {
  return reply.code(options.status ?? 200).send(readyPage(reply, text));
}

/** Sets the headers of a page, and returns its text. */
export function readyPage(reply: FastifyReply, { text }: Html): string {
  void reply
    .header('Content-Security-Policy', PAGE_POLICY)
    .header('Cache-Control', 'no-store')
    .header('Referrer-Policy', 'same-origin')
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .type('text/html; charset=utf-8');
  return text;
}
