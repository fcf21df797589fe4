// Publishes documents of this repository as pages of the hub: the guide at /api-docs and those it
// refers to. They are read at the start, which reports a missing one, and rendered for the first
// request: rendering all of them would take a twentieth of a start.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { html, type Html } from '@lothub/kit/html';
import type { Page } from './layout.ts';
import type { Section } from './markdown.ts';

/** The path of the guide, below which the other documents are published. */
export const GUIDE_PATH = '/api-docs';

interface PublishedFile {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly path: string;
}

/** Published as pages, the guide first. */
const DOCUMENTS: readonly PublishedFile[] = [
  { file: 'docs/guide.md', path: GUIDE_PATH },
  { file: 'docs/worked-example.md', path: `${GUIDE_PATH}/worked-example` },
  { file: 'docs/errors.md', path: `${GUIDE_PATH}/errors` },
  { file: 'docs/compliance.md', path: `${GUIDE_PATH}/compliance` },
  { file: 'docs/chain-format.md', path: `${GUIDE_PATH}/chain-format` },
  { file: 'docs/trust.md', path: `${GUIDE_PATH}/trust` },
  { file: 'docs/glossary.md', path: `${GUIDE_PATH}/glossary` },
];

/** Programs that are published unchanged, for readers who do not trust the hub's own verifiers. */
export const PROGRAMS: readonly PublishedFile[] = [
  { file: 'examples/verify.py', path: `${GUIDE_PATH}/verify.py` },
  { file: 'examples/verify_proof.py', path: `${GUIDE_PATH}/verify_proof.py` },
  { file: 'examples/monitor.py', path: `${GUIDE_PATH}/monitor.py` },
];

const PUBLISHED = new Map(
  [...DOCUMENTS, ...PROGRAMS].map(({ file, path }): [string, string] => [file, path]),
);

/** The address that the documents use for a hub; a page shows the address of its own hub. */
const EXAMPLE_ADDRESS = 'http://127.0.0.1:8000';

const ROOT = new URL('../../../../', import.meta.url);

/** @throws Error when the file is missing: it is part of the program */
export function readPublished(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8');
}

export interface PublishedDocument {
  readonly path: string;
  readonly page: () => Promise<Page>;
}

/** Returns all published documents; `publicUrl` replaces the example address of a hub in them. */
export function openDocuments(publicUrl: string): readonly PublishedDocument[] {
  return DOCUMENTS.map(({ file, path }) => {
    const text = readPublished(file).replaceAll(EXAMPLE_ADDRESS, publicUrl);
    let rendered: Promise<Page> | undefined;
    return { path, page: () => (rendered ??= renderDocument(text, file)) };
  });
}

async function renderDocument(text: string, file: string): Promise<Page> {
  const { renderMarkdown } = await import('./markdown.ts');
  const { title, sections, content } = renderMarkdown(text, (link) => findHref(link, file));
  return {
    title,
    writtenIn: 'en',
    body: html`<h1>${title}</h1>
      ${contents(sections)}${content}`,
  };
}

/** Links out, to this service and within the document stay; those to files lead to their page. */
function findHref(link: string, file: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(link)) return link;
  const [target = '', anchor] = link.split('#');
  const path = PUBLISHED.get(posix.join(posix.dirname(file), target));
  if (path === undefined) return undefined;
  return anchor === undefined ? path : `${path}#${anchor}`;
}

function contents(sections: readonly Section[]): Html {
  return html`<nav class="contents" aria-label="Sections of this document">
    <ul>
      ${sections.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li> `)}
    </ul>
  </nav>`;
}
