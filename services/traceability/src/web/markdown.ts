// Renders a document of this repository: headings get the anchors that links in documents use, links
// are led to where their target is published, and wide tables can be scrolled.
import { trustedHtml, type Html } from '@lothub/kit/html';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

export interface Section {
  readonly title: string;
  /** The anchor without `#`. */
  readonly anchor: string;
}

export interface RenderedMarkdown {
  readonly title: string;
  /** The headings right below the title's. */
  readonly sections: readonly Section[];
  /** The content after the title. */
  readonly content: Html;
}

/**
 * Renders a document that begins with its title, a heading of the first level. Raw HTML in it is
 * shown as text.
 * @param findHref finds the target of a link; undefined when it is not published: then only the text
 * of the link is shown
 * @throws Error when the document has no title
 */
export function renderMarkdown(
  text: string,
  findHref: (link: string) => string | undefined,
): RenderedMarkdown {
  const tokens = MARKDOWN.parse(text, {});
  const [title, ...others] = nameHeadings(tokens);
  if (title?.level !== 1) throw new Error('rendering a document: it does not begin with its title');
  for (const token of tokens) leadLinks(token.children ?? [], findHref);
  const content = MARKDOWN.renderer.render(tokens.slice(HEADING_TOKENS), MARKDOWN.options, {});
  return {
    title: title.title,
    sections: others.filter(({ level }) => level === 2),
    content: trustedHtml(content),
  };
}

/** A heading is three tokens: its opening, its text, its end. */
const HEADING_TOKENS = 3;

interface Heading extends Section {
  readonly level: number;
}

const MARKDOWN = new MarkdownIt({ html: false, linkify: false, typographer: false });

// A table may be wider than a telephone: then it scrolls by itself, also by keyboard.
MARKDOWN.renderer.rules['table_open'] = () =>
  '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
MARKDOWN.renderer.rules['table_close'] = () => '</table></div>\n';

/** Gives every heading the anchor that code hosts give it, so that one link works in both places. */
function nameHeadings(tokens: readonly Token[]): readonly Heading[] {
  const uses = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const inline = tokens[index + 1];
    const source = inline?.content ?? '';
    const base = buildAnchor(source);
    const count = uses.get(base) ?? 0;
    uses.set(base, count + 1);
    const anchor = count === 0 ? base : `${base}-${count}`;
    token.attrSet('id', anchor);
    return [{ level: Number(token.tag.slice(1)), title: readText(inline), anchor }];
  });
}

function buildAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function readText(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .filter((token) => token.type === 'text' || token.type === 'code_inline')
    .map((token) => token.content)
    .join('');
}

function leadLinks(tokens: readonly Token[], findHref: (link: string) => string | undefined): void {
  let dropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = findHref(String(token.attrGet('href')));
      dropped = href === undefined;
      if (href === undefined) token.attrs = null;
      else token.attrSet('href', href);
    }
    const isLink = token.type === 'link_open' || token.type === 'link_close';
    if (isLink && dropped) token.tag = 'span';
  }
}
