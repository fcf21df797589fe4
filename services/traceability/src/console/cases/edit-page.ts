// Editing the texts of an open case: title, reason, class, and what consumers read in other languages; beside it
// what was changed before.
import { choice, emptyNote, field, message, said, textArea } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { LANGUAGES, LANGUAGE_NAMES } from '@lothub/languages';
import { readWording } from '../../ledger/record/decisions/wording.ts';
import { listTexts } from '../../recall/edit/edit-case.ts';
import type { TimelineStep } from '../../recall/case/timeline.ts';
import { CASE_ADVICE_MAX, CASE_REASON_MAX, CASE_TITLE_MAX } from '../../recall/case/text-limits.ts';
import { computeMark } from '../../recall/seen.ts';
import { SEVERITIES } from '../../terms.ts';
import { blockLink, time } from '../../web/fragments.ts';
import { severityWords } from '../../web/labels.ts';
import type { Reader } from '../../web/words/reader.ts';
import { renderProblem } from '../parts.ts';
import { casePagePath } from '../paths.ts';
import { caseFrame, type ShownCase } from './case.ts';
import { editedLines } from './edited-lines.ts';

/** Texts of a case in one language. */
export const TRANSLATED = {
  title: CASE_TITLE_MAX,
  reason: CASE_REASON_MAX,
  advice: CASE_ADVICE_MAX,
} as const;
export type Translated = keyof typeof TRANSLATED;

/** Name of the field of a text in a language. */
export function translatedName(language: string, text: Translated): string {
  return `${language}_${text}`;
}

export interface EditView extends ShownCase {
  readonly form: FormState;
  /** Steps that edited the case, newest first. */
  readonly edits: readonly TimelineStep[];
}

export function editPage(view: EditView, reader: Reader): Html {
  const { recallCase, edits } = view;
  const { editing: words, refusals } = reader.words.console.cases;
  return caseFrame(
    view,
    {
      page: 'edit',
      body: html`${
          recallCase.endedAt === null
            ? formSection(view, reader)
            : html`<section class="card">${message('note', refusals.ended)}</section>`
        }
        <section class="card" aria-labelledby="history-title">
          <h2 id="history-title">${words.history}</h2>
          ${
            edits.length === 0
              ? emptyNote(words.none)
              : rowsTable({
                  caption: words.history,
                  head: [words.when, words.who, words.what],
                  rows: edits.map((step) => [
                    html`${time(step.at, reader)}
                    ${step.blockHeight === null ? '' : html`<br />${blockLink(step.blockHeight, reader)}`}`,
                    step.by === null ? '–' : said(step.by),
                    html`${step.edited === undefined ? '' : editedLines(step.edited, reader)}
                    ${step.note === null ? '' : html`<blockquote>${said(step.note)}</blockquote>`}`,
                  ]),
                })
          }
        </section>`,
    },
    reader,
  );
}

function formSection(view: EditView, reader: Reader): Html {
  const { brand, recallCase, form } = view;
  const { editing: words } = reader.words.console.cases;
  const path = casePagePath(brand, recallCase.caseNo, 'edit');
  const { language, translations = {} } = readWording(recallCase.wording);
  return html`<section class="card" aria-labelledby="edit-title">
    <h2 id="edit-title">${reader.words.console.cases.edit}</h2>
    <p class="muted">${words.lead}</p>
    ${renderProblem(form, reader)}
    <form method="post" action="${path}" class="case-form">
      <input type="hidden" name="seen" value="${computeMark(listTexts(recallCase))}" />
      ${field({
        name: 'title',
        label: words.title,
        form,
        value: recallCase.title,
        hint: words.public,
        required: true,
        maxLength: CASE_TITLE_MAX,
      })}
      ${textArea({
        name: 'reason',
        label: words.reason,
        form,
        value: recallCase.reason,
        hint: words.public,
        required: true,
        maxLength: CASE_REASON_MAX,
        rows: 4,
      })}
      ${choice({
        name: 'severity',
        label: words.severity,
        form,
        value: recallCase.severity,
        choices: SEVERITIES.map((value) => ({ value, label: severityWords(value, reader) })),
      })}
      ${choice({
        name: 'language',
        label: words.language,
        form,
        value: language ?? '',
        choices: [
          { value: '', label: words.ofBrand },
          // A language that pages do not have stays selected.
          ...[...new Set([...LANGUAGES, ...(language === undefined ? [] : [language])])].map(
            (value) => ({ value, label: reader.formats.languageName(value) }),
          ),
        ],
      })}
      <h3>${words.translations}</h3>
      <p class="hint">${words.translationsHint}</p>
      ${LANGUAGES.map((one) => translation(one, { form, texts: translations[one] ?? {} }, reader))}
      ${textArea({
        name: 'note',
        label: words.note,
        form,
        hint: words.noteHint,
        maxLength: CASE_REASON_MAX,
        rows: 2,
      })}
      <button type="submit">${words.save}</button>
    </form>
  </section>`;
}

/** The texts in one language: open if one of them has a value. */
function translation(
  language: (typeof LANGUAGES)[number],
  draft: {
    readonly form: FormState;
    readonly texts: Partial<Record<Translated, string>>;
  },
  { words }: Reader,
): Html {
  const { editing } = words.console.cases;
  const { form, texts } = draft;
  const names: readonly Translated[] = ['title', 'reason', 'advice'];
  const isUsed = names.some((one) => {
    const name = translatedName(language, one);
    return (form.values[name] ?? texts[one] ?? '') !== '' || form.errors[name] !== undefined;
  });
  const options = (one: Translated) => ({
    name: translatedName(language, one),
    label: editing[one],
    form,
    value: texts[one] ?? '',
    maxLength: TRANSLATED[one],
  });
  return html`<details class="fold" ${isUsed ? html`open` : ''}>
    <summary>${LANGUAGE_NAMES[language]}</summary>
    <div lang="${language}">
      ${field(options('title'))} ${textArea({ ...options('reason'), rows: 3 })}
      ${textArea({ ...options('advice'), rows: 2 })}
    </div>
  </details>`;
}
