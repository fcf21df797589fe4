// One product: its names, its GTIN and its picture, beside how consumers see it.
import { actionButton, attribute, field, type FormState } from '@lothub/design/desk-parts';
import { shortHash } from '@lothub/design/copy-button';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { FoundProduct } from '../../../brand/profiles.ts';
import { PICTURE_TYPES } from '../../../brand/picture/check.ts';
import { lotPath } from '../../../lots/lot-path.ts';
import { parseNames, picturePath } from '../../../lots/profiles/names.ts';
import { code, type NameInLanguages } from '../../../web/fragments.ts';
import { aboutCard, renderPicture } from '../../../web/lot/about-card.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { askedBefore, renderProblem } from '../../parts.ts';
import { brandPath } from '../../paths.ts';
import { nameFields, otherNameFields } from '../names-form.ts';
import { namesAsFacts } from '../profile-page.ts';
import { emptyCard, renderFacts, historySection, lastChange, removal, roomPage } from '../room.ts';
import type { RoomView } from '../room.ts';
import { codePath } from '../profile-list.ts';
import type { ProfileHistory } from '../profile-history.ts';

const GTIN_DIGITS_MAX = 14;
export const PICTURE_FIELD = 'picture';

export interface ProductView extends RoomView {
  readonly sku: string;
  /** Undefined: the brand has set no details for consumers. */
  readonly product: FoundProduct | undefined;
  readonly mayEdit: boolean;
  readonly publicUrl: string;
  readonly own: NameInLanguages;
  /** Code of a lot of this product that the preview is shown with. */
  readonly lotCode: string | undefined;
  readonly form: FormState;
  readonly pictureForm: FormState;
  readonly history: ProfileHistory;
  readonly auditPath: string;
  readonly manager: string;
}

export function productPage(view: ProductView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { sku, product, mayEdit } = view;
  const path = codePath(brandPath(view.brand, 'products'), sku);
  const body = html`<div class="profile">
      ${mayEdit ? formSection(view, path, reader) : factsSection(view, reader)}
      <div>${preview(view, reader)} ${mayEdit ? pictureSection(view, path, reader) : ''}</div>
    </div>
    ${historySection(view.history, { path, auditPath: view.auditPath }, reader)}
    ${mayEdit && product !== undefined ? removal(path, sku, words.products) : ''}`;
  return roomPage(
    view,
    {
      current: 'products',
      heading: code(sku),
      crumbs: [{ href: brandPath(view.brand, 'products'), label: words.tabs.products }],
      lead: words.products.lead,
      body,
    },
    reader,
  );
}

function formSection({ product, form, sku }: ProductView, path: string, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const names = product === undefined ? {} : parseNames(product);
  return html`<section class="card" aria-label="${sku}">
    ${product === undefined ? html`<p class="hint">${words.products.new}</p>` : ''}
    ${renderProblem(form, reader)}
    <form method="post" action="${path}">
      ${nameFields(names, form, reader)} ${otherNameFields(names, form, reader)}
      ${field({
        name: 'gtin',
        label: words.gtin,
        form,
        value: product?.gtin ?? '',
        hint: words.gtinHint,
        maxLength: GTIN_DIGITS_MAX,
      })}
      <button type="submit">${words.save}</button>
    </form>
    ${product === undefined ? '' : lastChange({ ...product, at: product.updated_at }, reader)}
  </section>`;
}

function factsSection({ product, manager }: ProductView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  if (product === undefined) return emptyCard(words.nothingSet);
  return html`<section class="card">
    ${renderFacts(
      [
        ...namesAsFacts(parseNames(product), reader),
        [words.gtin, product.gtin === null ? null : code(product.gtin)],
      ],
      reader,
    )}
    ${lastChange({ ...product, at: product.updated_at }, reader)}
    <p class="hint">${words.askManager(manager)}</p>
  </section>`;
}

function preview(view: ProductView, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { product, sku, own, lotCode, brand, publicUrl } = view;
  const picture = product?.picture ?? null;
  const about = {
    sku,
    names: product === undefined ? undefined : parseNames(product),
    pictureUrl: picture === null ? null : picturePath(picture, publicUrl),
    brand: own,
    lotCode: lotCode ?? '…',
  };
  return html`<section class="consumer" aria-labelledby="preview-title">
    <h2 id="preview-title">${words.preview}</h2>
    <p class="hint">${words.previewLead}</p>
    ${aboutCard(about, reader)}
    ${lotCode === undefined ? '' : html`<p><a href="${lotPath(lotCode, brand)}">${words.seeLot}</a></p>`}
  </section>`;
}

function pictureSection(view: ProductView, path: string, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const { product, pictureForm: form, publicUrl } = view;
  const error = form.errors[PICTURE_FIELD];
  if (product === undefined) {
    return html`<section class="card" aria-labelledby="picture-title">
      <h2 id="picture-title">${words.picture}</h2>
      <p class="hint">${words.products.nameFirst}</p>
    </section>`;
  }
  return html`<section class="card" id="picture" aria-labelledby="picture-title">
    <h2 id="picture-title">${words.picture}</h2>
    ${
      product.picture === null
        ? html`<p class="muted">${words.products.noPicture}</p>`
        : html`${renderPicture(picturePath(product.picture, publicUrl))}
            <p class="hint">
              ${words.products.hash}<br />${shortHash(product.picture, reader.words.explorer.copy)}
            </p>`
    }
    ${renderProblem(form, reader)}
    <form method="post" action="${path}/picture#picture" enctype="multipart/form-data">
      <div class="field">
        <label for="picture-file">${words.products.choosePicture}</label>
        <p class="hint" id="picture-hint">${words.products.pictureLead}</p>
        <input
          id="picture-file"
          name="${PICTURE_FIELD}"
          type="file"
          accept="${PICTURE_TYPES.join(',')}"
          required
          ${attribute('aria-invalid', error === undefined ? undefined : 'true')}
          aria-describedby="picture-hint${error === undefined ? '' : ' picture-error'}"
        />
        ${
          error === undefined
            ? ''
            : html`<p class="field-error" id="picture-error">${icon('warning')}${error}</p>`
        }
      </div>
      <button class="quiet" type="submit">${icon('upload')}${words.products.upload}</button>
    </form>
    ${
      product.picture === null
        ? ''
        : askedBefore({
            label: words.products.removePicture,
            about: '',
            advice: words.products.removePictureAdvice,
            form: actionButton({
              action: `${path}/picture/remove`,
              label: words.products.removePicture,
              kind: 'danger',
            }),
          })
    }
  </section>`;
}
