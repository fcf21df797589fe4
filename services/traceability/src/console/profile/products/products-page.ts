// The products of a brand: what consumers read about each.
import { html, type Html } from '@lothub/kit/html';
import type { FoundProduct } from '../../../brand/profiles.ts';
import { parseNames, picturePath } from '../../../lots/profiles/names.ts';
import { blockLink, code, productName } from '../../../web/fragments.ts';
import { renderPicture } from '../../../web/lot/about-card.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { day } from '../../parts.ts';
import { roomPage, type RoomView } from '../room.ts';
import { codePath, renderProfileList, type ProfileList } from '../profile-list.ts';

export interface ProductsView extends RoomView, ProfileList {
  readonly products: readonly FoundProduct[];
  readonly publicUrl: string;
}

export function productsPage(view: ProductsView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const rows = view.products.map((row) => {
    const names = parseNames(row);
    return [
      html`<a class="product-name" href="${codePath(view.path, row.sku)}"
        >${
          row.picture === null
            ? html`<span class="picture"></span>`
            : renderPicture(picturePath(row.picture, view.publicUrl))
        }<span>${productName(row.sku, names, reader)}</span></a
      >`,
      code(row.sku),
      row.gtin === null ? null : code(row.gtin),
      reader.formats.list(Object.keys(names).map((tag) => reader.formats.languageName(tag))),
      html`${day(row.updated_at, reader)} · ${blockLink(row.height, reader)}`,
    ];
  });
  const body = renderProfileList(
    view,
    {
      title: words.tabs.products,
      codeLabel: words.sku,
      words: words.products,
      head: [words.name, words.sku, words.gtin, words.languages, words.changed],
      rows,
    },
    reader,
  );
  return roomPage(view, { current: 'products', lead: words.products.lead, body }, reader);
}
