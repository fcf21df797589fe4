// Sentences of a description, in which code is between backticks.
import { html, type Html } from '@lothub/kit/html';

export function renderProse(text: string): Html {
  const parts = text.split('`');
  // An odd backtick is none.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
