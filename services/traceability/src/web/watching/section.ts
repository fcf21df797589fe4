// The part of a public page where its reader subscribes to recalls: by a form that works without
// scripts, and on the device itself if the browser can (browser/watch-device.ts).
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { EMAIL_LENGTH_MAX } from '@lothub/people/access/email';
import { WATCH } from '../../watching/links.ts';
import { fold } from '../fragments.ts';
import type { Reader } from '../words/reader.ts';

/** The ways in which the hub can notify people; undefined when there is none. */
export interface WatchOffer {
  readonly hasMail: boolean;
  /**
   * The public key by which browsers recognise the hub (base64url); undefined: it notifies no
   * devices.
   */
  readonly vapidKey: string | undefined;
}

/** The subject of the page. */
export type WatchedPage =
  | { readonly brand: string; readonly lotCode: string; readonly product: Html }
  | { readonly brand: string; readonly gtin: string };

export function watchSection(
  offer: WatchOffer | undefined,
  page: WatchedPage,
  reader: Reader,
): Html | null {
  if (offer === undefined) return null;
  const words = reader.words.watching;
  return fold({
    icon: icon('mail'),
    heading: words.title,
    content: html`<p>${words.intro}</p>
      <form
        class="watch"
        method="post"
        action="${WATCH}"
        ${offer.vapidKey === undefined ? null : deviceAttributes(offer.vapidKey, reader)}
        ${offer.hasMail ? null : html`hidden`}
      >
        <input type="hidden" name="brand" value="${page.brand}" />
        ${'lotCode' in page ? lotChoice(page, reader) : html`<input type="hidden" name="gtin" value="${page.gtin}" />`}
        ${offer.hasMail ? mailPart(reader) : null}
        ${offer.vapidKey === undefined ? null : devicePart(reader)}
        <p class="muted">
          ${words.kept} ${offer.hasMail ? html`<a href="${WATCH}">${words.keptOfMe}</a>` : null}
        </p>
      </form>`,
  });
}

function lotChoice(
  { lotCode, product }: { readonly lotCode: string; readonly product: Html },
  { words }: Reader,
): Html {
  const { what, thisLot, thisProduct } = words.watching;
  return html`<input type="hidden" name="lot_code" value="${lotCode}" />
    <fieldset>
      <legend>${what}</legend>
      <label><input type="radio" name="what" value="lot" checked /><span>${thisLot}</span></label>
      <label
        ><input type="radio" name="what" value="product" /><span
          >${thisProduct}: ${product}</span
        ></label
      >
    </fieldset>`;
}

function mailPart({ words }: Reader): Html {
  const { email, byMail } = words.watching;
  return html`<div class="row">
    <label for="watch-email">${email}</label>
    <input
      id="watch-email"
      name="email"
      type="email"
      required
      maxlength="${EMAIL_LENGTH_MAX}"
      autocomplete="email"
    />
    <button type="submit">${byMail}</button>
  </div>`;
}

/** The module of the page shows it if the browser supports it. */
function devicePart({ words }: Reader): Html {
  const { onDevice, offDevice } = words.watching;
  return html`<div class="row" data-watch-device hidden>
      <button type="button" class="quiet" data-watch-on hidden>${onDevice}</button>
      <button type="button" class="quiet" data-watch-off hidden>${offDevice}</button>
    </div>
    <p role="status" data-watch-status></p>`;
}

function deviceAttributes(vapidKey: string, { words }: Reader): Html {
  const { deviceAdded, deviceEnded, deviceBlocked, deviceFailed } = words.watching;
  return html`data-watch="${vapidKey}" data-added="${deviceAdded}" data-ended="${deviceEnded}"
  data-blocked="${deviceBlocked}" data-failed="${deviceFailed}"`;
}
