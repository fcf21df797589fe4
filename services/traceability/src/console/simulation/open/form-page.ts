// The form of a new case: what it is about, in which languages, and what it does.
import {
  attribute,
  choice,
  field,
  flag,
  message,
  said,
  textArea,
  tickBox,
} from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import type { FormValues } from '@lothub/design/form-values';
import { html, type Html } from '@lothub/kit/html';
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '@lothub/languages';
import {
  CASE_ADVICE_MAX,
  CASE_REASON_MAX,
  CASE_TITLE_MAX,
} from '../../../recall/case/text-limits.ts';
import { SEVERITIES, UNCLASSIFIED } from '../../../terms.ts';
import { severityWords } from '../../../web/labels.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { headed } from '../../frame.ts';
import { renderProblem } from '../../parts.ts';
import { brandPath } from '../../paths.ts';
import { askedPath, askedValues, type Asked } from '../asked.ts';
import { TRANSLATED, translatedName } from './case-form.ts';
import { term } from '../../help/terms.ts';

/** When a person goes back, browsers show typed values again only in fields with autocomplete. */
const KEPT = 'on';
/** Rows of the fields, as they are opened. */
const REASON_ROWS = 5;
const ADVICE_ROWS = 3;

export interface FormView {
  readonly brand: string;
  readonly asked: Asked;
  readonly form: FormState;
  /** From the profile of the brand. */
  readonly profile: {
    readonly contact: string | null;
    /** Tag of its own language; null while it is not set. */
    readonly language: string | null;
    /** Other languages that its name is set in. */
    readonly languages: readonly string[];
  };
  readonly mayEditBrand: boolean;
}

export function openingCrumbs(brand: string, asked: Asked, { words }: Reader) {
  return [
    { href: brandPath(brand, 'recalls'), label: words.console.cases.title },
    { href: brandPath(brand, 'simulation'), label: words.console.simulation.title },
    { href: askedPath(brand, asked), label: said(asked.lotCode) },
  ];
}

export function caseFormPage(view: FormView, reader: Reader): Html {
  const { brand, asked, form } = view;
  const { opening: words } = reader.words.console;
  return headed({
    crumbs: openingCrumbs(brand, asked, reader),
    heading: words.heading(html`<span class="code">${said(asked.lotCode)}</span>`),
    summary: words.lead,
    body: html`${renderProblem(form, reader)}
      <form method="post" action="${askedPath(brand, {}, '/preview')}">
        ${hiddenFields(askedValues(asked))} ${textSection(view, reader)}
        ${languageSection(view, reader)} ${whatSection(view, reader)}
        <div class="row">
          <button type="submit">${words.preview}</button>
          <a class="button quiet" href="${askedPath(brand, asked)}">${words.toSimulation}</a>
        </div>
      </form>`,
  });
}

export function hiddenFields(values: FormValues): Html {
  return html`${Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" ${attribute('name', name)} value="${value}" />`,
  )}`;
}

function textSection({ form, profile }: FormView, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  const own = profile.language;
  const tags =
    own === null || LANGUAGES.some((one) => one === own) ? LANGUAGES : [...LANGUAGES, own];
  return html`<section class="card" aria-labelledby="texts-title">
    <h2 id="texts-title">${words.textsTitle}</h2>
    ${field({
      name: 'title',
      label: words.caseTitle,
      form,
      hint: words.caseTitleHint,
      required: true,
      maxLength: CASE_TITLE_MAX,
      autocomplete: KEPT,
      scope: 'case',
    })}
    ${textArea({
      name: 'reason',
      label: words.reason,
      form,
      hint: words.reasonHint,
      required: true,
      maxLength: CASE_REASON_MAX,
      scope: 'case',
      rows: REASON_ROWS,
    })}
    ${choice({
      name: 'severity',
      label: words.severity,
      form,
      value: UNCLASSIFIED,
      scope: 'case',
      choices: SEVERITIES.map((value) => ({ value, label: severityWords(value, reader) })),
    })}
    ${textArea({
      name: 'advice',
      label: words.advice,
      form,
      hint: words.adviceHint,
      maxLength: CASE_ADVICE_MAX,
      scope: 'case',
      rows: ADVICE_ROWS,
    })}
    ${choice({
      name: 'language',
      label: words.language,
      form,
      value: own ?? reader.language,
      scope: 'case',
      choices: tags.map((tag) => ({ value: tag, label: reader.formats.languageName(tag) })),
    })}
  </section>`;
}

function languageSection(view: FormView, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  return html`<section class="card" aria-labelledby="languages-title">
    <h2 id="languages-title">${words.otherLanguages}</h2>
    <p class="hint">${words.otherLanguagesHint}</p>
    ${LANGUAGES.map((language) => translation(language, view, reader))}
  </section>`;
}

/** The fields of one language: open when one has a value or an error, closed otherwise. */
function translation(language: Language, { form, profile }: FormView, reader: Reader): Html {
  const { opening: words } = reader.words.console;
  const names = TRANSLATED.map((text) => translatedName(language, text));
  const isUsed = names.some((name) => (form.values[name] ?? '') !== '' || name in form.errors);
  const hasName = profile.languages.includes(language);
  const [title, reason, advice] = TRANSLATED.map((text) => ({
    ...{ name: translatedName(language, text), form, scope: 'case' },
  }));
  if (title === undefined || reason === undefined || advice === undefined) return html``;
  return html`<details class="fold" ${flag('open', isUsed)}>
    <summary>
      <h3 lang="${language}">${LANGUAGE_NAMES[language]}</h3>
    </summary>
    <div>
      ${hasName ? html`<p class="hint">${words.written}</p>` : ''}
      ${field({
        ...title,
        label: words.caseTitle,
        maxLength: CASE_TITLE_MAX,
        autocomplete: KEPT,
      })}
      ${textArea({
        ...reason,
        label: words.reason,
        maxLength: CASE_REASON_MAX,
        rows: REASON_ROWS,
      })}
      ${textArea({
        ...advice,
        label: words.advice,
        maxLength: CASE_ADVICE_MAX,
        rows: ADVICE_ROWS,
      })}
    </div>
  </details>`;
}

function whatSection(view: FormView, reader: Reader): Html {
  const { form } = view;
  const { opening: words } = reader.words.console;
  return html`<section class="card" aria-labelledby="what-title">
    <h2 id="what-title">${term('case', reader, words.whatTitle)}</h2>
    ${tickBox({
      name: 'auto_hold',
      label: words.autoHold,
      form,
      hint: words.autoHoldHint,
      isTicked: true,
      scope: 'case',
    })}
    ${tickBox({
      name: 'confidential',
      label: words.confidential,
      form,
      hint: words.confidentialHint,
      isTicked: false,
      scope: 'case',
    })}
    ${contactNote(
      { brand: view.brand, contact: view.profile.contact, mayEditBrand: view.mayEditBrand },
      reader,
    )}
  </section>`;
}

/** Writes how consumers can reach the brand. This is in its profile; a case has no contact of its own. */
export function contactNote(
  profile: {
    readonly brand: string;
    readonly contact: string | null;
    readonly mayEditBrand: boolean;
  },
  reader: Reader,
): Html {
  const { opening: words } = reader.words.console;
  const link = profile.mayEditBrand
    ? html`<a href="${brandPath(profile.brand, 'profile')}">${words.toProfile}</a>`
    : '';
  if (profile.contact === null) return message('bad', html`${words.noContact} ${link}`);
  return html`<p>${words.contact(html`<strong>${said(profile.contact)}</strong>`)} ${link}</p>`;
}
