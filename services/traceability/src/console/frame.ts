// The frame around the pages of the console: the bar at the top, the navigation at the side, the content.
import { COPY_ATTRIBUTE } from '@lothub/design/copy-button';
import { flag, message, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import type { Asset } from '@lothub/kit/http/hashed-asset';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { LANGUAGES, LANGUAGE_NAMES, getDirection, pathInLanguage } from '@lothub/languages';
import type { Person } from '@lothub/people/access/person';
import type { Rights } from '@lothub/people/brands/access';
import { hasBrandRight, hasHubRight } from '@lothub/people/brands/rights';
import { ICON, copyModule } from '../web/assets.ts';
import { ICON_PNG_PATH } from '../web/site/site-paths.ts';
import type { Reader } from '../web/words/reader.ts';
import { STYLESHEET, consoleModule, type ConsoleModule } from './assets.ts';
import { CONSOLE, HUB_HELP, LOGOUT, ME } from './paths.ts';
import { isCurrentWay, waysOfBrand, waysOfHub, type Way } from './ways.ts';

/** Allows only our own styles and forms. Another site cannot show a page of the console in a frame. */
export const CONSOLE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'";
/**
 * For a page with a module: scripts run only from files of this origin, not from the page itself, and may
 * request only this origin.
 */
export const CONSOLE_MODULE_POLICY = `${CONSOLE_POLICY}; script-src 'self'; connect-src 'self'`;

/** The parts that every page has. */
export interface Shown {
  readonly title: string;
  readonly body: Html;
  /** Address of the page; set where the request has the address of a form that the page answers. */
  readonly path?: string;
  /** Modules that improve the page where scripts run. */
  readonly modules?: readonly ConsoleModule[];
}

export interface ConsolePage extends Shown {
  /** The brand that the page is about. */
  readonly brand?: string;
}

export interface AloneFrame {
  readonly hubName: string;
  readonly reader: Reader;
}

export interface Frame extends AloneFrame {
  readonly person: Person;
  readonly rights: Rights;
  /** Names of the person's brands, by tenant; some have none. */
  readonly names: ReadonlyMap<string, string>;
}

/** A page inside the frame, for people who are logged in. */
export function layOut(page: ConsolePage, frame: Frame): Html {
  const words = frame.reader.words.console.frame;
  return renderDocument(
    page,
    frame,
    html`<header class="bar">
        <button class="menu quiet" type="button" popovertarget="side">
          ${icon('menu')}<span>${words.menu}</span>
        </button>
        <a class="brand" href="${CONSOLE}">${icon('chain')}<span>${frame.hubName}</span></a>
        <nav class="account" aria-label="${words.account}">
          ${languageChoice(page, frame)}
          <a href="${ME}">${icon('person')}${said(frame.person.name)}</a>
          <form method="post" action="${LOGOUT}">
            <button class="quiet" type="submit">${words.logOut}</button>
          </form>
        </nav>
      </header>
      <div class="frame">
        ${side(page, frame)}
        <main id="content" tabindex="-1">${page.body}</main>
      </div>`,
  );
}

/** A page for people who are not logged in. */
export function layOutAlone(page: Shown, frame: AloneFrame): Html {
  return renderDocument(
    page,
    frame,
    html`<main id="content" class="alone" tabindex="-1">
      ${languageChoice(page, frame)}
      <p class="brand">${icon('chain')}<span>${frame.hubName}</span></p>
      ${page.body}
    </main>`,
  );
}

/** The modules that a page loads. */
export function listModules({ body, modules = [] }: Shown): readonly Asset[] {
  const named = modules.map(consoleModule);
  return body.text.includes(`${COPY_ATTRIBUTE}="`) ? [...named, copyModule()] : named;
}

function renderDocument(page: Shown, { hubName, reader }: AloneFrame, body: Html): Html {
  const { language, words } = reader;
  const { title, skip } = { ...words.console.frame, ...words.frame };
  return html`<!doctype html>
    <html lang="${language}" dir="${getDirection(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · ${title} · ${hubName}</title>
        <link rel="icon" href="${ICON.path}" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${ICON_PNG_PATH}" />
        <link rel="stylesheet" href="${STYLESHEET.path}" />
        ${listModules(page).map(({ path }) => html`<script type="module" src="${path}"></script>`)}
      </head>
      <body>
        <a class="skip" href="#content">${skip}</a>
        ${body}
      </body>
    </html> `;
}

function side(page: ConsolePage, frame: Frame): Html {
  const { rights, reader, names } = frame;
  const words = reader.words.console;
  const { brand } = page;
  const role = brand === undefined ? undefined : rights.brands.get(brand);
  const ofBrand =
    brand === undefined || role === undefined
      ? []
      : waysOfBrand(brand, words).filter(({ right }) => hasBrandRight(role, right));
  // The help of a brand also explains the words of the hub, so beside it that of the hub is left out.
  const ofHub = waysOfHub(words).filter(
    ({ right, href }) =>
      hasHubRight(rights.hub, right) && (ofBrand.length === 0 || href !== HUB_HELP),
  );
  return html`<nav class="side" id="side" popover aria-label="${words.frame.pages}">
    ${
      brand === undefined || ofBrand.length === 0
        ? ''
        : html`<h2>${said(names.get(brand) ?? brand)}</h2>
            ${wayList(ofBrand, frame, page)}`
    }
    ${
      ofHub.length === 0
        ? ''
        : html`<h2>${words.frame.hub}</h2>
            ${wayList(ofHub, frame, page)}`
    }
    ${
      rights.brands.size > (ofBrand.length === 0 ? 0 : 1)
        ? html`<a class="side-new" href="${CONSOLE}?choose=yes"
            >${icon('menu')}${words.frame.otherBrand}</a
          >`
        : ''
    }
  </nav>`;
}

function wayList(ways: readonly Way<unknown>[], { reader }: Frame, page: ConsolePage): Html {
  const [current = ''] = (page.path ?? reader.path).split('?', 1);
  return html`<ul>
    ${ways.map((way) => {
      const { href, icon: name, label } = way;
      return html`<li>
        <a href="${href}" ${flag('aria-current="page"', isCurrentWay(way, current, ways))}
          >${icon(name)}<span class="side-name">${label}</span></a
        >
      </li>`;
    })}
  </ul>`;
}

/**
 * Links to the page in the other languages. For a page that answers a form they lead to the page's own
 * address, without the form.
 */
function languageChoice(page: Shown, { reader }: AloneFrame): Html {
  const { language: current, words } = reader;
  const path = page.path ?? reader.path;
  return html`<details class="languages">
    <summary aria-label="${words.frame.language}: ${LANGUAGE_NAMES[current]}">
      ${icon('language')} <span>${LANGUAGE_NAMES[current]}</span>
    </summary>
    <ul>
      ${LANGUAGES.map(
        (language) =>
          html`<li>
            <a
              href="${pathInLanguage(path, language)}"
              hreflang="${language}"
              lang="${language}"
              ${flag('aria-current="true"', language === current)}
              >${LANGUAGE_NAMES[language]}</a
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

export interface Crumb {
  readonly href: string;
  readonly label: HtmlValue;
}

export interface HeadedOptions {
  /** The pages above this one, from the top. */
  readonly crumbs?: readonly Crumb[];
  readonly heading: HtmlValue;
  /** The most frequent actions: links and buttons beside the heading. */
  readonly actions?: HtmlValue;
  readonly summary?: HtmlValue;
  /** Text about the action that was just done. */
  readonly done?: string | undefined;
  /** Text about why the requested action was not done. */
  readonly problem?: string | undefined;
  readonly body: HtmlValue;
}

/** Writes the content of most pages: the heading, what was done, and the rest. */
export function headed(options: HeadedOptions): Html {
  const { crumbs = [], heading, summary, actions, done, problem, body } = options;
  return html`<div class="heading">
      <div>
        ${crumbs.length === 0 ? '' : crumbLine(crumbs)}
        <h1>${heading}</h1>
        ${summary === undefined ? '' : html`<p class="summary">${summary}</p>`}
      </div>
      ${actions === undefined ? '' : html`<div class="heading-actions">${actions}</div>`}
    </div>
    ${done === undefined ? '' : message('good', done)}
    ${problem === undefined ? '' : message('bad', problem, 'alert')} ${body}`;
}

function crumbLine(crumbs: readonly Crumb[]): Html {
  return html`<p class="crumbs">
    ${crumbs.map(({ href, label }) => html`<a href="${href}">${label}</a>${icon('next')}`)}
  </p>`;
}
