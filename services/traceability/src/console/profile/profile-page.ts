// The profile of a brand: a form of what consumers read of it, beside how that looks on the page of a lot.
import { choice, field, said, type FormState } from '@lothub/design/desk-parts';
import { linkedText } from '@lothub/design/linked-text';
import { html, type Html } from '@lothub/kit/html';
import { LANGUAGES } from '@lothub/languages';
import { lotPath } from '../../lots/lot-path.ts';
import { inLanguages } from '../../lots/profiles/brand-texts.ts';
import { brandName } from '../../web/fragments.ts';
import { aboutCard, contactLine, type AboutLot } from '../../web/lot/about-card.ts';
import type { Reader } from '../../web/words/reader.ts';
import type { BrandFields } from '../../brand/state.ts';
import { renderProblem } from '../parts.ts';
import { brandPath } from '../paths.ts';
import { NAME_LENGTH_MAX, languageChoices, nameFields } from './names-form.ts';
import { renderFacts, historySection, lastChange, roomPage, type RoomView } from './room.ts';
import type { ProfileHistory } from './profile-history.ts';

const CONTACT_LENGTH_MAX = 500;

export interface ProfileView extends RoomView {
  readonly mayEdit: boolean;
  readonly stored: BrandFields;
  /** The values of the preview: the stored ones, or the typed ones. */
  readonly shown: BrandFields;
  readonly isPreview: boolean;
  readonly block:
    { readonly height: number; readonly hash: string | null; readonly at: string } | undefined;
  /** A lot that the preview is shown with; undefined: the brand has none. */
  readonly lot: Omit<AboutLot, 'brand'> | undefined;
  readonly form: FormState;
  readonly history: ProfileHistory;
  readonly auditPath: string;
  readonly manager: string;
}

export function profilePage(view: ProfileView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const body = html`<div class="profile">
      ${view.mayEdit ? formSection(view, reader) : factsSection(view, reader)}
      ${previewSection(view, reader)}
    </div>
    ${historySection(view.history, { path: brandPath(view.brand, 'profile'), auditPath: view.auditPath }, reader)}`;
  return roomPage(view, { current: 'profile', lead: words.lead, body }, reader);
}

function formSection(view: ProfileView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { stored, form, brand, block } = view;
  const { names = {} } = inLanguages(stored);
  return html`<section class="card" aria-labelledby="profile-title">
    <h2 id="profile-title">${words.tabs.profile}</h2>
    ${renderProblem(form, reader)}
    <form method="post" action="${brandPath(brand, 'profile')}">
      ${field({
        name: 'name',
        label: words.name,
        form,
        value: stored.name ?? '',
        hint: words.nameHint,
        maxLength: NAME_LENGTH_MAX,
      })}
      ${languageField(stored.language, form, reader)}
      ${otherNames({ names, language: stored.language }, form, reader)}
      ${field({
        name: 'website',
        label: words.website,
        form,
        value: stored.website ?? '',
        hint: words.websiteHint,
        maxLength: CONTACT_LENGTH_MAX,
      })}
      ${field({
        name: 'recall_contact',
        label: words.contact,
        form,
        value: stored.recall_contact ?? '',
        hint: words.contactHint,
        maxLength: CONTACT_LENGTH_MAX,
      })}
      <div class="row">
        <button type="submit">${words.save}</button>
        <button
          class="quiet"
          type="submit"
          name="do"
          value="preview"
          formaction="${brandPath(brand, 'profile')}#preview"
        >
          ${words.previewNow}
        </button>
      </div>
    </form>
    ${block === undefined ? '' : lastChange(block, reader)}
  </section>`;
}

export function languageField(value: string | null, form: FormState, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  return choice({
    name: 'language',
    label: words.language,
    form,
    value: value ?? '',
    hint: words.languageHint,
    choices: [{ value: '', label: words.noLanguage }, ...languageChoices(reader, value)],
  });
}

/** Writes the other names in a fold, which is open if one has a value. */
export function otherNames(
  own: { readonly names: Readonly<Record<string, string>>; readonly language: string | null },
  form: FormState,
  reader: Reader,
): Html {
  const { profile: words } = reader.words.console;
  const { names, language } = own;
  const isOpen =
    Object.keys(names).length > 0 ||
    LANGUAGES.some((one) => (form.values[`name_${one}`] ?? '') !== '');
  return html`<details class="fold" ${isOpen ? html`open` : ''}>
    <summary>${words.otherNames}</summary>
    <p class="hint">${words.otherNamesHint}</p>
    ${nameFields(names, form, reader, language)}
  </details>`;
}

function factsSection(view: ProfileView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { stored, block, manager } = view;
  const { name, website, recall_contact: contact, language } = stored;
  const { names = {} } = inLanguages(stored);
  return html`<section class="card" aria-labelledby="profile-title">
    <h2 id="profile-title">${words.tabs.profile}</h2>
    ${renderFacts(
      [
        [words.name, name === null ? null : said(name)],
        [words.language, language === null ? null : reader.formats.languageName(language)],
        ...namesAsFacts(names, reader),
        [words.website, website === null ? null : linkedText(website)],
        [words.contact, contact === null ? null : linkedText(contact)],
      ],
      reader,
    )}
    ${block === undefined ? '' : lastChange(block, reader)}
    <p class="hint">${words.askManager(manager)}</p>
  </section>`;
}

export function namesAsFacts(
  names: Readonly<Record<string, string>>,
  reader: Reader,
): readonly (readonly [string, Html])[] {
  const { profile: words } = reader.words.console;
  return Object.entries(names).map(([tag, name]) => [
    words.nameIn(reader.formats.languageName(tag)),
    html`<bdi lang="${tag}">${name}</bdi>`,
  ]);
}

function previewSection(view: ProfileView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { shown, lot, brand } = view;
  const own = { name: shown.name ?? brand, ...inLanguages(shown) };
  const ways = { recallContact: shown.recall_contact, website: shown.website };
  const before = html`${reader.words.advice.contact(brandName(own, reader))} `;
  return html`<section class="consumer" id="preview" aria-labelledby="preview-title">
    <h2 id="preview-title">${words.preview}</h2>
    <p class="hint">
      ${view.isPreview ? html`<strong>${words.previewOnly}</strong>` : words.previewLead}
    </p>
    ${
      lot === undefined
        ? html`<div class="card about"><h2>${brandName(own, reader)}</h2></div>`
        : aboutCard({ ...lot, brand: own }, reader)
    }
    ${contactLine(ways, before)}
    ${
      lot === undefined
        ? ''
        : html`<p><a href="${lotPath(lot.lotCode, brand)}">${words.seeLot}</a></p>`
    }
  </section>`;
}
