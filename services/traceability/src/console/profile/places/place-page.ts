// One place: its name, address, GLN and time zone, beside how consumers see it.
import { choice, field, said, type FormState } from '@lothub/design/desk-parts';
import { html, type Html } from '@lothub/kit/html';
import type { FoundPlace } from '../../../brand/profiles.ts';
import { inLanguages } from '../../../lots/profiles/brand-texts.ts';
import { code, placeName } from '../../../web/fragments.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { renderProblem } from '../../parts.ts';
import { brandPath } from '../../paths.ts';
import { NAME_LENGTH_MAX } from '../names-form.ts';
import { languageField, namesAsFacts, otherNames } from '../profile-page.ts';
import { emptyCard, renderFacts, historySection, lastChange, removal, roomPage } from '../room.ts';
import type { RoomView } from '../room.ts';
import { codePath } from '../profile-list.ts';
import type { ProfileHistory } from '../profile-history.ts';

const ADDRESS_LENGTH_MAX = 500;
const GLN_DIGITS = 13;
/** Names of IANA that this version of Node has. */
const TIME_ZONES = Intl.supportedValuesOf('timeZone');

export interface PlaceView extends RoomView {
  readonly location: string;
  /** Undefined: the brand has set no details for consumers. */
  readonly place: FoundPlace | undefined;
  readonly mayEdit: boolean;
  readonly form: FormState;
  readonly history: ProfileHistory;
  readonly auditPath: string;
  readonly manager: string;
}

export function placePage(view: PlaceView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { location, place, mayEdit } = view;
  const path = codePath(brandPath(view.brand, 'places'), location);
  const body = html`<div class="profile">
      ${mayEdit ? formSection(view, path, reader) : factsSection(view, reader)}
      ${preview(view, reader)}
    </div>
    ${historySection(view.history, { path, auditPath: view.auditPath }, reader)}
    ${mayEdit && place !== undefined ? removal(path, location, words.places) : ''}`;
  return roomPage(
    view,
    {
      current: 'places',
      heading: code(location),
      crumbs: [{ href: brandPath(view.brand, 'places'), label: words.tabs.places }],
      lead: words.places.lead,
      body,
    },
    reader,
  );
}

function formSection({ place, form, location }: PlaceView, path: string, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { names = {} } = place === undefined ? {} : inLanguages(place);
  return html`<section class="card" aria-label="${location}">
    ${place === undefined ? html`<p class="hint">${words.places.new}</p>` : ''}
    ${renderProblem(form, reader)}
    <form method="post" action="${path}">
      ${field({
        name: 'name',
        label: words.name,
        form,
        value: place?.name ?? '',
        required: true,
        maxLength: NAME_LENGTH_MAX,
      })}
      ${languageField(place?.language ?? null, form, reader)}
      ${otherNames({ names, language: place?.language ?? null }, form, reader)}
      ${field({
        name: 'address',
        label: words.address,
        form,
        value: place?.address ?? '',
        maxLength: ADDRESS_LENGTH_MAX,
      })}
      ${field({
        name: 'gln',
        label: words.gln,
        form,
        value: place?.gln ?? '',
        hint: words.glnHint,
        maxLength: GLN_DIGITS,
      })}
      ${choice({
        name: 'time_zone',
        label: words.timeZone,
        form,
        value: place?.time_zone ?? '',
        hint: words.timeZoneHint,
        choices: [{ value: '', label: words.utc }, ...timeZones(place?.time_zone ?? null)],
      })}
      <button type="submit">${words.save}</button>
    </form>
    ${place === undefined ? '' : lastChange({ ...place, at: place.updated_at }, reader)}
  </section>`;
}

function timeZones(own: string | null) {
  const isKnown = own === null || TIME_ZONES.includes(own);
  return (isKnown ? TIME_ZONES : [own, ...TIME_ZONES]).map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }));
}

function factsSection({ place, manager }: PlaceView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  if (place === undefined) return emptyCard(words.nothingSet);
  const { names = {}, language } = inLanguages(place);
  return html`<section class="card">
    ${renderFacts(
      [
        [words.name, said(place.name)],
        [words.language, language === undefined ? null : reader.formats.languageName(language)],
        ...namesAsFacts(names, reader),
        [words.address, place.address === null ? null : said(place.address)],
        [words.gln, place.gln === null ? null : code(place.gln)],
        [words.timeZone, place.time_zone],
      ],
      reader,
    )}
    ${lastChange({ ...place, at: place.updated_at }, reader)}
    <p class="hint">${words.askManager(manager)}</p>
  </section>`;
}

function preview({ place, location }: PlaceView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const name = place === undefined ? undefined : { name: place.name, ...inLanguages(place) };
  return html`<section class="consumer" aria-labelledby="preview-title">
    <h2 id="preview-title">${words.preview}</h2>
    <p class="hint">${words.previewLead}</p>
    <div class="card">
      <p>${placeName(location, name, reader)}</p>
    </div>
  </section>`;
}
