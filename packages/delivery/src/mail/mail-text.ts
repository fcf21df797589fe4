// What a mail says, as plain text and as HTML, from one description of it. Small, without pictures, scripts or
// anything that is loaded: whether it was read stays with its reader. All texts may come from outside.
import { html, trustedHtml, type Html } from '@lothub/kit/html';

export type MailBlock =
  /** Line breaks are kept. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | MailEntry;

/** One of several entries of a mail. */
export interface MailEntry {
  readonly kind: 'entry';
  readonly title: string;
  /** What and when it is, in a line. */
  readonly note: string;
  /** '' when there is nothing more. */
  readonly text: string;
  readonly url: string;
  /** Marks it for the eye; the note says the same in words. */
  readonly tone: 'plain' | 'warning' | 'critical';
}

export interface MailWords {
  /** The language of the whole mail, such as `en`. */
  readonly language: string;
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
  /** Why it came and how it ends: small, at the end. */
  readonly footer: readonly (string | { readonly label: string; readonly url: string })[];
}

export interface MailTexts {
  readonly text: string;
  readonly html: string;
}

export function writeMail(words: MailWords): MailTexts {
  const clean = cleanWords(words);
  return { text: plainText(clean), html: htmlText(clean) };
}

/** Removes control characters, which a terminal may execute. */
function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '');
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

function cleanWords(words: MailWords): MailWords {
  return {
    ...words,
    heading: oneLine(words.heading),
    blocks: words.blocks.map((block) => {
      if (block.kind === 'link') return { ...block, label: oneLine(block.label) };
      if (block.kind === 'text') return { ...block, text: printable(block.text) };
      const { title, note, text } = block;
      return { ...block, title: oneLine(title), note: oneLine(note), text: printable(text) };
    }),
  };
}

/** RFC 3676, section 4.3: mail programs take the lines below it for a signature. */
const SIGNATURE_LINE = '-- ';

function plainText({ heading, blocks, footer }: MailWords): string {
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case 'text':
        return block.text;
      case 'link':
        return `${block.label}:\n${block.url}`;
      case 'entry': {
        const body = block.text === '' ? '' : `\n${block.text}`;
        return `* ${block.title}\n${block.note}${body}\n${block.url}`;
      }
    }
  });
  const ending = footer.map((line) =>
    typeof line === 'string' ? line : `${line.label}: ${line.url}`,
  );
  return `${[heading, ...parts].join('\n\n')}\n\n${[SIGNATURE_LINE, ...ending].join('\n')}\n`;
}

/**
 * Both schemes are named, so that readers that turn colours themselves need not. Contrast is at least 4.5 to 1 in
 * both; readers that drop the style show plain text on their own ground.
 */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; background: #ffffff; color: #1b1f24; }
main { max-width: 600px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
h1 { font-size: 20px; line-height: 1.3; margin: 0 0 16px; }
h2 { font-size: 16px; line-height: 1.4; margin: 0; }
p { margin: 0 0 16px; }
a { color: #0b5cad; }
.text { margin: 8px 0 0; }
.entry { margin: 0 0 20px; padding: 2px 0 2px 12px; border-left: 4px solid #8a929c; }
.warning { border-left-color: #9a6700; }
.critical { border-left-color: #c4202f; }
.note, footer { color: #57606a; font-size: 14px; }
.note { margin: 0; }
footer { margin-top: 32px; padding-top: 12px; border-top: 1px solid #d0d7de; }
footer p { margin: 0 0 4px; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #e6e9ed; }
  a { color: #7ab8ff; }
  .note, footer { color: #9ea7b3; }
  footer { border-top-color: #3a424c; }
  .warning { border-left-color: #d7a12c; }
  .critical { border-left-color: #ff6b72; }
}
`;

function htmlText({ language, heading, blocks, footer }: MailWords): string {
  const page = html`<!doctype html>
    <html lang="${language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${heading}</title>
        <style>
          ${trustedHtml(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1 dir="auto">${heading}</h1>
          ${blocks.map(blockHtml)}
          <footer>
            ${footer.map((line) =>
              typeof line === 'string'
                ? html`<p>${line}</p> `
                : html`<p><a href="${line.url}">${line.label}</a></p> `,
            )}
          </footer>
        </main>
      </body>
    </html> `;
  return page.text;
}

function blockHtml(block: MailBlock): Html {
  switch (block.kind) {
    case 'text':
      return html`<p dir="auto">${renderLines(block.text)}</p> `;
    case 'link':
      return html`<p><a href="${block.url}">${block.label}</a></p> `;
    case 'entry':
      return html`<section class="entry ${block.tone}">
        <h2 dir="auto"><a href="${block.url}">${block.title}</a></h2>
        <p class="note">${block.note}</p>
        ${block.text === '' ? '' : html`<p class="text" dir="auto">${renderLines(block.text)}</p>`}
      </section> `;
  }
}

/** Many readers drop styles, and with them line breaks that a style would keep. */
function renderLines(text: string): Html {
  const [first = '', ...rest] = text.split('\n');
  return html`${first}${rest.map((line) => html`<br />${line}`)}`;
}
