// Shared parts of the pages of this room: the heading with tabs, the block of the last change, the history
// from the chain, the values for people who may not change them, and codes without a name.
import { actionButton, emptyNote, flag, moreLink, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { shortHash } from '@lothub/design/copy-button';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { blockLink, time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed, type Crumb } from '../frame.ts';
import { askedBefore, moment, tabs, type Tab } from '../parts.ts';
import { factList } from '../../web/fact-list.ts';
import { brandPath } from '../paths.ts';
import type { ProfileHistory } from './profile-history.ts';

const TABS = ['profile', 'products', 'places', 'suppliers', 'privacy'] as const;
export type RoomTab = (typeof TABS)[number];

/** Content of every page of the room. */
export interface RoomView {
  readonly brand: string;
  /** The name of the brand. */
  readonly name: string;
  /** Tabs that the visitor may open. */
  readonly tabs: readonly RoomTab[];
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function roomPage(
  view: RoomView,
  page: {
    readonly current: RoomTab;
    readonly heading?: HtmlValue;
    readonly crumbs?: readonly Crumb[];
    readonly lead: string;
    readonly body: Html;
  },
  reader: Reader,
): Html {
  const { profile: words } = reader.words.console;
  const links = roomTabLinks(view, page.current, reader);
  return headed({
    heading: page.heading ?? words.title,
    ...(page.crumbs === undefined ? {} : { crumbs: page.crumbs }),
    summary: html`${said(view.name)} · ${page.lead}`,
    done: view.done,
    problem: view.problem,
    body: html`${tabs(words.title, links)} ${page.body}`,
  });
}

export function roomTabLinks(
  { brand, tabs: shown }: Pick<RoomView, 'brand' | 'tabs'>,
  current: RoomTab,
  { words }: Reader,
): readonly Tab[] {
  return shown.map((tab) => ({
    href: brandPath(brand, tab),
    label: words.console.profile.tabs[tab],
    isCurrent: tab === current,
  }));
}

/** Tabs that the visitor may open. */
export function roomTabs(mayErase: boolean): readonly RoomTab[] {
  return TABS.filter((tab) => tab !== 'privacy' || mayErase);
}

/** The block with the current state. */
export function lastChange(
  block: { readonly height: number | null; readonly hash: string | null; readonly at: string },
  reader: Reader,
): Html {
  const { profile: words } = reader.words.console;
  const { height, hash, at } = block;
  if (height === null) return html``;
  return html`<p class="sealed">
    ${icon('block')}<span>${words.sealedIn(blockLink(height, reader), time(at, reader))}</span>
    ${hash === null ? '' : shortHash(hash, reader.words.explorer.copy)}
  </p>`;
}

export function historySection(
  { changes, next }: ProfileHistory,
  links: { readonly path: string; readonly auditPath: string },
  reader: Reader,
): Html {
  const { profile: words, form } = reader.words.console;
  if (changes.length === 0) return html``;
  const { members } = reader.words.explorer;
  const formatName = (member: string): string =>
    Object.entries(members).find(([name]) => name === member)?.[1] ?? member;
  return html`<section class="card" id="history" aria-labelledby="history-title">
    <h2 id="history-title">${words.history}</h2>
    <p class="hint">${words.historyLead}</p>
    ${rowsTable({
      caption: words.history,
      head: [words.when, words.what, words.who, words.block],
      rows: changes.map(({ at, changed, actor, height }) => [
        moment(at, reader),
        changed === 'removed' ? words.removedStep : reader.formats.list(changed.map(formatName)),
        actor === undefined ? '' : said(actor),
        blockLink(height, reader),
      ]),
    })}
    <p class="row">
      ${moreLink(next === null ? undefined : `${links.path}?before=${next}#history`, form.more)}
      <a href="${links.auditPath}">${words.toAudit}</a>
    </p>
  </section>`;
}

/** Writes names and values, for people who may not change them. */
export function renderFacts(
  facts: readonly (readonly [string, HtmlValue | null])[],
  reader: Reader,
): Html {
  const { notSet } = reader.words.console.profile;
  return factList(
    facts.map(([name, value]) => [name, value ?? html`<span class="muted">${notSet}</span>`]),
  );
}

/** Writes the codes of the newest events that have no name yet, in a fold. */
export function unnamedFold(
  codes: readonly string[],
  fold: {
    readonly heading: (count: string) => string;
    readonly one: string;
    readonly lead: string;
    readonly buildPath: (code: string) => string;
    readonly shownMax: number;
    readonly isOpen: boolean;
  },
  { formats }: Reader,
): Html {
  if (codes.length === 0) return html``;
  const heading = codes.length === 1 ? fold.one : fold.heading(formats.number(codes.length));
  return html`<details class="fold" ${flag('open', fold.isOpen)}>
    <summary>
      ${icon('warning')}
      <h2>${heading}</h2>
    </summary>
    <p class="hint">${fold.lead}</p>
    <ul class="chips">
      ${codes.slice(0, fold.shownMax).map((code) => html`<li><a class="chip" href="${fold.buildPath(code)}">${said(code)}</a></li>`)}
    </ul>
  </details>`;
}

export function emptyCard(words: string): Html {
  return html`<section class="card">${emptyNote(words)}</section>`;
}

/** Writes the form that removes a profile, in two steps. */
export function removal(
  path: string,
  about: string,
  own: {
    readonly remove: string;
    readonly removeAdvice: string;
    readonly removeNow: string;
  },
): Html {
  return html`<section class="card">
    ${askedBefore({
      label: own.remove,
      about,
      advice: own.removeAdvice,
      form: actionButton({ action: `${path}/remove`, label: own.removeNow, kind: 'danger' }),
    })}
  </section>`;
}
