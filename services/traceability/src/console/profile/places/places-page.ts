// The places of a brand: what consumers read about each.
import { said } from '@lothub/design/desk-parts';
import { html, type Html } from '@lothub/kit/html';
import type { FoundPlace } from '../../../brand/profiles.ts';
import { inLanguages } from '../../../lots/profiles/brand-texts.ts';
import { blockLink, code, placeName } from '../../../web/fragments.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { day } from '../../parts.ts';
import { roomPage, type RoomView } from '../room.ts';
import { codePath, renderProfileList, type ProfileList } from '../profile-list.ts';

export interface PlacesView extends RoomView, ProfileList {
  readonly places: readonly FoundPlace[];
}

export function placesPage(view: PlacesView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const rows = view.places.map((row) => [
    html`<a href="${codePath(view.path, row.location)}"
      >${placeName(row.location, { name: row.name, ...inLanguages(row) }, reader)}</a
    >`,
    code(row.location),
    row.address === null ? null : said(row.address),
    row.gln === null ? null : code(row.gln),
    html`${day(row.updated_at, reader)} · ${blockLink(row.height, reader)}`,
  ]);
  const body = renderProfileList(
    view,
    {
      title: words.tabs.places,
      codeLabel: words.location,
      words: words.places,
      head: [words.name, words.location, words.address, words.gln, words.changed],
      rows,
    },
    reader,
  );
  return roomPage(view, { current: 'places', lead: words.places.lead, body }, reader);
}
