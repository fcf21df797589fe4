// A feed as Atom (RFC 4287), with a link to the next page (RFC 5005, section 3). Pure.
import { html, type Html } from '@lothub/kit/html';
import { VERSION } from '../../version.ts';
import type { Feed, FeedEntry } from './feed.ts';

/** Characters that no XML 1.0 document can have, however they are written (XML 1.0, section 2.2). */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const REPLACEMENT = '\uFFFD';

export function renderAtom(feed: Feed): string {
  // The tag escapes what XML needs escaped, too.
  const { text } = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
    <id>${feed.id}</id>
    <title>${xml(feed.title)}</title>
    <subtitle>${xml(feed.about)}</subtitle>
    <updated>${feed.updatedAt}</updated>
    <link rel="self" type="application/atom+xml" href="${xml(feed.feedUrl)}" />
    <link rel="alternate" type="text/html" href="${xml(feed.homeUrl)}" />
    ${feed.nextUrl === null ? null : html`<link rel="next" type="application/atom+xml" href="${xml(feed.nextUrl)}" />`}
    <generator version="${VERSION}">Lothub</generator>
    ${feed.entries.map(entryXml)}</feed
  > `;
  return `<?xml version="1.0" encoding="utf-8"?>\n${text}`;
}

/** The title is in the brand's own language; an empty tag says that the language is unknown. */
function entryXml(entry: FeedEntry): Html {
  const { brand } = entry;
  return html`<entry>
    <id>${entry.id}</id>
    <title xml:lang="${entry.titleLanguage ?? ''}">${xml(entry.title)}</title>
    <published>${entry.publishedAt}</published>
    <updated>${entry.updatedAt}</updated>
    <author
      ><name>${xml(brand.name)}</name
      >${brand.website === null ? null : html`<uri>${xml(brand.website)}</uri>`}</author
    >
    <link rel="alternate" type="text/html" href="${xml(entry.url)}" />
    ${entry.tags.map((tag) => html`<category term="${xml(tag)}" />`)}
    <summary>${xml(entry.summary)}</summary>
    <content type="html">${xml(entry.content.text)}</content>
  </entry> `;
}

function xml(text: string): string {
  return text.replaceAll(NO_XML, REPLACEMENT);
}
