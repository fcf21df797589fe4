// Private values: erasing a customer for good, and opening commitments of the chain for an authority. Each
// takes two steps; the page says before what the second one does.
import { field, message, said, tickBox, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { CustomerExtent } from '../../privacy/customer-extent.ts';
import type { Erased } from '../../privacy/erase.ts';
import { blockLink, time } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { renderProblem, tabs, type Tab } from '../parts.ts';
import { factList, type Fact } from '../../web/fact-list.ts';
import { eventPagePath } from '../paths.ts';
import { term } from '../help/terms.ts';

export const CUSTOMER_LENGTH_MAX = 200;
const HEIGHT_DIGITS_MAX = 16;
const LINE_DIGITS_MAX = 4;
/** Events whose notes continue quoting a customer, on the page; the count says how many there are. */
const QUOTES_SHOWN_MAX = 50;
export const SURE_FIELD = 'sure';
/** The counts of an erasure that are shown, in this order. */
const COUNTED = [
  'erased_lines',
  'erased_changes',
  'erased_notes',
  'erased_notifications',
  'recommitted_values',
  'quoted_in_total',
] as const satisfies readonly (keyof Erased['counts'])[];

/** An event that is to be disclosed. */
export interface EventToDisclose {
  readonly eventId: number;
  /** From 1, as people count; undefined: all lines, and the notes. */
  readonly line: number | undefined;
  readonly type: string;
  readonly occurredAt: string;
  readonly openings: number;
  /** The number of them that nobody can open any more. */
  readonly erased: number;
}

export interface PrivacyView {
  readonly brand: string;
  /** Address of the page. */
  readonly path: string;
  readonly name: string;
  readonly tabs: readonly Tab[];
  readonly mayErase: boolean;
  readonly mayDisclose: boolean;
  readonly eraseForm: FormState;
  /** The customer that the second step would erase, and how much is stored. */
  readonly toErase: { readonly customerRef: string; readonly extent: CustomerExtent } | undefined;
  readonly erased: Erased | undefined;
  readonly discloseForm: FormState;
  readonly toDisclose: EventToDisclose | undefined;
}

export function privacyPage(view: PrivacyView, reader: Reader): Html {
  const { profile } = reader.words.console;
  return headed({
    heading: profile.title,
    summary: html`${said(view.name)} · ${profile.privacy.lead}`,
    body: html`${tabs(profile.title, view.tabs)} ${view.mayErase ? eraseSection(view, reader) : ''}
    ${view.mayDisclose ? discloseSection(view, reader) : ''}`,
  });
}

function eraseSection(view: PrivacyView, reader: Reader): Html {
  const { privacy: words } = reader.words.console.profile;
  const { path, eraseForm: form, toErase, erased } = view;
  return html`<section class="card" id="erase" aria-labelledby="erase-title">
    <h2 id="erase-title">${term('erase', reader, words.eraseTitle)}</h2>
    <p class="measured">${words.eraseLead}</p>
    ${erased === undefined ? '' : erasedNote(erased, view, reader)} ${renderProblem(form, reader)}
    ${toErase === undefined ? firstStep() : secondStep(toErase)}
  </section>`;

  function firstStep(): Html {
    return html`<form method="post" action="${path}/erase#erase">
      ${field({
        name: 'customer_ref',
        label: words.customer,
        form,
        hint: words.customerHint,
        required: true,
        maxLength: CUSTOMER_LENGTH_MAX,
      })}
      <button class="quiet" type="submit">${icon('search')}${words.look}</button>
    </form>`;
  }

  function secondStep({ customerRef, extent }: NonNullable<PrivacyView['toErase']>): Html {
    const count = (number: number): string => reader.formats.number(number);
    const { lines, notifications, isExact } = extent;
    const found = words.found(said(customerRef), count(lines), count(notifications));
    return html`<div class="notice warn" role="status">
        ${icon('warning')}
        <p>
          ${lines + notifications === 0 ? words.foundNothing(said(customerRef)) : found}
          ${isExact ? '' : words.foundMore}
        </p>
        <ul>
          ${words.erasing.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </div>
      <form method="post" action="${path}/erase/now#erase">
        <input type="hidden" name="customer_ref" value="${customerRef}" />
        ${tickBox({ name: SURE_FIELD, label: words.sure, form, isTicked: false })}
        <div class="row">
          <button class="danger" type="submit">${words.eraseNow}</button>
          <a class="button quiet" href="${path}">${words.back}</a>
        </div>
      </form>`;
  }
}

function erasedNote({ counts, quotedIn, bytes }: Erased, view: PrivacyView, reader: Reader): Html {
  const { privacy: words } = reader.words.console.profile;
  const counted = COUNTED.map((name): Fact => [
    words.counts[name],
    reader.formats.number(counts[name]),
  ]);
  return html`${message('good', words.erased)} ${factList(counted)}
    <p>${words.bytes[bytes]}</p>
    ${
      quotedIn.length === 0
        ? ''
        : html`<p>${words.quotedIn(reader.formats.number(counts.quoted_in_total))}</p>
            <ul class="chips">
              ${quotedIn.slice(0, QUOTES_SHOWN_MAX).map(
                (eventId) =>
                  html`<li>
                    <a class="chip" href="${eventPagePath(view.brand, String(eventId))}"
                      >${words.event(String(eventId))}</a
                    >
                  </li>`,
              )}
            </ul>`
    }`;
}

function discloseSection(view: PrivacyView, reader: Reader): Html {
  const { privacy: words } = reader.words.console.profile;
  const { path, discloseForm: form, toDisclose } = view;
  return html`<section class="card" id="disclose" aria-labelledby="disclose-title">
    <h2 id="disclose-title">${term('disclosure', reader, words.discloseTitle)}</h2>
    <p class="measured">${words.discloseLead}</p>
    ${renderProblem(form, reader)}
    ${toDisclose === undefined ? firstStep() : secondStep(toDisclose)}
  </section>`;

  function firstStep(): Html {
    return html`<form method="post" action="${path}/disclose#disclose">
      <div class="fields">
        ${field({
          name: 'event_id',
          label: words.eventNumber,
          form,
          hint: words.eventHint,
          required: true,
          maxLength: HEIGHT_DIGITS_MAX,
        })}
        ${field({
          name: 'line',
          label: words.line,
          form,
          hint: words.lineHint,
          maxLength: LINE_DIGITS_MAX,
        })}
      </div>
      <button class="quiet" type="submit">${icon('search')}${words.lookAtEvent}</button>
    </form>`;
  }

  function secondStep(event: EventToDisclose): Html {
    const { eventId, line, type, occurredAt, openings, erased } = event;
    const count = (number: number): string => reader.formats.number(number);
    return html`${factList([
      [
        words.eventNumber,
        html`${type}, ${blockLink(eventId, reader)}, ${time(occurredAt, reader)}`,
      ],
      [words.opens, words.openings(count(openings), count(erased))],
    ])}
    ${
      openings === 0
        ? message('note', words.nothingToOpen)
        : html`<ul>
              ${words.disclosing.map((sentence) => html`<li>${sentence}</li>`)}
            </ul>
            <form method="post" action="${path}/disclose/file">
              <input type="hidden" name="event_id" value="${eventId}" />
              <input type="hidden" name="line" value="${line ?? ''}" />
              <div class="row">
                <button type="submit">${icon('download')}${words.discloseNow}</button>
                <a class="button quiet" href="${path}">${words.back}</a>
              </div>
            </form>`
    }`;
  }
}
