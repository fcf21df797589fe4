// The page at `/`: what this hub is, a form to look a lot up, and where to read on.
import { html, type Html } from '@lothub/kit/html';
import { lotForm } from './fragments.ts';
import type { Page } from './layout.ts';
import type { Reader } from './words/reader.ts';

/** Documents are in English alone. */
const ENGLISH = 'en';

export function startPage(options: { readonly hubName: string }, reader: Reader): Page {
  const words = reader.words.start;
  return {
    title: words.title,
    body: html`
      <h1>${words.title}</h1>
      ${lotForm(reader)}
      <p>${words.lead(options.hubName)}</p>
      <h2>${words.readOn}</h2>
      <dl class="links">
        ${item('/recalls', words.recalls)} ${item('/explorer', words.explorer)}
        ${item('/api-docs', words.guide, words.inEnglish)}
        ${item('/docs', words.api, words.inEnglish)}
        ${item('/api-docs/trust', words.trust, words.inEnglish)}
        ${item('/api-docs/chain-format', words.format, words.inEnglish)}
        ${item('/public/explorer', words.json)}
        <dd><a href="/openapi.json" hreflang="${ENGLISH}">${words.json.description}</a></dd>
      </dl>
    `,
  };
}

function item(
  href: string,
  { label, text }: { readonly label: string; readonly text: string },
  inEnglish?: string,
): Html {
  return html`<dt>
      <a href="${href}">${label}</a>${
        inEnglish === undefined || inEnglish === '' ? null : html` <small>${inEnglish}</small>`
      }
    </dt>
    <dd>${text}</dd>`;
}
