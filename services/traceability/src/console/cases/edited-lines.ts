// What an edit of a recall case changed, in words: for the timeline and for the history beside the form.
import { said } from '@lothub/design/desk-parts';
import { html, type Html } from '@lothub/kit/html';
import type { CaseEdited } from '../../recall/case/timeline.ts';
import { SEVERITIES } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';

type Change = CaseEdited['changes'][number];

export function editedLines(edited: CaseEdited, reader: Reader): Html {
  const { editing } = reader.words.console.cases;
  const { formats } = reader;
  const { lotsAdded, lotsExcluded, lotsRestored, scopeReason } = edited;
  const isScope = lotsAdded + lotsExcluded + lotsRestored > 0;
  return html`<ul class="changes">
    ${edited.changes.map((change) => html`<li>${changeWords(change, reader)}</li>`)}
    ${
      isScope
        ? html`<li>
            ${editing.scopeBy(
              formats.number(lotsAdded),
              formats.number(lotsExcluded),
              formats.number(lotsRestored),
            )}${scopeReason === null ? '' : html`: ${said(scopeReason)}`}
          </li>`
        : ''
    }
  </ul>`;
}

function changeWords({ field, from, to }: Change, reader: Reader): Html {
  const { editing } = reader.words.console.cases;
  const name = editing.fields[field];
  // A line has no room for texts in several languages; the chain has them word by word.
  if (field === 'wording') return html`${editing.changedTexts(name)}`;
  const word = (text: string): Html => {
    const severity = SEVERITIES.find((one) => field === 'severity' && one === text);
    return severity === undefined
      ? said(text)
      : html`${reader.words.console.simulation.severities[severity]}`;
  };
  return editing.wasIs(name, html`<del>${word(from)}</del>`, html`<ins>${word(to)}</ins>`);
}
