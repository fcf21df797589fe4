// The common parts of all pages: the frame around their content, and the headers of their
// responses.
import { COPY_ATTRIBUTE } from '@lothub/design/copy-button';
import type { Asset } from '@lothub/kit/http/hashed-asset';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { LANGUAGES, LANGUAGE_NAMES, getDirection, pathInLanguage } from '@lothub/languages';
import type { FastifyReply } from 'fastify';
import { VERSION } from '../version.ts';
import { ICON, STYLESHEET, copyModule, localTimesModule, watchDeviceModule } from './assets.ts';
import { ICON_PNG_PATH, MANIFEST_PATH } from './site/site-paths.ts';
import type { Reader, Words } from './words/reader.ts';

/**
 * Allows only our own stylesheet, icon and forms: a page has no script, and a text of a tenant
 * cannot become one.
 */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/**
 * Allows the modules of a page: files of this origin run, scripts in the page do not, and the
 * module may send requests only to this hub.
 */
const MODULE_POLICY = `${PAGE_POLICY}; script-src 'self'; connect-src 'self'`;

export interface Page {
  /** The subject of the page, without the hub's name. */
  readonly title: string;
  readonly body: Html;
  /** Links to the same in other forms, for the head of the document. */
  readonly head?: Html;
  /** The script of the page, besides that of its buttons that copy; most pages have none. */
  readonly module?: Asset;
  /** Tag of the language of a body that is written in one language alone; else it is the reader's. */
  readonly writtenIn?: string;
}

export interface PageFrame {
  /** Name of the hub, in the header of every page. */
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly reader: Reader;
}

function listLinks(words: Words['frame']): readonly (readonly [href: string, label: string])[] {
  return [
    ['/', words.lookUp],
    ['/recalls', words.recalls],
    ['/explorer', words.explorer],
    ['/api-docs', words.guide],
    ['/docs', words.api],
  ];
}

/** A whole HTML document. */
export function layOut(page: Page, frame: PageFrame): Html {
  const { hubName, reader } = frame;
  const { language } = reader;
  const words = reader.words.frame;
  return html`<!doctype html>
    <html lang="${language}" dir="${getDirection(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · ${hubName}</title>
        ${page.writtenIn === undefined ? alternates(frame) : null} ${page.head}
        <link rel="icon" href="${ICON.path}" type="image/svg+xml" />
        <link rel="icon" href="${ICON_PNG_PATH}" sizes="192x192" type="image/png" />
        <link rel="apple-touch-icon" href="${ICON_PNG_PATH}" />
        <link rel="manifest" href="${MANIFEST_PATH}" />
        <link rel="stylesheet" href="${STYLESHEET.path}" />
        ${listModules(page).map(({ path }) => html`<script type="module" src="${path}"></script>`)}
      </head>
      <body>
        <a class="skip" href="#content">${words.skip}</a>
        <header>
          <a class="hub" href="/">${hubName}</a>
          <nav aria-label="${words.pages}">
            ${listLinks(words).map(([href, label]) => html`<a href="${href}">${label}</a> `)}
          </nav>
          ${languageChoice(reader)}
        </header>
        ${renderMain(page)}
        <footer><p>${words.runs(hubName, VERSION)}</p></footer>
      </body>
    </html> `;
}

/** The same page in the other languages, for search engines, which want whole addresses. */
function alternates({ publicUrl, reader }: PageFrame): Html {
  return html`${LANGUAGES.map(
      (language) =>
        html`<link
          rel="alternate"
          hreflang="${language}"
          href="${publicUrl}${pathInLanguage(reader.path, language)}"
        /> `,
    )}<link rel="alternate" hreflang="x-default" href="${publicUrl}${reader.path}" />`;
}

/**
 * The addresses of the languages are only queries: they lead to the page that shows them, whatever
 * the path of a request is.
 */
function languageChoice({ language: current, path, words }: Reader): Html {
  return html`<details class="languages">
    <summary aria-label="${words.frame.language}: ${LANGUAGE_NAMES[current]}">
      ${icon('language')} ${LANGUAGE_NAMES[current]}
    </summary>
    <ul>
      ${LANGUAGES.map((language) => {
        const address = pathInLanguage(path, language);
        return html`<li>
          <a
            href="${address.slice(address.indexOf('?'))}"
            hreflang="${language}"
            lang="${language}"
            ${language === current ? html`aria-current="true"` : null}
            >${LANGUAGE_NAMES[language]}</a
          >
        </li>`;
      })}
    </ul>
  </details>`;
}

function renderMain({ body, writtenIn }: Page): Html {
  return writtenIn === undefined
    ? html`<main id="content">${body}</main>`
    : html`<main id="content" lang="${writtenIn}" dir="${getDirection(writtenIn)}">${body}</main>`;
}

/**
 * Lists the modules of a page: its own, and those of buttons that copy, of times in the reader's
 * zone, and of the offer to notify the device, if the page has these.
 */
function listModules(page: Page): readonly Asset[] {
  return [
    ...(page.module === undefined ? [] : [page.module]),
    ...(page.body.text.includes(` ${COPY_ATTRIBUTE}="`) ? [copyModule()] : []),
    ...(page.body.text.includes(' data-local="') ? [localTimesModule()] : []),
    ...(page.body.text.includes(' data-watch="') ? [watchDeviceModule()] : []),
  ];
}

/** Sends a page; every page of this service goes through here. */
export function sendPage(
  reply: FastifyReply,
  page: Page,
  options: PageFrame & { readonly status?: number },
): FastifyReply {
  return reply.code(options.status ?? 200).send(readyPage(reply, page, options));
}

/** Sets the headers of a page, and returns its text. */
export function readyPage(reply: FastifyReply, page: Page, frame: PageFrame): string {
  void reply
    .header('Content-Security-Policy', listModules(page).length === 0 ? PAGE_POLICY : MODULE_POLICY)
    .type('text/html; charset=utf-8');
  return layOut(page, frame).text;
}
