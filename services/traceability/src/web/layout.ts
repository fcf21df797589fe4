// What all pages share: the frame around their content, and the headers they are sent with.
import type { Asset } from '@lothub/kit/http/hashed-asset';
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { FastifyReply } from 'fastify';
import { VERSION } from '../version.ts';
import { ICON, STYLESHEET } from './assets.ts';

/**
 * Nothing but our own stylesheet, icon and forms: a page has no script, and what a tenant wrote
 * cannot become one.
 */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/**
 * Of a page with a module: files of this origin run, nothing that stands in the page does, and the module may ask
 * this hub alone.
 */
const MODULE_POLICY = `${PAGE_POLICY}; script-src 'self'; connect-src 'self'`;

export interface Page {
  /** What the page is about, without the hub's name. */
  readonly title: string;
  readonly body: Html;
  /** The one script of the page; most have none. */
  readonly module?: Asset;
}

export interface PageFrame {
  /** Name of the hub, in the header of every page. */
  readonly hubName: string;
}

const LINKS: readonly (readonly [href: string, label: string])[] = [
  ['/', 'Look up a lot'],
  ['/recalls', 'Recalls'],
  ['/explorer', 'Explorer'],
  ['/api-docs', 'Guide'],
  ['/docs', 'API'],
];

/** A whole HTML document. */
export function layOut(page: Page, frame: PageFrame): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · ${frame.hubName}</title>
        <link rel="icon" href="${ICON.path}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLESHEET.path}" />
        ${
          page.module === undefined
            ? null
            : html`<script type="module" src="${page.module.path}"></script>`
        }
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a class="hub" href="/">${frame.hubName}</a>
          <nav aria-label="Pages of this hub">
            ${LINKS.map(([href, label]) => html`<a href="${href}">${label}</a> `)}
          </nav>
        </header>
        <main id="content">${page.body}</main>
        <footer><p>${frame.hubName} runs Lothub ${VERSION}.</p></footer>
      </body>
    </html> `;
}

/** Sends a page; every page of this service goes through here. */
export function sendPage(
  reply: FastifyReply,
  page: Page,
  options: PageFrame & { readonly status?: number },
): FastifyReply {
  return reply
    .code(options.status ?? 200)
    .header('Content-Security-Policy', page.module === undefined ? PAGE_POLICY : MODULE_POLICY)
    .type('text/html; charset=utf-8')
    .send(layOut(page, options).text);
}
